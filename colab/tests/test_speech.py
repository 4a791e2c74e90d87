"""POST /v1/audio/speech."""

import io
import json
import socket
import threading
import wave
from collections.abc import Iterator

import av
import httpx
import numpy as np
import pytest
from conftest import LIMIT_SEC, Engines, Node, running_node, until

from voxnode.engines.tone import NOTE_SEC, note_hz
from voxnode.ogg import packet_ms, parse_ogg_opus
from voxnode.wire import ErrorBody


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """Give a tone node that several tests share."""
    with running_node() as running:
        yield running


def decode(data: bytes) -> np.ndarray:
    with av.open(io.BytesIO(data)) as container:
        rate = container.streams.audio[0].rate
        resampler = av.AudioResampler("flt", "mono", 48_000)
        parts = [out.to_ndarray()[0] for frame in container.decode(audio=0) for out in resampler.resample(frame)]
        parts += [out.to_ndarray()[0] for out in resampler.resample(None)]
    assert rate in (24_000, 48_000)
    return np.concatenate(parts)


def heard_notes(pcm: np.ndarray, count: int) -> list[float]:
    """Give the strongest frequency of each note."""
    length = round(48_000 * NOTE_SEC)
    notes = []
    for index in range(count):
        spectrum = np.abs(np.fft.rfft(pcm[index * length : (index + 1) * length] * np.hanning(length), 1 << 16))
        notes.append(float(np.argmax(spectrum)) * 48_000 / (1 << 16))
    return notes


def test_opus_is_one_whole_stream_of_20_ms_packets_that_says_the_text() -> None:
    text = "Hello, 世界!"
    with running_node() as node:
        answer = node.speak(text)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "audio/ogg"
    stream = parse_ogg_opus(answer.content)
    assert {packet_ms(packet) for packet in stream.packets} == {20.0}
    assert stream.duration_sec == pytest.approx(len(text) * NOTE_SEC, abs=0.001)
    notes = heard_notes(decode(answer.content), len(text))
    wanted = [note_hz(character) for character in text]
    for heard, expected in zip(notes, wanted, strict=True):
        assert expected == 0 or heard == pytest.approx(expected, rel=0.03)


def test_the_same_text_gives_the_same_bytes_and_another_text_others() -> None:
    with running_node() as node:
        assert node.speak("once").content == node.speak("once").content
        assert node.speak("once").content != node.speak("twice").content


@pytest.mark.parametrize(
    ("name", "media", "start"),
    [
        ("wav", "audio/wav", b"RIFF"),
        ("mp3", "audio/mpeg", b""),
        ("flac", "audio/flac", b"fLaC"),
        ("opus", "audio/ogg", b"OggS"),
    ],
)
def test_every_format_decodes_to_the_same_length(node: Node, name: str, media: str, start: bytes) -> None:
    answer = node.speak("0123456789", response_format=name)
    assert answer.headers["content-type"].startswith(media)
    assert answer.content.startswith(start)
    assert len(decode(answer.content)) / 48_000 == pytest.approx(10 * NOTE_SEC, abs=0.1)


