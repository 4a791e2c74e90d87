"""What the node serves beside speech: requests for PATHS go to another server, its answers come as they are made."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress

import httpx
from fastapi import FastAPI, Request, Response
from starlette.responses import StreamingResponse

from .client_gone import ClientGone, unless_gone
from .errors import NodeError
from .settings import Settings

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_CONNECTIONS, _WAIT_SEC = 16, 5.0
_CONNECT_SEC, _SILENCE_SEC, _TOTAL_SEC = 3.0, 120.0, 3600.0
_BODY_SEC = 60.0
_HOP_BY_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
}  # fmt: skip
# The caller's key is the node's own, and the length is counted anew.
_NOT_SENT = _HOP_BY_HOP | {"host", "authorization", "content-length", "expect"}
_NOT_ANSWERED = _HOP_BY_HOP | {"x-request-id"}


class Beside:
    """Forwards with connections of its own, so that a slow server takes nothing from the voice."""

    def __init__(self, settings: Settings) -> None:
        """Connect to nothing yet."""
        self._base = httpx.URL(settings.paths_url)
        self._key = settings.paths_key
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(_SILENCE_SEC, connect=_CONNECT_SEC, pool=_WAIT_SEC),
            limits=httpx.Limits(max_connections=_CONNECTIONS, keepalive_expiry=4),
            trust_env=False,
        )
        # Whoever asks says what is accepted, and nobody else.
        self._client.headers.clear()

    async def answer(self, request: Request) -> Response:
        """Forward one request; raises NodeError 400, 408, 502, 503 or 504."""
        raw_path = request.scope["raw_path"].decode("latin-1")
        if _climbs(raw_path):
            raise NodeError(400, "bad_path", "The path may not leave its folder.")
        try:
            body = await asyncio.wait_for(request.body(), _BODY_SEC)
        except (TimeoutError, asyncio.TimeoutError):
            raise NodeError(408, "body_timeout", "The body did not arrive in time.") from None
        query = request.scope["query_string"].decode("latin-1")
        target = self._base.raw_path.decode("latin-1").rstrip("/") + raw_path + (f"?{query}" if query else "")
        url = self._base.copy_with(raw_path=target.encode("latin-1"))
        headers = _without(_NOT_SENT, request.headers.items())
        headers.append(("x-request-id", request.state.seen.request_id))
        if self._key:
            headers.append(("authorization", f"Bearer {self._key}"))
        asked = self._client.build_request(request.method, url, headers=headers, content=body or None)
        try:
            answered = await unless_gone(request.receive, self._client.send(asked, stream=True))
        except ClientGone:
            return Response(status_code=499)
        except httpx.PoolTimeout:
            raise NodeError(503, "busy", "The server behind this path is busy.", retry_after_sec=1) from None
        except httpx.TimeoutException:
            raise NodeError(504, "upstream_timeout", "The server behind this path did not answer in time.") from None
        except httpx.HTTPError:
            raise NodeError(502, "upstream_failed", "The server behind this path failed.") from None
        response = StreamingResponse(_pieces(answered), status_code=answered.status_code)
        kept = _without(_NOT_ANSWERED, answered.headers.multi_items())
        response.raw_headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in kept]
        return response

    async def close(self) -> None:
        """Let go of all connections."""
        await self._client.aclose()


def serve_beside(app: FastAPI, beside: Beside, paths: Iterable[str]) -> None:
    """Take these paths; what the app has already comes before them."""
    for pattern in paths:
        route = f"{pattern[:-1]}{{rest:path}}" if pattern.endswith("/*") else pattern
        app.add_api_route(route, beside.answer, methods=_METHODS, include_in_schema=False)


async def _pieces(answered: httpx.Response) -> AsyncIterator[bytes]:
    """Give the answer as it comes, still compressed as it was; an answer that drips for ever is cut."""
    ends = time.monotonic() + _TOTAL_SEC
    try:
        async for piece in answered.aiter_raw():
            yield piece
            if time.monotonic() > ends:
                raise httpx.ReadTimeout("the answer takes too long")
    finally:
        with suppress(httpx.HTTPError):
            await answered.aclose()


def _without(names: set[str], headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out these and whatever `Connection` names."""
    given = list(headers)
    named = {part.strip().lower() for name, value in given if name.lower() == "connection" for part in value.split(",")}
    return [(name, value) for name, value in given if name.lower() not in names | named]


def _climbs(raw_path: str) -> bool:
    """Whether some server could read a segment as `..`, however often it was encoded."""
    plain = re.sub(r"%(?:25)*2e", ".", raw_path, flags=re.IGNORECASE)
    plain = re.sub(r"%(?:25)*(?:2f|5c)|\\", "/", plain, flags=re.IGNORECASE)
    return any(re.fullmatch(r"\.\.?(?:;.*)?", segment) for segment in plain.split("/"))
