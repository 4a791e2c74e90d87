"""What stands before every endpoint: request id, key, rate, size, the last resort for errors, one log line."""

import hmac
import re
import time
import traceback
import uuid

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import NodeError
from .log import log
from .metrics import Metrics
from .rate import Rate
from .request_log import RequestLog, Seen
from .settings import Settings
from .wire import REQUEST_ID_PATTERN

SPEECH_PATH = "/v1/audio/speech"
_REQUEST_ID = re.compile(REQUEST_ID_PATTERN)


def request_id(sent: str | None) -> str:
    """Keep the caller's id when it is harmless in a header and a log (1 to 128 plain characters), else make one."""
    return sent if sent is not None and _REQUEST_ID.fullmatch(sent) else uuid.uuid4().hex


class Gate:
    """Plain ASGI, because wrappers that buffer responses hide a client's disconnect from the endpoint."""

    def __init__(
        self, app: ASGIApp, settings: Settings, rate: Rate, metrics: Metrics, requests: RequestLog
    ) -> None:
        """With an empty `node_key` the node is open."""
        self.app = app
        self.requests = requests
        self.rate = rate
        self.metrics = metrics
        self.expected = f"Bearer {settings.node_key}".encode() if settings.node_key else None
        self.body_limit_bytes = settings.body_limit_bytes
        # Own paths but speech have no body.
        self.other_limit_bytes = settings.paths_body_limit_bytes if settings.paths else settings.body_limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; other scopes pass through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.monotonic()
        headers = dict(reversed(scope["headers"]))
        sent_id = headers.get(b"x-request-id")
        rid = request_id(sent_id.decode("latin-1") if sent_id is not None else None)
        seen = Seen(rid, round(time.time() * 1000))
        scope.setdefault("state", {})["seen"] = seen
        status = 0
        admitted = False

        def keep(answered: int) -> None:
            # Without the key nobody can push out what those who have it may ask for.
            if admitted and scope["path"] == SPEECH_PATH:
                self.requests.keep(seen, answered, round((time.monotonic() - started) * 1000))

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # Before its first byte is out: who has the answer and asks for it finds it.
                keep(status)
                message["headers"] = [*message.get("headers", []), (b"x-request-id", rid.encode())]
            await send(message)

        try:
            self._check_key(scope["path"], headers)
            admitted = True
            self._check(scope["path"], headers)
            await self.app(scope, self._bounded(receive, self._limit_bytes(scope["path"])), send_marked)
        except NodeError as refusal:
            await refusal.response()(scope, receive, send_marked)
        except Exception as fault:  # the one boundary: logged with its stack, answered without
            log("error", requestId=rid, error=type(fault).__name__, stack=traceback.format_exc()[-4000:])
            if not status:
                await NodeError(500, "internal_error", "The node failed.").response()(scope, receive, send_marked)
        finally:
            if not status:
                keep(499)
            self.metrics.request(scope["path"], status or 499)
            took_ms = round((time.monotonic() - started) * 1000)
            # Health is asked every few seconds: it would be most of the log.
            if scope["path"] != "/health":
                path = scope["path"][:200]
                log("request", requestId=rid, method=scope["method"], path=path, status=status or 499, tookMs=took_ms)

    def _check_key(self, path: str, headers: dict[bytes, bytes]) -> None:
        sent = headers.get(b"authorization", b"")
        if path != "/health" and self.expected is not None and not hmac.compare_digest(sent, self.expected):
            raise NodeError(401, "invalid_api_key", "A valid key is needed: Authorization: Bearer NODE_KEY.")

    def _check(self, path: str, headers: dict[bytes, bytes]) -> None:
        if path != "/health":
            # Counted behind the key: who has none can't use up what the others are allowed.
            wait_sec = self.rate.wait_sec()
            if wait_sec:
                raise NodeError(429, "rate_limited", "Too many requests.", retry_after_sec=wait_sec)
        length = headers.get(b"content-length", b"0")
        limit_bytes = self._limit_bytes(path)
        if length.isdigit() and int(length) > limit_bytes:
            raise _too_large(limit_bytes)

    def _limit_bytes(self, path: str) -> int:
        return self.body_limit_bytes if path == SPEECH_PATH else self.other_limit_bytes

    def _bounded(self, receive: Receive, limit_bytes: int) -> Receive:
        received = 0

        async def receive_bounded() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit_bytes:
                raise _too_large(limit_bytes)
            return message

        return receive_bounded


def _too_large(limit_bytes: int) -> NodeError:
    return NodeError(413, "body_too_large", f"The body is larger than {limit_bytes} bytes.")
