"""What every voice engine is to the node: a name, voices, and one call that turns a text into samples."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Voice:
    """One voice; `language` is a BCP 47 tag, or `mul` for a voice of every language."""

    id: str
    name: str
    language: str
    engine: str


@dataclass(frozen=True)
class Samples:
    """Mono audio from -1 to 1; empty when the engine finds nothing to say in the text."""

    pcm: NDArray[np.float32]
    rate_hz: int


@dataclass(frozen=True)
class Line:
    """A text and how to say it: `speed` is a factor (0.25 to 4), `pitch_semitones` goes from -12 to 12."""

    text: str
    voice: Voice
    speed: float = 1.0
    pitch_semitones: float = 0.0


class Cancelled(Exception):
    """Nobody waits for this synthesis any more."""


class Engine(Protocol):
    """Made once, called from several threads; an engine that can't take that locks by itself.

    Making it may be slow (models) and raises when something it needs is missing. The first voice is its default.
    """

    name: str

    def voices(self) -> list[Voice]:
        """All voices, the preferred one of each language first."""
        ...

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise; asks `cancelled` often (at least once a sentence) and then raises Cancelled."""
        ...
