"""What the node counts, in Prometheus' text form. Standard library only."""

from collections import Counter
from collections.abc import Mapping

# Seconds; the last bucket holds what a client would have given up on.
_BUCKETS_SEC = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 45.0)
_PATHS = ("/health", "/metrics", "/openapi.json", "/v1/audio/speech", "/v1/audio/voices")


class Metrics:
    """Counters of one node since its start."""

    def __init__(self) -> None:
        """Start at zero."""
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[float] = Counter()
        self._speech_count = 0
        self._speech_sec = 0.0
        self._audio_bytes = 0

    def request(self, path: str, status: int) -> None:
        """Count an answer; paths that are not ours count together, so that nobody can fill the memory."""
        self._requests[path if path in _PATHS else "other", status] += 1

    def speech(self, took_sec: float, size_bytes: int) -> None:
        """Count a spoken text: seconds with waiting, and the file's size."""
        self._speech_count += 1
        self._speech_sec += took_sec
        self._audio_bytes += size_bytes
        for bucket in _BUCKETS_SEC:
            self._buckets[bucket] += took_sec <= bucket

    def text(self, now: Mapping[str, float]) -> str:
        """Write all of it, with the values that are read at this moment (`now`: name without prefix -> value)."""
        lines = ["# TYPE voxnode_requests_total counter"]
        for (path, status), count in sorted(self._requests.items()):
            lines.append(f'voxnode_requests_total{{path="{path}",status="{status}"}} {count}')
        lines.append("# TYPE voxnode_speech_seconds histogram")
        for bucket in _BUCKETS_SEC:
            lines.append(f'voxnode_speech_seconds_bucket{{le="{bucket:g}"}} {self._buckets[bucket]}')
        lines.append(f'voxnode_speech_seconds_bucket{{le="+Inf"}} {self._speech_count}')
        lines.append(f"voxnode_speech_seconds_sum {self._speech_sec:.6f}")
        lines.append(f"voxnode_speech_seconds_count {self._speech_count}")
        lines += ["# TYPE voxnode_audio_bytes_total counter", f"voxnode_audio_bytes_total {self._audio_bytes}"]
        for name, value in now.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# TYPE voxnode_{name} {kind}", f"voxnode_{name} {value:g}"]
        return "\n".join(lines) + "\n"
