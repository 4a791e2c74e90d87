"""A small HTTP server on loopback that answers by a function: what the engines that are servers are tested against."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Call:
    """One request."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    headers: dict[str, str]

    def json(self) -> dict[str, object]:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """One answer; `sent_bytes` less than there are breaks the connection in the middle."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    sent_bytes: int | None = None


def said(value: object, status: int = 200, **headers: str) -> Reply:
    return Reply(json.dumps(value).encode(), status, {"Content-Type": "application/json", **headers})


class FakeServer:
    """Calls `answer` for each request and keeps what was asked."""

    def __init__(self, answer: Callable[[Call], Reply]) -> None:
        """Listen on a free port."""
        self.calls: list[Call] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                url = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                call = Call(self.command, url.path, dict(parse_qsl(url.query)), body, dict(self.headers))
                outer.calls.append(call)
                reply = answer(call)
                self.send_response(reply.status)
                length = {} if "Transfer-Encoding" in reply.headers else {"Content-Length": str(len(reply.body))}
                for name, value in {**reply.headers, **length}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body[: reply.sent_bytes])
                if reply.sent_bytes is not None:
                    self.close_connection = True

            do_GET = do_POST = _serve

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "FakeServer":
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
