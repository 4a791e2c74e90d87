"""What a node can be asked about the speech requests that it had: the newest thousand, without their texts."""

from collections import OrderedDict
from dataclasses import dataclass

from .wire import LoggedRequest

KEPT_MAX = 1000


@dataclass
class Seen:
    """One request while it is answered; whoever learns something of it writes it here."""

    request_id: str
    received_ms: int
    engine: str | None = None
    voice: str | None = None
    input_length: int = 0


class RequestLog:
    """The newest requests by their ids. An id that comes twice is the later one."""

    def __init__(self) -> None:
        """Start empty."""
        self._kept: OrderedDict[str, LoggedRequest] = OrderedDict()

    def keep(self, seen: Seen, status: int, duration_ms: int) -> None:
        """Write a request down with its answer; the oldest makes room."""
        spoken = {"engine": seen.engine, "voice": seen.voice} if seen.voice is not None else {}
        self._kept.pop(seen.request_id, None)
        self._kept[seen.request_id] = LoggedRequest(
            requestId=seen.request_id,
            receivedAt=seen.received_ms,
            status=status,
            durationMs=duration_ms,
            inputLength=seen.input_length,
            **spoken,
        )
        if len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)

    def find(self, request_id: str) -> LoggedRequest | None:
        """Give what is known of an id."""
        return self._kept.get(request_id)
