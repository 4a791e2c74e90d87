"""What every tunnel is to the runner. Standard library only."""

from collections.abc import Callable
from typing import Protocol


class TunnelFault(Exception):
    """The tunnel did not start; the message says why."""


class Tunnel(Protocol):
    """Something that has a public address."""

    def start(self, wait: Callable[[float], bool]) -> str:
        """Give the address once it can be told to others; raises TunnelFault.

        `wait(seconds)` says True when the node is to stop.
        """
        ...

    def alive(self) -> bool:
        """Whether the address still leads here, as far as this side can tell."""
        ...

    def stop(self) -> None:
        """End it; may be called more than once."""
        ...
