"""`--attach`: a server that speaks the OpenAI API becomes a node, whatever it makes of Opus."""

import io
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import av
import numpy as np
import pytest
from conftest import ROOT, running_node, until
from fake_registry import FakeRegistry
from fake_server import Call, FakeServer, Reply, said

from voxnode.attach import BadAddress, with_attached
from voxnode.effects.loudness import loudness_lufs
from voxnode.effects.master import TARGET_LUFS
from voxnode.engines.ask import HttpFault
from voxnode.engines.decode import decode
from voxnode.engines.engine import Busy, Line
from voxnode.engines.openai import OpenAiEngine
from voxnode.ogg import packet_ms, parse_ogg_opus
from voxnode.wire import Voices

MEDIA = {"ogg": "audio/ogg", "mp3": "audio/mpeg", "wav": "audio/wav", "flac": "audio/flac"}
CODECS = {"ogg": "libopus", "mp3": "libmp3lame", "wav": "pcm_s16le", "flac": "flac"}


def file_of(container: str, hz: float, sec: float, packet: int = 20, level: float = 0.18, rate_hz: int = 48_000) -> bytes:
    """Make a sine; at level 0.18 it is about as loud as the node wants it."""
    pcm = (level * 32_767 * np.sin(2 * np.pi * hz * np.arange(round(sec * rate_hz)) / rate_hz)).astype(np.int16)
    out = io.BytesIO()
    options = {"frame_duration": str(packet), "application": "audio"} if container == "ogg" else {}
    with av.open(out, "w", format=container) as file:
        stream = file.add_stream(CODECS[container], rate=rate_hz, layout="mono", options=options)
        frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate, frame.pts = rate_hz, 0
        resampler = av.AudioResampler(format=stream.format, layout="mono", rate=rate_hz)
        for ready in [*resampler.resample(frame), *resampler.resample(None), None]:
            file.mux(stream.encode(ready))
    return out.getvalue()


