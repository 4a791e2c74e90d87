"""The bounded queue: order, 429, and clients that leave."""

import asyncio
import socket
import threading

import pytest
from conftest import LIMIT_SEC, Engines, Node, running_node, until

from voxnode.errors import NodeError
from voxnode.slots import Slots


def ask_and_hold(node: Node, text: str, request_id: str = "held") -> socket.socket:
    """Send a request on a bare socket, without reading the answer."""
    client = socket.create_connection(("127.0.0.1", node.port), LIMIT_SEC)
    body = f'{{"input":"{text}","response_format":"opus"}}'.encode()
    head = f"POST /v1/audio/speech HTTP/1.1\r\nHost: x\r\nX-Request-Id: {request_id}\r\nContent-Length: {len(body)}\r\n\r\n"
    client.sendall(head.encode() + body)
    return client


def load(node: Node) -> tuple[object, object]:
    health = node.health()
    return health["inFlight"], health["queued"]


def test_a_full_queue_says_429_and_when_to_come_back(held: Engines) -> None:
    with running_node(held, queue_max=1) as node:
        held.hold = True
        waiting = [ask_and_hold(node, "one")]
        until(lambda: load(node) == (1, 0), "the first is served")
        waiting.append(ask_and_hold(node, "two"))
        until(lambda: load(node) == (1, 1), "the second waits")
        refused = node.speak("three")
        assert refused.status_code == 429
        assert refused.json()["error"]["type"] == "rate_limit_error"
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        held.hold = False
        for client in waiting:
            assert client.recv(64).startswith(b"HTTP/1.1 200")
            client.close()
        assert node.speak("four").status_code == 200


def test_a_client_that_leaves_the_queue_is_never_spoken_for(held: Engines) -> None:
    with running_node(held, queue_max=2) as node:
        held.hold = True
        first = ask_and_hold(node, "first")
        until(lambda: load(node) == (1, 0), "the first is served")
        leaver = ask_and_hold(node, "leaver")
        until(lambda: load(node) == (1, 1), "the leaver waits")
        last = ask_and_hold(node, "last")
        until(lambda: load(node) == (1, 2), "another waits behind")
        leaver.close()
        until(lambda: load(node) == (1, 1), "the leaver's place is free")
        held.hold = False
        assert first.recv(64).startswith(b"HTTP/1.1 200")
        assert last.recv(64).startswith(b"HTTP/1.1 200")
        first.close()
        last.close()
    assert "leaver" not in held.lines("started")
    assert held.lines("finished")[1:] == ["first", "last"]


def test_a_client_that_leaves_during_its_synthesis_frees_the_slot(held: Engines) -> None:
    with running_node(held) as node:
        held.hold = True
        leaver = ask_and_hold(node, "leaver")
        until(lambda: "leaver" in held.lines("started"), "the synthesis runs")
        leaver.close()
        until(lambda: held.lines("cancelled") == ["leaver"], "the engine was told")
        until(lambda: load(node) == (0, 0), "the slot is free")
        held.hold = False
        assert node.speak("next").status_code == 200


def test_no_more_run_at_once_than_concurrency(held: Engines) -> None:
    with running_node(held, concurrency=2, queue_max=10) as node:
        held.hold = True
        clients = []
        for index in range(6):
            clients.append(ask_and_hold(node, str(index)))
            until(lambda index=index: sum(map(int, load(node))) == index + 1, "the request is in")  # type: ignore[call-overload]
        assert load(node) == (2, 4)
        for _ in clients:
            held.permit()
            assert len(held.lines("started")) - len(held.lines("finished")) <= 2, "never three at once"
        for client in clients:
            assert client.recv(64).startswith(b"HTTP/1.1 200")
            client.close()
    assert sorted(held.lines("started")[2:]) == [str(index) for index in range(6)]


def test_many_leavers_leave_nothing_behind(held: Engines) -> None:
    with running_node(held, queue_max=50) as node:
        held.hold = True
        clients = [ask_and_hold(node, str(index)) for index in range(30)]
        until(lambda: load(node) == (1, 29), "all are in")
        for client in clients:
            client.close()
        until(lambda: load(node) == (0, 0), "all are gone")
        held.hold = False
        threads = [threading.Thread(target=node.speak) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT_SEC)
        assert load(node) == (0, 0)


def test_who_waits_too_long_is_told_to_come_back() -> None:
    async def scenario() -> None:
        slots: Slots[str] = Slots(queue_max=5, wait_limit_sec=0.01)
        slots.add("a")
        await slots.take()
        with pytest.raises(NodeError) as refusal:
            await slots.take()
        assert refusal.value.status == 429
        assert (slots.in_flight, slots.queued) == (1, 0)

    asyncio.run(scenario())


def test_a_slot_that_comes_in_the_moment_of_a_cancellation_is_handed_on() -> None:
    async def scenario() -> None:
        slots: Slots[str] = Slots(queue_max=5, wait_limit_sec=LIMIT_SEC)
        slots.add("a")
        await slots.take()
        leaver = asyncio.create_task(slots.take())
        patient = asyncio.create_task(slots.take())
        await asyncio.sleep(0)
        assert slots.queued == 2
        slots.give_back("a", 0.1)
        leaver.cancel()
        await asyncio.wait_for(patient, LIMIT_SEC)
        assert leaver.cancelled() or leaver.done()
        slots.give_back("a", 0.1)
        assert (slots.in_flight, slots.queued) == (0, 0)

    asyncio.run(scenario())


def test_a_slot_that_is_lost_is_not_handed_on_and_a_new_one_is() -> None:
    async def scenario() -> None:
        slots: Slots[str] = Slots(queue_max=5, wait_limit_sec=LIMIT_SEC)
        slots.add("old")
        slots.give_back(None if await slots.take() else "", 0.1)
        waiting = asyncio.create_task(slots.take())
        await asyncio.sleep(0)
        assert (slots.in_flight, slots.queued) == (0, 1)
        slots.add("new")
        assert await asyncio.wait_for(waiting, LIMIT_SEC) == "new"

    asyncio.run(scenario())


def test_retry_after_grows_with_the_measured_time() -> None:
    async def refusal(took_sec: float) -> int:
        slots: Slots[str] = Slots(queue_max=0, wait_limit_sec=1)
        slots.add("a")
        for _ in range(30):
            slots.give_back(await slots.take(), took_sec)
        await slots.take()
        with pytest.raises(NodeError) as refused:
            await slots.take()
        return refused.value.retry_after_sec or 0

    assert asyncio.run(refusal(0.05)) == 1
    assert asyncio.run(refusal(20)) == 20
    assert asyncio.run(refusal(500)) == 60
