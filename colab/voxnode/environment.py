"""A Python environment for the node alone, so that nobody's preinstalled packages clash. Standard library only.

`python environment.py DIR --required FILE... --optional FILE...` makes or updates it, as `colab/venv.ts` does.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

MARKER = "voxpool-requirements.txt"
_PIP_LIMIT_SEC = 1800
_LINES_KEPT = 200
# Of what pip prints, the lines that show that it gets on: "Downloading torch-2.11-... (797.2 MB)".
_TELLING = ("Collecting", "Downloading", "Installing")
_INSTALL = ["install", "--progress-bar=off"]
_ALONE = ["--no-deps", "--ignore-requires-python"]


class NoEnvironment(RuntimeError):
    """The environment can't be made; the message says what to do about it."""


def environment_python(folder: Path) -> Path:
    """Tell where the environment's interpreter is."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def requirements_hash(file: Path) -> str:
    """Fingerprint what a file wants installed; `colab/venv.ts` computes the same one."""
    # A checkout on Windows may have other line ends.
    return hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def _installed(marker: Path) -> dict[str, str]:
    lines = marker.read_text().splitlines() if marker.exists() else []
    return dict(line.split() for line in lines if len(line.split()) == 2)


def make_environment(
    folder: Path,
    required: Sequence[Path],
    optional: Sequence[Path],
    say: Callable[[str], None],
    *,
    progress: Callable[[str], None] = lambda _: None,
    share_site_packages: bool = False,
) -> list[Path]:
    """Make the environment complete; gives the optional files that could not be installed.

    `say` gets a line a step, `progress` what is fetched or installed at the moment.

    Two at once wait for each other. Raises NoEnvironment when the required part can't be had. The marker names the
    files that are wholly installed, so that what failed is tried again at the next start.
    """
    python = environment_python(folder)
    wanted = {file.name: requirements_hash(file) for file in (*required, *optional)}
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(_lock_file(folder)):
        marker = folder / MARKER
        if python.exists() and wanted.items() <= _installed(marker).items():
            return []
        if not python.exists() or _run([str(python), "-c", "0"])[0] != 0:
            say(f"making a Python environment in {folder.name} (about a minute, once)")
            _create(folder, share_site_packages)
        kept = {name: digest for name, digest in _installed(marker).items() if name not in wanted}
        marker.unlink(missing_ok=True)
        pip = _pip(python)
        say("installing " + ", ".join(file.name for file in required))
        code, output = _run([*pip, *_INSTALL, *_files(required)], progress)
        if code != 0:
            raise NoEnvironment(f"installing {required[0].name} failed: {_reason(output)}")
        missing = []
        for file in optional:
            say(f"installing {file.name}")
            alone = _ALONE if "no-deps" in file.name else []
            code, output = _run([*pip, *_INSTALL, *alone, *_files([file])], progress)
            if code != 0:
                missing.append(file)
                say(f"{file.name} could not be installed, the node will do without: {_reason(output)}")
        absent = {file.name for file in missing}
        done = {**kept, **{name: digest for name, digest in wanted.items() if name not in absent}}
        marker.write_text("".join(f"{name} {digest}\n" for name, digest in done.items()))
        return missing


def _create(folder: Path, share_site_packages: bool) -> None:
    flags = ["--clear", *(["--system-site-packages"] if share_site_packages else [])]
    if _run([sys.executable, "-m", "venv", *flags, str(folder)])[0] == 0:
        return
    # Debian and Colab split `ensurepip` off; with a pip outside, the environment needs none inside.
    without_pip, _ = _run([sys.executable, "-m", "venv", "--without-pip", *flags, str(folder)])
    if without_pip != 0 or _run([sys.executable, "-m", "pip", "--version"])[0] != 0:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        hint = f"install your system's package for it (Debian, Ubuntu: apt install python{version}-venv)"
        raise NoEnvironment(f"Python {version} can't make environments: {hint}")


def _pip(python: Path) -> list[str]:
    flags = ["--disable-pip-version-check", "--no-input"]
    if _run([str(python), "-m", "pip", "--version"])[0] == 0:
        return [str(python), "-m", "pip", *flags]
    return [sys.executable, "-m", "pip", "--python", str(python), *flags]


def _files(files: Sequence[Path]) -> list[str]:
    return [part for file in files for part in ("-r", str(file))]


def _run(command: list[str], progress: Callable[[str], None] = lambda _: None) -> tuple[int, str]:
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError as fault:
        return 1, str(fault)
    # A pip that hangs says nothing, so the limit can't be looked at between its lines.
    limit = threading.Timer(_PIP_LIMIT_SEC, process.kill)
    limit.start()
    lines: deque[str] = deque(maxlen=_LINES_KEPT)
    try:
        for line in process.stdout or ():
            lines.append(line)
            if line.strip().startswith(_TELLING):
                progress(" ".join(line.split())[:100])
        return process.wait(), "".join(lines)
    finally:
        limit.cancel()
        process.kill()


def _reason(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["no reason given"])[-1][:300]


def _lock_file(folder: Path) -> Path:
    # Beside the environment it would lie in the user's work tree, inside it would be cleared away.
    owner = os.getuid() if hasattr(os, "getuid") else 0
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"voxpool-{owner}-{name}.lock"


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    # Locks of the system, not the file's existence: they end with the process that held them, however it ended.
    with open(file, "a+b") as handle:
        if os.name == "nt":
            import msvcrt

            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                handle.seek(0)
                msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


def main() -> int:
    """Do what the command line says; 0 also when only optional parts are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--required", nargs="+", type=Path, required=True)
    parser.add_argument("--optional", nargs="*", type=Path, default=[])
    options = parser.parse_args()
    try:
        make_environment(options.folder, options.required, options.optional, lambda line: print(line, flush=True))
    except (NoEnvironment, OSError) as fault:
        print(fault, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
