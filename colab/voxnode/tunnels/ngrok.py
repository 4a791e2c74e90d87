"""ngrok through `pyngrok`, where that is installed; its authtoken is read from NGROK_AUTHTOKEN."""

from collections.abc import Callable
from typing import Any

from .tunnel import TunnelFault, TunnelState


class NgrokTunnel:
    """One HTTPS endpoint of an ngrok account (free: 20,000 requests and 1 GB a month)."""

    def __init__(self, port: int) -> None:
        """Keep the port of loopback that it leads to."""
        self._port = port
        self._ngrok: Any = None
        self._url = ""

    def start(self, wait: Callable[[float], bool]) -> str:
        """Connect and give the address; raises TunnelFault, also when pyngrok is missing."""
        try:
            from pyngrok import ngrok
        except ImportError:
            raise TunnelFault("TUNNEL=ngrok needs the package pyngrok (pip install pyngrok)") from None
        try:
            self._url = str(ngrok.connect(str(self._port), "http").public_url).replace("http://", "https://")
        except Exception as fault:  # pyngrok's own errors, and what its download throws
            raise TunnelFault(f"ngrok: {fault}"[:300]) from fault
        self._ngrok = ngrok
        return self._url

    def state(self) -> TunnelState:
        """Ask ngrok's agent whether the endpoint is still open."""
        if self._ngrok is None:
            return "dead"
        try:
            return "up" if any(one.public_url == self._url for one in self._ngrok.get_tunnels()) else "dead"
        except Exception:  # an agent that does not answer has no tunnel, at this moment
            return "lost"

    def stop(self) -> None:
        """End the agent."""
        if self._ngrok is not None:
            self._ngrok.kill()
            self._ngrok = None
