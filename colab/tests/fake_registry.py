"""A registry as the node meets it: a real HTTP server with the two hops of Apps Script, and its faults."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

PAGE = b"<!DOCTYPE html><title>Error</title>Service invoked too many times for one day: urlfetch."


class FakeRegistry:
    """Apps Script as the node meets it: POST writes and answers 302, GET elsewhere gives the answer, once."""

    def __init__(self) -> None:
        """Say yes to everything, until told otherwise."""
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.hops: list[str] = []
        self.faults: list[str] = []  # one for each next call: page, lost, down, slow, json, elsewhere, direct
        self.codes: list[str | None] = []  # the error code of each next call
        outer = self
        answers: dict[str, bytes] = {}
        lost: dict[str, int] = {}

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.hops.append("POST")
                url = urlsplit(self.path)
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                fault = outer.faults.pop(0) if outer.faults else ""
                if fault == "down":
                    self.connection.close()
                    return
                if fault == "page":
                    self.reply(200, PAGE, "text/html")
                    return
                outer.calls.append((parse_qs(url.query)["action"][0], body))
                code = outer.codes.pop(0) if outer.codes else None
                error = {"ok": False, "error": {"code": code, "message": "no"}}
                text = json.dumps(error if code else {"ok": True, "now": 1}).encode()
                if fault == "direct":
                    self.reply(200, text)
                    return
                if fault == "json":
                    text = b'["not", "the", "envelope"]'
                if fault == "slow":
                    threading.Event().wait(1.0)
                key = str(len(answers))
                answers[key] = text
                lost[key] = 2 if fault == "lost" else 99 if fault == "gone" else 0
                place = "http://registry.example" if fault == "elsewhere" else outer.base
                self.send_response(302)
                self.send_header("Location", f"{place}/echo?key={key}")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                outer.hops.append("GET")
                query = parse_qs(urlsplit(self.path).query)
                if query.get("action") == ["list"]:
                    row = {"serverId": "test-node", "activeCount": 3, "capacity": 10}
                    self.reply(200, json.dumps({"ok": True, "now": 1, "servers": [row]}).encode())
                    return
                key = query["key"][0]
                if lost[key] > 0:
                    lost[key] -= 1
                    self.reply(404, b"<html>unable to open the file at this time</html>", "text/html")
                else:
                    self.reply(200, answers[key])

            def reply(self, status: int, body: bytes, kind: str = "application/json") -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.url = f"{self.base}/exec"

    def actions(self) -> list[str]:
        return [action for action, _ in self.calls]

    def __enter__(self) -> "FakeRegistry":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
