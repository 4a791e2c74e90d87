"""The last hand on every engine's samples, so that a listener never reaches for the volume between two nodes."""

import numpy as np
from numpy.typing import NDArray

from ..engines.engine import Samples
from .limiter import limited
from .loudness import loudness_lufs
from .prosody import with_prosody

# What EBU R 128 s2 and the streaming services give to speech without pictures lies from -18 to -16.
TARGET_LUFS = -18.0
CEILING = 10 ** (-1 / 20)
# A breath this quiet is no speech: it is not blown up.
_FLOOR_LUFS = -60.0
_WINDOW_SEC = 0.01
# Against the loudest moment: below is silence.
_QUIET_DB = -45.0
LEAD_SEC, TAIL_SEC = 0.02, 0.12
# Less than this nobody hears: a file that came encoded may stay as it is.
_SAME_DB, _SAME_SEC = 1.5, 0.3


def mastered(samples: Samples, volume: float = 1.0) -> Samples:
    """Apply what the engine left, trim silence (20 ms stay before, 120 ms after), bring to -18 LUFS times `volume`.

    Peaks stay below -1 dBFS: a limiter bends what would go beyond. Finished samples get only `volume`.
    """
    rate_hz = samples.rate_hz
    pcm = with_prosody(samples.pcm, rate_hz, samples.speed_left, samples.pitch_left_semitones)
    gain_db = 0.0
    if not samples.finished:
        pcm = trimmed(pcm, rate_hz)
        gain_db = _gain_db(loudness_lufs(pcm, rate_hz))
    untouched = (
        volume == 1.0
        and (samples.speed_left, samples.pitch_left_semitones) == (1.0, 0.0)
        and abs(gain_db) <= _SAME_DB
        and samples.pcm.size - pcm.size <= _SAME_SEC * rate_hz
    )
    pcm = limited((pcm * (volume * 10 ** (gain_db / 20))).astype(np.float32), rate_hz, CEILING)
    return Samples(pcm, rate_hz, finished=True, ogg=samples.ogg if untouched else None)


def trimmed(pcm: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
    """Cut what is silent before and after; all of it when nothing in it is heard."""
    window = max(1, round(_WINDOW_SEC * rate_hz))
    count = -(-pcm.size // window)
    levels = np.abs(np.pad(pcm, (0, count * window - pcm.size))).reshape(count, window).max(axis=1, initial=0.0)
    heard = np.flatnonzero(levels > levels.max(initial=0.0) * 10 ** (_QUIET_DB / 20))
    if not heard.size:
        return pcm[:0]
    first = heard[0] * window - round(LEAD_SEC * rate_hz)
    last = (heard[-1] + 1) * window + round(TAIL_SEC * rate_hz)
    return pcm[max(0, first) : last]




def _gain_db(lufs: float) -> float:
    return 0.0 if lufs < _FLOOR_LUFS else TARGET_LUFS - lufs

