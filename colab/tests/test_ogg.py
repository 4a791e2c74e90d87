"""The Ogg Opus files that the node makes, byte by byte, and what the reader refuses."""

import struct

import numpy as np
import pytest

from voxnode.encode import encode
from voxnode.engines.engine import Samples
from voxnode.ogg import packet_ms, parse_ogg_opus


def sound(seconds: float, rate_hz: int = 24_000) -> Samples:
    time = np.arange(round(seconds * rate_hz)) / rate_hz
    return Samples((np.sin(2 * np.pi * 440 * time) * 0.3).astype(np.float32), rate_hz)


@pytest.mark.parametrize("seconds", [0.005, 0.02, 0.5, 1.0, 3.0321, 61.0])
@pytest.mark.parametrize("rate_hz", [22_050, 24_000, 48_000])
def test_the_positions_tell_the_length_to_the_sample(seconds: float, rate_hz: int) -> None:
    stream = parse_ogg_opus(encode(sound(seconds, rate_hz), "opus"))
    assert stream.duration_sec == pytest.approx(round(seconds * rate_hz) / rate_hz, abs=10 / 48_000)
    # The packets reach to the last position, and not a packet further.
    assert len(stream.packets) * 960 >= stream.last_granule
    assert (len(stream.packets) - 1) * 960 < stream.last_granule
    assert {packet_ms(packet) for packet in stream.packets} == {20.0}


def test_the_head_says_mono_at_48_khz_with_no_gain() -> None:
    data = encode(sound(0.5), "opus")
    head = data[data.index(b"OpusHead") :][:19]
    version, channels, pre_skip, rate_hz, gain, family = struct.unpack_from("<BBHIhB", head, 8)
    assert (version, channels, rate_hz, gain, family) == (1, 1, 48_000, 0, 0)
    assert pre_skip == parse_ogg_opus(data).pre_skip > 0


def test_the_same_samples_give_the_same_bytes_and_streams_differ_in_serial() -> None:
    assert encode(sound(1), "opus") == encode(sound(1), "opus")
    assert parse_ogg_opus(encode(sound(1), "opus")).serial != parse_ogg_opus(encode(sound(2), "opus")).serial


def test_louder_than_full_scale_is_clipped_and_never_wraps() -> None:
    raw = np.frombuffer(encode(Samples(np.array([1.8, -1.8] * 50, np.float32), 24_000), "pcm"), "<i2")
    assert set(raw.tolist()) == {32_767, -32_767}


def test_a_stream_that_lacks_anything_is_refused() -> None:
    whole = encode(sound(2.5), "opus")
    parse_ogg_opus(whole)
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    last_page = whole.rindex(b"OggS")
    for bad in (
        b"",
        whole[:-1],
        whole[:last_page],
        whole[1:],
        bytes(changed),
        whole + whole,
        whole + b"x",
        b"OggS" * 20,
    ):
        with pytest.raises(ValueError):
            parse_ogg_opus(bad)


@pytest.mark.parametrize(
    ("packet", "ms"),
    [
        (b"\xf8", 20.0),
        (b"\xf0", 10.0),
        (b"\xe0", 2.5),
        (b"\x08", 20.0),
        (b"\x18", 60.0),
        (b"\xf9", 40.0),
        (b"\xfb\x03", 60.0),
    ],
)
def test_a_packet_tells_its_length(packet: bytes, ms: float) -> None:
    assert packet_ms(packet) == ms
