"""The tone engine: one note a character. It needs no model, and tests can hear by it which text was spoken."""

import unicodedata
from collections.abc import Callable

import numpy as np

from .engine import Cancelled, Line, Samples, Voice

RATE_HZ = 24_000
NOTE_SEC = 0.06
_EDGE_SEC = 0.006
# Two octaves of semitones from A3. The code point decides, and odd factors spread neighbours over the scale.
_BASE_HZ = 220.0
_NOTES = 25
_AMPLITUDE = 0.3


def note_hz(character: str, pitch_semitones: float = 0.0) -> float:
    """Give the frequency in hertz of a character; 0 (silence) for spaces and what is never seen."""
    if unicodedata.category(character)[0] in "ZC":
        return 0.0
    return _BASE_HZ * 2 ** ((ord(character) * 7 % _NOTES + pitch_semitones) / 12)


class ToneEngine:
    """Deterministic: the same text gives the same samples, on every machine."""

    name = "tone"

    def voices(self) -> list[Voice]:
        """One voice for every language."""
        return [Voice("tone", "Tone", "mul", self.name, licence="MIT", credit="Voxpool")]

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Play one note of 60 ms a character, shorter when faster."""
        length = max(1, round(RATE_HZ * NOTE_SEC / line.speed))
        time_sec = np.arange(length, dtype=np.float64) / RATE_HZ
        edge = max(1, round(RATE_HZ * _EDGE_SEC))
        # Soft edges, or every note starts with a click.
        position = np.arange(length)
        envelope = np.minimum(1.0, np.minimum(position + 1, length - position) / edge) * _AMPLITUDE
        notes = []
        for character in line.text.strip():
            if cancelled():
                raise Cancelled
            hz = note_hz(character, line.pitch_semitones)
            notes.append((np.sin(2 * np.pi * hz * time_sec) * envelope).astype(np.float32))
        # Its level says nothing about a voice, and each note stands where its character stands.
        return Samples(np.concatenate(notes) if notes else np.zeros(0, np.float32), RATE_HZ, finished=True)
