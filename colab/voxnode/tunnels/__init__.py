"""The tunnels: cloudflare, ngrok, none. A new one is one file here and one line in `make_tunnel`."""

from collections.abc import Callable

from ..settings import Settings
from .address import Address
from .cloudflare import CloudflareTunnel
from .cloudflared import find_cloudflared
from .ngrok import NgrokTunnel
from .tunnel import Tunnel


def make_tunnel(settings: Settings, port: int, say: Callable[[str], None]) -> Tunnel:
    """Make the tunnel that the settings name, to this port of loopback; `start` opens it."""
    local = f"http://127.0.0.1:{port}"
    if settings.tunnel == "cloudflare":
        return CloudflareTunnel(
            local,
            lambda: find_cloudflared(settings.cloudflared_path, say),
            settle_sec=settings.tunnel_settle_sec,
        )
    if settings.tunnel == "ngrok":
        return NgrokTunnel(port)
    return Address(settings.public_url or local)
