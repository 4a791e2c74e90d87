"""What the tests share: engines with switches behind the real protocol, and real servers on real sockets."""

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
import uvicorn
from fake_registry import FakeRegistry
from fastapi import FastAPI

from voxnode.app import create_app
from voxnode.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
# Generous: a loaded machine is not a failed test.
LIMIT_SEC = 40.0


class Engines:
    """The test's end of `switched_engines.py`: which engines, and the switches of the held one."""

    def __init__(self, folder: Path, *names: str) -> None:
        """Hold nothing."""
        self.folder = folder
        self.command = [sys.executable, "-u", str(ROOT / "colab/tests/switched_engines.py"), str(folder), *names]
        self._permits = 0

    @property
    def hold(self) -> bool:
        """Whether each synthesis waits for a permit."""
        return (self.folder / "hold").exists()

    @hold.setter
    def hold(self, on: bool) -> None:
        if on:
            (self.folder / "hold").touch()
        else:
            (self.folder / "hold").unlink(missing_ok=True)

    def permit(self) -> None:
        """Let one synthesis go on."""
        self._permits += 1
        (self.folder / f"permit-{self._permits}").touch()

    def lines(self, name: str) -> list[str]:
        """Give the texts that were `started`, `finished`, `cancelled`."""
        file = self.folder / name
        return file.read_text("utf-8").splitlines() if file.exists() else []


class Node:
    """A running node and a client for it."""

    def __init__(self, app: FastAPI, port: int) -> None:
        """Keep both."""
        self.app = app
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._client = httpx.Client(trust_env=False, timeout=LIMIT_SEC)

    def get(self, path: str, **options: object) -> httpx.Response:
        return self._client.get(self.url + path, **options)  # type: ignore[arg-type]

    def speak(self, text: str = "hello", headers: dict[str, str] | None = None, **fields: object) -> httpx.Response:
        body = {"input": text, "response_format": "opus", **fields}
        return self._client.post(self.url + "/v1/audio/speech", json=body, headers=headers)

    def health(self) -> dict[str, object]:
        return self.get("/health").json()


def until(condition: Callable[[], object], what: str, limit_sec: float = LIMIT_SEC) -> None:
    """Wait for a condition; fails with its name when it does not come."""
    deadline = time.monotonic() + limit_sec
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.005)


@contextmanager
def serve(app: FastAPI) -> Iterator[int]:
    """Serve an app on a free port of loopback."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        until(lambda: server.started, "the server listens")
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(LIMIT_SEC)
        listener.close()


@contextmanager
def running_node(engines: Engines | None = None, wait_ready: bool = True, **changes: object) -> Iterator[Node]:
    """Run a node with these engines (tone when none are given) and settings that differ from the defaults so."""
    settings = replace(Settings(engine="tone"), **changes)  # type: ignore[arg-type]
    app = create_app(settings, engines.command if engines else None)
    with serve(app) as port:
        node = Node(app, port)
        if wait_ready:
            # Each slot has a process of its own; a test of many at once wants all of them.
            until(lambda: len(app.state.node.workers._ready) == settings.concurrency, "the node is ready")
        yield node


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Engines]:
    """Give an engine that waits for permits; whatever still waits at the end is let go."""
    engines = Engines(tmp_path, "held")
    yield engines
    engines.hold = False


@pytest.fixture
def moody(tmp_path: Path) -> Engines:
    """Give an engine that fails, hangs or dies where the text says so."""
    return Engines(tmp_path, "moody")


class FakeCloudflared:
    """The test's end of `fake_cloudflared.py`."""

    program = str(ROOT / "colab/tests/fake_cloudflared.py")

    def __init__(self, folder: Path) -> None:
        """Start all well."""
        self.folder = folder

    def mode(self, mode: str) -> None:
        """Say how the next start goes."""
        # Whole or not at all: a program may start at this very moment.
        (self.folder / "next").write_text(mode)
        (self.folder / "next").replace(self.folder / "mode")

    def lose_edge(self, lost: bool) -> None:
        """Take the connection away, or give it back."""
        if lost:
            (self.folder / "edge-lost").touch()
        else:
            (self.folder / "edge-lost").unlink(missing_ok=True)

    def runs(self) -> list[tuple[int, str]]:
        """Give the process ids and names of all tunnels so far."""
        file = self.folder / "runs"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(int(line.split()[0]), line.split()[1]) for line in lines]

    def runs_now(self) -> list[int]:
        """Give the process ids of those that have not ended."""
        return [pid for pid, _ in self.runs() if Path(f"/proc/{pid}").exists()]


@pytest.fixture
def fake_cloudflared(tmp_path: Path) -> FakeCloudflared:
    """Give a stand-in for cloudflared."""
    folder = tmp_path / "cloudflared"
    folder.mkdir()
    return FakeCloudflared(folder)


def needs(module: str) -> pytest.MarkDecorator:
    """Skip where a voice's package has no wheel; never in CI, where all of them must be there."""
    missing = find_spec(module) is None and not os.environ.get("CI")
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


def extra(module: str) -> pytest.MarkDecorator:
    """Skip where an extra is not installed: `pip install -r` its requirements file runs these too."""
    return pytest.mark.skipif(find_spec(module) is None, reason=f"the extra {module} is not installed")


@pytest.fixture
def registry() -> Iterator[FakeRegistry]:
    """Give a registry that says yes until told otherwise."""
    with FakeRegistry() as running:
        yield running
