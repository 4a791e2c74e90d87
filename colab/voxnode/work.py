"""Blocking syntheses off the event loop, one a slot; a client that leaves is noticed."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.types import Receive

from .engines.engine import Cancelled
from .errors import NodeError
from .slots import Slots

_T = TypeVar("_T")


class ClientGone(Exception):
    """Whoever asked is not there any more; nobody reads an answer."""


class Workers:
    """A thread for each slot. Threads can't be stopped from outside: engines ask `cancelled`."""

    def __init__(self, slots: Slots, synthesis_limit_sec: float) -> None:
        """Make as many threads as there are slots."""
        self.slots = slots
        self.synthesis_limit_sec = synthesis_limit_sec
        self.pool = ThreadPoolExecutor(max_workers=slots.concurrency, thread_name_prefix="synthesis")

    async def run(self, job: Callable[[Callable[[], bool]], _T]) -> _T:
        """Wait for a slot and run the job there; raises NodeError 429 when busy, 503 after `synthesis_limit_sec`.

        When the caller is cancelled the job is told, and the slot comes back once the job has really ended:
        never two syntheses at once on a GPU that has room for one.
        """
        await self.slots.take()
        cancelled = threading.Event()
        started = time.monotonic()
        future = asyncio.get_running_loop().run_in_executor(self.pool, job, cancelled.is_set)

        def ended(done: "asyncio.Future[_T]") -> None:
            self.slots.give_back(time.monotonic() - started)
            if not done.cancelled():
                done.exception()  # seen: an abandoned job's Cancelled is nobody's error

        future.add_done_callback(ended)
        try:
            return await asyncio.wait_for(asyncio.shield(future), self.synthesis_limit_sec)
        except (TimeoutError, asyncio.TimeoutError):
            if future.done():
                raise  # the job's own
            raise NodeError(503, "synthesis_timeout", "The synthesis took too long.") from None
        except Cancelled:
            raise ClientGone from None
        finally:
            cancelled.set()


async def unless_gone(receive: Receive, work: Awaitable[_T]) -> _T:
    """Do the work while the client is there; raises ClientGone, with the work cancelled, once it has disconnected.

    Call it only after the body was read: from then on the next message is the disconnect.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_disconnect(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientGone
    finally:
        working.cancel()
        leaving.cancel()


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
