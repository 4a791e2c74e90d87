"""What the notebook's last cell calls: the runner as a process, its output in the cell. Standard library only."""

import codecs
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_RUNNER = Path(__file__).resolve().parent.parent / "colab_runner.py"
_STOP_LIMIT_SEC = 45


def run_in_cell(variables: Mapping[str, object]) -> int:
    """Run until the node ends or the cell is stopped; the node unregisters first. Empty values count as absent."""
    settings = {name: str(value) for name, value in variables.items() if value not in (None, "")}
    process = subprocess.Popen(
        [sys.executable, "-u", str(_RUNNER), "--with-parent"],
        env={**os.environ, "LIVE": "1", "PYTHONUTF8": "1", **settings},
        # A kernel that is killed closes it, and the node leaves the pool.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # The cell's stop button is for this process alone: the node is told in order.
        start_new_session=os.name == "posix",
    )
    try:
        _show(process)
    except KeyboardInterrupt:
        print("\nStopping...", flush=True)
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        _show(process)
    try:
        return process.wait(_STOP_LIMIT_SEC)
    finally:
        process.kill()


def _show(process: "subprocess.Popen[bytes]") -> None:
    # Not line by line: the status has no end of line, it is written over in place.
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while process.stdout and (part := os.read(process.stdout.fileno(), 4096)):
        print(decoder.decode(part), end="", flush=True)
