"""Keeps a tunnel open in a thread of its own, so that heartbeats go on whatever it does. Standard library only."""

import threading
import time
from collections.abc import Callable

from ..backoff import backoff_sec
from .tunnel import Tunnel, TunnelFault

_BACKOFF_CAP_SEC = 300.0
# Cloudflare's 429 and 1015 last for minutes; asking on makes them longer.
_LIMITED_FAULTS = 6
# No network, or a program that does not start: nothing that a second helps.
_REFUSED_FAULTS = 3


class TunnelSupervisor:
    """`url` is the address that may be told to others at this moment, or None. A new start has a new address."""

    def __init__(self, tunnel: Tunnel, say: Callable[[str], None], heartbeat_sec: float) -> None:
        """Give up an edge that is lost for a third of a beat; call a tunnel good that has lived for two."""
        self._tunnel = tunnel
        self._say = say
        self._lost_limit_sec = heartbeat_sec / 3
        self._good_life_sec = heartbeat_sec * 2
        self._poll_sec = min(1.0, heartbeat_sec / 10)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.url: str | None = None

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self, limit_sec: float = 15.0) -> None:
        """End the tunnel within about `limit_sec`."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(limit_sec)
        self.url = None

    def _run(self) -> None:
        faults = 0
        try:
            while not self._stop.is_set():
                try:
                    address = self._tunnel.start(self._stop.wait)
                    started = time.monotonic()
                    self.url = address
                    reason = self._watch()
                    faults = 0 if time.monotonic() - started >= self._good_life_sec else faults
                except TunnelFault as fault:
                    reason = str(fault)
                    faults = max(faults, _LIMITED_FAULTS if fault.limited else _REFUSED_FAULTS)
                except Exception as fault:  # a bug here, or a library's: the node must not stay without an address
                    reason = f"{type(fault).__name__}: {fault}"[:300]
                    faults = max(faults, _REFUSED_FAULTS)
                self.url = None
                faults += 1
                # The first loss of a good tunnel is answered at once.
                delay_sec = 0.0 if faults == 1 else backoff_sec(faults - 1, _BACKOFF_CAP_SEC)
                if not self._stop.is_set():
                    self._say(f"{reason}; opening another tunnel {f'in {delay_sec:.0f} s' if delay_sec else 'now'}")
                self._stop.wait(delay_sec)
        finally:
            self._tunnel.stop()

    def _watch(self) -> str:
        lost_since: float | None = None
        while not self._stop.wait(self._poll_sec):
            state = self._tunnel.state()
            if state == "dead":
                return "the tunnel has ended"
            if state == "up":
                lost_since = None
                continue
            now = time.monotonic()
            lost_since = now if lost_since is None else lost_since
            if now - lost_since >= self._lost_limit_sec:
                return "the tunnel has lost its connection"
        return "stopped"
