"""Where the cloudflared program is: on the path, or fetched once from its maker's releases."""

import os
import platform
import shutil
import sys
import tempfile
import urllib.request
from pathlib import Path

from .tunnel import TunnelFault

_RELEASES = "https://github.com/cloudflare/cloudflared/releases/latest/download"
_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_SIZE_LIMIT_BYTES = 200_000_000


def find_cloudflared() -> str:
    """Give the program's path; raises TunnelFault when it is neither here nor to be had."""
    found = shutil.which("cloudflared")
    if found:
        return found
    machine = _MACHINES.get(platform.machine().lower())
    if not sys.platform.startswith("linux") or machine is None:
        raise TunnelFault("cloudflared is not installed: install it from its maker, or set TUNNEL")
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voxnode" / "cloudflared"
    if not kept.exists():
        _fetch(f"{_RELEASES}/cloudflared-linux-{machine}", kept)
    return str(kept)


def _fetch(url: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    # Complete or not there at all: a half program would be started at the next try.
    descriptor, part = tempfile.mkstemp(dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file, urllib.request.urlopen(url, timeout=30) as response:
            while chunk := response.read(1 << 20):
                file.write(chunk)
                if file.tell() > _SIZE_LIMIT_BYTES:
                    raise OSError("it is too large")
        Path(part).chmod(0o755)
        Path(part).replace(target)
    except OSError as fault:
        Path(part).unlink(missing_ok=True)
        raise TunnelFault(f"cloudflared could not be fetched: {fault}") from fault
