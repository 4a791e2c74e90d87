"""The supervisor: an address at any time when there is one, whatever the program does."""

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest
from conftest import FakeCloudflared, until

from voxnode.tunnels.cloudflare import CloudflareTunnel
from voxnode.tunnels.supervisor import TunnelSupervisor
from voxnode.tunnels.tunnel import TunnelState


class Watched:
    """A supervisor over the fake program, and what it said."""

    def __init__(self, fake: FakeCloudflared, heartbeat_sec: float) -> None:
        self.said: list[str] = []
        tunnel = CloudflareTunnel("http://127.0.0.1:1", lambda: fake.program, settle_sec=0, stop_limit_sec=0.5)
        self.supervisor = TunnelSupervisor(tunnel, self.said.append, heartbeat_sec)
        self.supervisor.start()

    @property
    def url(self) -> str | None:
        return self.supervisor.url


@pytest.fixture
def watch(fake_cloudflared: FakeCloudflared, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Watched]]:
    monkeypatch.setenv("FAKE_CLOUDFLARED", str(fake_cloudflared.folder))
    started: list[Watched] = []

    def watcher(heartbeat_sec: float = 0.6) -> Watched:
        started.append(Watched(fake_cloudflared, heartbeat_sec))
        return started[-1]

    yield watcher
    for watched in started:
        watched.supervisor.stop()
    assert not fake_cloudflared.runs_now(), "no program is left"


def test_a_tunnel_that_dies_is_replaced_at_once_by_another_name(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    watched = watch()
    until(lambda: watched.url, "the first address")
    first = watched.url
    time.sleep(1.3)  # as long as it takes for a tunnel to count as a good one
    os.kill(fake_cloudflared.runs()[-1][0], signal.SIGKILL)
    until(lambda: watched.url not in (first, None), "another address")
    assert watched.url == f"https://{fake_cloudflared.runs()[-1][1]}"
    assert "opening another tunnel now" in watched.said[0]


def test_a_lost_edge_that_comes_back_soon_keeps_its_address(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    watched = watch(heartbeat_sec=60.0)
    until(lambda: watched.url, "the first address")
    first = watched.url
    fake_cloudflared.lose_edge(True)
    time.sleep(2.2)  # two of its looks
    fake_cloudflared.lose_edge(False)
    assert (watched.url, watched.said) == (first, [])


def test_a_lost_edge_that_stays_away_is_given_up(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    watched = watch()
    until(lambda: watched.url, "the first address")
    first = watched.url
    fake_cloudflared.lose_edge(True)
    until(lambda: watched.url is None, "nothing is told any more")
    fake_cloudflared.lose_edge(False)
    until(lambda: watched.url not in (first, None), "another address")
    assert "lost its connection" in watched.said[0]


def test_a_program_that_stands_still_is_replaced(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    watched = watch()
    until(lambda: watched.url, "the first address")
    first = watched.url
    os.kill(fake_cloudflared.runs()[-1][0], signal.SIGSTOP)
    until(lambda: watched.url not in (first, None), "another address")


@pytest.mark.parametrize(("mode", "least_sec"), [("offline", 3), ("429", 25), ("1015", 25)])
def test_a_start_that_is_refused_is_tried_again_later_and_much_later_when_there_were_too_many(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared, mode: str, least_sec: int
) -> None:
    fake_cloudflared.mode(mode)
    watched = watch()
    until(lambda: watched.said, "it says so")
    delay_sec = int(watched.said[0].rsplit("in ", 1)[1].split(" ")[0])
    assert least_sec <= delay_sec <= 64
    assert watched.url is None


def test_once_the_service_is_back_so_is_the_tunnel(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    fake_cloudflared.mode("offline")
    watched = watch()
    until(lambda: watched.said, "it says so")
    fake_cloudflared.mode("good")
    until(lambda: watched.url, "an address")


def test_tunnels_that_live_for_a_moment_are_opened_less_and_less_often(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    watched = watch(heartbeat_sec=60.0)
    for count in (1, 2, 3):
        until(lambda: watched.url, "an address")
        os.kill(fake_cloudflared.runs()[-1][0], signal.SIGKILL)
        until(lambda count=count: len(watched.said) == count, "its death is seen")
    assert [line.rsplit("tunnel ", 1)[1] for line in watched.said] == ["now", "in 1 s", "in 2 s"]


def test_whatever_a_library_throws_the_supervisor_goes_on() -> None:
    class Moody:
        tries = 0

        def start(self, wait: Callable[[float], bool]) -> str:
            self.tries += 1
            if self.tries == 1:
                raise KeyError("a library's own")
            return "https://n.example"

        def state(self) -> TunnelState:
            return "up"

        def stop(self) -> None:
            pass

    said: list[str] = []
    supervisor = TunnelSupervisor(Moody(), said.append, 0.6)
    supervisor.start()
    until(lambda: supervisor.url == "https://n.example", "the second try")
    supervisor.stop()
    assert "KeyError" in said[0]
    assert supervisor.url is None


def test_stopping_is_quick_whatever_it_waits_for(
    watch: Callable[..., Watched], fake_cloudflared: FakeCloudflared
) -> None:
    fake_cloudflared.mode("429")
    watched = watch()
    until(lambda: watched.said, "it waits")
    started = time.monotonic()
    watched.supervisor.stop()
    assert time.monotonic() - started < 10

