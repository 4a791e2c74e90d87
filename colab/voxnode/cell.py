"""What the notebook's last cell calls: the runner as a process, its output in the cell. Standard library only."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_RUNNER = Path(__file__).resolve().parent.parent / "colab_runner.py"
_STOP_LIMIT_SEC = 30


def run_in_cell(variables: Mapping[str, object]) -> int:
    """Run until the node ends or the cell is stopped; the node unregisters first. Empty values count as absent."""
    settings = {name: str(value) for name, value in variables.items() if value not in (None, "")}
    process = subprocess.Popen(
        [sys.executable, "-u", str(_RUNNER)],
        env={**os.environ, **settings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=os.name == "posix",
    )
    try:
        for line in process.stdout or ():
            print(line.decode(errors="replace"), end="", flush=True)
    except KeyboardInterrupt:
        print("Stopping...")
        process.send_signal(signal.SIGINT)
        print((process.communicate(timeout=_STOP_LIMIT_SEC)[0] or b"").decode(errors="replace"), end="")
    return process.wait(_STOP_LIMIT_SEC)
