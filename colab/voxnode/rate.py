"""How many requests a node takes: a bucket that refills steadily."""

import math
import time
from collections.abc import Callable


class Rate:
    """At most `burst` at once and `per_sec` in the long run."""

    def __init__(self, per_sec: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        """Start full."""
        self._per_sec = per_sec
        self._burst = burst
        self._now = now
        self._left = float(burst)
        self._at = now()

    def wait_sec(self) -> int:
        """Take one; 0 when it was there, else the whole seconds after which one will be."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_sec)
        self._at = now
        if self._left < 1:
            return max(1, math.ceil((1 - self._left) / self._per_sec))
        self._left -= 1
        return 0
