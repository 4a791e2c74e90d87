"""Where the cloudflared program is: named, on the path, or fetched once, pinned and checked, from its maker."""

import hashlib
import os
import platform
import shutil
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

from .tunnel import TunnelFault

VERSION = "2026.9.3"
RELEASES = "https://github.com/cloudflare/cloudflared/releases/download"
# SHA-256 of the programs, as the notes of the release name them:
# https://github.com/cloudflare/cloudflared/releases/tag/2026.9.3 (for macOS that of the program inside the archive).
DIGESTS = {
    "cloudflared-linux-amd64": "77e26d8d900e0b8469f416239d14b5f296525fdf79fee6f511ef55609e3fbac2",
    "cloudflared-linux-arm64": "aaeb2d7d0da3614634c7e03ab13487a1522c2e79165ed2929cfe23d5e95b326d",
    "cloudflared-darwin-amd64.tgz": "ab588b3b4db9cdb4476c30a3db2a72635b1d8327d44741fee6799a0f37b0ec07",
    "cloudflared-darwin-arm64.tgz": "5472c1a01c84bc31b3021056a73b4e5774ddddefc572124ea8fdf6c340639f32",
    "cloudflared-windows-amd64.exe": "f096265ec2fcbe9bb6e2d64268db167ced3fcbb83d894bdb9e2fcdb26f2ea7e2",
}
_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_SYSTEMS = {"linux": "linux-{}", "darwin": "darwin-{}.tgz", "win32": "windows-{}.exe"}
_SIZE_LIMIT_BYTES = 200_000_000


def find_cloudflared(
    named: str,
    say: Callable[[str], None],
    *,
    cache: Path | None = None,
    releases: str = RELEASES,
    digests: Mapping[str, str] = DIGESTS,
) -> str:
    """Give the program's path; raises TunnelFault when it is neither here nor to be had unchanged.

    What the operator named or has installed is taken as it is. What this fetches is checked, each time it is used.
    """
    if named:
        return named
    installed = shutil.which("cloudflared")
    if installed:
        return installed
    asset = f"cloudflared-{_SYSTEMS.get(sys.platform, '?').format(_MACHINES.get(platform.machine().lower(), '?'))}"
    if asset not in digests:
        raise TunnelFault("there is no cloudflared for this machine: set CLOUDFLARED_PATH, or TUNNEL")
    folder = cache or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voxnode"
    kept = folder / f"cloudflared-{VERSION}{'.exe' if sys.platform == 'win32' else ''}"
    try:
        if not kept.exists() or _digest(kept) != digests[asset]:
            say(f"fetching cloudflared {VERSION} (40 MB, once); next, the tunnel opens")
            _fetch(f"{releases}/{VERSION}/{asset}", digests[asset], kept)
    except (OSError, tarfile.TarError) as fault:
        raise TunnelFault(f"cloudflared could not be fetched: {fault}") from fault
    return str(kept)


def _fetch(url: str, digest: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    # Complete and checked, or not there at all: a half program would be started at the next try.
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        part = Path(folder, "download")
        with open(part, "wb") as file, urllib.request.urlopen(url, timeout=30) as response:
            while chunk := response.read(1 << 20):
                file.write(chunk)
                if file.tell() > _SIZE_LIMIT_BYTES:
                    raise OSError("it is too large")
        if url.endswith(".tgz"):
            part = _unpacked(part)
        if _digest(part) != digest:
            raise OSError("its checksum is not that of the release; nothing of it was kept")
        part.chmod(0o755)
        part.replace(target)


def _unpacked(archive: Path) -> Path:
    with tarfile.open(archive) as files:
        program = files.extractfile("cloudflared")
        if program is None:
            raise OSError("there is no program in the archive")
        target = archive.with_name("cloudflared")
        target.write_bytes(program.read(_SIZE_LIMIT_BYTES))
        return target


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    with open(file, "rb") as content:
        while chunk := content.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
