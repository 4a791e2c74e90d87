"""What every voice engine is to the node: a name, voices, and one call that turns a text into samples."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Voice:
    """One voice; `language` is a BCP 47 tag, or `mul` for a voice of every language.

    Whoever publishes its sound has to keep to `licence` and to name `credit` (at most 200 characters each).
    """

    id: str
    name: str
    language: str
    engine: str
    licence: str = ""
    credit: str = ""


@dataclass(frozen=True)
class Samples:
    """Mono audio around -1 to 1; empty when the engine finds nothing to say in the text.

    What an engine can't do to its voice itself it leaves to the node: `speed_left` and `pitch_left_semitones`.
    `finished` sound has its level and its silences by intent. `ogg` is the same sound as Ogg Opus in packets of 20 ms,
    where the engine got it so.
    """

    pcm: NDArray[np.float32]
    rate_hz: int
    speed_left: float = 1.0
    pitch_left_semitones: float = 0.0
    finished: bool = False
    ogg: bytes | None = None


@dataclass(frozen=True)
class Line:
    """A text and how to say it: `speed` is a factor (0.25 to 4), `pitch_semitones` goes from -12 to 12.

    An engine that is a server of its own passes `request_id` on, so that its log has it too.
    """

    text: str
    voice: Voice
    speed: float = 1.0
    pitch_semitones: float = 0.0
    request_id: str = ""


class Cancelled(Exception):
    """Nobody waits for this synthesis any more."""


class Busy(Exception):
    """The engine is a server of its own and has no room at the moment."""


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


def within(value: float, low: float, high: float) -> float:
    """Give the nearest value that an engine can do."""
    return min(high, max(low, value))
