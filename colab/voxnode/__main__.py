"""`python -m voxnode`: the server alone, on loopback. The runner starts it; an operator with an own proxy may too."""

import os
import socket
import sys
import threading

import uvicorn

from .app import create_app
from .log import log
from .settings import BadSettings, read_settings


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or []:
            log("listening", port=bound.getsockname()[1])


def main() -> int:
    """Serve until a signal comes, or until the parent is gone."""
    try:
        settings = read_settings(os.environ)
    except BadSettings as bad:
        print("\n".join(["The settings can't be used:", *(f"  {fault}" for fault in bad.faults)]), file=sys.stderr)
        return 1
    # With the protocol named, asyncio turns Nagle off for what it accepts: without it, answers wait 40 ms for an ACK.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", settings.port))
    except OSError as fault:
        print(
            f"PORT {settings.port} can't be used: {fault.strerror}. Choose another, or 0 for any free one.",
            file=sys.stderr,
        )
        return 1
    if "--with-parent" in sys.argv:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    app = create_app(settings)
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", timeout_graceful_shutdown=3, server_header=False
    )
    _Server(config).run(sockets=[listener])
    return 0


def _end_with_parent() -> None:
    # The runner holds the other end. When it is killed, nothing else would ever stop this process.
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
