"""One JSON object a line: what the runner, the tests and an operator's `grep` read. On stdout, until told otherwise."""

import json
import sys
import time
from collections.abc import Callable


def _to_stdout(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError):
        # Whoever read the log is gone; the node's work does not depend on it.
        pass


_write: Callable[[str], object] = _to_stdout


def send_log_to(write: Callable[[str], object]) -> None:
    """Give the whole log of this process to `write`, line by line."""
    global _write
    _write = write


def log(event: str, **fields: object) -> None:
    """Write one line. Never pass a text that somebody wants spoken, nor a key."""
    entry = {"event": event, "time": round(time.time(), 3), **fields}
    log_text(json.dumps(entry, ensure_ascii=False, default=str) + "\n")


def log_text(text: str) -> None:
    """Write a line as it is: what a child process has logged."""
    _write(text)
