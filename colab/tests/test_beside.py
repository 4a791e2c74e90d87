"""PATHS: what a node serves beside speech, at its one address."""

import socket
import threading
from collections.abc import Iterator

import httpx
import pytest
from conftest import Node, running_node
from fake_server import Call, FakeServer, Reply, said

from voxnode.settings import BadSettings, read_settings

PATHS = ("/v1/chat/completions", "/v1/images/*")


def echo(call: Call) -> Reply:
    told = {"method": call.method, "path": call.path, "query": call.query, "body": call.body.decode(), "headers": call.headers}
    return said(told, 201, **{"X-Theirs": "1", "X-Request-Id": "theirs", "Keep-Alive": "timeout=9", "Connection": "X-Hop", "X-Hop": "1"})


@pytest.fixture
def model() -> Iterator[FakeServer]:
    with FakeServer(echo) as server:
        yield server


@pytest.fixture
def node(model: FakeServer) -> Iterator[Node]:
    with running_node(engine="tone", paths=PATHS, paths_url=f"{model.url}/base", paths_key="model-key", node_key="n") as running:
        running._client.headers["Authorization"] = "Bearer n"
        yield running


def test_a_request_goes_on_as_it_came_but_for_what_is_the_nodes_own(node: Node, model: FakeServer) -> None:
    answer = node._client.post(
        node.url + "/v1/chat/completions?a=%2F&b=1", content=b"hello", headers={"X-Request-Id": "r1", "Connection": "X-Gone", "X-Gone": "1", "X-Kept": "1"}
    )
    told = answer.json()
    assert (answer.status_code, told["method"], told["path"], told["query"], told["body"]) == (201, "POST", "/base/v1/chat/completions", {"a": "/", "b": "1"}, "hello")
    headers = {name.lower(): value for name, value in told["headers"].items()}
    assert (headers["authorization"], headers["x-request-id"], headers["x-kept"]) == ("Bearer model-key", "r1", "1")
    assert headers["host"] == model.url.removeprefix("http://")
    assert "x-gone" not in headers
    assert answer.headers["x-theirs"] == "1"
    assert answer.headers.get_list("x-request-id") == ["r1"]
    assert "x-hop" not in answer.headers


def test_only_the_paths_that_were_named_and_with_the_nodes_key(node: Node, model: FakeServer) -> None:
    assert node.get("/v1/images/a/b%20c").json()["path"] == "/base/v1/images/a/b%20c"
    calls = len(model.calls)
    assert node.get("/v1/embeddings").status_code == 404
    assert node.get("/v1/chat/completions/x").status_code == 404
    assert node.get("/v1/images/x", headers={"Authorization": "Bearer wrong"}).status_code == 401
    for path in ("/v1/images/../admin", "/v1/images/%2e%2e/admin", "/v1/images/%252e%252e%252fadmin", "/v1/images/..%2fadmin"):
        url = httpx.URL(node.url).copy_with(raw_path=path.encode())
        assert node._client.get(url).status_code in (400, 404)
    assert len(model.calls) == calls
    assert node.get("/v1/audio/voices").status_code == 200


def test_its_body_may_be_larger_than_a_text_to_speak_and_is_bounded(model: FakeServer) -> None:
    with running_node(engine="tone", paths=PATHS, paths_url=model.url, paths_body_limit_bytes=200_000) as node:
        assert node._client.post(node.url + "/v1/images/x", content=b"x" * 200_000).status_code == 201
        assert node._client.post(node.url + "/v1/images/x", content=b"x" * 200_001).status_code == 413
        assert node._client.post(node.url + "/v1/images/x", content=iter([b"x" * 150_000] * 2)).status_code == 413
        assert node._client.post(node.url + "/v1/audio/speech", content=b"x" * 100_000).status_code == 413


def test_an_answer_comes_piece_by_piece() -> None:
    go_on = threading.Event()

    with FakeServer(lambda _: said({})) as model:
        handler = model._server.RequestHandlerClass

        def serve(self: object) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"d\r\ndata: first\n\n\r\n")
            go_on.wait(30)
            self.wfile.write(b"e\r\ndata: second\n\n\r\n0\r\n\r\n")

        handler.do_GET = serve  # type: ignore[attr-defined]
        with running_node(engine="tone", paths=PATHS, paths_url=model.url) as node, node._client.stream("GET", node.url + "/v1/images/events") as answer:
            pieces = answer.iter_raw()
            assert next(pieces) == b"data: first\n\n"
            go_on.set()
            assert b"".join(pieces) == b"data: second\n\n"


@pytest.mark.parametrize("begun", [False, True], ids=["before the answer", "in the middle of it"])
def test_a_caller_who_leaves_takes_the_request_behind_along(begun: bool) -> None:
    asked, gone = threading.Event(), threading.Event()

    with FakeServer(lambda _: said({})) as model:
        handler = model._server.RequestHandlerClass

        def serve(self: object) -> None:
            if begun:
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                self.wfile.write(b"5\r\nfirst\r\n")
            asked.set()
            self.close_connection = True
            self.connection.settimeout(30)
            if self.connection.recv(1) == b"":
                gone.set()

        handler.do_GET = serve  # type: ignore[attr-defined]
        with running_node(engine="tone", paths=PATHS, paths_url=model.url) as node:
            url = httpx.URL(node.url)
            with socket.create_connection((url.host, url.port or 80)) as caller:
                caller.sendall(b"GET /v1/images/x HTTP/1.1\r\nHost: node\r\n\r\n")
                assert asked.wait(30)
                if begun:
                    with caller.makefile("rb") as answer:
                        assert any(b"first" in line for line in answer)
            assert gone.wait(30)


def test_a_server_that_is_not_there_is_502_without_its_address() -> None:
    with FakeServer(echo) as gone:
        url = gone.url
    with running_node(engine="tone", paths=PATHS, paths_url=url) as node:
        answer = node.get("/v1/images/x")
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "upstream_failed")
        assert url.removeprefix("http://") not in answer.text
        assert node.speak("hello").status_code == 200


def test_the_settings_name_paths_and_where_they_are() -> None:
    read = read_settings({"PATHS": " /v1/chat/completions, /v1/images/* ", "PATHS_URL": "http://127.0.0.1:8080/", "PATHS_KEY": "k"})
    assert (read.paths, read.paths_url, read.paths_key) == (PATHS, "http://127.0.0.1:8080", "k")
    attached = read_settings({"PATHS": "/v1/images/*", "ATTACH_URL": "http://127.0.0.1:8880/v1", "ATTACH_KEY": "a"})
    assert (attached.paths_url, attached.paths_key) == ("http://127.0.0.1:8880", "a")
    elsewhere = read_settings({"PATHS": "/v1/images/*", "ATTACH_URL": "http://127.0.0.1:8880", "ATTACH_KEY": "a", "PATHS_URL": "http://127.0.0.1:1"})
    assert elsewhere.paths_key == ""
    assert read_settings({}).paths == ()


@pytest.mark.parametrize(
    "env",
    [
        {"PATHS": "/v1/x"},
        {"PATHS": "v1/x", "PATHS_URL": "http://a"},
        {"PATHS": "/v1/../x", "PATHS_URL": "http://a"},
        {"PATHS": "/" + "x" * 128, "PATHS_URL": "http://a"},
        {"PATHS": ",".join(f"/{number}" for number in range(51)), "PATHS_URL": "http://a"},
        {"PATHS": "/v1/x", "PATHS_URL": "file:///etc"},
    ],
)
def test_what_is_no_path_or_no_server_is_refused(env: dict[str, str]) -> None:
    with pytest.raises(BadSettings):
        read_settings(env)
