"""The status line: address, voice, members, requests, GPU. Standard library only."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .screen import Screen

_EVERY_SEC = 1.0
# A call of a Google Sheet takes seconds, and its quota is the whole pool's.
_SLOW_EVERY_SEC = 60.0


@dataclass
class Now:
    """What is known at this moment; whoever learns something writes it here."""

    step: str = ""
    since: float = field(default_factory=time.monotonic)
    url: str | None = None
    engine: str = ""
    requests: int = 0
    refused: int = 0
    in_flight: int = 0
    members: str = ""
    gpu: str = ""

    def begin(self, step: str) -> None:
        """Begin a step that takes a while; the line says for how long, and what comes next."""
        self.step, self.since = step, time.monotonic()


def status_line(now: Now, at: float) -> str:
    """Write the line, the most telling first: where it is too long, its end is cut off."""
    took = f"{int(at - now.since) // 60}:{int(at - now.since) % 60:02}"
    if now.step:
        return f"... {now.step} ({took})"
    parts = [
        now.url or "no address at the moment",
        now.engine,
        f"{now.members} members" if now.members else "",
        f"{now.requests} requests" + (f", {now.refused} refused" if now.refused else ""),
        f"{now.in_flight} now" if now.in_flight else "",
        now.gpu,
        f"up {took}",
    ]
    return " | ".join(part for part in parts if part)


def gpu_memory() -> str:
    """Ask the driver: `GPU 3.1/15.0 GB`; nothing where there is none."""
    command = ["nvidia-smi", "--query-gpu=memory.used,memory.total", "--format=csv,noheader,nounits"]
    if shutil.which(command[0]) is None:
        return ""
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout
        used, total = (float(part) / 1024 for part in output.splitlines()[0].split(","))
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return ""
    return f"GPU {used:.1f}/{total:.1f} GB"


def keep_status(screen: Screen, now: Now, members: Callable[[], str]) -> None:
    """Keep the line up to date in a thread, where somebody sees it. `members` may be slow."""
    if not screen.live:
        return

    def fast() -> None:
        while True:
            screen.status(status_line(now, time.monotonic()))
            time.sleep(_EVERY_SEC)

    def slow() -> None:
        while True:
            now.gpu = gpu_memory()
            if now.url:
                now.members = members()
            time.sleep(_SLOW_EVERY_SEC if now.url else _EVERY_SEC)

    for work in (fast, slow):
        threading.Thread(target=work, daemon=True).start()
