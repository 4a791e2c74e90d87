"""A cloudflared quick tunnel. What it prints is only kept for people; its metrics server says what is true.

`/quicktunnel` has the name and `/ready` says whether the edge is connected: a failed start prints an address of
trycloudflare.com too, which patterns over the output take for the tunnel.
"""

import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable

from .tunnel import TunnelFault, TunnelState

_POLL_SEC = 0.25
_LAST_LINES = 20
_LINE_LIMIT_BYTES = 8192
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9])?\.trycloudflare\.com")
# What its output says when the service has had enough of this address.
_LIMITED = re.compile(r"\b(?:429|1015)\b|Too Many Requests")
# Nothing on loopback goes through a proxy.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
# Looked up here: between fork and exec nothing may be imported.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


class CloudflareTunnel:
    """One process, one address; a new start has a new address."""

    def __init__(
        self,
        local_url: str,
        find: Callable[[], str],
        *,
        start_limit_sec: float = 60.0,
        settle_sec: float = 6.0,
        stop_limit_sec: float = 5.0,
    ) -> None:
        """`find` gives the program's path, or raises TunnelFault.

        `settle_sec` passes between ready and told: asked too early, resolvers remember "no such name" for half an hour.
        """
        self._local_url = local_url
        self._find = find
        self._start_limit_sec = start_limit_sec
        self._settle_sec = settle_sec
        self._stop_limit_sec = stop_limit_sec
        self._process: subprocess.Popen[bytes] | None = None
        self._drainer = threading.Thread()
        self._metrics = ""
        self._lines: deque[str] = deque(maxlen=_LAST_LINES)

    def start(self, wait: Callable[[float], bool]) -> str:
        """Start the program and give its address; raises TunnelFault with its last words."""
        self.stop()
        self._metrics = f"127.0.0.1:{_free_port()}"
        command = [self._find(), "tunnel", "--no-autoupdate", "--url", self._local_url]
        self._lines.clear()
        try:
            self._process = subprocess.Popen(
                [*command, "--metrics", self._metrics],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                # Ctrl-C is for the runner, which leaves the registry first.
                start_new_session=os.name == "posix",
                preexec_fn=_end_with_parent if _LIBC else None,
            )
        except OSError as fault:
            raise TunnelFault(f"cloudflared does not start: {fault}") from fault
        # For ever: a pipe that nobody reads fills up, and the tunnel stands still.
        self._drainer = threading.Thread(target=self._drain, args=(self._process,), daemon=True)
        self._drainer.start()
        deadline = time.monotonic() + self._start_limit_sec
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise self._fault(f"cloudflared ended with code {self._process.returncode}")
            host = self._host_name()
            if host and self._ready():
                if wait(self._settle_sec):
                    raise self._fault("stopped")
                if self.state() != "dead":
                    return f"https://{host}"
            elif wait(_POLL_SEC):
                raise self._fault("stopped")
        raise self._fault("cloudflared was not ready in time")

    def state(self) -> TunnelState:
        """Whether the program runs and has a connection to the edge; it often outlives its tunnel."""
        if self._process is None or self._process.poll() is not None:
            return "dead"
        return "up" if self._ready() else "lost"

    def stop(self) -> None:
        """End the program within some seconds."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(self._stop_limit_sec)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(self._stop_limit_sec)

    def _fault(self, reason: str) -> TunnelFault:
        self.stop()
        # Its last words may still be in the pipe; a child of its own could hold that open for ever.
        self._drainer.join(1)
        lines = list(self._lines)
        last = " | ".join(lines[-3:])
        limited = any(_LIMITED.search(line) for line in lines)
        return TunnelFault(f"{reason}{': ' + last if last else ''}"[:600], limited=limited)

    def _host_name(self) -> str | None:
        status, body = self._ask("/quicktunnel")
        try:
            host = json.loads(body).get("hostname") if status == 200 else None
        except (ValueError, AttributeError, RecursionError):
            return None
        # A failed start names the service's own host.
        named = isinstance(host, str) and _HOST.fullmatch(host) and host != "api.trycloudflare.com"
        return host if named else None

    def _ready(self) -> bool:
        return self._ask("/ready")[0] == 200

    def _ask(self, path: str) -> tuple[int, bytes]:
        try:
            with _DIRECT.open(f"http://{self._metrics}{path}", timeout=2) as response:
                return response.status, response.read(65_536)
        except urllib.error.HTTPError as answered:
            with answered:
                return answered.code, b""
        except Exception:  # not up yet, or whatever else a dying program sends
            return 0, b""

    def _drain(self, process: "subprocess.Popen[bytes]") -> None:
        # Bounded: a line without an end would fill the memory.
        while process.stdout and (line := process.stdout.readline(_LINE_LIMIT_BYTES)):
            self._lines.append(line.decode(errors="replace").strip()[:500])


def _end_with_parent() -> None:
    # A runner that is killed can't end it, and a tunnel to nowhere would stay open for days.
    if _LIBC:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
