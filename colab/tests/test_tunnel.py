"""One tunnel, against a program that prints and answers what cloudflared does, good and bad."""

import hashlib
import io
import os
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import ROOT, FakeCloudflared, until

from voxnode.settings import Settings
from voxnode.tunnels import make_tunnel
from voxnode.tunnels.cloudflare import CloudflareTunnel
from voxnode.tunnels.cloudflared import DIGESTS, VERSION, find_cloudflared
from voxnode.tunnels.tunnel import TunnelFault

Make = Callable[..., CloudflareTunnel]


@pytest.fixture
def make(fake_cloudflared: FakeCloudflared, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    made: list[CloudflareTunnel] = []
    monkeypatch.setenv("FAKE_CLOUDFLARED", str(fake_cloudflared.folder))

    def maker(mode: str, **limits: float) -> CloudflareTunnel:
        fake_cloudflared.mode(mode)
        limits = {"start_limit_sec": 20.0, "settle_sec": 0.0, **limits}
        made.append(CloudflareTunnel("http://127.0.0.1:1", lambda: fake_cloudflared.program, **limits))
        return made[-1]

    yield maker
    for tunnel in made:
        tunnel.stop()


def pause(seconds: float) -> bool:
    time.sleep(min(seconds, 0.05))
    return False


@pytest.mark.parametrize("mode", ["good", "late"])
def test_the_address_is_told_once_the_edge_is_connected(
    make: Make, fake_cloudflared: FakeCloudflared, mode: str
) -> None:
    tunnel = make(mode)
    assert tunnel.state() == "dead"
    assert tunnel.start(pause) == f"https://{fake_cloudflared.runs()[0][1]}"
    assert tunnel.state() == "up"
    tunnel.stop()
    assert tunnel.state() == "dead"


def test_it_is_told_a_moment_after_it_is_ready(make: Make) -> None:
    waits: list[float] = []
    make("good", settle_sec=6.0).start(lambda seconds: waits.append(seconds) or pause(seconds))  # type: ignore[func-returns-value]
    assert waits[-1] == 6.0


@pytest.mark.parametrize(
    ("mode", "said", "limited"),
    [("429", "429", True), ("1015", "1015", True), ("offline", "no such host", False), ("taken", "in use", False)],
)
def test_a_refused_start_says_why_and_its_printed_address_is_not_taken(
    make: Make, mode: str, said: str, limited: bool
) -> None:
    with pytest.raises(TunnelFault, match=said) as fault:
        make(mode).start(pause)
    assert fault.value.limited is limited
    assert len(str(fault.value)) <= 600


@pytest.mark.parametrize("mode", ["wrong", "edgeless", "html", "list", "empty", "strange", "huge", "stalled"])
def test_a_tunnel_without_a_name_or_an_edge_is_given_up_in_time(make: Make, mode: str) -> None:
    started = time.monotonic()
    with pytest.raises(TunnelFault, match="not ready in time"):
        make(mode, start_limit_sec=1.0).start(pause)
    # Beyond the limit lies at most one question (two, of 2 s each) to a metrics server that never answers.
    assert time.monotonic() - started < 15


@pytest.mark.parametrize("mode", ["loud", "endless"])
def test_its_output_is_read_for_ever_and_takes_no_room(
    make: Make, fake_cloudflared: FakeCloudflared, mode: str
) -> None:
    tunnel = make(mode)
    tunnel.start(pause)
    # A pipe holds 64 KB: the program stands still when nobody reads on, and so does this mark.
    for _ in range(100):
        mark = fake_cloudflared.folder / "shouted"
        until(mark.exists, "it keeps printing")
        mark.unlink(missing_ok=True)
    assert tunnel.state() == "up"
    assert sum(map(len, list(tunnel._lines))) <= 20 * 500


def test_a_program_that_dies_is_noticed_and_another_start_has_another_name(
    make: Make, fake_cloudflared: FakeCloudflared
) -> None:
    tunnel = make("good")
    first = tunnel.start(pause)
    os.kill(fake_cloudflared.runs()[0][0], signal.SIGKILL)
    until(lambda: tunnel.state() == "dead", "its death is seen")
    assert tunnel.start(pause) != first


def test_an_edge_that_is_gone_is_lost_and_may_come_back(make: Make, fake_cloudflared: FakeCloudflared) -> None:
    tunnel = make("good")
    tunnel.start(pause)
    fake_cloudflared.lose_edge(True)
    assert tunnel.state() == "lost"
    fake_cloudflared.lose_edge(False)
    assert tunnel.state() == "up"


def test_a_program_that_stands_still_is_lost(make: Make, fake_cloudflared: FakeCloudflared) -> None:
    tunnel = make("good", stop_limit_sec=0.2)
    tunnel.start(pause)
    os.kill(fake_cloudflared.runs()[0][0], signal.SIGSTOP)
    assert tunnel.state() == "lost"


def test_stopping_the_node_ends_a_start_that_hangs(make: Make) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    with pytest.raises(TunnelFault, match="stopped"):
        make("edgeless", start_limit_sec=60.0).start(stop.wait)
    assert time.monotonic() - started < 20


def test_a_program_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(TunnelFault, match="does not start"):
        CloudflareTunnel("http://127.0.0.1:1", lambda: "/nowhere/cloudflared").start(pause)


def test_the_program_can_be_given_up_by_force(make: Make, fake_cloudflared: FakeCloudflared) -> None:
    tunnel = make("deaf", stop_limit_sec=0.5)
    tunnel.start(pause)
    tunnel.stop()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(tunnel._metrics.split(":")[1]))) != 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can tie a process to its parent")
