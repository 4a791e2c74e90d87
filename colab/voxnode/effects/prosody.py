"""Speed with the pitch kept, and pitch with the speed kept, for engines that can't do it themselves."""

from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from ..log import log

_told = False


def with_prosody(pcm: NDArray[np.float32], rate_hz: int, speed: float, pitch_semitones: float) -> NDArray[np.float32]:
    """Speak faster by a factor (0.25 to 4) and higher by semitones (-12 to 12); 1 and 0 change nothing.

    By Signalsmith Stretch; not by FFmpeg's `atempo`, since at some lengths an assertion in it ends the whole process.
    The seed is fixed, so that the same sound comes out the same. Without the package (Linux on 64-bit ARM has no wheel)
    the sound stays as it is.
    """
    global _told
    if not pcm.size or (speed == 1.0 and pitch_semitones == 0.0):
        return pcm
    if find_spec("python_stretch") is None:
        if not _told:
            log("prosody_missing", message="python-stretch is not installed: some voices keep their speed and pitch.")
            _told = True
        return pcm
    from python_stretch import Signalsmith

    stretch = Signalsmith.Stretch(0)
    stretch.preset(1, rate_hz)
    stretch.setTimeFactor(speed)
    stretch.setTransposeSemitones(pitch_semitones)
    return np.asarray(stretch.process(np.ascontiguousarray(pcm, np.float32).reshape(1, -1))).reshape(-1)
