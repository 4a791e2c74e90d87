"""Samples to the bytes of an audio file, through PyAV. The same samples give the same bytes."""

import io
import zlib
from dataclasses import dataclass

import av
import numpy as np

from .engines.engine import Samples
from .ogg import packet_ms


@dataclass(frozen=True)
class _Format:
    media_type: str
    container: str
    codec: str
    rate_hz: int
    sample_format: str
    options: dict[str, str]


# `pcm` is what the OpenAI API calls so: 24 kHz, 16 bit, little endian, no header.
_FORMATS = {
    "opus": _Format(
        "audio/ogg", "ogg", "libopus", 48_000, "s16", {"application": "audio", "frame_duration": "20", "b": "64000"}
    ),
    "wav": _Format("audio/wav", "wav", "pcm_s16le", 24_000, "s16", {}),
    "mp3": _Format("audio/mpeg", "mp3", "libmp3lame", 24_000, "s16p", {"b": "64000"}),
    "flac": _Format("audio/flac", "flac", "flac", 24_000, "s16", {}),
    "pcm": _Format("audio/pcm", "s16le", "pcm_s16le", 24_000, "s16", {}),
}


def media_type(response_format: str) -> str:
    """Name the content type of a format of contract 2."""
    return _FORMATS[response_format].media_type


def encode(samples: Samples, response_format: str) -> bytes:
    """Encode one complete file. `opus` is one Ogg stream of 20 ms packets at 48 kHz; beyond full scale is clipped."""
    if response_format == "opus" and samples.ogg is not None:
        return samples.ogg
    wanted = _FORMATS[response_format]
    pcm = np.rint(np.clip(samples.pcm, -1.0, 1.0) * 32_767).astype(np.int16)
    # The serial tells streams apart where they are chained; taken from the samples, it repeats with them.
    options = {"fflags": "+bitexact", "serial_offset": str(zlib.crc32(pcm.tobytes()) & 0x7FFF_FFFF)}
    file = io.BytesIO()
    container_options = options if wanted.container == "ogg" else {"fflags": "+bitexact"}
    with av.open(file, "w", format=wanted.container, options=container_options) as container:
        stream = container.add_stream(wanted.codec, rate=wanted.rate_hz, layout="mono", options=wanted.options)
        frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = samples.rate_hz
        # Without a time the encoder's delay is counted twice in Ogg's positions.
        frame.pts = 0
        resampler = av.AudioResampler(format=wanted.sample_format, layout="mono", rate=wanted.rate_hz)
        frames = [*resampler.resample(frame), *resampler.resample(None)]
        for ready in [*frames, None]:
            for packet in stream.encode(ready):
                if response_format == "opus" and packet_ms(bytes(packet)) != 20:
                    raise RuntimeError("the encoder made a packet that is not 20 ms")
                container.mux(packet)
    return file.getvalue()
