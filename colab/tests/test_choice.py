"""Which engines are wanted, and which voice speaks."""

import pytest
from conftest import ROOT

from voxnode.engines.choice import choose_voice, text_language
from voxnode.engines.engine import Voice
from voxnode.engines.names import is_engine_wish, wanted_engines, wanted_extras
from voxnode.engines.tone import ToneEngine


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


def test_a_wish_is_one_engine_or_several_and_auto_is_the_rest() -> None:
    assert wanted_engines("auto", {}) == ["kokoro", "hibari", "openjtalk", "kokoro-ja", "espeak", "tone"]
    assert wanted_engines("auto", {"VOICEVOX_URL": "http://x", "PIPER_VOICES": " "})[:2] == ["voicevox", "kokoro"]
    assert wanted_engines("espeak,auto", {})[:3] == ["espeak", "kokoro", "hibari"]
    assert wanted_engines("piper", {}) == ["piper"]
    assert [is_engine_wish(wish) for wish in ("auto", "piper,auto", "openai", "", "piper,", "festival")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_an_extra_is_installed_only_when_it_is_asked_for() -> None:
    assert wanted_extras("auto", {}) == []
    assert wanted_extras("tone", {"PIPER_VOICES": "/voices"}) == []
    assert [file for _, file in wanted_extras("auto", {"PIPER_VOICES": "/voices"})] == ["requirements-piper.txt"]
    assert [file for _, file in wanted_extras("kokoro-ja,auto", {})] == ["requirements-kokoro-ja.txt"]
    assert all((ROOT / "colab" / file).is_file() for _, file in wanted_extras("piper,kokoro-ja", {}))
