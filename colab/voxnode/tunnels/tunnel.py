"""What every tunnel is to the runner. Standard library only."""

from collections.abc import Callable
from typing import Literal, Protocol

# `lost` may come back by itself; `dead` never does.
TunnelState = Literal["up", "lost", "dead"]


class TunnelFault(Exception):
    """The tunnel did not start; the message says why."""

    def __init__(self, message: str, *, limited: bool = False) -> None:
        """`limited`: the service has had too many starts from here, and wants to be left alone for a while."""
        super().__init__(message)
        self.limited = limited


class Tunnel(Protocol):
    """Something that has a public address."""

    def start(self, wait: Callable[[float], bool]) -> str:
        """Give the address once it can be told to others; raises TunnelFault.

        `wait(seconds)` says True when the node is to stop.
        """
        ...

    def state(self) -> TunnelState:
        """Whether the address still leads here, as far as this side can tell."""
        ...

    def stop(self) -> None:
        """End it; may be called more than once."""
        ...
