"""One bounded request to an engine that is a server of its own. Standard library; nothing is followed elsewhere."""

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_CHUNK_BYTES = 64 * 1024


class HttpFault(Exception):
    """It did not answer, or with a refusal: then `status` says which."""

    def __init__(self, message: str, status: int = 0, retry_after_sec: float = 0.0) -> None:
        """Keep what the caller decides by."""
        super().__init__(message)
        self.status = status
        self.retry_after_sec = retry_after_sec


@dataclass(frozen=True)
class Answer:
    """A whole answer with status 200."""

    body: bytes
    media_type: str


class _Stay(urllib.request.HTTPRedirectHandler):
    # A key must not travel on to wherever somebody points.
    def redirect_request(self, *_: Any) -> None:  # noqa: ANN401
        return None


_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay())


def ask(
    url: str, limit_sec: float, limit_bytes: int, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """GET, or POST where there is a body; raises HttpFault when it is not there whole within both limits."""
    sent = {"Content-Type": "application/json", **(headers or {})} if body is not None else dict(headers or {})
    request = urllib.request.Request(url, data=body, headers=sent)
    deadline = time.monotonic() + limit_sec
    try:
        with _OPENER.open(request, timeout=limit_sec) as response:
            parts, size = [], 0
            while chunk := response.read1(_CHUNK_BYTES):
                parts.append(chunk)
                size += len(chunk)
                if size > limit_bytes:
                    raise HttpFault("the answer is too large")
                if time.monotonic() > deadline:
                    raise HttpFault("the answer took too long")
            if response.length:
                raise HttpFault("the answer broke off")
            return Answer(b"".join(parts), response.headers.get_content_type())
    except urllib.error.HTTPError as refusal:
        with refusal:
            retry = refusal.headers.get("Retry-After", "")
        after_sec = float(retry) if retry.isascii() and retry.isdigit() else 0.0
        raise HttpFault(f"it answered {refusal.code}", refusal.code, after_sec) from None
    except (OSError, ValueError, http.client.HTTPException) as fault:
        raise HttpFault(f"{type(fault).__name__}: {fault}"[:200]) from None
