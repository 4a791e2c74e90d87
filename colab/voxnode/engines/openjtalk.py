"""Open JTalk (`pyopenjtalk-plus`): Japanese, its dictionary and its voice are in the wheel."""

from collections.abc import Callable

import numpy as np

from .engine import Cancelled, Line, Samples, Voice, within
from .pieces import split_pieces

_RATE_HZ = 48_000
# About a second of work; what is shorter stays one piece, so that its melody is one.
_PIECE_MAX = 80
# Faster, it runs out of frames for its sounds.
_SLOWEST, _FASTEST = 0.25, 2.5


class OpenJTalkEngine:
    """The library locks its synthesiser by itself."""

    name = "openjtalk"

    def __init__(self) -> None:
        """Import the library; raises ImportError where it is not installed."""
        import pyopenjtalk

        self._tts = pyopenjtalk.tts

    def voices(self) -> list[Voice]:
        """List Mei (normal), from the MMDAgent project."""
        return [
            Voice(
                "mei", "Mei (Open JTalk)", "ja", self.name,
                licence="CC BY 3.0 (voice), Modified BSD (program)",
                credit="HTS voice Mei, MMDAgent Project Team, Nagoya Institute of Technology",
            )
        ]  # fmt: skip

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise piece by piece, so that a cancelled request ends soon."""
        parts, speed = [], within(line.speed, _SLOWEST, _FASTEST)
        for piece in split_pieces(line.text, _PIECE_MAX):
            if cancelled():
                raise Cancelled
            wave, rate_hz = self._tts(piece, speed=speed, half_tone=line.pitch_semitones)
            if rate_hz != _RATE_HZ:
                raise RuntimeError(f"Open JTalk gave {rate_hz} Hz")
            parts.append(np.asarray(wave, dtype=np.float32) / 32_768)
        pcm = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        # Loud vowels go beyond full scale now and then.
        return Samples(pcm / max(1.0, float(np.max(np.abs(pcm), initial=0.0))), _RATE_HZ, line.speed / speed)
