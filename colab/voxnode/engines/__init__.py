"""The engines, best voice first. A new engine is one file here, one line in `names.py` and one in `_CLASSES`."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from .names import wanted_engines

if TYPE_CHECKING:
    from .engine import Engine

_CLASSES = {
    "voicevox": ("voicevox", "VoicevoxEngine"),
    "piper": ("piper", "PiperEngine"),
    "kokoro": ("kokoro", "KokoroEngine"),
    "hibari": ("hibari", "HibariEngine"),
    "openjtalk": ("openjtalk", "OpenJTalkEngine"),
    "kokoro-ja": ("kokoro_ja", "KokoroJaEngine"),
    "espeak": ("espeak", "EspeakEngine"),
    "tone": ("tone", "ToneEngine"),
    "openai": ("openai", "OpenAiEngine"),
}


def _maker(name: str) -> "Callable[[], Engine]":
    module, kind = _CLASSES[name]
    # Imported when it is made: an engine's packages may be missing, or large.
    return lambda: getattr(import_module(f".{module}", __name__), kind)()


def engine_makers(wish: str) -> "dict[str, Callable[[], Engine]]":
    """Tell how to make the wanted engines, in order of preference; `auto` wants all that are there."""
    return {name: _maker(name) for name in wanted_engines(wish, os.environ)}
