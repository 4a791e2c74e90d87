"""The adapter for an engine of the VOICEVOX family, against a server that speaks its API."""

import io
import json
import wave
from collections.abc import Iterator

import numpy as np
import pytest
from fake_server import Call, FakeServer, Reply, said

from voxnode.engines.ask import HttpFault
from voxnode.engines.engine import Cancelled, Line
from voxnode.engines.voicevox import VoicevoxEngine
from voxnode.speaker import load_speaker
from voxnode.wire import SpeechRequest, Voices

SPEAKERS = [
    {
        "name": "ずんだもん", "speaker_uuid": "u1", "version": "0.1",
        "styles": [{"name": "ノーマル", "id": 3, "type": "talk"}, {"name": "ハミング", "id": 3003, "type": "frame_decode"}],
    },
    {"name": "四国\nめたん", "speaker_uuid": "u2", "version": "0.1", "styles": [{"name": "あまあま", "id": 0}]},
]  # fmt: skip


def wav(sec: float, rate_hz: int, channels: int = 1) -> bytes:
    file = io.BytesIO()
    tone = (8000 * np.sin(2 * np.pi * 300 * np.arange(round(sec * rate_hz)) / rate_hz)).astype("<i2")
    with wave.open(file, "wb") as out:
        out.setparams((channels, 2, rate_hz, 0, "NONE", ""))
        out.writeframes(np.repeat(tone, channels).tobytes())
    return file.getvalue()


def answer(call: Call) -> Reply:
    """Speak as the real one does: 0.1 s a character, and 422 for a request without what it needs."""
    if (call.method, call.path) == ("GET", "/speakers"):
        return said(SPEAKERS)
    if (call.method, call.path) == ("POST", "/audio_query"):
        if "text" not in call.query or not call.query.get("speaker", "").isdigit():
            return said({"detail": [{"loc": ["query", "text"], "msg": "field required"}]}, 422)
        text = call.query["text"]
        return said({
            "accent_phrases": [{"moras": [{"text": one} for one in text]}] if text.strip("。、 ") else [],
            "speedScale": 1.0, "pitchScale": 0.0, "intonationScale": 1.0, "volumeScale": 1.0, "prePhonemeLength": 0.1,
            "postPhonemeLength": 0.1, "outputSamplingRate": 24_000, "outputStereo": False, "kana": text,
        })  # fmt: skip
    if (call.method, call.path) == ("POST", "/synthesis") and call.query.get("speaker", "").isdigit():
        query = json.loads(call.body)
        moras = len(query["accent_phrases"][0]["moras"])
        return Reply(wav(0.1 * moras / query["speedScale"], query["outputSamplingRate"]), headers={"Content-Type": "audio/wav"})
    return said({"detail": "Not Found"}, 404)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[VoicevoxEngine, FakeServer]]:
    with FakeServer(answer) as server:
        monkeypatch.setenv("VOICEVOX_URL", server.url + "/")
        yield VoicevoxEngine(), server


def never() -> bool:
    return False


def test_each_speaking_style_is_a_voice_with_the_credit_that_its_terms_ask_for(
    engine: tuple[VoicevoxEngine, FakeServer],
) -> None:
    voices = engine[0].voices()
    Voices.model_validate({"voices": [vars(voice) for voice in voices]})
    assert [(voice.id, voice.name, voice.language, voice.credit) for voice in voices] == [
        ("voicevox-3", "ずんだもん (ノーマル)", "ja", "VOICEVOX:ずんだもん"),
        ("voicevox-0", "四国 めたん (あまあま)", "ja", "VOICEVOX:四国 めたん"),
    ]


def test_a_text_is_queried_and_spoken_by_the_style_that_was_asked_for(
    engine: tuple[VoicevoxEngine, FakeServer],
) -> None:
    made, server = engine
    samples = made.speak(Line("こんにちは", made.voices()[1], speed=2.0, pitch_semitones=1.2), never)
    assert len(samples.pcm) / samples.rate_hz == pytest.approx(0.25, abs=0.001)
    assert (samples.speed_left, samples.pitch_left_semitones) == (1.0, pytest.approx(0.0))
    query, synthesis = server.calls[-2:]
    assert query.query == {"text": "こんにちは", "speaker": "0"}
    assert synthesis.query == {"speaker": "0"}
    assert (synthesis.json()["speedScale"], synthesis.json()["pitchScale"]) == (2.0, pytest.approx(0.1))


def test_what_the_engine_can_not_do_is_left_to_the_node(engine: tuple[VoicevoxEngine, FakeServer]) -> None:
    made, server = engine
    samples = made.speak(Line("はい", made.voices()[0], speed=4.0, pitch_semitones=-12), never)
    assert samples.speed_left == 2.0
    assert samples.pitch_left_semitones == pytest.approx(-12 + 1.8)
    assert server.calls[-1].json()["pitchScale"] == -0.15


def test_a_long_text_goes_in_pieces_and_stops_between_them(engine: tuple[VoicevoxEngine, FakeServer]) -> None:
    made, server = engine
    text = "これは長い文章です。" * 50
    samples = made.speak(Line(text, made.voices()[0]), never)
    assert len(samples.pcm) / samples.rate_hz == pytest.approx(0.1 * len(text), rel=0.01)
    asked = len(server.calls)
    answers = iter([False, True])
    with pytest.raises(Cancelled):
        made.speak(Line(text, made.voices()[0]), lambda: next(answers))
    assert len(server.calls) == asked + 2


def test_punctuation_alone_is_nothing_to_say(engine: tuple[VoicevoxEngine, FakeServer]) -> None:
    made, _ = engine
    assert made.speak(Line("。。。", made.voices()[0]), never).pcm.size == 0


def test_it_speaks_for_japanese_through_the_node(engine: tuple[VoicevoxEngine, FakeServer]) -> None:
    speaker = load_speaker({"voicevox": lambda: engine[0]})
    request = SpeechRequest(input="こんにちは", response_format="opus")
    spoken = speaker.speak(request, speaker.choose(request), never)
    assert spoken.voice.id == "voicevox-3"
    assert spoken.audio.startswith(b"OggS")


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"<html>", headers={"Content-Type": "text/html"}),
        said({"detail": "overloaded"}, 500),
        Reply(json.dumps(SPEAKERS).encode(), sent_bytes=20),
        Reply(b"", 302, {"Location": "http://127.0.0.1:1/speakers"}),
        Reply(b" " * 9_000_000),
    ],
    ids=["html", "500", "cut off", "redirect", "too large"],
)
def test_an_engine_that_answers_wrongly_is_a_fault_and_not_a_voice(
    reply: Reply, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeServer(lambda _: reply) as server:
        monkeypatch.setenv("VOICEVOX_URL", server.url)
        with pytest.raises(HttpFault):
            VoicevoxEngine()


def test_without_an_address_there_is_no_such_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICEVOX_URL", raising=False)
    with pytest.raises(RuntimeError, match="VOICEVOX_URL"):
        VoicevoxEngine()
