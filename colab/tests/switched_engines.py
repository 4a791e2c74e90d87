"""Engines with switches, run as the node's synthesis process: `python switched_engines.py FOLDER NAME...`.

The switches are files in the folder, and the words of the text.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from voxnode.engines.engine import Cancelled, Engine, Line, Samples, Voice
from voxnode.engines.tone import ToneEngine
from voxnode.worker import run_worker

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()


def note(name: str, text: str) -> None:
    with open(FOLDER / name, "a", encoding="utf-8") as file:
        file.write(text + "\n")


def permitted() -> bool:
    """Whether the test lets this synthesis go on: nothing is held, or there is a permit for it."""
    if not (FOLDER / "hold").exists():
        return True
    for permit in FOLDER.glob("permit-*"):
        try:
            permit.unlink()
        except FileNotFoundError:
            continue  # another process took it
        return True
    return False


class HeldEngine:
    """Speaks only when the test lets it: each synthesis waits for a permit, or for its own cancellation."""

    name = "held"

    def voices(self) -> list[Voice]:
        return [Voice("held", "Held", "mul", self.name)]

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        note("started", line.text)
        while not permitted():
            time.sleep(0.01)
            if cancelled():
                note("cancelled", line.text)
                raise Cancelled
        note("finished", line.text)
        return Samples(np.full(2400, 0.1, np.float32), 24_000)


class MoodyEngine(ToneEngine):
    """A tone engine that does what the text says."""

    name = "moody"

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        note("started", line.text)
        if line.text == "bad":
            raise ValueError("tensor of shape ...")
        if line.text == "crash":
            os._exit(7)
        if line.text == "wedge":
            time.sleep(3600)
        if line.text == "shout":
            print('{"sizeBytes": 3}\nabc')
            os.write(1, b"and from a library in C\n")
        return super().speak(line, cancelled)


class BrokenEngine(ToneEngine):
    """Can be made, but does not speak."""

    name = "broken"

    def speak(self, line: Line, cancelled: object) -> Samples:
        raise OSError("no sound card, or whatever")


class MuteEngine(ToneEngine):
    """Speaks without a sound."""

    name = "mute"

    def speak(self, line: Line, cancelled: object) -> Samples:
        samples = super().speak(line, lambda: False)
        return Samples(samples.pcm * 0, samples.rate_hz)


ENGINES: dict[str, Callable[[], Engine]] = {
    each.name: each for each in (ToneEngine, HeldEngine, MoodyEngine, BrokenEngine, MuteEngine)
}

if __name__ == "__main__":
    sys.exit(run_worker({name: ENGINES[name] for name in sys.argv[2:]}))
