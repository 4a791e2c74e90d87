"""Step 2 of the runner: the server as a process of its own, never in a notebook's event loop. Standard library only."""

import json
import os
import re
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .log import log_text
from .screen import Screen
from .status import Now

# "model.safetensors:  42%|####      | 137M/327M": what download bars look like.
_BAR = re.compile(r"\d+%\|")
_LOAD_FAULTS_MAX = 3
_FOLDER = Path(__file__).resolve().parent.parent
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ServerFault(Exception):
    """The server did not come up; the message says why."""


class ServerProcess:
    """Starts `python -m voxnode` and follows its log, which goes on to this process's log for as long as it runs."""

    def __init__(self, python: str, env: Mapping[str, str], screen: Screen, now: Now) -> None:
        """Start it. Its input is a pipe held here, so that it ends when this process is killed."""
        self._process = subprocess.Popen(
            [python, "-u", "-m", "voxnode", "--with-parent"],
            cwd=_FOLDER,
            env={**env, "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Bars that redraw themselves (downloads) end their lines with a carriage return: each is a line here.
            text=True,
            encoding="utf-8",
            errors="replace",
            # Ctrl-C is for the runner: it unregisters first, then ends the server.
            start_new_session=os.name == "posix",
        )
        self.port: int | None = None
        self._screen = screen
        self._now = now
        self._ready = False
        self._load_faults = 0
        self._failure: str | None = None
        threading.Thread(target=self._follow, daemon=True).start()

    def wait_until_listening(self, wait: Callable[[float], bool], limit_sec: float) -> int:
        """Give the port; raises ServerFault."""
        self._wait_for(lambda: self.port is not None, wait, limit_sec, "it did not listen in time")
        return int(self.port or 0)

    def wait_until_ready(self, wait: Callable[[float], bool], limit_sec: float) -> None:
        """Return once a synthesis has worked; raises ServerFault."""
        self._wait_for(lambda: self._ready, wait, limit_sec, "its voice was not ready in time")

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def voice_ids(self, node_key: str) -> list[str]:
        """Ask the server which voices it has; none when it does not say."""
        headers = {"Authorization": f"Bearer {node_key}"} if node_key else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/audio/voices", headers=headers)
        try:
            with _DIRECT.open(request, timeout=10) as response:
                return [voice["id"] for voice in json.load(response)["voices"]]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def stop(self, limit_sec: float = 6.0) -> None:
        """End it, kindly first."""
        if self.alive():
            self._process.terminate()
            try:
                self._process.wait(limit_sec)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(limit_sec)
        if self._process.stdin:
            self._process.stdin.close()

    def _wait_for(
        self, reached: Callable[[], bool], wait: Callable[[float], bool], limit_sec: float, late: str
    ) -> None:
        waited_sec = 0.0
        while not reached():
            if self._failure is not None or not self.alive():
                raise ServerFault(self._failure or f"it ended with code {self._process.returncode}")
            if waited_sec >= limit_sec:
                raise ServerFault(late)
            if wait(0.05):
                raise ServerFault("stopped")
            waited_sec += 0.05

    def _follow(self) -> None:
        for text in self._process.stdout or ():
            if _BAR.search(text):
                self._now.step = f"{self._now.step.split(':')[0]}: {text.strip()[:70]}"
                continue
            log_text(text)
            try:
                entry = json.loads(text)
            except ValueError:
                continue
            if isinstance(entry, dict):
                self._learn(entry)

    def _learn(self, entry: dict[str, Any]) -> None:
        event = entry.get("event")
        if event == "listening":
            self.port = int(entry["port"])
        elif event == "request":
            self._now.requests += entry["path"] == "/v1/audio/speech"
            self._now.refused += entry["path"] == "/v1/audio/speech" and entry["status"] >= 400
        elif event == "engine_loading" and not self._ready:
            self._now.begin(f"loading the voice {entry['engine']}; next, the tunnel opens")
        elif event == "engine_missing" and not self._ready:
            self._screen.under(f"{entry['engine']} can't speak here: {entry['reason']}")
        elif event == "engine_ready" and not self._ready:
            self._screen.under(f"{entry['engine']} speaks (voices: {entry['voices']})")
        elif event == "ready":
            self._now.engine = str(entry["engine"])
            self._ready = True
        elif event == "not_ready":
            self._load_faults += 1
            self._screen.under(f"the voices do not load ({entry['error']}); trying again")
            if self._load_faults >= _LOAD_FAULTS_MAX and not self._ready:
                self._failure = str(entry["error"])
        elif event in ("worker_killed", "engine_failing", "worker_ended") and self._ready:
            self._screen.under("the voice's process hangs or fails: another takes its place")
