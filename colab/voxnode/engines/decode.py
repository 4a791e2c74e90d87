"""An encoded file back to samples, through PyAV."""

import io

import av
import numpy as np

from .engine import Samples

# Told by the first bytes: left to guess, FFmpeg also takes playlists, and opens what they name.
_CONTAINERS = ((b"OggS", "ogg"), (b"RIFF", "wav"), (b"fLaC", "flac"), (b"ID3", "mp3"), (b"\xff", "mp3"))
# Longer than any text of 2,000 characters is spoken.
_LONGEST_SEC = 1200


def decode(file: bytes) -> Samples:
    """Read Ogg, WAV, FLAC or MP3, mixed down to one channel at its own rate; raises ValueError for what is none."""
    container_name = next((name for start, name in _CONTAINERS if file.startswith(start)), None)
    if container_name is None:
        raise ValueError("no format that is known")
    parts: list[np.ndarray] = []
    size, rate_hz = 0, 0
    try:
        with av.open(io.BytesIO(file), format=container_name) as container:
            for frame in container.decode(audio=0):
                if not rate_hz:
                    rate_hz = frame.sample_rate
                    resampler = av.AudioResampler(format="flt", layout="mono", rate=rate_hz)
                parts += [ready.to_ndarray().reshape(-1) for ready in resampler.resample(frame)]
                size += frame.samples
                if size > _LONGEST_SEC * rate_hz:
                    raise ValueError("it is too long")
    except (av.error.FFmpegError, IndexError) as fault:
        raise ValueError(f"no sound that can be read ({type(fault).__name__})") from None
    return Samples(np.concatenate(parts) if parts else np.zeros(0, np.float32), rate_hz or 48_000)
