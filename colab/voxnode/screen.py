"""What the person who started the node sees: lines, and below them one that is kept true. Standard library only."""

import os
import sys
import threading
from pathlib import Path

_WIDTH = 118
_LOG_LIMIT_BYTES = 20_000_000


class Screen:
    """`live` keeps the last line up to date in place; otherwise (a file, a service) there are only lines."""

    def __init__(self, live: bool) -> None:
        """Start empty."""
        self.live = live
        self._status = ""
        self._lock = threading.Lock()

    def say(self, line: str) -> None:
        """Write one line, above the status."""
        with self._lock:
            _write(f"{self._blank()}{line}\n{self._status}")

    def under(self, line: str) -> None:
        """Write one line that belongs to the step before it."""
        self.say(f"      {line}")

    def status(self, text: str) -> None:
        """Put this in the status's place; nothing happens where nobody would see it."""
        if not self.live:
            return
        with self._lock:
            blank, self._status = self._blank(), text[:_WIDTH]
            _write(f"{blank}{self._status}")

    def close(self) -> None:
        """Take the status away; from here on there are only lines."""
        self.status("")
        self.live = False

    def _blank(self) -> str:
        return f"\r{' ' * len(self._status)}\r" if self._status else ""


class LogFile:
    """The node's log beside the screen, begun anew when it gets long."""

    def __init__(self, server_id: str) -> None:
        """Open it in the user's folder for such files."""
        name = "".join(character if character.isalnum() else "-" for character in server_id)
        self.path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "voxnode", f"{name}.log")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self.path, "w", encoding="utf-8")  # noqa: SIM115 (open for as long as the node runs)
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        """Add a line; several threads may."""
        with self._lock:
            if self._file.tell() > _LOG_LIMIT_BYTES:
                self._file.seek(0)
                self._file.truncate()
            self._file.write(text)
            self._file.flush()


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError):
        pass  # nobody looks any more; the node goes on
