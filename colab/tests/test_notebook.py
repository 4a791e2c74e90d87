"""The notebook, executed in a real kernel, and stopped as its user stops it."""

import os
import sys
import threading
from pathlib import Path

import nbformat
from conftest import LIMIT_SEC, ROOT, until
from fake_registry import FakeRegistry
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient


def filled_in(**values: object) -> nbformat.NotebookNode:
    """Read the notebook, and write these values into the form of its last cell, as its user does."""
    notebook = nbformat.read(ROOT / "colab/node.ipynb", as_version=4)
    lines = notebook.cells[-1].source.split("\n")
    for name, value in values.items():
        index = next(index for index, line in enumerate(lines) if line.startswith(f"{name} = "))
        lines[index] = f"{name} = {value!r}"
    notebook.cells[-1].source = "\n".join(lines)
    return notebook


def test_running_all_cells_joins_the_pool_and_the_stop_button_leaves_it(
    registry: FakeRegistry, tmp_path: Path
) -> None:
    notebook = filled_in(GAS_URL=registry.url, TUNNEL="none", ENGINE="tone", PORT=0, HEARTBEAT_SEC=0.5, SERVER_ID="test-node")
    kernel = KernelManager(kernel_name="python3")
    # The kernel's own command names whatever Python was first on the path when it was installed.
    kernel.kernel_spec.argv[0] = sys.executable
    client = NotebookClient(notebook, km=kernel, timeout=120, resources={"metadata": {"path": str(ROOT / "colab")}})
    env = {**os.environ, "REGISTRY_KEY": "r", "NODE_KEY": "n", "XDG_CACHE_HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path)}
    running = threading.Thread(target=client.execute, kwargs={"env": env})
    running.start()
    try:
        until(lambda: registry.actions().count("heartbeat") >= 2, "it beats")
    finally:
        kernel.interrupt_kernel()
        running.join(LIMIT_SEC)
    assert not running.is_alive()
    assert registry.actions()[0] == "register"
    assert registry.actions()[-1] == "unregister"
    assert {body["key"] for _, body in registry.calls} == {"r"}
    output = "".join(out.text for out in notebook.cells[-1].outputs if out.output_type == "stream")
    assert [out.output_type for out in notebook.cells[-1].outputs if out.output_type == "error"] == []
    for said in ("[1/5] install", "[5/5] heartbeat", "http://127.0.0.1:", "Stopping...", "The node has stopped."):
        assert said in output
    assert '{"event"' not in output
