"""The node's settings: read once from the environment, every fault named at once. Standard library only."""

import re
import shutil
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from .engines.names import ENGINE_NAMES, is_engine_wish

TUNNELS = ("cloudflare", "ngrok", "none")

# The same bounds as the contract's (wire.schema.json); the tests compare what the node sends with that file.
_UNSEEN = "\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
_SERVER_ID = re.compile(rf"[^\s{_UNSEEN}]{{1,64}}")
_LABEL = re.compile(rf"[^{_UNSEEN}]{{0,80}}")
_COLOR = re.compile(r"#[0-9a-fA-F]{6}|[A-Za-z]{0,32}")
_KEY = re.compile(r"[\x21-\x7e]{0,256}")
_API_URL = re.compile(
    r"(?:https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|http://(?:127\.0\.0\.1|localhost|\[::1\]))"
    r"(?::\d{1,5})?(?:/[A-Za-z0-9_.~%/-]*)?"
)
# Of the operator's own machine or network, so of any host.
_PATHS_URL = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?(?:/[\w.~%/-]*)?")
_PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*/(?:\*|(?!\.{1,2}$)[A-Za-z0-9._~-]+)")
_PATHS_MAX, _PATH_MAX_CHARS = 50, 128
_T = TypeVar("_T")


class BadSettings(ValueError):
    """The environment can't be used; `faults` names every reason."""

    def __init__(self, faults: list[str]) -> None:
        """Keep the faults, one sentence each."""
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Settings:
    """What a node needs to know. Durations are in seconds, as their names say."""

    server_id: str = "node"
    server_color: str = ""
    server_label: str = ""
    capacity: int = 10
    concurrency: int = 1
    queue_max: int = 16
    engine: str = "auto"
    port: int = 8000
    node_key: str = ""
    gas_url: str = ""
    registry_key: str = ""
    heartbeat_sec: float = 30.0
    tunnel: str = "none"
    public_url: str = ""
    # What is served beside speech, by the server at `paths_url`.
    paths: tuple[str, ...] = ()
    paths_url: str = ""
    paths_key: str = ""
    cloudflared_path: str = ""
    # Asked too early, resolvers remember for half an hour that the tunnel's name does not exist.
    tunnel_settle_sec: float = 6.0
    # Whether a status line is kept up to date in place; None: where the output is a terminal.
    live: bool | None = None
    body_limit_bytes: int = 65_536
    # A request to a chat model carries its whole past, and pictures.
    paths_body_limit_bytes: int = 10 * 1024 * 1024
    body_limit_sec: float = 10.0
    # A quick tunnel gives up after 100 s without an answer (524), so the whole of a request must fit below that.
    queue_limit_sec: float = 45.0
    synthesis_limit_sec: float = 45.0
    # How long a synthesis may go on that nobody wants any more, before its process is killed.
    cancel_limit_sec: float = 5.0
    # The first start of a neural voice fetches its model.
    load_limit_sec: float = 1200.0
    # Far above what a voice can do; it bounds what a flood costs.
    rate_per_sec: float = 50.0
    rate_burst: int = 500


