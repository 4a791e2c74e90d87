"""The tunnels, against a program that prints and answers what cloudflared does."""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import until

from voxnode.settings import Settings
from voxnode.tunnels import make_tunnel
from voxnode.tunnels.cloudflare import CloudflareTunnel
from voxnode.tunnels.tunnel import TunnelFault

# Modes: good, late (ready after a while), loud (never stops printing), limited (ends at once), wrong (the service's own name),
# edgeless (a name, but no connection), deaf (ignores SIGTERM).
PROGRAM = """
import http.server, json, signal, sys, threading, time
mode = sys.argv[1]
metrics = sys.argv[sys.argv.index("--metrics") + 1]
print("INF Requesting new quick Tunnel on trycloudflare.com...", file=sys.stderr, flush=True)
if mode == "limited":
    print("ERR Error unmarshaling QuickTunnel response: error code: 1015", file=sys.stderr)
    print('failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": 429', file=sys.stderr, flush=True)
    sys.exit(1)
if mode == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
name = "api.trycloudflare.com" if mode == "wrong" else "one-two-three.trycloudflare.com"
print("INF |  https://" + name + "  |", file=sys.stderr, flush=True)
started = time.monotonic()
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        ready = mode != "edgeless" and time.monotonic() - started > (0.5 if mode == "late" else 0)
        body = json.dumps({"hostname": name} if self.path == "/quicktunnel" else {"readyConnections": int(ready)}).encode()
        self.send_response(200 if ready or self.path == "/quicktunnel" else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
host, port = metrics.split(":")
server = http.server.ThreadingHTTPServer((host, int(port)), Handler)
if mode == "loud":
    def shout():
        while True:
            sys.stderr.write("INF " + "x" * 4000 + "\\n")
    threading.Thread(target=shout, daemon=True).start()
server.serve_forever()
"""


@pytest.fixture
def cloudflared(tmp_path: Path) -> Callable[..., CloudflareTunnel]:
    program = tmp_path / "cloudflared.py"
    program.write_text(PROGRAM)

    def make(mode: str, **limits: float) -> CloudflareTunnel:
        command = [sys.executable, str(program), mode]
        return CloudflareTunnel(
            "http://127.0.0.1:1", command=command, **{"start_limit_sec": 10.0, "settle_sec": 0.0, **limits}
        )

    return make


def pause(seconds: float) -> bool:
    time.sleep(seconds)
    return False


@pytest.mark.parametrize("mode", ["good", "late"])
def test_the_address_is_told_once_the_edge_is_connected(
    cloudflared: Callable[..., CloudflareTunnel], mode: str
) -> None:
    tunnel = cloudflared(mode)
    try:
        assert not tunnel.alive()
        assert tunnel.start(pause) == "https://one-two-three.trycloudflare.com"
        assert tunnel.alive()
    finally:
        tunnel.stop()
    assert not tunnel.alive()


def test_it_is_told_a_moment_after_it_is_ready(cloudflared: Callable[..., CloudflareTunnel]) -> None:
    waits: list[float] = []
    tunnel = cloudflared("good", settle_sec=6.0)
    try:
        tunnel.start(lambda seconds: waits.append(seconds) or (seconds < 6 and pause(seconds)))
    finally:
        tunnel.stop()
    assert waits[-1] == 6.0


def test_a_refused_start_says_why_and_its_printed_address_is_not_taken(
    cloudflared: Callable[..., CloudflareTunnel],
) -> None:
    with pytest.raises(TunnelFault, match="429"):
        cloudflared("limited").start(pause)


@pytest.mark.parametrize("mode", ["wrong", "edgeless"])
def test_a_tunnel_without_a_name_or_an_edge_is_given_up(
    cloudflared: Callable[..., CloudflareTunnel], mode: str
) -> None:
    with pytest.raises(TunnelFault, match="not ready in time"):
        cloudflared(mode, start_limit_sec=1.0).start(pause)


def test_its_output_is_read_for_ever(cloudflared: Callable[..., CloudflareTunnel]) -> None:
    tunnel = cloudflared("loud")
    try:
        tunnel.start(pause)
        # A pipe holds 64 KB: after this many lines an unread one would have stopped the program.
        lines = 0
        seen = None

        def moving() -> bool:
            nonlocal lines, seen
            last = tunnel._lines[-1] if tunnel._lines else None
            lines += 1
            seen = last
            return lines > 200 and seen is not None

        until(moving, "it keeps printing")
        assert tunnel.alive()
    finally:
        tunnel.stop()


def test_a_program_that_dies_is_noticed_and_another_start_works(cloudflared: Callable[..., CloudflareTunnel]) -> None:
    tunnel = cloudflared("good")
    try:
        tunnel.start(pause)
        assert tunnel._process is not None
        os.kill(tunnel._process.pid, signal.SIGKILL)
        until(lambda: not tunnel.alive(), "its death is seen")
        assert tunnel.start(pause).endswith(".trycloudflare.com")
    finally:
        tunnel.stop()


def test_stopping_the_node_ends_a_start_that_hangs(cloudflared: Callable[..., CloudflareTunnel]) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    with pytest.raises(TunnelFault, match="stopped"):
        cloudflared("edgeless", start_limit_sec=60.0).start(stop.wait)
    assert time.monotonic() - started < 10


def test_a_program_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(TunnelFault, match="does not start"):
        CloudflareTunnel("http://127.0.0.1:1", command=["/nowhere/cloudflared"]).start(pause)


def test_no_tunnel_means_the_address_that_is_there() -> None:
    assert make_tunnel(Settings(tunnel="none"), 4321).start(pause) == "http://127.0.0.1:4321"
    assert make_tunnel(Settings(tunnel="none", public_url="https://n.example"), 1).start(pause) == "https://n.example"


def test_ngrok_says_which_package_it_needs() -> None:
    with pytest.raises(TunnelFault, match="pyngrok"):
        make_tunnel(Settings(tunnel="ngrok"), 1).start(pause)


def test_the_program_can_be_given_up_by_force(cloudflared: Callable[..., CloudflareTunnel]) -> None:
    tunnel = cloudflared("deaf", stop_limit_sec=0.5)
    tunnel.start(pause)
    process = tunnel._process
    tunnel.stop()
    assert process is not None
    assert process.poll() is not None
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(tunnel._metrics.split(":")[1]))) != 0
