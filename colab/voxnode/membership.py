"""A node's membership in the pool: register, beat for ever, register again when forgotten, stop when superseded."""

from collections.abc import Callable

from .backoff import backoff_sec
from .registry import Registry, RegistryFault
from .settings import Settings

BACKOFF_CAP_SEC = 60.0


class Superseded(Exception):
    """A newer instance of the same SERVER_ID has registered: this one must stop."""


class Refused(Exception):
    """The registry said no in a way that trying again does not change (a wrong key, a bad field)."""


class Membership:
    """Remembers whether the registry knows this instance; `step` does the one call that is due."""

    def __init__(
        self, registry: Registry, settings: Settings, instance_id: str, voices: list[str], say: Callable[[str], None]
    ) -> None:
        """`voices` are the ids that the node lists (the first 1,000 are told)."""
        self._registry = registry
        self._settings = settings
        self._instance_id = instance_id
        self._voices = voices[:1000]
        self._say = say
        self._faults = 0
        self._told_url: str | None = None
        self.registered = False

    def step(self, url: str | None) -> float:
        """Register or beat with the present address (None: the tunnel is down); gives the seconds until the next step.

        Raises Superseded and Refused; a registry that does not answer is only waited for, longer each time.
        """
        if url is None and not self.registered:
            return 1.0
        try:
            answer = self._registry.call(*self._next_call(url))
        except RegistryFault as fault:
            self._faults += 1
            delay_sec = backoff_sec(self._faults, self._settings.heartbeat_sec if self.registered else BACKOFF_CAP_SEC)
            self._say(f"the registry does not answer ({fault}); trying again in {delay_sec:.0f} s")
            return delay_sec
        self._faults = 0
        if answer.code is None:
            if not self.registered or (url is not None and url != self._told_url):
                self._say(f"registered as {self._settings.server_id} at {url}")
            self.registered, self._told_url = True, url or self._told_url
            return self._settings.heartbeat_sec
        if answer.code == "unknown_server":
            self._say("the registry has forgotten this node; registering again")
            self.registered = False
            return 0.0
        if answer.code == "superseded":
            raise Superseded
        if answer.code in ("busy", "internal"):
            self._faults += 1
            return backoff_sec(self._faults, BACKOFF_CAP_SEC)
        raise Refused(f"{answer.code}: {answer.message}")

    def leave(self, limit_sec: float = 5.0) -> None:
        """Unregister within about twice the limit; a registry that does not answer will forget this node by itself."""
        if not self.registered:
            return
        try:
            self._registry.call("unregister", self._identity(), limit_sec)
        except RegistryFault as fault:
            self._say(f"could not unregister ({fault}); the registry will drop this node by itself")
        self.registered = False

    def _next_call(self, url: str | None) -> tuple[str, dict[str, object]]:
        if self.registered and (url is None or url == self._told_url):
            return "heartbeat", {**self._identity(), "apiUrl": url}
        settings = self._settings
        return "register", {
            **self._identity(),
            "color": settings.server_color,
            "label": settings.server_label,
            "apiUrl": url,
            "capacity": settings.capacity,
            "concurrency": settings.concurrency,
            "voices": self._voices,
            **({"paths": list(settings.paths)} if settings.paths else {}),
        }

    def _identity(self) -> dict[str, object]:
        key = {"key": self._settings.registry_key} if self._settings.registry_key else {}
        return {"serverId": self._settings.server_id, "instanceId": self._instance_id, **key}

