"""How loud people find a sound: integrated loudness after ITU-R BS.1770 and EBU R 128, for one channel.

Written out, because the libraries that have it need SciPy (a hundred megabytes), and PyAV for Python 3.10 does not hand
out what FFmpeg's `ebur128` measures. A test holds it to that filter.
"""

import numpy as np
from numpy.typing import NDArray

_BLOCK_SEC, _STEP_SEC = 0.4, 0.1
_ABSOLUTE_GATE_LUFS, _RELATIVE_GATE_LU = -70.0, -10.0
# BS.1770-5, tables 1 and 2: numerator and denominator of the two filters at 48 kHz.
_SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585))
_HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))


def loudness_lufs(pcm: NDArray[np.float32], rate_hz: int) -> float:
    """Measure in LUFS; minus infinity for silence. A sound shorter than a block (400 ms) counts as if it went on."""
    if not pcm.size:
        return -np.inf
    block, step = round(_BLOCK_SEC * rate_hz), round(_STEP_SEC * rate_hz)
    if pcm.size < block:
        pcm = np.tile(pcm, -(-block // pcm.size))
    squares = np.concatenate([[0.0], np.cumsum(_weighted(pcm, rate_hz) ** 2)])
    starts = np.arange(0, pcm.size - block + 1, step)
    power = (squares[starts + block] - squares[starts]) / block
    loud = power[_lufs(power) > _ABSOLUTE_GATE_LUFS]
    if not loud.size:
        return -np.inf
    return float(_lufs(np.mean(loud[_lufs(loud) > _lufs(np.mean(loud)) + _RELATIVE_GATE_LU])))


def _weighted(pcm: NDArray[np.float32], rate_hz: int) -> NDArray[np.float64]:
    # By the filters' response at each frequency, which is right at every sample rate. Zeros keep the end off the start.
    size = 1 << (pcm.size + rate_hz // 10).bit_length()
    unit = np.exp(-2j * np.pi * np.fft.rfftfreq(size, 1 / rate_hz) / 48_000)
    response = np.ones_like(unit)
    for over, under in (_SHELF, _HIGH_PASS):
        response *= np.polyval(over[::-1], unit) / np.polyval(under[::-1], unit)
    return np.fft.irfft(np.fft.rfft(pcm, size) * response, size)[: pcm.size]


def _lufs(power: NDArray[np.float64]) -> NDArray[np.float64]:
    return -0.691 + 10 * np.log10(np.maximum(power, 1e-20))