def test_it_ends_with_a_runner_that_is_killed(fake_cloudflared: FakeCloudflared) -> None:
    script = (
        "from voxnode.tunnels.cloudflare import CloudflareTunnel; import time\n"
        f"t = CloudflareTunnel('http://127.0.0.1:1', lambda: {fake_cloudflared.program!r}, settle_sec=0)\n"
        "t.start(lambda s: time.sleep(s)); print('up', flush=True); time.sleep(600)"
    )
    env = {**os.environ, "FAKE_CLOUDFLARED": str(fake_cloudflared.folder)}
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT / "colab", env=env, stdout=subprocess.PIPE) as runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"up\n"
        runner.kill()
    until(lambda: not fake_cloudflared.runs_now(), "the program is gone too")


def test_no_tunnel_means_the_address_that_is_there() -> None:
    assert make_tunnel(Settings(tunnel="none"), 4321, print).start(pause) == "http://127.0.0.1:4321"
    with_url = make_tunnel(Settings(tunnel="none", public_url="https://n.example"), 1, print)
    assert (with_url.start(pause), with_url.state()) == ("https://n.example", "up")


def test_ngrok_says_which_package_it_needs() -> None:
    with pytest.raises(TunnelFault, match="pyngrok"):
        make_tunnel(Settings(tunnel="ngrok"), 1, print).start(pause)


PROGRAM = b"#!/bin/sh\necho the real one\n"
ASSET = {"linux": "cloudflared-linux-amd64", "darwin": "cloudflared-darwin-amd64.tgz"}


class TestFetching:
    """The program, from its maker's releases."""

    @pytest.fixture
    def releases(self) -> Iterator[tuple[str, dict[str, bytes]]]:
        files: dict[str, bytes] = {}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = files.get(self.path)
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}", files
            server.shutdown()

    @pytest.fixture(autouse=True)
    def machine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        monkeypatch.setattr("platform.machine", lambda: "x86_64")
        monkeypatch.setattr("sys.platform", "linux")

    def find(self, releases: tuple[str, dict[str, bytes]], cache: Path, program: bytes = PROGRAM) -> str:
        asset = ASSET[sys.platform]
        digests = {asset: hashlib.sha256(program).hexdigest()}
        return find_cloudflared("", lambda _: None, cache=cache, releases=releases[0], digests=digests)

    def test_it_is_fetched_once_checked_and_kept(
        self, releases: tuple[str, dict[str, bytes]], tmp_path: Path
    ) -> None:
        releases[1][f"/{VERSION}/{ASSET['linux']}"] = PROGRAM
        path = Path(self.find(releases, tmp_path))
        assert path.read_bytes() == PROGRAM
        assert os.access(path, os.X_OK)
        releases[1].clear()
        assert self.find(releases, tmp_path) == str(path)

    def test_another_program_is_refused_and_nothing_of_it_is_kept(
        self, releases: tuple[str, dict[str, bytes]], tmp_path: Path
    ) -> None:
        releases[1][f"/{VERSION}/{ASSET['linux']}"] = PROGRAM + b"rm -rf /\n"
        with pytest.raises(TunnelFault, match="checksum"):
            self.find(releases, tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_one_that_was_changed_on_the_disk_is_fetched_anew(
        self, releases: tuple[str, dict[str, bytes]], tmp_path: Path
    ) -> None:
        releases[1][f"/{VERSION}/{ASSET['linux']}"] = PROGRAM
        path = Path(self.find(releases, tmp_path))
        path.write_bytes(b"changed")
        assert Path(self.find(releases, tmp_path)).read_bytes() == PROGRAM

    def test_the_archive_for_macos_is_unpacked(
        self, releases: tuple[str, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.platform", "darwin")
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w:gz") as archive:
            entry = tarfile.TarInfo("cloudflared")
            entry.size = len(PROGRAM)
            archive.addfile(entry, io.BytesIO(PROGRAM))
        releases[1][f"/{VERSION}/{ASSET['darwin']}"] = file.getvalue()
        assert Path(self.find(releases, tmp_path)).read_bytes() == PROGRAM

    def test_a_release_that_is_not_there_is_a_fault(
        self, releases: tuple[str, dict[str, bytes]], tmp_path: Path
    ) -> None:
        with pytest.raises(TunnelFault, match="404"):
            self.find(releases, tmp_path)

    def test_a_machine_without_a_release_says_what_to_set(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("platform.machine", lambda: "riscv64")
        with pytest.raises(TunnelFault, match="CLOUDFLARED_PATH"):
            find_cloudflared("", print, cache=tmp_path)

    def test_what_the_operator_named_is_taken(self) -> None:
        assert find_cloudflared("/opt/cloudflared", print) == "/opt/cloudflared"

    def test_every_platform_has_a_digest_of_its_own(self) -> None:
        assert len(set(DIGESTS.values())) == len(DIGESTS) == 5
        assert all(len(bytes.fromhex(digest)) == 32 for digest in DIGESTS.values())
