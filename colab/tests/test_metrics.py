"""GET /metrics, and how many requests are taken."""

import re

from conftest import Engines, running_node, until

from voxnode.metrics import Metrics
from voxnode.rate import Rate


def test_it_counts_in_prometheus_text() -> None:
    with running_node(capacity=7) as node:
        assert node.speak("hello").status_code == 200
        assert node.speak("...").status_code == 422
        node.get("/what/ever")
        node.get("/health")
        answer = node.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = answer.text
    for line in (
        'voxnode_requests_total{path="/v1/audio/speech",status="200"} 1',
        'voxnode_requests_total{path="/v1/audio/speech",status="422"} 1',
        'voxnode_requests_total{path="other",status="404"} 1',
        "voxnode_speech_seconds_count 1",
        'voxnode_speech_seconds_bucket{le="+Inf"} 1',
        "voxnode_ready 1",
        "voxnode_capacity 7",
        "voxnode_worker_restarts_total 0",
    ):
        assert line in text.splitlines()
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? -?[0-9.e+-]+')
    assert all(line.startswith("# TYPE ") or sample.fullmatch(line) for line in text.splitlines())


def test_a_restarted_process_is_counted(moody: Engines) -> None:
    with running_node(moody) as node:
        node.speak("crash")
        until(lambda: "voxnode_worker_restarts_total 1" in node.get("/metrics").text, "it is counted")


def test_it_needs_the_key() -> None:
    with running_node(node_key="s3cret") as node:
        assert node.get("/metrics").status_code == 401
        assert node.get("/metrics", headers={"Authorization": "Bearer s3cret"}).status_code == 200


def test_buckets_add_up() -> None:
    metrics = Metrics()
    for took_sec in (0.01, 0.2, 3.0, 100.0):
        metrics.speech(took_sec, 10)
    counts = [int(line.split()[-1]) for line in metrics.text({}).splitlines() if "_bucket" in line]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (1, 4)


def test_a_flood_is_told_to_come_back_and_whoever_has_no_key_uses_nothing_up() -> None:
    with running_node(node_key="k", rate_per_sec=0.5, rate_burst=3) as node:
        for _ in range(20):
            assert node.get("/v1/audio/voices").status_code == 401
        key = {"Authorization": "Bearer k"}
        answers = [node.get("/v1/audio/voices", headers=key) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[-1].json()["error"]["code"] == "rate_limited"
        assert int(answers[-1].headers["retry-after"]) in (1, 2)
        assert node.get("/health").status_code == 200


def test_the_bucket_refills_steadily_and_no_higher_than_its_rim() -> None:
    now = 0.0
    rate = Rate(per_sec=2.0, burst=2, now=lambda: now)
    assert [rate.wait_sec() for _ in range(3)] == [0, 0, 1]
    now = 0.5
    assert [rate.wait_sec() for _ in range(2)] == [0, 1]
    now = 1000.0
    assert [rate.wait_sec() for _ in range(3)] == [0, 0, 1]
