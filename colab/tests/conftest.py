"""What the tests share: engines with switches behind the real protocol, and real servers on real sockets."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import httpx
import numpy as np
import pytest
import uvicorn
from fake_registry import FakeRegistry
from fastapi import FastAPI

from voxnode.app import create_app
from voxnode.engines.engine import Cancelled, Engine, Line, Samples, Voice
from voxnode.engines.tone import ToneEngine
from voxnode.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
# Generous: a loaded machine is not a failed test.
LIMIT_SEC = 40.0


class HeldEngine:
    """Speaks only when the test lets it: each synthesis waits for a permit, or for its own cancellation."""

    name = "held"

    def __init__(self) -> None:
        """Speak at once until `hold` is set."""
        self.hold = False
        self.permits = threading.Semaphore(0)
        self.started: list[str] = []
        self.finished: list[str] = []
        self.cancelled: list[str] = []

    def voices(self) -> list[Voice]:
        """One voice."""
        return [Voice("held", "Held", "mul", self.name)]

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Wait for a permit."""
        self.started.append(line.text)
        while self.hold and not self.permits.acquire(timeout=0.01):
            if cancelled():
                self.cancelled.append(line.text)
                raise Cancelled
        self.finished.append(line.text)
        return Samples(np.full(2400, 0.1, np.float32), 24_000)


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
    listener = socket.socket()
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
def running_node(*engines: Engine, wait_ready: bool = True, **changes: object) -> Iterator[Node]:
    """Run a node with these engines (tone when none is given) and settings that differ from the defaults so."""
    made = {engine.name: (lambda engine=engine: engine) for engine in engines or (ToneEngine(),)}
    app = create_app(replace(Settings(), **changes), made)  # type: ignore[arg-type]
    with serve(app) as port:
        node = Node(app, port)
        if wait_ready:
            until(lambda: node.get("/health").status_code == 200, "the node is ready")
        yield node


@pytest.fixture
def held() -> Iterator[HeldEngine]:
    """Give an engine that waits for permits; whatever still waits at the end is let go."""
    engine = HeldEngine()
    yield engine
    engine.hold = False


def needs(module: str) -> pytest.MarkDecorator:
    """Skip where a voice's package has no wheel; never in CI, where all of them must be there."""
    missing = find_spec(module) is None and not os.environ.get("CI")
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


@pytest.fixture
def registry() -> Iterator[FakeRegistry]:
    """Give a registry that says yes until told otherwise."""
    with FakeRegistry() as running:
        yield running
