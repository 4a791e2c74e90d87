"""The server's end of one synthesis process (`worker.py`): start it, ask it, tell it to stop, kill it."""

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .errors import NodeError

_FOLDER = Path(__file__).resolve().parent.parent
_HEADER_LIMIT_BYTES = 4_000_000
_AUDIO_LIMIT_BYTES = 200_000_000


class Cancelled(Exception):
    """It stopped because it was told to."""


class WorkerProcess:
    """One process and one job at a time. `faults` counts its failures in a row; who uses it keeps the count."""

    def __init__(self, command: Sequence[str], faults: int) -> None:
        """`faults` is what the process before this one had come to."""
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._number = 0
        self._answer: asyncio.Future[tuple[dict[str, Any], bytes]] | None = None
        self._reading: asyncio.Task[None] | None = None
        self.faults = faults
        self.alive = False

    @property
    def exit_code(self) -> int | None:
        """Negative when a signal ended it."""
        return self._process.returncode if self._process else None

    async def start(self, limit_sec: float) -> dict[str, Any]:
        """Start it and give its hello (`engine`, `voices`); raises NodeError when it can't speak or takes too long."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=_FOLDER,
                env={**os.environ, "PYTHONUTF8": "1"},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # Its log is this process's log.
                stderr=1,
                limit=_HEADER_LIMIT_BYTES,
            )
        except OSError as fault:
            raise _broken(f"the voices' process does not start: {fault}") from fault
        self.alive = True
        try:
            hello, _ = await asyncio.wait_for(self._read(), limit_sec)
        except (TimeoutError, asyncio.TimeoutError):
            raise _broken(f"the voices did not load within {limit_sec:.0f} s") from None
        except (OSError, ValueError, EOFError) as fault:
            await self._process.wait()
            raise _broken(f"the voices' process ended with code {self.exit_code}") from fault
        if "fault" in hello:
            raise _broken(str(hello["fault"]))
        self._reading = asyncio.create_task(self._follow())
        return hello

    async def speak(self, request: dict[str, Any], request_id: str) -> tuple[dict[str, Any], bytes]:
        """Give it a job and wait for the answer; raises NodeError. The id stands in its log lines."""
        self._number += 1
        self._answer = asyncio.get_running_loop().create_future()
        self._send({"job": self._number, "requestId": request_id, "request": request})
        if not self.alive:
            raise _crashed()
        header, audio = await self._answer
        if "error" in header:
            raise NodeError(*header["error"], **header["more"])
        if "cancelled" in header:
            raise Cancelled
        if "fault" in header:
            raise NodeError(500, "internal_error", "The node failed.")
        return header, audio

    def cancel(self) -> None:
        """Tell it that nobody wants the answer any more; an engine that looks stops soon."""
        self._send({"cancel": self._number})

    def kill(self) -> None:
        """End it now. `alive` is False from here on."""
        self.alive = False
        if not self._process or self._process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            if os.name == "posix":
                # Not asyncio's own: that also collects a process that has just ended, and its watcher then misses it.
                os.kill(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def ended(self) -> None:
        """Return once it has ended, however that came; whoever waits for an answer gets none."""
        if self._process:
            await self._process.wait()
        if self._reading:
            # Its last answer may still be in the pipe; a child of its own could hold that open for ever.
            await asyncio.wait({self._reading}, timeout=1)
            self._reading.cancel()
        self.alive = False
        if self._answer and not self._answer.done():
            self._answer.set_exception(_crashed())

    def _send(self, message: dict[str, Any]) -> None:
        # A pipe holds more than the largest request: nothing waits here.
        if self.alive and self._process and self._process.stdin:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _follow(self) -> None:
        with suppress(OSError, ValueError, EOFError):
            while True:
                header, audio = await self._read()
                if self._answer and not self._answer.done() and header.get("job") == self._number:
                    self._answer.set_result((header, audio))
        self.kill()

    async def _read(self) -> tuple[dict[str, Any], bytes]:
        output = self._process.stdout if self._process else None
        line = await output.readline() if output else b""
        if not output or not line:
            raise EOFError
        header = json.loads(line)
        size_bytes = int(header["sizeBytes"])
        if size_bytes > _AUDIO_LIMIT_BYTES:
            raise ValueError("too much audio")
        return header, await output.readexactly(size_bytes) if size_bytes else b""


def _crashed() -> NodeError:
    return NodeError(500, "engine_crashed", "The voice's process ended.")


def _broken(reason: str) -> NodeError:
    return NodeError(503, "not_ready", reason)
