"""GET /health."""

import threading
from pathlib import Path

import httpx
from conftest import Engines, running_node, until

from voxnode.wire import Health


def test_it_says_that_the_node_is_ready_and_who_it_is() -> None:
    with running_node(server_id="colab-1", capacity=7, concurrency=2) as node:
        answer = node.get("/health")
    assert answer.status_code == 200
    health = Health.model_validate(answer.json())
    assert (health.ok, health.ready, health.serverId, health.capacity, health.concurrency) == (
        True,
        True,
        "colab-1",
        7,
        2,
    )
    assert (health.engine, health.inFlight, health.queued) == ("tone", 0, 0)


def test_it_is_503_until_a_synthesis_has_worked(held: Engines) -> None:
    held.hold = True
    with running_node(held, wait_ready=False) as node:
        until(lambda: held.lines("started"), "the first synthesis runs")
        answer = node.get("/health")
        assert answer.status_code == 503
        assert Health.model_validate(answer.json()).ready is False
        assert node.speak().status_code == 503
        assert node.speak().json()["error"]["code"] == "not_ready"
        held.permit()
        until(lambda: node.get("/health").status_code == 200, "ready after the first synthesis")


def test_an_engine_that_does_not_speak_is_left_out_and_tones_take_its_place(tmp_path: Path) -> None:
    with running_node(Engines(tmp_path, "broken", "mute")) as node:
        assert node.health()["engine"] == "tone"
        assert node.speak("still heard").status_code == 200


def test_it_counts_who_is_served_and_who_waits(held: Engines) -> None:
    with running_node(held, queue_max=4) as node:
        held.hold = True
        threads = [threading.Thread(target=node.speak) for _ in range(3)]
        for thread in threads:
            thread.start()
        until(lambda: (node.health()["inFlight"], node.health()["queued"]) == (1, 2), "one is served, two wait")
        held.hold = False
        for thread in threads:
            thread.join()
        until(lambda: (node.health()["inFlight"], node.health()["queued"]) == (0, 0), "nobody is left")


def test_it_needs_no_key_and_everything_else_does() -> None:
    with running_node(node_key="s3cret") as node:
        assert node.get("/health").status_code == 200
        assert node.get("/v1/audio/voices").status_code == 401
        assert node.get("/openapi.json").status_code == 401


def test_what_is_not_there_is_refused_in_the_openai_shape() -> None:
    with running_node() as node:
        for answer, status, code in (
            (node.get("/nothing"), 404, "not_found"),
            (httpx.put(node.url + "/health"), 405, "method_not_allowed"),
        ):
            assert answer.status_code == status
            assert answer.json()["error"]["code"] == code
            assert answer.headers["x-request-id"]
