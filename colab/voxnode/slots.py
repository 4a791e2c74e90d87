"""Who may synthesise now, who waits, and who is told to come back: a bounded queue in order of arrival."""

import asyncio
import math
from collections import deque
from typing import Generic, TypeVar

from .errors import NodeError

_T = TypeVar("_T")


class Slots(Generic[_T]):
    """Hands out what was added (workers), one holder each; at most `queue_max` wait. Belongs to one event loop."""

    def __init__(self, queue_max: int, wait_limit_sec: float) -> None:
        """Start with no slot at all."""
        self.queue_max = queue_max
        self.wait_limit_sec = wait_limit_sec
        self.in_flight = 0
        self._free: deque[_T] = deque()
        self._waiting: deque[asyncio.Future[_T]] = deque()
        self._mean_sec = 1.0

    @property
    def queued(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def add(self, slot: _T) -> None:
        """Bring a slot into use; the first in the queue gets it."""
        while self._waiting:
            turn = self._waiting.popleft()
            # Who has left in this very moment is still in line.
            if not turn.done():
                turn.set_result(slot)
                return
        self._free.append(slot)

    def remove(self, slot: _T) -> None:
        """Take a free slot out of use; one that is held is simply not given back."""
        if slot in self._free:
            self._free.remove(slot)

    async def take(self) -> _T:
        """Wait for a slot; raises NodeError 429 when the queue is full or the wait too long."""
        if self._free and not self._waiting:
            self.in_flight += 1
            return self._free.popleft()
        if len(self._waiting) >= self.queue_max:
            raise self._busy()
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[_T] = loop.create_future()
        self._waiting.append(turn)
        late = loop.call_later(self.wait_limit_sec, lambda: turn.done() or turn.set_exception(self._busy()))
        try:
            slot = await turn
        except BaseException:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif not turn.cancelled() and turn.exception() is None:
                # The slot came in the same moment as the cancellation: hand it on.
                self.add(turn.result())
            raise
        finally:
            late.cancel()
        self.in_flight += 1
        return slot

    def give_back(self, slot: _T | None, took_sec: float) -> None:
        """End a synthesis of that many seconds; None when its slot was lost with it."""
        self.in_flight -= 1
        self._mean_sec += 0.2 * (took_sec - self._mean_sec)
        if slot is not None:
            self.add(slot)

    def _busy(self) -> NodeError:
        expected_sec = self._mean_sec * (len(self._waiting) + 1) / max(1, self.in_flight)
        return NodeError(429, "busy", "The node is busy.", retry_after_sec=min(60, max(1, math.ceil(expected_sec))))
