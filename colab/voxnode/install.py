"""Step 1 of the runner: an interpreter that has what the node needs. Standard library only."""

import os
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from .engines.names import wanted_extras
from .environment import environment_python, make_environment
from .settings import Settings

_COLAB = Path(__file__).resolve().parent.parent
_NEEDED = ("av", "fastapi", "numpy", "pydantic", "uvicorn")


def node_python(settings: Settings, say: Callable[[str], None], progress: Callable[[str], None]) -> str:
    """Give the interpreter for the server; raises NoEnvironment when even the tone engine could not run.

    `say` gets a line a step, `progress` what goes on within one.

    In an environment that has all it is the running one. Elsewhere (a notebook, a system's Python) one is made for the
    node alone: pins would break what is preinstalled there.
    """
    wished = settings.engine.split(",")
    extras = wanted_extras(settings.engine, os.environ)
    needed = (*_NEEDED, *(module for module, _ in extras))
    in_environment = sys.prefix != sys.base_prefix
    if in_environment and all(find_spec(module) is not None for module in needed):
        say("everything is installed already")
        return sys.executable
    optional = []
    if not set(wished) <= {"tone", "openai"}:
        optional.append(_COLAB / "requirements-voices.txt")
    optional += [_COLAB / file for _, file in extras]
    has_gpu = shutil.which("nvidia-smi") is not None
    if "kokoro" in wished or ("auto" in wished and has_gpu):
        optional += [_COLAB / "requirements-gpu.txt", _COLAB / "requirements-gpu-no-deps.txt"]
        say("the neural voice is large: this takes some minutes, once")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "voxnode" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    # A notebook for GPUs brings a torch that fits its driver: 2 GB that need not be fetched again.
    share = has_gpu and find_spec("torch") is not None
    missing = make_environment(
        folder, [_COLAB / "requirements.txt"], optional, say, progress=progress, share_site_packages=share
    )
    if missing:
        names = ", ".join(file.name for file in missing)
        say(f"without {names}: its voices are missing; where no other is left, the node speaks in tones")
    return str(environment_python(folder))
