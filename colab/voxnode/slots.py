"""Who may synthesise now, who waits, and who is told to come back: a bounded queue in order of arrival."""

import asyncio
import math
from collections import deque

from .errors import NodeError


class Slots:
    """`concurrency` holders at once and at most `queue_max` waiting. Belongs to one event loop."""

    def __init__(self, concurrency: int, queue_max: int, wait_limit_sec: float) -> None:
        """Start with all slots free."""
        self.concurrency = concurrency
        self.queue_max = queue_max
        self.wait_limit_sec = wait_limit_sec
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._mean_sec = 1.0

    @property
    def queued(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def take(self) -> None:
        """Wait for a slot; raises NodeError 429 when the queue is full or the wait too long."""
        if self.in_flight < self.concurrency and not self._waiting:
            self.in_flight += 1
            return
        if len(self._waiting) >= self.queue_max:
            raise self._busy()
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        late = loop.call_later(self.wait_limit_sec, lambda: turn.done() or turn.set_exception(self._busy()))
        try:
            await turn
        except BaseException:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif not turn.cancelled() and turn.exception() is None:
                # The slot came in the same moment as the cancellation: hand it on.
                self._hand_on()
            raise
        finally:
            late.cancel()

    def give_back(self, took_sec: float) -> None:
        """Free a slot after a synthesis of that many seconds; the first in the queue gets it."""
        self._mean_sec += 0.2 * (took_sec - self._mean_sec)
        self._hand_on()

    def _hand_on(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            # Who has left in this very moment is still in line.
            if not turn.done():
                turn.set_result(None)
                return
        self.in_flight -= 1

    def _busy(self) -> NodeError:
        expected_sec = self._mean_sec * (len(self._waiting) + 1) / self.concurrency
        return NodeError(429, "busy", "The node is busy.", retry_after_sec=min(60, max(1, math.ceil(expected_sec))))
