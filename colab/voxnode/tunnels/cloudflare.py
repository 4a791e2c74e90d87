"""A cloudflared quick tunnel. What it prints is only kept for people; its metrics server says what is true.

`/quicktunnel` has the name and `/ready` says whether the edge is connected: a failed start prints an address of
trycloudflare.com too, which patterns over the output take for the tunnel.
"""

import json
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable

from .cloudflared import find_cloudflared
from .tunnel import TunnelFault

_POLL_SEC = 0.25
_LAST_LINES = 20
# Nothing on loopback goes through a proxy.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class CloudflareTunnel:
    """One process, one address; a new start has a new address."""

    def __init__(
        self,
        local_url: str,
        *,
        command: list[str] | None = None,
        start_limit_sec: float = 60.0,
        settle_sec: float = 6.0,
        stop_limit_sec: float = 5.0,
    ) -> None:
        """`command` is the program (found or fetched by itself).

        `settle_sec` passes between ready and told: asked too early, resolvers remember "no such name" for half an hour.
        """
        self._local_url = local_url
        self._command = command
        self._start_limit_sec = start_limit_sec
        self._settle_sec = settle_sec
        self._stop_limit_sec = stop_limit_sec
        self._process: subprocess.Popen[bytes] | None = None
        self._metrics = ""
        self._lines: deque[str] = deque(maxlen=_LAST_LINES)

    def start(self, wait: Callable[[float], bool]) -> str:
        """Start the program and give its address; raises TunnelFault with its last words."""
        self.stop()
        self._metrics = f"127.0.0.1:{_free_port()}"
        command = [*(self._command or [find_cloudflared()]), "tunnel", "--no-autoupdate", "--url", self._local_url]
        self._lines.clear()
        try:
            self._process = subprocess.Popen(
                [*command, "--metrics", self._metrics],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as fault:
            raise TunnelFault(f"cloudflared does not start: {fault}") from fault
        # For ever: a pipe that nobody reads fills up, and the tunnel stands still.
        threading.Thread(target=self._drain, args=(self._process,), daemon=True).start()
        waited_sec = 0.0
        while waited_sec < self._start_limit_sec:
            if self._process.poll() is not None:
                raise self._fault(f"cloudflared ended with code {self._process.returncode}")
            host = self._host_name()
            if host and self._ready():
                if wait(self._settle_sec):
                    raise self._fault("stopped")
                return f"https://{host}"
            if wait(_POLL_SEC):
                raise self._fault("stopped")
            waited_sec += _POLL_SEC
        raise self._fault("cloudflared was not ready in time")

    def alive(self) -> bool:
        """Whether the program runs and has a connection to the edge; it often outlives its tunnel."""
        return self._process is not None and self._process.poll() is None and self._ready()

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
        last = " | ".join(list(self._lines)[-3:])
        return TunnelFault(f"{reason}{': ' + last if last else ''}"[:600])

    def _host_name(self) -> str | None:
        status, body = self._ask("/quicktunnel")
        try:
            host = json.loads(body).get("hostname", "") if status == 200 else ""
        except (ValueError, AttributeError):
            return None
        # A failed start names the service's own host.
        named = isinstance(host, str) and host.endswith(".trycloudflare.com") and host != "api.trycloudflare.com"
        return host if named else None

    def _ready(self) -> bool:
        return self._ask("/ready")[0] == 200

    def _ask(self, path: str) -> tuple[int, bytes]:
        try:
            with _DIRECT.open(f"http://{self._metrics}{path}", timeout=2) as response:
                return response.status, response.read(65_536)
        except urllib.error.HTTPError as answered:
            return answered.code, b""
        except Exception:  # not up yet, or whatever else a dying program sends
            return 0, b""

    def _drain(self, process: "subprocess.Popen[bytes]") -> None:
        for line in process.stdout or ():
            self._lines.append(line.decode(errors="replace").strip()[:500])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