class Upstream:
    """An OpenAI speech server: one note for each text, in whatever it likes to answer with."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.make = lambda text: file_of("ogg", self.hz(text), 1.0)
        self.media = "audio/ogg"
        self.voices: Reply = said({"voices": ["af_heart", "jf_alpha"]})
        self.refusals: list[Reply] = []

    @staticmethod
    def hz(text: str) -> float:
        return 300.0 + 100 * (len(text) % 5)

    def __call__(self, call: Call) -> Reply:
        if self.key and call.headers.get("Authorization") != f"Bearer {self.key}":
            return said({"error": {"message": "no"}}, 401)
        if (call.method, call.path) == ("GET", "/v1/models"):
            return said({"object": "list", "data": [{"id": "whisper-1"}, {"id": "kokoro-tts"}]})
        if (call.method, call.path) == ("GET", "/v1/audio/voices"):
            return self.voices
        if (call.method, call.path) == ("POST", "/v1/audio/speech"):
            asked = call.json()
            if not {"model", "input", "voice"} <= set(asked) or asked.get("response_format") != "opus":
                return said({"error": {"message": "bad request"}}, 400)
            if self.refusals:
                return self.refusals.pop(0)
            return Reply(self.make(str(asked["input"])), headers={"Content-Type": self.media})
        return said({"error": {"message": "not found"}}, 404)


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@contextmanager
def engine_at(upstream: Upstream, monkeypatch: pytest.MonkeyPatch, **env: str) -> Iterator[tuple[OpenAiEngine, FakeServer]]:
    with FakeServer(upstream) as server:
        for name, value in {"ATTACH_URL": server.url, **env}.items():
            monkeypatch.setenv(name, value)
        yield OpenAiEngine(), server


def never() -> bool:
    return False


def heard_hz(pcm: np.ndarray, rate_hz: int) -> float:
    spectrum = np.abs(np.fft.rfft(pcm[len(pcm) // 4 : -len(pcm) // 4], 1 << 18))
    return float(np.argmax(spectrum)) * rate_hz / (1 << 18)


@pytest.mark.parametrize(
    ("container", "packet", "rate_hz"),
    [("ogg", 60, 48_000), ("ogg", 40, 48_000), ("ogg", 20, 48_000), ("mp3", 0, 44_100), ("wav", 0, 22_050), ("flac", 0, 24_000)],
)
def test_whatever_it_answers_the_node_sends_ogg_opus_of_20_ms(
    container: str, packet: int, rate_hz: int, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.make = lambda text: file_of(container, upstream.hz(text), 1.0, packet, 0.05, rate_hz)
    upstream.media = MEDIA[container]
    with FakeServer(upstream) as server:
        monkeypatch.setenv("ATTACH_URL", server.url)
        with running_node(engine="openai") as node:
            answer = node.speak("hello", voice="jf_alpha")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("audio/ogg")
    stream = parse_ogg_opus(answer.content)
    assert {packet_ms(one) for one in stream.packets} == {20}
    assert stream.duration_sec == pytest.approx(1.0, abs=0.08)
    sound = decode(answer.content)
    assert heard_hz(sound.pcm, sound.rate_hz) == pytest.approx(upstream.hz("hello"), rel=0.01)
    assert loudness_lufs(sound.pcm, sound.rate_hz) == pytest.approx(TARGET_LUFS, abs=1.0)
    spoken = [call for call in server.calls if call.path == "/v1/audio/speech"][-1]
    assert spoken.json() == {"model": "kokoro-tts", "input": "hello", "voice": "jf_alpha", "response_format": "opus"}


def test_a_stream_that_is_right_already_goes_on_byte_for_byte(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    good = upstream.make("hello")
    upstream.make = lambda _: good
    with FakeServer(upstream) as server:
        monkeypatch.setenv("ATTACH_URL", server.url)
        with running_node(engine="openai") as node:
            kept, softer, wav = node.speak("hello"), node.speak("hello", volume=0.5), node.speak("hello", response_format="wav")
            higher = decode(node.speak("hello", pitch=12).content)
    assert kept.content == good
    assert softer.content != kept.content
    assert wav.content.startswith(b"RIFF")
    assert heard_hz(higher.pcm, higher.rate_hz) == pytest.approx(2 * upstream.hz("hello"), rel=0.02)


def test_only_a_whole_stream_goes_on_as_it_is_and_what_is_no_sound_is_a_fault(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = file_of("ogg", 300, 3.0)
    upstream.make = lambda _: good[: good.rindex(b"OggS")]
    with engine_at(upstream, monkeypatch) as (engine, _):
        assert engine.speak(Line("hello", engine.voices()[0]), never).ogg is None
        for bad in (b"<html>no</html>", b"", b"#EXTM3U\nfile:///etc/hostname\n", b"OggS" + b"\0" * 90):
            upstream.make = lambda _, bad=bad: bad
            with pytest.raises(ValueError, match=r"no (sound|format)"):
                engine.speak(Line("hello", engine.voices()[0]), never)


def test_an_answer_that_breaks_off_is_never_taken_for_a_shorter_one(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = file_of("wav", 300, 3.0)
    broken = [
        Reply(sound, headers={"Content-Type": "audio/wav"}, sent_bytes=len(sound) // 2),
        Reply(b"FFFFF\r\n" + sound[:5000], headers={"Transfer-Encoding": "chunked"}, sent_bytes=5007),
    ]
    with engine_at(upstream, monkeypatch) as (engine, _):
        for reply in broken:
            upstream.refusals = [reply]
            with pytest.raises(HttpFault):
                engine.speak(Line("hello", engine.voices()[0]), never)


def test_speed_goes_to_the_server_and_is_not_sent_needlessly(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    with engine_at(upstream, monkeypatch) as (engine, server):
        engine.speak(Line("hello", engine.voices()[0]), never)
        engine.speak(Line("hello", engine.voices()[0], speed=1.5), never)
    assert [call.json().get("speed") for call in server.calls[-2:]] == [None, 1.5]


@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        (said({"voices": ["alloy", "echo"]}), ["alloy", "echo"]),
        (said({"voices": [{"id": "a", "name": "A b", "language": "ja"}, {"voice_id": "b"}]}), ["a", "b"]),
        (said([{"name": "x"}, {"name": "with space"}, 7, None]), ["x"]),
        (said({"data": [{"id": "c"}]}), ["c"]),
        (said({"error": "no such thing"}, 404), ["alloy"]),
        (Reply(b"<html>"), ["alloy"]),
        (said({"voices": "none"}), ["alloy"]),
        (said({"voices": [f"v{number}" for number in range(3000)]}), [f"v{number}" for number in range(2000)]),
    ],
)
def test_the_servers_voices_whatever_form_they_have(
    reply: Reply, ids: list[str], upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.voices = reply
    with engine_at(upstream, monkeypatch) as (engine, _):
        assert [voice.id for voice in engine.voices()] == ids
        Voices.model_validate({"voices": [vars(voice) for voice in engine.voices()]})


def test_named_voices_and_model_come_first(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    with engine_at(upstream, monkeypatch, ATTACH_VOICE="nova, af_heart", ATTACH_MODEL="tts-1-hd") as (engine, server):
        assert [voice.id for voice in engine.voices()] == ["nova", "af_heart", "jf_alpha"]
        engine.speak(Line("hello", engine.voices()[0]), never)
    assert server.calls[-1].json()["model"] == "tts-1-hd"


def test_a_refused_text_is_the_texts_fault_and_a_full_server_is_busy(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    with engine_at(upstream, monkeypatch) as (engine, _):
        line = Line("hello", engine.voices()[0])
        upstream.refusals = [said({"error": {}}, 422)]
        assert engine.speak(line, never).pcm.size == 0
        upstream.refusals = [said({"error": {}}, 429), said({"error": {}}, 503)]
        assert engine.speak(line, never).pcm.size > 0
        upstream.refusals = [said({"error": {}}, 429)] * 3
        with pytest.raises(Busy):
            engine.speak(line, never)
        upstream.refusals = [said({"error": {}}, 429, **{"Retry-After": "60"})]
        started = time.monotonic()
        with pytest.raises(Busy):
            engine.speak(line, never)
        assert time.monotonic() - started < 5
        for status in (401, 500, 302):
            upstream.refusals = [said({}, status, Location="http://127.0.0.1:1/")]
            with pytest.raises(HttpFault):
                engine.speak(line, never)


def test_the_node_says_so_in_the_contracts_words(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeServer(upstream) as server:
        monkeypatch.setenv("ATTACH_URL", server.url)
        with running_node(engine="openai") as node:
            upstream.refusals = [said({}, 400)]
            assert node.speak("hello").json()["error"]["code"] == "input_unspeakable"
            upstream.refusals = [said({}, 429, **{"Retry-After": "60"})]
            busy = node.speak("hello")
            assert (busy.status_code, busy.json()["error"]["code"]) == (429, "busy")
            upstream.refusals = [said({}, 500)]
            assert node.speak("hello").status_code == 500
            assert node.speak("hello").status_code == 200
            assert node.health()["engine"] == "openai"
            assert [voice["id"] for voice in node.get("/v1/audio/voices").json()["voices"]] == ["af_heart", "jf_alpha"]


def test_the_key_opens_the_server_and_without_it_the_node_is_never_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    upstream = Upstream(key="s3cret")
    with FakeServer(upstream) as server:
        monkeypatch.setenv("ATTACH_URL", server.url)
        with running_node(engine="openai", wait_ready=False) as node:
            until(lambda: len(server.calls) > 3, "the node has tried")
            assert node.get("/health").status_code == 503
            assert node.speak("hello").status_code == 503
        monkeypatch.setenv("ATTACH_KEY", "s3cret")
        with running_node(engine="openai") as node:
            assert node.speak("hello").status_code == 200


def test_the_runner_registers_the_server_as_a_node(upstream: Upstream, registry: FakeRegistry) -> None:
    with FakeServer(upstream) as server:
        env = {"GAS_URL": registry.url, "SERVER_ID": "attached", "PORT": "0", "TUNNEL": "none", "PATH": "/usr/bin:/bin"}
        runner = subprocess.Popen(
            [sys.executable, "-u", str(ROOT / "colab/colab_runner.py"), "--attach", server.url],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            until(lambda: registry.calls, "it registers")
        finally:
            runner.terminate()
            output = runner.communicate(timeout=30)[0].decode()
    action, body = registry.calls[0]
    assert (action, body["serverId"], body["voices"]) == ("register", "attached", ["af_heart", "jf_alpha"]), output
    assert registry.calls[-1][0] == "unregister"


@pytest.mark.parametrize(
    ("arguments", "url"),
    [
        (["--attach", "http://127.0.0.1:8880"], "http://127.0.0.1:8880"),
        (["--with-parent", "--attach=https://tts.example.org/v1"], "https://tts.example.org/v1"),
        (["--attach", "http://[::1]:5000/"], "http://[::1]:5000/"),
    ],
)
def test_the_address_behind_attach(arguments: list[str], url: str) -> None:
    assert with_attached(arguments, {"A": "b"}) == {"A": "b", "ENGINE": "openai", "ATTACH_URL": url}


@pytest.mark.parametrize(
    "arguments", [["--attach"], ["--attach="], ["--attach", "--with-parent"], ["--attach", "file:///etc/passwd"], ["--attach=http://u:p@h"]]
)
def test_what_is_no_address_is_refused(arguments: list[str]) -> None:
    with pytest.raises(BadAddress):
        with_attached(arguments, {})


def test_without_attach_nothing_changes() -> None:
    assert with_attached(["--with-parent"], {"ENGINE": "tone"}) == {"ENGINE": "tone"}
