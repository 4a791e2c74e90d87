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
from .log import log, send_log_to
from .membership import Membership, Refused, Superseded
from .registry import Registry, RegistryFault
from .screen import LogFile, Screen
from .server import ServerFault, ServerProcess
from .settings import BadSettings, Settings, read_settings
from .status import Now, keep_status
from .tunnels import make_tunnel
from .tunnels.supervisor import TunnelSupervisor

_LISTEN_LIMIT_SEC = 60.0
# The first start of a neural voice fetches its model.
_READY_LIMIT_SEC = 1200.0
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
    screen = Screen(live=settings.live if settings.live is not None else sys.stdout.isatty())
    if screen.live:
        file = LogFile(settings.server_id)
        send_log_to(file.write)
        screen.say(f"The log is in {file.path}")
    try:
        return run_node(settings, env, stop.wait, screen)
    except (NoEnvironment, ServerFault, Refused) as fault:
        if stop.is_set():
            return 0
        screen.say(f"The node can't run: {fault}")
        return 1


def run_node(settings: Settings, env: Mapping[str, str], wait: Callable[[float], bool], screen: Screen) -> int:
    """Do the five steps; `wait(seconds)` says True when the node is to stop. Leaves nothing running."""
    now = Now(step="starting")
    keep_status(screen, now, lambda: _members(settings))
    server: ServerProcess | None = None
    tunnel: TunnelSupervisor | None = None
    try:
        screen.say("[1/5] install")
        now.begin("installing; next, the voices load")
        python = node_python(settings, screen.under, lambda step: setattr(now, "step", step))
        screen.say(f"[2/5] start the server (ENGINE={settings.engine})")
        now.begin("starting; next, the voices load")
        server = ServerProcess(python, env, screen, now)
        port = server.wait_until_listening(wait, _LISTEN_LIMIT_SEC)
        server.wait_until_ready(wait, _READY_LIMIT_SEC)
        screen.say(f"[3/5] tunnel ({settings.tunnel})")
        now.begin("opening the tunnel; next, the registry")
        tunnel = TunnelSupervisor(make_tunnel(settings, port, screen.under), screen.under, settings.heartbeat_sec)
        tunnel.start()
        return _serve(settings, server, tunnel, wait, screen, now)
    finally:
        screen.close()
        if tunnel is not None:
            tunnel.stop()
        if server is not None:
            server.stop()
        screen.say("The node has stopped.")


def _serve(
    settings: Settings, server: ServerProcess, tunnel: TunnelSupervisor, wait: Callable[[float], bool],
    screen: Screen, now: Now,
) -> int:  # fmt: skip
    membership = _membership(settings, server, screen)
    tick_sec = min(_TICK_SEC, settings.heartbeat_sec / 10)
    step_due = 0.0
    try:
        while server.alive():
            if tunnel.url != now.url:
                _tell_address(settings, tunnel.url, now, screen)
                step_due = 0.0
            if membership is not None and time.monotonic() >= step_due:
                before = membership.registered
                step_due = time.monotonic() + membership.step(now.url)
                if membership.registered and not before:
                    log("registered", serverId=settings.server_id, url=now.url)
                    beat = f"{settings.heartbeat_sec:g} s"
                    screen.say(f"[5/5] heartbeat every {beat}; stop with Ctrl-C or the stop button")
            if wait(max(0.0, min(tick_sec, step_due - time.monotonic()) if membership else tick_sec)):
                return 0
    except Superseded:
        screen.say(f"A newer node uses SERVER_ID {settings.server_id}: this one stops.")
        membership = None
        return 0
    finally:
        if membership is not None:
            membership.leave()
    raise ServerFault("the server ended by itself")


def _tell_address(settings: Settings, url: str | None, now: Now, screen: Screen) -> None:
    now.url = url
    if url is None:
        return
    if now.step:
        now.begin("")
    log("tunnel", url=url)
    screen.say(f"[4/5] register at {settings.gas_url}" if settings.gas_url else f"The node speaks at {url}")


def _membership(settings: Settings, server: ServerProcess, screen: Screen) -> Membership | None:
    if not settings.gas_url:
        screen.under("GAS_URL is not set: the node runs without a registry, no bot will find it by itself")
        return None
    voices = server.voice_ids(settings.node_key)
    return Membership(Registry(settings.gas_url), settings, uuid.uuid4().hex, voices, screen.under)


def _members(settings: Settings) -> str:
    if not settings.gas_url:
        return ""
    try:
        count, capacity = Registry(settings.gas_url).members_of(settings.server_id, settings.registry_key)
    except RegistryFault:
        return ""
    return f"{count}/{capacity}"


def _stop_with_parent(stop: threading.Event) -> None:
    # Whoever started this with a pipe as its input holds the other end; it ends when that process does.
    while os.read(0, 4096):
        pass
    stop.set()
