"""Syntheses in processes of their own, one a slot: what hangs is killed and started again, and the server goes on."""

import asyncio
import time
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any

from .errors import NodeError
from .log import log
from .slots import Slots
from .worker_process import WorkerProcess

_Answer = tuple[dict[str, Any], bytes]
# So many faults in a row, and an engine is not trusted any more until a new process has proved that it speaks.
FAULTS_MAX = 3
_RESTART_CAP_SEC = 60.0


class Workers:
    """`concurrency` processes, kept alive; `speak` gives a request to the first that is free."""

    def __init__(
        self,
        command: Sequence[str],
        slots: Slots[WorkerProcess],
        *,
        concurrency: int,
        load_limit_sec: float,
        synthesis_limit_sec: float,
        cancel_limit_sec: float,
    ) -> None:
        """`cancel_limit_sec` is how long a synthesis may go on after nobody wants it, before its process is killed."""
        self._command = command
        self._slots = slots
        self._concurrency = concurrency
        self._load_limit_sec = load_limit_sec
        self._synthesis_limit_sec = synthesis_limit_sec
        self._cancel_limit_sec = cancel_limit_sec
        self._ready: list[WorkerProcess] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.restarts = 0
        self.engine: str | None = None
        self.voices: list[dict[str, Any]] = []

    @property
    def ready(self) -> bool:
        """Whether a process is there that has proved that it speaks, and has not failed since."""
        return bool(self._ready)

    def start(self) -> None:
        """Start the processes; call it in the event loop that uses them."""
        for _ in range(self._concurrency):
            self._spawn(self._keep())

    async def stop(self) -> None:
        """Kill them; what is under way is lost."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def speak(self, request: dict[str, Any], request_id: str) -> _Answer:
        """Wait for a slot and synthesise there; gives the answer's header and the audio.

        Raises NodeError: the text's own fault, 429 when busy, 500 when the engine failed, 503 after
        `synthesis_limit_sec`. When the caller is cancelled the process is told, and its slot comes back once the
        synthesis has really ended: never two at once on a GPU that has room for one.
        """
        worker = await self._slots.take()
        started = time.monotonic()
        job = asyncio.ensure_future(worker.speak(request, request_id))
        # Seen: whatever becomes of it when nobody waits for it any more is nobody's error.
        job.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.wait_for(asyncio.shield(job), self._synthesis_limit_sec)
        except (TimeoutError, asyncio.TimeoutError):
            if job.done():
                raise  # the job's own
            worker.faults += 1
            raise NodeError(503, "synthesis_timeout", "The synthesis took too long.") from None
        finally:
            if job.done():
                self._ended(worker, job, started)
            else:
                self._spawn(self._abandon(worker, job, started))

    def _ended(self, worker: WorkerProcess, job: "asyncio.Future[_Answer]", started: float) -> None:
        fault = job.exception()
        if fault is None:
            worker.faults = 0
        elif isinstance(fault, NodeError) and fault.status >= 500:
            worker.faults += 1
        self._free(worker, started)

    async def _abandon(self, worker: WorkerProcess, job: "asyncio.Future[_Answer]", started: float) -> None:
        worker.cancel()
        await asyncio.wait({job}, timeout=self._cancel_limit_sec)
        if not job.done():
            log("worker_killed", reason="it did not stop", limitSec=self._cancel_limit_sec)
            worker.kill()
            await asyncio.wait({job})
        self._free(worker, started)

    def _free(self, worker: WorkerProcess, started: float) -> None:
        if worker.faults >= FAULTS_MAX:
            log("engine_failing", faults=worker.faults)
            worker.kill()
        if not worker.alive:
            self._leave(worker)
        self._slots.give_back(worker if worker.alive else None, time.monotonic() - started)

    async def _keep(self) -> None:
        faults = 0
        while True:
            worker = WorkerProcess(self._command, faults)
            try:
                hello = await worker.start(self._load_limit_sec)
                self.engine, self.voices = hello["engine"], hello["voices"]
                self._ready.append(worker)
                self._slots.add(worker)
                log("ready", engine=self.engine)
                await worker.ended()
                log("worker_ended", code=worker.exit_code)
            except NodeError as fault:
                worker.faults += 1
                log("not_ready", error=fault.message)
            finally:
                self._leave(worker)
                worker.kill()
                await worker.ended()
            # A crash counts even when nobody was being spoken for.
            faults = max(worker.faults, 1)
            self.restarts += 1
            # At once after a single fault, then ever later: a broken driver needs no process a second.
            await asyncio.sleep(0 if faults == 1 else min(_RESTART_CAP_SEC, 2.0 ** min(faults - 2, 10)))

    def _leave(self, worker: WorkerProcess) -> None:
        self._slots.remove(worker)
        with suppress(ValueError):
            self._ready.remove(worker)

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