def test_pcm_is_24_khz_16_bit_and_mp3_is_the_default() -> None:
    with running_node() as node:
        raw = node.speak("0123456789", response_format="pcm").content
        body = {"input": "hi"}
        default = httpx.post(node.url + "/v1/audio/speech", json=body, timeout=LIMIT_SEC)
        wav = node.speak("0123456789", response_format="wav").content
    assert len(raw) == round(10 * NOTE_SEC * 24_000) * 2
    assert default.headers["content-type"] == "audio/mpeg"
    with wave.open(io.BytesIO(wav)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (24_000, 1, len(raw) // 2)
        assert file.readframes(10**6) == raw


def test_speed_pitch_and_volume_are_heard() -> None:
    def pcm(**fields: object) -> np.ndarray:
        raw = node.speak("aaaaaaaaaa", response_format="pcm", **fields).content
        return np.frombuffer(raw, dtype="<i2").astype(np.float64)

    with running_node() as node:
        plain, fast, high, soft, loud = (
            pcm(), pcm(speed=2), pcm(pitch=12), pcm(volume=0.5), pcm(volume=2),
        )  # fmt: skip
        assert node.speak("a", volume=0).status_code == 200
    assert len(fast) == len(plain) // 2
    assert np.max(np.abs(soft)) == pytest.approx(np.max(np.abs(plain)) / 2, rel=0.01)
    assert np.max(np.abs(loud)) == pytest.approx(np.max(np.abs(plain)) * 2, rel=0.01)
    crossings = [int(np.sum(np.diff(np.sign(sound)) != 0)) for sound in (plain, high)]
    assert crossings[1] == pytest.approx(crossings[0] * 2, rel=0.1)


@pytest.mark.parametrize(
    ("body", "status", "code", "param"),
    [
        (b"{", 400, "invalid_json", None),
        (b"", 400, "invalid_json", None),
        (b"\xff\xfe", 400, "invalid_json", None),
        (b'{"input":"\\ud800"}', 400, "invalid_json", None),
        (b"[1]", 400, "invalid_request", None),
        (b"{}", 400, "invalid_request", "input"),
        (b'{"input":""}', 400, "invalid_request", "input"),
        (b'{"input":"a","speed":"1"}', 400, "invalid_request", "speed"),
        (b'{"input":"a","speed":NaN}', 400, "invalid_request", "speed"),
        (b'{"input":"a","speed":true}', 400, "invalid_request", "speed"),
        (b'{"input":"a","pitch":null}', 400, "invalid_request", "pitch"),
        (b'{"input":"a","language":null}', 400, "invalid_request", "language"),
        (b'{"input":"a","response_format":"aac"}', 400, "invalid_request", "response_format"),
        (b'{"input":"a","voice":"a b"}', 400, "invalid_request", "voice"),
        (b'{"input":"a","voice":"nobody"}', 400, "voice_not_found", "voice"),
        (b'{"input":"   \\n "}', 422, "input_unspeakable", "input"),
        (b'{"input":"...!?"}', 422, "input_unspeakable", "input"),
        (b'{"input":"\\u200b\\u202e"}', 422, "input_unspeakable", "input"),
        (json.dumps({"input": "a" * 2001}).encode(), 400, "invalid_request", "input"),
        (json.dumps({"input": "😀" * 1001}).encode(), 400, "invalid_request", "input"),
        (b'{"input":"' + b"a" * 70_000 + b'"}', 413, "body_too_large", None),
    ],
)
def test_a_bad_request_is_refused_in_the_openai_shape(
    node: Node, body: bytes, status: int, code: str, param: str | None
) -> None:
    answer = httpx.post(node.url + "/v1/audio/speech", content=body, timeout=LIMIT_SEC)
    assert answer.status_code == status
    error = ErrorBody.model_validate(answer.json()).error
    assert (error.code, error.param, error.type) == (code, param, "invalid_request_error")


def test_the_longest_text_is_spoken_whole() -> None:
    with running_node() as node:
        assert parse_ogg_opus(node.speak("😀" * 1000).content).duration_sec == pytest.approx(1000 * NOTE_SEC, abs=0.01)
        assert parse_ogg_opus(node.speak("a" * 2000).content).duration_sec == pytest.approx(2000 * NOTE_SEC, abs=0.01)


def test_a_body_without_a_length_is_bounded_too() -> None:
    def endless() -> object:
        for _ in range(100):
            yield b"a" * 10_000

    with running_node() as node:
        answer = httpx.post(node.url + "/v1/audio/speech", content=endless(), timeout=LIMIT_SEC)  # type: ignore[arg-type]
    assert answer.status_code == 413


def test_a_body_that_does_not_arrive_is_not_waited_for() -> None:
    with (
        running_node(body_limit_sec=0.2) as node,
        socket.create_connection(("127.0.0.1", node.port), LIMIT_SEC) as client,
    ):
        client.sendall(b"POST /v1/audio/speech HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
        assert b" 408 " in client.recv(65_536).split(b"\r\n")[0]


def test_the_key_is_asked_before_the_text_is_read() -> None:
    with running_node(node_key="s3cret") as node:
        assert node.speak().status_code == 401
        assert node.speak(headers={"Authorization": "Bearer s3cret"}).status_code == 200


def test_the_request_id_comes_back_and_is_logged(capfd: pytest.CaptureFixture[str]) -> None:
    with running_node() as node:
        kept = node.speak("secret words", headers={"X-Request-Id": "bot-42"})
        made = [node.speak(headers={"X-Request-Id": bad}).headers["x-request-id"] for bad in ("a b", "x" * 200, '"')]
    assert kept.headers["x-request-id"] == "bot-42"
    assert len(set(made)) == 3
    assert all(len(one) == 32 for one in made)
    logged = [json.loads(line) for line in capfd.readouterr().out.splitlines() if line.startswith("{")]
    requests = [entry for entry in logged if entry["event"] == "request"]
    assert [entry["requestId"] for entry in requests] == ["bot-42", *made]
    assert "secret words" not in json.dumps(logged)


def test_an_engine_that_fails_is_the_nodes_fault_and_the_next_request_is_served(moody: Engines) -> None:
    with running_node(moody) as node:
        answer = node.speak("bad")
        assert answer.status_code == 500
        assert answer.json()["error"] == {
            "message": "The node failed.", "type": "server_error", "param": None, "code": "internal_error",
        }  # fmt: skip
        assert answer.headers["x-request-id"]
        assert node.speak("good").status_code == 200
        assert node.health()["inFlight"] == 0


def test_a_synthesis_that_takes_too_long_is_answered_and_its_slot_comes_back(held: Engines) -> None:
    with running_node(held, synthesis_limit_sec=0.2) as node:
        held.hold = True
        answer = node.speak("slow")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "synthesis_timeout")
        until(lambda: held.lines("cancelled") == ["slow"], "the engine was told")
        held.hold = False
        assert node.speak("next").status_code == 200


def test_200_at_once_are_never_exchanged() -> None:
    # Each text is a row of notes that no other has: what is heard says whose answer it is.
    alphabet = {round(12 * np.log2(note_hz(letter) / 220)): letter for letter in "abcdefghijklmnopqrstuvwxy"}
    assert len(alphabet) == 25
    texts = ["".join(alphabet[index // 25**place % 25] for place in (0, 1)) + "n" * (1 + index % 3) for index in range(200)]
    heard: dict[int, bytes] = {}
    with running_node(concurrency=2, queue_max=200) as node:

        def ask(index: int) -> None:
            answer = httpx.post(
                node.url + "/v1/audio/speech", json={"input": texts[index], "response_format": "opus"}, timeout=LIMIT_SEC,
                trust_env=False,
            )  # fmt: skip
            heard[index] = answer.content

        threads = [threading.Thread(target=ask, args=(index,)) for index in range(len(texts))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (node.health()["inFlight"], node.health()["queued"]) == (0, 0)
    assert len(set(texts)) == 200

    def spelled(audio: bytes) -> str:
        count = round(parse_ogg_opus(audio).duration_sec / NOTE_SEC)
        semitones = [round(12 * np.log2(hz / 220)) for hz in heard_notes(decode(audio), count)]
        return "".join(alphabet.get(semitone, "?") for semitone in semitones)

    assert [spelled(heard[index]) for index in range(200)] == texts
