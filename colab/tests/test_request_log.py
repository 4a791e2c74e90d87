"""GET /v1/requests/{id}: the node's own word about a request that the bot sent."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from conftest import Engines, Node, running_node, until
from fake_server import FakeServer
from test_attach import Upstream
from test_queue import ask_and_hold

from voxnode.request_log import KEPT_MAX, RequestLog, Seen
from voxnode.wire import ErrorBody, LoggedRequest


def logged(node: Node, request_id: str, **options: object) -> dict[str, object]:
    answer = node.get(f"/v1/requests/{request_id}", **options)
    assert answer.status_code == 200, answer.text
    LoggedRequest.model_validate(answer.json())
    return answer.json()


def code(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, ErrorBody.model_validate(answer.json()).error.code


def test_a_spoken_request_is_found_by_its_id_with_its_voice_and_without_its_text() -> None:
    with running_node() as node:
        before_ms = time.time() * 1000
        node.speak("secret 😀", headers={"X-Request-Id": "9f3c:a.0-1"})
        found = logged(node, "9f3c:a.0-1")
    assert before_ms - 1000 <= found.pop("receivedAt") <= time.time() * 1000 + 1000
    assert 0 <= found.pop("durationMs") < 60_000
    assert found == {"requestId": "9f3c:a.0-1", "status": 200, "engine": "tone", "voice": "tone", "inputLength": 9}


def test_it_is_there_as_soon_as_its_answer_is_with_several_processes_too(held: Engines) -> None:
    with running_node(held, concurrency=2) as node:
        ids = [f"r{number}" for number in range(60)]

        def ask(request_id: str) -> object:
            node.speak("hello", headers={"X-Request-Id": request_id})
            return logged(node, request_id)["engine"]

        with ThreadPoolExecutor(6) as pool:
            assert list(pool.map(ask, ids)) == ["held"] * 60


def test_refusals_and_faults_are_found_with_what_they_were_answered(moody: Engines) -> None:
    with running_node(moody, body_limit_bytes=2000) as node:
        asked = {"unread": ("x" * 1990, 413), "bad": ("bad", 500), "dots": ("...", 422)}
        for request_id, (text, status) in asked.items():
            assert node.speak(text, headers={"X-Request-Id": request_id}).status_code == status
        found = {request_id: logged(node, request_id) for request_id in asked}
    assert [(found[name]["status"], found[name]["inputLength"]) for name in asked] == [(413, 0), (500, 3), (422, 3)]
    assert not any("voice" in entry or "engine" in entry for entry in found.values())


def test_who_has_gone_is_found_as_gone(held: Engines) -> None:
    with running_node(held) as node:
        held.hold = True
        leaver = ask_and_hold(node, "hello", "left")
        until(lambda: "hello" in held.lines("started"), "it is spoken")
        leaver.close()
        until(lambda: node.get("/v1/requests/left").status_code == 200, "it is written down")
        assert logged(node, "left")["status"] == 499


def test_an_id_that_is_not_there_has_a_code_of_its_own_and_other_paths_are_no_log() -> None:
    with running_node() as node:
        node.get("/v1/audio/voices", headers={"X-Request-Id": "voices"})
        assert code(node.get("/v1/requests/voices")) == (404, "request_not_found")
        assert code(node.get("/v1/requests/%F0%9F%98%80%20")) == (404, "request_not_found")
        assert code(node.get("/v1/requests/")) == (404, "not_found")


def test_only_who_has_the_key_is_told_and_only_their_requests_are_kept() -> None:
    with running_node(node_key="k") as node:
        node.speak(headers={"X-Request-Id": "stranger"})
        key = {"Authorization": "Bearer k"}
        node.speak(headers={"X-Request-Id": "friend", **key})
        assert code(node.get("/v1/requests/friend")) == (401, "invalid_api_key")
        assert code(node.get("/v1/requests/stranger", headers=key)) == (404, "request_not_found")
        assert logged(node, "friend", headers=key)["status"] == 200


def test_the_newest_thousand_are_kept_and_an_id_that_comes_again_is_the_later_one() -> None:
    requests = RequestLog()
    for number in range(KEPT_MAX + 1):
        requests.keep(Seen(f"r{number}", number), 200, 1)
    assert (requests.find("r0"), requests.find("r1") is None) == (None, False)
    requests.keep(Seen("r1", 7), 429, 2)
    for number in range(KEPT_MAX - 1):
        requests.keep(Seen(f"s{number}", 0), 200, 1)
    again = requests.find("r1")
    assert again is not None
    assert (again.status, again.receivedAt) == (429, 7)
    assert requests.find(f"r{KEPT_MAX}") is None


def test_a_fault_inside_a_voices_process_is_logged_under_the_same_id(
    moody: Engines, capfd: pytest.CaptureFixture[str]
) -> None:
    with running_node(moody) as node:
        node.speak("bad", headers={"X-Request-Id": "the-bad-one"})
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines() if line.startswith("{")]
    assert [line["requestId"] for line in lines if line["event"] == "engine_fault"] == ["the-bad-one"]


def test_an_attached_server_gets_the_id_and_the_node_before_it_keeps_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with FakeServer(Upstream()) as server:
        monkeypatch.setenv("ATTACH_URL", server.url)
        with running_node(engine="openai") as node:
            assert node.speak("hello", headers={"X-Request-Id": "both-ends"}).status_code == 200
            assert logged(node, "both-ends").items() >= {"engine": "openai", "voice": "af_heart"}.items()
    sent = [{name.lower(): value for name, value in call.headers.items()} for call in server.calls if call.method == "POST"]
    assert sent[-1]["x-request-id"] == "both-ends"
