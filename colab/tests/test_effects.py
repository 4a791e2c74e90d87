"""Speed and pitch on the samples, silence, loudness."""

import av
import numpy as np
import pytest
from av.filter import Graph
from conftest import needs

from voxnode.effects.loudness import loudness_lufs
from voxnode.effects.master import CEILING, TARGET_LUFS, mastered, trimmed
from voxnode.effects.prosody import with_prosody
from voxnode.engines import engine_makers
from voxnode.engines.engine import Line, Samples
from voxnode.engines.tone import ToneEngine

RATES = [16_000, 22_050, 24_000, 44_100, 48_000]


def sine(hz: float, sec: float, rate_hz: int = 24_000, level: float = 0.1) -> np.ndarray:
    return (level * np.sin(2 * np.pi * hz * np.arange(round(sec * rate_hz)) / rate_hz)).astype(np.float32)


def heard_hz(pcm: np.ndarray, rate_hz: int) -> float:
    middle = pcm[len(pcm) // 4 : -len(pcm) // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle)), 1 << 18))
    return float(np.argmax(spectrum)) * rate_hz / (1 << 18)


def speechlike(rate_hz: int) -> np.ndarray:
    """Noise in syllables of very different strength, with pauses: what the gates are for."""
    random = np.random.default_rng(7)
    strength = np.repeat(random.random(60) ** 3 * (random.random(60) > 0.3), rate_hz // 10)
    noise = np.convolve(random.standard_normal(len(strength)), np.ones(4) / 4, "same")
    return (0.2 * strength * noise).astype(np.float32)


def ffmpeg_lufs(pcm: np.ndarray, rate_hz: int) -> float:
    graph = Graph()
    source = graph.add_abuffer(sample_rate=rate_hz, format="flt", layout="mono")
    meter, sink = graph.add("ebur128", "metadata=1:framelog=quiet"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="flt", layout="mono")
    frame.sample_rate, frame.pts = rate_hz, 0
    graph.push(frame)
    graph.push(None)
    last = ""
    while True:
        try:
            last = graph.pull().metadata.get("lavfi.r128.I", last)
        except (av.error.EOFError, av.error.BlockingIOError):
            return float(last)


@pytest.mark.parametrize("rate_hz", RATES)
@pytest.mark.parametrize("speed", [0.25, 0.5, 0.8, 1.25, 2, 4])
def test_speed_changes_the_length_and_keeps_the_pitch(speed: float, rate_hz: int) -> None:
    changed = with_prosody(sine(220, 3, rate_hz), rate_hz, speed, 0)
    assert len(changed) / rate_hz == pytest.approx(3 / speed, abs=0.001)
    assert heard_hz(changed, rate_hz) == pytest.approx(220, rel=0.01)


@pytest.mark.parametrize("rate_hz", RATES)
@pytest.mark.parametrize("pitch", [-12, -5, 3.5, 12])
def test_pitch_changes_the_tone_and_keeps_the_length(pitch: float, rate_hz: int) -> None:
    changed = with_prosody(sine(220, 3, rate_hz), rate_hz, 1, pitch)
    assert len(changed) / rate_hz == pytest.approx(3, abs=0.001)
    assert heard_hz(changed, rate_hz) == pytest.approx(220 * 2 ** (pitch / 12), rel=0.01)


@pytest.mark.parametrize(("speed", "pitch"), [(0.25, 12), (0.25, -12), (4, 12), (4, -12)])
def test_both_at_once_at_their_bounds(speed: float, pitch: float) -> None:
    changed = with_prosody(sine(300, 4), 24_000, speed, pitch)
    assert len(changed) / 24_000 == pytest.approx(4 / speed, abs=0.001)
    assert heard_hz(changed, 24_000) == pytest.approx(300 * 2 ** (pitch / 12), rel=0.015)


def test_nothing_to_change_changes_nothing() -> None:
    pcm = sine(220, 0.5)
    assert with_prosody(pcm, 24_000, 1.0, 0.0) is pcm
    assert with_prosody(pcm[:0], 24_000, 2.0, 3.0).size == 0


@pytest.mark.parametrize("length", [1, 2, 100, 1000, 5000, 24_001])
def test_no_length_is_too_short_to_be_changed(length: int) -> None:
    for speed in (0.25, 1.0, 4.0):
        changed = with_prosody(sine(220, 2)[:length], 24_000, speed, 12.0)
        assert abs(len(changed) - length / speed) <= 1
        assert np.isfinite(changed).all()


def test_the_same_sound_is_changed_the_same_way() -> None:
    pcm = speechlike(24_000)
    assert np.array_equal(with_prosody(pcm, 24_000, 0.7, 3.0), with_prosody(pcm, 24_000, 0.7, 3.0))


@pytest.mark.skipif(not hasattr(av.AudioFrame, "metadata"), reason="this PyAV hands out no metadata to compare with")
@pytest.mark.parametrize("rate_hz", RATES)
def test_loudness_is_what_ffmpegs_meter_reads(rate_hz: int) -> None:
    pcm = speechlike(rate_hz)
    assert loudness_lufs(pcm, rate_hz) == pytest.approx(ffmpeg_lufs(pcm, rate_hz), abs=0.15)


def test_loudness_knows_the_standards_own_example() -> None:
    # BS.1770: a sine of 997 Hz at full scale in one channel reads -3.01.
    assert loudness_lufs(sine(997, 3, 48_000, 1.0), 48_000) == pytest.approx(-3.01, abs=0.02)


def test_loudness_of_silence_and_of_very_little() -> None:
    assert loudness_lufs(np.zeros(0, np.float32), 24_000) == -np.inf
    assert loudness_lufs(np.zeros(24_000, np.float32), 24_000) == -np.inf
    short, long = (loudness_lufs(sine(440, sec), 24_000) for sec in (0.06, 3))
    assert short == pytest.approx(long, abs=0.5)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.3, 0.9])
