"""Peaks bent below a ceiling, instead of cut off: FFmpeg's limiter, through PyAV."""

from itertools import pairwise

import av
import numpy as np
from av.filter import Graph
from numpy.typing import NDArray


def limited(pcm: NDArray[np.float32], rate_hz: int, ceiling: float) -> NDArray[np.float32]:
    """Keep mono samples within the ceiling (0.07 to 1); those that are within come back as they are."""
    if float(np.max(np.abs(pcm), initial=0.0)) <= ceiling:
        return pcm
    graph = Graph()
    chain = [
        graph.add_abuffer(sample_rate=rate_hz, format="flt", layout="mono"),
        # It looks 5 ms ahead, and gives that delay back.
        graph.add("alimiter", f"limit={ceiling:.4f}:attack=5:release=50:level=0:latency=1"),
        graph.add("aformat", "sample_fmts=flt"),
        graph.add("abuffersink"),
    ]
    for before, after in pairwise(chain):
        before.link_to(after)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(pcm.astype(np.float32).reshape(1, -1), format="flt", layout="mono")
    frame.sample_rate, frame.pts = rate_hz, 0
    graph.push(frame)
    graph.push(None)
    parts = []
    while True:
        try:
            parts.append(graph.pull().to_ndarray().reshape(-1))
        except (av.error.EOFError, av.error.BlockingIOError):
            return np.concatenate(parts)
