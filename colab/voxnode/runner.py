"""The five steps: install, start, tunnel, register, beat for ever. Standard library only."""

import os
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping

from .environment import NoEnvironment
from .install import node_python
from .log import log
from .membership import Membership, Refused, Superseded, backoff_sec
from .registry import Registry
from .server import ServerFault, ServerProcess
from .settings import BadSettings, Settings, read_settings
from .tunnels import make_tunnel
from .tunnels.tunnel import Tunnel, TunnelFault

_LISTEN_LIMIT_SEC = 60.0
# The first start of a neural voice fetches its model.
_READY_LIMIT_SEC = 1200.0
_TUNNEL_BACKOFF_CAP_SEC = 300.0
_TICK_SEC = 1.0


def main(env: Mapping[str, str] = os.environ) -> int:
    """Run a node until a signal; 0 after an orderly end, 1 when it can't run (the reason stands in the output)."""
    try:
        settings = read_settings(env)
    except BadSettings as bad:
        print("\n".join(["The settings can't be used:", *(f"  {fault}" for fault in bad.faults)]), file=sys.stderr)
        return 1
    stop = threading.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: stop.set())
    if "--with-parent" in sys.argv:
        threading.Thread(target=_stop_with_parent, args=(stop,), daemon=True).start()
    try:
        return run_node(settings, env, stop.wait)
    except (NoEnvironment, ServerFault, Refused) as fault:
        if stop.is_set():
            return 0
        say(f"The node can't run: {fault}")
        return 1


def run_node(settings: Settings, env: Mapping[str, str], wait: Callable[[float], bool]) -> int:
    """Do the five steps; `wait(seconds)` says True when the node is to stop. Leaves nothing running."""
    say("[1/5] install")
    python = node_python(settings, _under)
    say(f"[2/5] start the server (ENGINE={settings.engine})")
    server = ServerProcess(python, env)
    tunnel: Tunnel | None = None
    try:
        port = server.wait_until_listening(wait, _LISTEN_LIMIT_SEC)
        server.wait_until_ready(wait, _READY_LIMIT_SEC)
        say(f"[3/5] tunnel ({settings.tunnel})")
        tunnel = make_tunnel(settings, port)
        return _serve(settings, server, tunnel, wait)
    finally:
        if tunnel is not None:
            tunnel.stop()
        server.stop()
        say("The node has stopped.")


def _serve(settings: Settings, server: ServerProcess, tunnel: Tunnel, wait: Callable[[float], bool]) -> int:
    membership = _membership(settings, server)
    url: str | None = None
    tunnel_faults, tunnel_due, step_due = 0, 0.0, 0.0
    try:
        while server.alive():
            now = time.monotonic()
            if url is not None and not tunnel.alive():
                _under("the tunnel is gone; opening another")
                url, step_due = None, now
            elif url is None and now >= tunnel_due:
                try:
                    url = tunnel.start(wait)
                    tunnel_faults, step_due = 0, now
                    log("tunnel", url=url)
                    say(f"[4/5] register at {settings.gas_url}" if membership else f"The node speaks at {url}")
                except TunnelFault as fault:
                    tunnel_faults += 1
                    delay_sec = backoff_sec(tunnel_faults + 2, _TUNNEL_BACKOFF_CAP_SEC)
                    tunnel_due = time.monotonic() + delay_sec
                    _under(f"{fault}; trying again in {delay_sec:.0f} s")
            if membership is not None and now >= step_due:
                before = membership.registered
                step_due = time.monotonic() + membership.step(url)
                if membership.registered and not before:
                    log("registered", serverId=settings.server_id, url=url)
                    say(f"[5/5] heartbeat every {settings.heartbeat_sec:g} s; stop with Ctrl-C or the stop button")
            if wait(max(0.0, min(_TICK_SEC, step_due - time.monotonic()) if membership else _TICK_SEC)):
                return 0
    except Superseded:
        say(f"A newer node uses SERVER_ID {settings.server_id}: this one stops.")
        membership = None
        return 0
    finally:
        if membership is not None:
            membership.leave()
    raise ServerFault("the server ended by itself")


def _membership(settings: Settings, server: ServerProcess) -> Membership | None:
    if not settings.gas_url:
        _under("GAS_URL is not set: the node runs without a registry, no bot will find it by itself")
        return None
    voices = server.voice_ids(settings.node_key)
    return Membership(Registry(settings.gas_url), settings, uuid.uuid4().hex, voices, _under)


def _stop_with_parent(stop: threading.Event) -> None:
    # Whoever started this with a pipe as its input holds the other end; it ends when that process does.
    while os.read(0, 4096):
        pass
    stop.set()


def say(line: str) -> None:
    """One line for the person who started the node."""
    print(line, flush=True)


def _under(line: str) -> None:
    say(f"      {line}")
