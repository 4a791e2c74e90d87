"""The runner as a process of its own, against a real HTTP registry with two hops."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import LIMIT_SEC, ROOT, FakeCloudflared, until
from fake_registry import FakeRegistry


class Runner:
    """`colab_runner.py` as a process, its output as it comes."""

    def __init__(self, *arguments: str, **env: str) -> None:
        """Start it with these arguments, and these variables beside what a process needs."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "colab/colab_runner.py"), *arguments],
            env={**kept, "PORT": "0", "TUNNEL": "none", "ENGINE": "tone", "SERVER_ID": "test-node", **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def event(self, name: str) -> dict[str, Any]:
        until(lambda: self._events(name) or self.process.poll() is not None, f"event {name}")
        return (self._events(name) or pytest.fail(f"ended without {name}: {self.text()}"))[0]

    def text(self) -> str:
        return "\n".join(self.lines)

    def end(self, signal_number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal_number)
        code = self.process.wait(LIMIT_SEC)
        self._reader.join(LIMIT_SEC)
        return code

    def _events(self, name: str) -> list[dict[str, Any]]:
        entries = [json.loads(line) for line in list(self.lines) if line.startswith("{")]
        return [entry for entry in entries if entry["event"] == name]

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.append(line.rstrip("\n"))


@pytest.fixture
def start() -> Iterator[Callable[..., Runner]]:
    started: list[Runner] = []

    def starter(*arguments: str, **env: str) -> Runner:
        started.append(Runner(*arguments, **env))
        return started[-1]

    yield starter
    for runner in started:
        if runner.process.poll() is None:
            runner.process.kill()
            runner.process.wait(LIMIT_SEC)


def listens(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health", timeout=1, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_node_comes_speaks_beats_and_leaves(
    registry: FakeRegistry, start: Callable[..., Runner], ending: int
) -> None:
    runner = start(GAS_URL=registry.url, HEARTBEAT_SEC="0.2", NODE_KEY="n", REGISTRY_KEY="r")
    port = runner.event("listening")["port"]
    assert runner.event("registered")["url"] == f"http://127.0.0.1:{port}"
    body = {"input": "hello", "response_format": "opus"}
    spoken = httpx.post(
        f"http://127.0.0.1:{port}/v1/audio/speech", json=body, headers={"Authorization": "Bearer n"}, trust_env=False
    )
    assert spoken.content.startswith(b"OggS")
    until(lambda: registry.actions().count("heartbeat") >= 2, "two heartbeats")
    assert runner.end(ending) == 0
    assert registry.actions()[0] == "register"
    assert registry.actions()[-1] == "unregister"
    assert registry.calls[0][1]["voices"] == ["tone"]
    assert not listens(port)
    steps = [line for line in runner.lines if line.startswith("[")]
    assert [line[:5] for line in steps] == ["[1/5]", "[2/5]", "[3/5]", "[4/5]", "[5/5]"]


def test_a_registry_that_is_down_at_start_is_waited_for(registry: FakeRegistry, start: Callable[..., Runner]) -> None:
    registry.faults = ["page"]
    runner = start(GAS_URL=registry.url)
    runner.event("registered")
    assert "does not answer" in runner.text()
    assert runner.end() == 0


def test_a_superseded_node_stops_and_leaves_the_newer_one_alone(
    registry: FakeRegistry, start: Callable[..., Runner]
) -> None:
    registry.codes = [None, "superseded"]
    runner = start(GAS_URL=registry.url, HEARTBEAT_SEC="0.2")
    assert runner.process.wait(LIMIT_SEC) == 0
    assert registry.actions() == ["register", "heartbeat"]
    assert not listens(runner.event("listening")["port"])


def test_without_a_registry_it_runs_and_says_so(start: Callable[..., Runner]) -> None:
    runner = start()
    port = runner.event("listening")["port"]
    until(lambda: "without a registry" in runner.text(), "it says so")
    assert listens(port)
    assert runner.end() == 0


def test_a_killed_runner_takes_its_server_along(start: Callable[..., Runner]) -> None:
    runner = start()
    port = runner.event("listening")["port"]
    runner.event("ready")
    runner.end(signal.SIGKILL)
    until(lambda: not listens(port), "the server is gone")


def test_a_node_that_was_started_by_a_program_leaves_with_it(
    registry: FakeRegistry, start: Callable[..., Runner]
) -> None:
    runner = start("--with-parent", GAS_URL=registry.url)
    runner.event("registered")
    assert runner.process.stdin is not None
    runner.process.stdin.close()
    assert runner.process.wait(LIMIT_SEC) == 0
    assert registry.actions() == ["register", "unregister"]


def test_a_server_that_dies_ends_the_node_with_a_word(registry: FakeRegistry, start: Callable[..., Runner]) -> None:
    runner = start(GAS_URL=registry.url)
    runner.event("registered")
    children = Path(f"/proc/{runner.process.pid}/task/{runner.process.pid}/children")
    if not children.exists():
        pytest.skip("needs Linux's /proc")
    os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
    assert runner.process.wait(LIMIT_SEC) == 1
    until(lambda: "ended by itself" in runner.text(), "it says why")
    assert registry.actions()[-1] == "unregister"


def test_a_dead_tunnel_is_replaced_the_new_address_registered_and_beats_go_on_meanwhile(
    registry: FakeRegistry, start: Callable[..., Runner], fake_cloudflared: FakeCloudflared
) -> None:
    runner = start(
        GAS_URL=registry.url, TUNNEL="cloudflare", HEARTBEAT_SEC="0.5", TUNNEL_SETTLE_SEC="0",
        CLOUDFLARED_PATH=fake_cloudflared.program, FAKE_CLOUDFLARED=str(fake_cloudflared.folder),
    )  # fmt: skip
    first = runner.event("registered")["url"]
    assert first == f"https://{fake_cloudflared.runs()[0][1]}"
    fake_cloudflared.mode("edgeless")
    os.kill(fake_cloudflared.runs()[0][0], signal.SIGKILL)

    def beats() -> list[object]:
        return [body["apiUrl"] for action, body in registry.calls if action == "heartbeat"]

    until(lambda: beats()[-2:] == [None, None], "it is alive without an address")
    until(lambda: len(fake_cloudflared.runs()) == 2, "another program has started")
    fake_cloudflared.mode("good")
    os.kill(fake_cloudflared.runs()[-1][0], signal.SIGKILL)

    def registered() -> list[str]:
        return [body["apiUrl"] for action, body in registry.calls if action == "register"]

    until(lambda: len(registered()) == 2, "the new address is registered")
    assert registered() == [first, f"https://{fake_cloudflared.runs()[-1][1]}"]
    assert runner.end() == 0
    assert not fake_cloudflared.runs_now()


def test_the_status_line_is_kept_in_place_and_the_log_beside_it(
    registry: FakeRegistry, start: Callable[..., Runner], tmp_path: Path
) -> None:
    runner = start(GAS_URL=registry.url, LIVE="1", XDG_CACHE_HOME=str(tmp_path))
    until(lambda: "up 0:0" in runner.text(), "the status line")
    until(lambda: "3/10 members" in runner.text(), "members, from the registry's list")
    assert runner.end() == 0
    assert "tone" in runner.text()
    assert '{"event"' not in runner.text()
    events = [json.loads(line)["event"] for line in (tmp_path / "voxnode/test-node.log").read_text().splitlines()]
    assert events[0] == "listening"
    assert "registered" in events


def test_bad_settings_are_all_named_and_nothing_starts(start: Callable[..., Runner]) -> None:
    runner = start(PORT="x", ENGINE="y", GAS_URL="ftp://z")
    assert runner.end(signal.SIGCONT) == 1
    assert all(name in runner.text() for name in ("PORT:", "ENGINE:", "GAS_URL:"))
    assert "[1/5]" not in runner.text()


def test_the_runner_needs_only_the_standard_library(tmp_path: Path) -> None:
    script = "import voxnode.runner, sys; print([m for m in ('numpy','av','fastapi','pydantic','httpx') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], cwd=ROOT / "colab", capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.strip() == "[]"