def default_server_id(host_name: str) -> str:
    """Make an id from the machine's name: the same at each start, so that a restart takes over its own row."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", host_name).strip("-.")[:64] or "node"


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine."""
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def read_settings(env: Mapping[str, str], host_name: str | None = None) -> Settings:
    """Read the environment; raises BadSettings with every fault. An empty variable counts as absent."""
    faults: list[str] = []

    def read(name: str, default: _T, parse: Callable[[str], _T | None], expected: str) -> _T:
        text = env.get(name, "").strip()
        if not text:
            return default
        value = parse(text)
        if value is None:
            faults.append(f"{name}: expected {expected}")
            return default
        return value

    gas_url = read("GAS_URL", "", _address, "an https address (http only on this machine) without query or fragment")
    local = not gas_url or is_loopback(gas_url)
    server_id = read(
        "SERVER_ID",
        default_server_id(host_name or socket.gethostname()),
        _like(_SERVER_ID),
        "1 to 64 characters without spaces",
    )
    public_url = read(
        "PUBLIC_URL", "", _address, "an https address (http only on this machine) without query or fragment"
    )
    attached = env.get("ATTACH_URL", "").strip().rstrip("/").removesuffix("/v1")
    paths = read("PATHS", (), _paths, f"at most {_PATHS_MAX} paths with commas, as /v1/chat/completions,/v1/images/*")
    paths_url = read("PATHS_URL", attached, _like(_PATHS_URL), "an address, as http://127.0.0.1:8080").rstrip("/")
    if paths and not paths_url:
        faults.append("PATHS_URL: expected the server that has PATHS, where there is no --attach")
    attached_key = env.get("ATTACH_KEY", "").strip() if paths_url == attached else ""
    settings = Settings(
        server_id=server_id,
        server_color=read("SERVER_COLOR", "", _like(_COLOR), "#rrggbb or a colour's name"),
        server_label=read("SERVER_LABEL", server_id, _like(_LABEL), "at most 80 characters"),
        capacity=read("CAPACITY", 10, _number(int, 1, 100_000), "a whole number from 1 to 100000"),
        concurrency=read("CONCURRENCY", 1, _number(int, 1, 64), "a whole number from 1 to 64"),
        queue_max=read("QUEUE_MAX", 16, _number(int, 0, 1000), "a whole number from 0 to 1000"),
        engine=read("ENGINE", "auto", _engines, f"auto or some of {', '.join(ENGINE_NAMES)}, with commas"),
        port=read("PORT", 8000, _number(int, 0, 65_535), "a port from 0 (any free one) to 65535"),
        node_key=read("NODE_KEY", "", _like(_KEY), "at most 256 plain characters without spaces"),
        gas_url=gas_url,
        registry_key=read("REGISTRY_KEY", "", _like(_KEY), "at most 256 plain characters without spaces"),
        heartbeat_sec=read("HEARTBEAT_SEC", 30.0, _number(float, 0.2, 3600), "seconds from 0.2 to 3600"),
        tunnel=read("TUNNEL", "none" if local else "cloudflare", _one_of(TUNNELS), f"one of {', '.join(TUNNELS)}"),
        public_url=public_url.rstrip("/"),
        paths=paths,
        paths_url=paths_url,
        paths_key=read("PATHS_KEY", attached_key, _like(_KEY), "plain characters without spaces"),
        live=read("LIVE", None, _switch, "1 or 0"),
        cloudflared_path=read("CLOUDFLARED_PATH", "", _program, "the path of a program"),
        tunnel_settle_sec=read("TUNNEL_SETTLE_SEC", 6.0, _number(float, 0, 120), "seconds from 0 to 120"),
    )
    if faults:
        raise BadSettings(faults)
    return settings


def _like(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    return lambda text: text if pattern.fullmatch(text) else None


def _engines(text: str) -> str | None:
    wish = text.lower().replace(" ", "")
    return wish if is_engine_wish(wish) else None


def _paths(text: str) -> tuple[str, ...] | None:
    paths = tuple(part.strip() for part in text.split(",") if part.strip())
    fits = all(len(path) <= _PATH_MAX_CHARS and _PATH.fullmatch(path) for path in paths)
    return paths if fits and len(paths) <= _PATHS_MAX else None


def _one_of(words: tuple[str, ...]) -> Callable[[str], str | None]:
    return lambda text: text.lower() if text.lower() in words else None


def _switch(text: str) -> bool | None:
    return {"1": True, "0": False}.get(text)


def _program(text: str) -> str | None:
    return shutil.which(text)


def _address(text: str) -> str | None:
    return text if len(text) <= 512 and _API_URL.fullmatch(text) else None


def _number(kind: Callable[[str], Any], low: float, high: float) -> Callable[[str], Any]:
    def parse(text: str) -> Any:  # noqa: ANN401 (int or float, as `kind` says)
        try:
            value = kind(text)
        except ValueError:
            return None
        return value if low <= value <= high else None

    return parse
