"""The engines and the choice among them."""

import threading
import time

import numpy as np
import pytest
from conftest import needs

from voxnode.encode import encode
from voxnode.engines import engine_makers
from voxnode.engines.choice import choose_voice, text_language
from voxnode.engines.engine import Cancelled, Engine, Line, Voice
from voxnode.engines.kokoro import kokoro_voices
from voxnode.engines.pieces import split_pieces
from voxnode.engines.tone import ToneEngine
from voxnode.ogg import parse_ogg_opus
from voxnode.speaker import load_speaker
from voxnode.wire import Voices


def never() -> bool:
    return False


def made(name: str) -> Engine:
    return engine_makers(name)[name]()


def seconds(engine: Engine, text: str, voice: Voice | None = None, **prosody: float) -> float:
    samples = engine.speak(Line(text, voice or engine.voices()[0], **prosody), never)
    return len(samples.pcm) / samples.rate_hz


REAL = [
    "tone",
    pytest.param("espeak", marks=needs("espeakng_loader")),
    pytest.param("openjtalk", marks=needs("pyopenjtalk")),
]


@pytest.mark.parametrize("name", REAL)
class TestEveryEngine:
    """What holds for all of them."""

    def test_it_lists_voices_in_the_contracts_form(self, name: str) -> None:
        engine = made(name)
        listed = [vars(voice) for voice in engine.voices()]
        Voices.model_validate({"voices": listed})
        assert len({voice.id for voice in engine.voices()}) == len(listed) > 0
        assert {voice.engine for voice in engine.voices()} == {name}

    def test_it_is_heard_and_stays_within_full_scale(self, name: str) -> None:
        engine = made(name)
        pcm = engine.speak(Line("こんにちは、hello", engine.voices()[0]), never).pcm
        assert 0.02 < float(np.max(np.abs(pcm))) <= 1.0
        assert pcm.dtype == np.float32

    def test_the_same_text_gives_the_same_sound_and_more_text_more_of_it(self, name: str) -> None:
        engine = made(name)
        first, second = (engine.speak(Line("こんにちは", engine.voices()[0]), never).pcm for _ in range(2))
        # espeak's flutter goes on from call to call; the others repeat themselves to the sample.
        assert len(first) == pytest.approx(len(second), rel=0.002)
        assert name == "espeak" or np.array_equal(first, second)
        assert seconds(engine, "こんにちは。" * 5) > 3 * seconds(engine, "こんにちは。")

    def test_twice_the_speed_takes_about_half_the_time(self, name: str) -> None:
        engine = made(name)
        text = "これは少し長い文章です。" * 3
        assert seconds(engine, text, speed=2.0) == pytest.approx(seconds(engine, text) / 2, rel=0.25)

    def test_pitch_changes_the_sound(self, name: str) -> None:
        engine = made(name)
        low, high = (
            engine.speak(Line("あああ", engine.voices()[0], pitch_semitones=pitch), never).pcm for pitch in (-6, 6)
        )
        assert low.shape != high.shape or not np.allclose(low, high)

    def test_a_cancelled_line_is_given_up_soon(self, name: str) -> None:
        engine = made(name)
        asked = 0

        def soon() -> bool:
            nonlocal asked
            asked += 1
            return asked > 3

        with pytest.raises(Cancelled):
            engine.speak(Line("これは長い文章です。" * 150, engine.voices()[0]), soon)
        assert seconds(engine, "こんにちは") > 0

    def test_it_can_be_called_from_several_threads(self, name: str) -> None:
        engine = made(name)
        texts = ["おは", "こんにちは", "こんばんは、ありがとう", "さ"] * 3
        alone = {text: seconds(engine, text) for text in texts}
        wrong: list[str] = []

        def ask(text: str) -> None:
            if seconds(engine, text) != pytest.approx(alone[text], rel=0.002):
                wrong.append(text)

        threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


@needs("espeakng_loader")
def test_espeak_speaks_each_of_its_languages() -> None:
    engine = made("espeak")
    voices = engine.voices()
    assert len(voices) > 100
    assert {"en-US", "ja", "ko", "de", "fr-FR", "es", "ru", "cmn"} <= {voice.language for voice in voices}
    mute = [voice.id for voice in voices if seconds(engine, "a 1 2 3", voice) < 0.1]
    assert mute == []


@needs("espeakng_loader")
def test_espeak_takes_text_that_looks_like_markup_as_text() -> None:
    engine = made("espeak")
    assert seconds(engine, '<break time="30s"/> [[h@]] a & b') < 15


