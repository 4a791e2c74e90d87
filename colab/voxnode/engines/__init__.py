"""The engines, best voice first. A new engine is one file here and one line in `engine_makers`."""

from collections.abc import Callable

from .engine import Engine


def _kokoro() -> Engine:
    from .kokoro import KokoroEngine

    return KokoroEngine()


def _openjtalk() -> Engine:
    from .openjtalk import OpenJTalkEngine

    return OpenJTalkEngine()


def _espeak() -> Engine:
    from .espeak import EspeakEngine

    return EspeakEngine()


def _tone() -> Engine:
    from .tone import ToneEngine

    return ToneEngine()


_MAKERS: dict[str, Callable[[], Engine]] = {
    "kokoro": _kokoro,
    "openjtalk": _openjtalk,
    "espeak": _espeak,
    "tone": _tone,
}


def engine_makers(wanted: str) -> dict[str, Callable[[], Engine]]:
    """Tell how to make the wanted engines, in order of preference; `auto` wants all that are there."""
    return _MAKERS if wanted == "auto" else {wanted: _MAKERS[wanted]}