def test_every_level_becomes_the_same(level: float) -> None:
    pcm = speechlike(24_000)
    pcm *= level / np.max(np.abs(pcm))
    done = mastered(Samples(pcm, 24_000))
    assert loudness_lufs(done.pcm, 24_000) == pytest.approx(TARGET_LUFS, abs=1.0)
    assert np.max(np.abs(done.pcm)) <= CEILING + 1e-3


def test_what_is_nearly_silent_is_not_blown_up() -> None:
    done = mastered(Samples(sine(440, 1, level=0.0002), 24_000))
    assert np.max(np.abs(done.pcm)) < 0.001


def test_volume_is_a_factor_on_the_level_and_never_breaks_the_ceiling() -> None:
    plain, half, double = (mastered(Samples(speechlike(24_000), 24_000), volume) for volume in (1.0, 0.5, 2.0))
    plain_lufs, half_lufs, double_lufs = (loudness_lufs(one.pcm, 24_000) for one in (plain, half, double))
    assert half_lufs == pytest.approx(plain_lufs - 6.02, abs=0.5)
    assert plain_lufs + 1 < double_lufs < plain_lufs + 6.1
    assert np.max(np.abs(double.pcm)) <= CEILING + 1e-3
    assert not np.any(mastered(Samples(speechlike(24_000), 24_000), 0.0).pcm)


def test_silence_before_and_after_is_cut_and_pauses_within_stay() -> None:
    word, pause = sine(300, 0.5), np.zeros(24_000, np.float32)
    cut = trimmed(np.concatenate([pause, word, pause, word, pause * 2]), 24_000)
    assert len(cut) / 24_000 == pytest.approx(0.5 + 1 + 0.5 + 0.02 + 0.12, abs=0.02)
    assert trimmed(np.zeros(500, np.float32), 24_000).size == 0
    assert trimmed(np.zeros(0, np.float32), 24_000).size == 0
    assert trimmed(word, 24_000).size == word.size


def test_the_tone_engines_notes_stay_as_they_are() -> None:
    engine = ToneEngine()
    samples = engine.speak(Line("a b", engine.voices()[0]), lambda: False)
    assert np.array_equal(mastered(samples).pcm, samples.pcm)


@needs("espeakng_loader")
@needs("hibari")
@needs("pyopenjtalk")
def test_three_engines_come_out_equally_loud() -> None:
    texts = {"espeak": "It is a fine day, isn't it?", "hibari": "It is a fine day, isn't it?", "openjtalk": "今日はいい天気ですね。"}
    for name, text in texts.items():
        engine = engine_makers(name)[name]()
        done = mastered(engine.speak(Line(text, engine.voices()[0]), lambda: False))
        assert loudness_lufs(done.pcm, done.rate_hz) == pytest.approx(TARGET_LUFS, abs=1.0), name
