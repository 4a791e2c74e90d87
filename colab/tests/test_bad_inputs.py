"""Nonsense from every side: made-up requests, answers of a registry and outputs of a tunnel. Nothing falls over.

The numbers of examples stand here; hypothesis derives them anew at each run, the same each time.
"""

import json
import re
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from conftest import LIMIT_SEC, Node, running_node
from hypothesis import given, settings
from hypothesis import strategies as st

from voxnode.registry import Answer, Registry, RegistryFault
from voxnode.tunnels.cloudflare import CloudflareTunnel
from voxnode.wire import ErrorBody

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ["model", "input", "voice", "response_format", "speed", "pitch", "volume", "language", "__proto__", "constructor"]
REQUESTS = st.one_of(
    st.binary(max_size=300),
    ANYTHING.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(st.sampled_from(FIELDS), ANYTHING, min_size=1).map(lambda value: json.dumps(value).encode()),
    # Good but for one field.
    st.tuples(st.sampled_from(FIELDS), ANYTHING).map(lambda pair: json.dumps({"input": "a", pair[0]: pair[1]}).encode()),
)
many = settings(max_examples=300, deadline=None, derandomize=True, database=None)


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with running_node(rate_per_sec=10_000.0, rate_burst=10_000) as running:
        yield running
        # Whatever they were asked, the processes that speak are the first ones.
        assert running.app.state.node.workers.restarts == 0
        assert running.speak("still here").status_code == 200


@many
@given(body=REQUESTS)
def test_300_request_bodies(node: Node, body: bytes) -> None:
    answer = node._client.post(node.url + "/v1/audio/speech", content=body)
    if answer.status_code == 200:
        return
    assert answer.status_code in (400, 422)
    assert ErrorBody.model_validate(answer.json()).error.code


@settings(many, max_examples=100)
@given(
    path=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40),
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"]),
    header=st.binary(max_size=60).filter(lambda value: b"\n" not in value and b"\r" not in value and b"\0" not in value),
)
def test_100_paths_methods_and_headers(node: Node, path: str, method: str, header: bytes) -> None:
    try:
        url = httpx.URL(node.url).copy_with(raw_path=b"/" + path.encode())
        answer = node._client.request(method, url, headers={"X-Request-Id": header, "Authorization": header})
    except (httpx.LocalProtocolError, httpx.InvalidURL):
        return  # the client will not send it; bare sockets do, below
    assert answer.status_code in (200, 307, 400, 404, 405)
    if method != "HEAD" and answer.status_code >= 400 and answer.headers["content-type"] == "application/json":
        assert ErrorBody.model_validate(answer.json()).error.code


@settings(many, max_examples=100)
@given(sent=st.binary(min_size=1, max_size=2000))
def test_100_times_what_is_no_http(node: Node, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", node.port), LIMIT_SEC) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100)[:5] in (b"", b"HTTP/")


@pytest.mark.parametrize("size_bytes", [65_537, 1_000_000, 20_000_000])
def test_large_bodies_are_refused_without_being_kept(node: Node, size_bytes: int) -> None:
    with socket.create_connection(("127.0.0.1", node.port), LIMIT_SEC) as client:
        head = f"POST /v1/audio/speech HTTP/1.1\r\nHost: x\r\nContent-Length: {size_bytes}\r\n\r\n"
        client.sendall(head.encode() + b"a" * 1000)
        assert client.recv(100).startswith(b"HTTP/1.1 413")


class Says(ThreadingHTTPServer):
    """Answers every request with `body`, whatever that is."""

    def __init__(self) -> None:
        says = self
        says.body = b""

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(200)
                self.send_header("Content-Length", str(len(says.body)))
                self.end_headers()
                self.wfile.write(says.body)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()


@pytest.fixture(scope="module")
def says() -> Iterator[Says]:
    with Says() as server:
        yield server
        server.shutdown()


ENVELOPES = st.fixed_dictionaries({}, optional={"ok": ANYTHING, "now": ANYTHING, "error": ANYTHING, "servers": ANYTHING})
ANSWERS = st.one_of(st.binary(max_size=300), (ANYTHING | ENVELOPES).map(lambda value: json.dumps(value).encode()))


@many
@given(body=ANSWERS)
def test_300_answers_of_a_registry(says: Says, body: bytes) -> None:
    says.body = body
    registry = Registry(f"http://127.0.0.1:{says.server_address[1]}/exec", limit_sec=5)
    for ask in (lambda: registry.call("heartbeat", {}), lambda: registry.members_of("a", "key")):
        try:
            answer = ask()
        except RegistryFault:
            continue
        if isinstance(answer, Answer):
            assert answer.code is None or len(answer.code) <= 64


HOSTS = st.fixed_dictionaries({"hostname": ANYTHING | st.text(max_size=30).map(lambda name: name + ".trycloudflare.com")})
METRICS = st.one_of(st.binary(max_size=300), (ANYTHING | HOSTS).map(lambda value: json.dumps(value).encode()))


@many
@given(body=METRICS)
def test_300_answers_of_a_tunnels_metrics(says: Says, body: bytes) -> None:
    says.body = body
    tunnel = CloudflareTunnel("http://127.0.0.1:1", lambda: "/nowhere")
    tunnel._metrics = f"127.0.0.1:{says.server_address[1]}"
    host = tunnel._host_name()
    assert host is None or re.fullmatch(r"[a-z0-9.-]+\.trycloudflare\.com", host)
    assert host != "api.trycloudflare.com"
