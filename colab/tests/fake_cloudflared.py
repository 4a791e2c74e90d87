#!/usr/bin/env python3
"""A program that prints and answers what cloudflared does, good and bad. Standard library only.

`FAKE_CLOUDFLARED` is a folder. Its file `mode` says how the next start goes (`good` without it); `edge-lost` takes the
connection away for as long as it is there. Each start that gets a name writes a line `PID NAME` to `runs`.

Modes: good; late (ready after a while); loud (never stops printing); endless (a line without an end); 429, 1015 (refused);
offline (no network); wrong (the service's own name); edgeless (a name, but no connection); deaf (ignores SIGTERM);
stalled (its metrics accept and never answer); html, list, empty, strange, huge (a metrics server that answers nonsense);
taken (its port is in use).
"""

import http.server
import json
import os
import pathlib
import random
import signal
import sys
import threading
import time

folder = pathlib.Path(os.environ["FAKE_CLOUDFLARED"])
mode = (folder / "mode").read_text().strip() if (folder / "mode").exists() else "good"
host, port = sys.argv[sys.argv.index("--metrics") + 1].split(":")


def say(level: str, text: str) -> None:
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    print(f"{stamp} {level} {text}", file=sys.stderr, flush=True)


def end(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
    sys.exit(1)


say("INF", "Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment.")
say("INF", "Requesting new quick Tunnel on trycloudflare.com...")
if mode == "429":
    end('failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": 429 Too Many Requests')
if mode == "1015":
    say("ERR", "Error unmarshaling QuickTunnel response: error code: 1015")
    end("failed to unmarshal quick Tunnel: invalid character 'e' looking for beginning of value")
if mode == "offline":
    end('failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host')
if mode == "taken":
    end(f"Error opening metrics server listener: listen tcp {host}:{port}: bind: address already in use")
if mode == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

words = [random.choice(["quiet", "river", "amber", "judge", "manual", "paper", "orbit", "stone"]) for _ in range(3)]
name = "api" if mode == "wrong" else "-".join([*words, str(os.getpid())])
if mode != "wrong":
    with open(folder / "runs", "a") as runs:
        runs.write(f"{os.getpid()} {name}.trycloudflare.com\n")
say("INF", "+" + "-" * 92 + "+")
say("INF", "|  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |")
say("INF", f"|  {f'https://{name}.trycloudflare.com':<90}|")
say("INF", "+" + "-" * 92 + "+")
say("INF", f"Starting metrics server on {host}:{port}/metrics")
started = time.monotonic()


def connected() -> bool:
    if (folder / "edge-lost").exists():
        return False
    return mode != "edgeless" and time.monotonic() - started > (0.5 if mode == "late" else 0)


NONSENSE = {
    "html": b"<html>429</html>",
    "list": b'["one.trycloudflare.com"]',
    "empty": b'{"hostname":""}',
    "strange": b'{"hostname":"one.trycloudflare.com/@evil.example"}',
    "huge": b'{"hostname":"' + b"a" * 10_000_000 + b'.trycloudflare.com"}',
}


class Metrics(http.server.BaseHTTPRequestHandler):
    """`/quicktunnel` and `/ready`."""

    def do_GET(self) -> None:
        if mode == "stalled":
            time.sleep(3600)
        if self.path == "/ready":
            count = 4 if connected() else 0
            self.reply(200 if count else 503, json.dumps({"status": 200 if count else 503, "readyConnections": count}).encode())
        elif self.path == "/quicktunnel":
            self.reply(200, NONSENSE.get(mode) or json.dumps({"hostname": f"{name}.trycloudflare.com"}).encode())
        else:
            self.reply(404, b"")

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """Says nothing about clients that leave."""

    def handle_error(self, *_: object) -> None:
        pass


server = Server((host, int(port)), Metrics)
if connected():
    say("INF", "Registered tunnel connection connIndex=0 event=0 ip=198.41.200.13 location=fra01 protocol=quic")


def shout() -> None:
    while True:
        sys.stderr.write("x" * 4000 if mode == "endless" else "INF " + "x" * 4000 + "\n")
        (folder / "shouted").touch()


if mode in ("loud", "endless"):
    threading.Thread(target=shout, daemon=True).start()
server.serve_forever()
