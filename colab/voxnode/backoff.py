"""How long to wait before the next try."""

import random


def backoff_sec(faults: int, cap_sec: float) -> float:
    """Wait twice as long after each fault, up to the cap; nodes that failed in the same moment drift apart."""
    return min(cap_sec, 2.0 ** min(faults - 1, 10)) * random.uniform(0.8, 1.0)
