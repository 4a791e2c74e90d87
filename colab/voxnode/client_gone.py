"""Noticing that a client has left while its answer is being made."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.types import Receive

_T = TypeVar("_T")


class ClientGone(Exception):
    """Whoever asked is not there any more; nobody reads an answer."""

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
