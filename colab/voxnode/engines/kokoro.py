"""Kokoro 82M (the `kokoro` package, 0.9): the neural voice for a GPU.

Loads only where the package is installed, and fetches its model when it is made.
"""

import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from .engine import Cancelled, Line, Samples, Voice, within
from .pieces import split_pieces

_RATE_HZ = 24_000
_REPOSITORY = "hexgrad/Kokoro-82M"
# The first letter of a voice's name is the pipeline's language; the second tells female from male.
_LANGUAGES = {
    "a": ("en-US", "American English", "spacy"),
    "b": ("en-GB", "British English", "spacy"),
    "j": ("ja", "Japanese", "fugashi"),
    "z": ("zh", "Mandarin Chinese", "pypinyin_dict"),
    "e": ("es", "Spanish", "phonemizer"),
    "f": ("fr-FR", "French", "phonemizer"),
    "h": ("hi", "Hindi", "phonemizer"),
    "i": ("it", "Italian", "phonemizer"),
    "p": ("pt-BR", "Brazilian Portuguese", "phonemizer"),
}
_NAMES = """
af_heart af_alloy af_aoede af_bella af_jessica af_kore af_nicole af_nova af_river af_sarah af_sky
am_adam am_echo am_eric am_fenrir am_liam am_michael am_onyx am_puck am_santa
bf_alice bf_emma bf_isabella bf_lily bm_daniel bm_fable bm_george bm_lewis
jf_alpha jf_gongitsune jf_nezumi jf_tebukuro jm_kumo
zf_xiaobei zf_xiaoni zf_xiaoxiao zf_xiaoyi zm_yunjian zm_yunxi zm_yunxia zm_yunyang
ef_dora em_alex em_santa ff_siwis hf_alpha hf_beta hm_omega hm_psi if_sara im_nicola pf_dora pm_alex pm_santa
""".split()
# Beyond 510 phonemes the pipeline cuts a piece off without an error; outside English it splits on Latin stops alone.
_PIECE_MAX = 120
_SLOWEST, _FASTEST = 0.5, 2.0


def kokoro_voices(has_module: Callable[[str], bool]) -> list[Voice]:
    """List the voices whose language has its text front end installed."""
    usable = {letter for letter, (_, _, module) in _LANGUAGES.items() if has_module(module)}
    return [
        Voice(name, f"{name[3:].capitalize()} ({language})", tag, "kokoro", "Apache-2.0", "Kokoro-82M by hexgrad")
        for name in _NAMES
        if name[0] in usable
        for tag, language, _ in [_LANGUAGES[name[0]]]
    ]


class KokoroEngine:
    """One model for all languages; one pipeline a language, made when it is first asked for."""

    name = "kokoro"

    def __init__(self) -> None:
        """Load the model onto the GPU when there is one; raises where the package or the model can't be had."""
        import torch
        from kokoro import KModel, KPipeline

        device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = KModel(repo_id=_REPOSITORY).to(device).eval()
        self._make_pipeline = KPipeline
        self._pipelines: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._voices = kokoro_voices(lambda module: find_spec(module) is not None)
        if not self._voices:
            raise RuntimeError("no text front end of Kokoro is installed (misaki[en], misaki[ja], ...)")

    def voices(self) -> list[Voice]:
        """All voices of the languages that can be read."""
        return self._voices

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise. Kokoro knows no pitch."""
        speed = within(line.speed, _SLOWEST, _FASTEST)
        with self._lock:
            letter = line.voice.id[0]
            if letter not in self._pipelines:
                self._pipelines[letter] = self._make_pipeline(lang_code=letter, repo_id=_REPOSITORY, model=self._model)
            text = " ".join(line.text.split())
            if letter not in "ab":
                text = "\n".join(split_pieces(text, _PIECE_MAX))
            parts = []
            for piece in self._pipelines[letter](text, voice=line.voice.id, speed=speed, split_pattern=r"\n+"):
                if cancelled():
                    raise Cancelled
                if piece.audio is not None:
                    parts.append(piece.audio.detach().cpu().numpy().astype(np.float32))
        pcm = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        return Samples(pcm, _RATE_HZ, line.speed / speed, line.pitch_semitones)