@needs("pyopenjtalk")
def test_open_jtalk_says_nothing_for_a_text_without_sound() -> None:
    assert seconds(made("openjtalk"), "。。。") == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hello", "en"), ("こんにちは", "ja"), ("漢字とかな", "ja"), ("你好", "zh"), ("안녕하세요", "ko"), ("Привет", "ru"),
        ("مرحبا", "ar"), ("สวัสดี", "th"), ("今日はDiscordでhello worldと言った", "ja"), ("123 !?", "en"), ("", "en"), ("😀", "en"),
        ("ﾊﾝｶｸ", "ja"), ("Ａ", "en"),
    ],
)  # fmt: skip
def test_the_script_tells_the_language(text: str, language: str) -> None:
    assert text_language(text) == language


NEURAL = [Voice("af_heart", "Heart", "en-US", "kokoro"), Voice("zf_xiaobei", "Xiaobei", "zh", "kokoro")]
JAPANESE = [Voice("mei", "Mei", "ja", "openjtalk")]
MANY = [
    Voice("en-us", "English", "en-US", "espeak"), Voice("en-gb", "British", "en-GB", "espeak"),
    Voice("cmn", "Chinese", "cmn", "espeak"), Voice("ja", "Japanese", "ja", "espeak"), Voice("ko", "Korean", "ko", "espeak"),
]  # fmt: skip
TONE = ToneEngine().voices()


@pytest.mark.parametrize(
    ("voice", "language", "text", "chosen"),
    [
        ("ko", "", "hello", "ko"),  # named: whatever the text
        ("auto", "", "hello", "af_heart"),
        ("auto", "en-GB", "hello", "af_heart"),  # the better engine's English before the very region
        ("auto", "", "こんにちは", "mei"),
        ("auto", "", "안녕", "ko"),
        ("auto", "", "你好", "zf_xiaobei"),
        ("auto", "ja", "hello", "mei"),
        ("auto", "JA-jp", "hello", "mei"),
        ("auto", "tlh", "hello", "af_heart"),  # nobody knows it: the first voice of all
        ("nobody", "", "hello", None),
    ],
)
def test_the_voice_for_a_request(voice: str, language: str, text: str, chosen: str | None) -> None:
    found = choose_voice([NEURAL, JAPANESE, MANY, TONE], voice, language, text)
    assert (found.id if found else None) == chosen


def test_without_better_ones_the_languages_own_names_still_meet() -> None:
    assert choose_voice([MANY, TONE], "auto", "zh-TW", "x") == MANY[2]
    assert choose_voice([MANY, TONE], "auto", "en-GB", "x") == MANY[1]
    assert choose_voice([TONE], "auto", "", "안녕") == TONE[0]
    assert choose_voice([], "auto", "", "hello") is None


def test_kokoro_lists_only_languages_that_it_can_read() -> None:
    assert {voice.language for voice in kokoro_voices(lambda module: module == "spacy")} == {"en-US", "en-GB"}
    everything = kokoro_voices(lambda _: True)
    assert len(everything) == 54
    assert everything[0].id == "af_heart"
    Voices.model_validate({"voices": [vars(voice) for voice in everything]})


def test_pieces_are_never_longer_and_nothing_is_lost() -> None:
    text = "これはとても長い文章です。" * 40 + "あ" * 500 + " word" * 100
    pieces = split_pieces(text, 120)
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= 120
    assert pieces[0].endswith("。")


def test_an_engine_that_is_not_installed_leaves_the_others() -> None:
    def missing() -> Engine:
        raise ModuleNotFoundError("No module named 'kokoro'")

    assert load_speaker({"kokoro": missing, "tone": ToneEngine}).name == "tone"
    assert load_speaker({"kokoro": missing}).name == "tone"


@needs("pyopenjtalk")
@needs("espeakng_loader")
def test_auto_is_ready_within_seconds_and_speaks_two_languages() -> None:
    started = time.monotonic()
    speaker = load_speaker(engine_makers("auto"))
    assert time.monotonic() - started < 10
    ids = {voice.id for voice in speaker.voices()}
    assert {"mei", "en-us", "tone"} <= ids


@needs("pyopenjtalk")
def test_a_long_japanese_text_comes_out_whole() -> None:
    engine = made("openjtalk")
    samples = engine.speak(Line("あいうえお、" * 60, engine.voices()[0]), never)
    alone = engine.speak(Line("あいうえお、", engine.voices()[0]), never)
    assert len(samples.pcm) > 50 * len(alone.pcm)
    stream = parse_ogg_opus(encode(samples, "opus"))
    assert stream.duration_sec == pytest.approx(len(samples.pcm) / samples.rate_hz, abs=0.001)
