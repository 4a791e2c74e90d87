"""The registry's client: contract 1 over Apps Script's two hops, by hand. Standard library only.

One call is a POST that answers 302, then a GET of the address it names. The write has happened at the first hop, so
the second one alone is tried again. HTML with status 200 is how Apps Script says that it is overloaded or out of quota:
only a body that parses as the envelope is an answer.
"""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import IO
from urllib.parse import urlencode, urljoin, urlsplit

from .settings import is_loopback

_ANSWER_LIMIT_BYTES = 4_000_000
_SECOND_HOP_TRIES = 3


class RegistryFault(Exception):
    """The registry gave no answer: unreachable, too slow, or something that is not its envelope."""


@dataclass(frozen=True)
class Answer:
    """What the registry said; `code` is None when it said yes (`unknown_server`, `superseded`, ... otherwise)."""

    code: str | None
    message: str = ""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


class Registry:
    """Calls one registry. Blocking; each call ends within about `limit_sec` a hop."""

    def __init__(self, gas_url: str, limit_sec: float = 30.0, sleep: Callable[[float], object] = time.sleep) -> None:
        """`sleep` is how the client waits before it tries the second hop again."""
        self._gas_url = gas_url
        self._limit_sec = limit_sec
        self._sleep = sleep
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if is_loopback(gas_url):
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def call(self, action: str, body: Mapping[str, object], limit_sec: float | None = None) -> Answer:
        """POST one action; raises RegistryFault when there is no answer."""
        limit = limit_sec or self._limit_sec
        data = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._gas_url}?action={action}", data, headers, method="POST")
        return _read_answer(self._follow(request, limit))

    def members_of(self, server_id: str, key: str) -> tuple[int, int]:
        """Count the members of one node, and its capacity, from the list; raises RegistryFault."""
        query = urlencode({"action": "list", **({"key": key} if key else {})})
        text = self._follow(urllib.request.Request(f"{self._gas_url}?{query}"), self._limit_sec)
        try:
            rows = [row for row in json.loads(text)["servers"] if row["serverId"] == server_id]
            return int(rows[0]["activeCount"]), int(rows[0]["capacity"])
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise RegistryFault("the node is not in the list") from None

    def _follow(self, request: urllib.request.Request, limit_sec: float) -> bytes:
        status, text, location = self._ask(request, limit_sec)
        if status in (301, 302, 303, 307, 308):
            text = self._second_hop(self._allowed(location), limit_sec)
        return text

    def _second_hop(self, url: str, limit_sec: float) -> bytes:
        fault = RegistryFault("the second hop did not answer")
        for attempt in range(_SECOND_HOP_TRIES):
            if attempt:
                self._sleep(0.5 * attempt)
            try:
                status, text, _ = self._ask(urllib.request.Request(url), limit_sec)
            except RegistryFault as failed:
                fault = failed
                continue
            if status == 200:
                return text
            fault = RegistryFault(f"the second hop answered {status}")
        raise fault

    def _allowed(self, location: str | None) -> str:
        url = urljoin(self._gas_url, location or "")
        if not location or not (urlsplit(url).scheme == "https" or (is_loopback(url) and is_loopback(self._gas_url))):
            raise RegistryFault("it redirects to a place that is not allowed")
        return url

    def _ask(self, request: urllib.request.Request, limit_sec: float) -> tuple[int, bytes, str | None]:
        try:
            with self._opener.open(request, timeout=limit_sec) as response:
                return response.status, _read(response, limit_sec), None
        except urllib.error.HTTPError as answered:
            with answered:
                return answered.code, _read(answered, limit_sec), answered.headers.get("Location")
        except (OSError, ValueError, ArithmeticError) as fault:
            raise RegistryFault(f"{type(fault).__name__}: {fault}"[:200]) from fault
        except Exception as fault:  # http.client's own family does not derive from OSError
            raise RegistryFault(f"bad HTTP: {type(fault).__name__}") from fault


def _read(response: IO[bytes], limit_sec: float) -> bytes:
    # The socket's time limit is for one read: a server that sends a byte now and then would hold the node for ever.
    deadline = time.monotonic() + limit_sec
    text = b""
    while chunk := response.read1(65_536) if hasattr(response, "read1") else response.read(65_536):
        text += chunk
        if len(text) > _ANSWER_LIMIT_BYTES:
            raise RegistryFault("the answer is too long")
        if time.monotonic() > deadline:
            raise RegistryFault("the answer took too long")
    return text


def _read_answer(text: bytes) -> Answer:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise RegistryFault("the answer is not JSON (Apps Script reports overload and quota as a page)") from None
    if isinstance(answer, dict) and answer.get("ok") is True:
        return Answer(None)
    error = answer.get("error") if isinstance(answer, dict) and answer.get("ok") is False else None
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        return Answer(error["code"][:64], str(error.get("message", ""))[:300])
    raise RegistryFault("the answer is not in the registry's form")
