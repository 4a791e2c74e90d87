"""The node's HTTP: contract 2 and nothing else. `create_app` takes all it needs, so that tests build what they want."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse

from . import VERSION
from .beside import Beside, serve_beside
from .client_gone import ClientGone, unless_gone
from .errors import NodeError
from .gate import SPEECH_PATH, Gate
from .metrics import Metrics
from .rate import Rate
from .request_log import RequestLog, Seen
from .settings import Settings
from .slots import Slots
from .wire import (
    REQUEST_ID_PATTERN,
    ErrorBody,
    Health,
    LoggedRequest,
    SpeechRequest,
    Voices,
    parse_speech_request,
    utf16_length,
)
from .work import Workers
from .worker_process import WorkerProcess

_MEANINGS = {
    400: "No such request, or no such voice", 401: "The key is missing or wrong",
    408: "The body did not arrive in time", 413: "The body is too large", 422: "Nothing to say in the text",
    429: "Busy: see Retry-After", 500: "The node failed", 503: "The node can't speak at the moment",
}  # fmt: skip
_ERRORS: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorBody, "description": meaning} for status, meaning in _MEANINGS.items()
}
_REFUSED = {status: _ERRORS[status] for status in (401, 429, 500, 503)}
_NOT_LOGGED = {404: {"model": ErrorBody, "description": "Not among the requests that are kept"}}
_REQUEST_ID = {
    "name": "request_id", "in": "path", "required": True,
    "schema": {"type": "string", "pattern": REQUEST_ID_PATTERN},
}  # fmt: skip
_SPEECH_BODY = {
    "required": True,
    "content": {"application/json": {"schema": SpeechRequest.model_json_schema()}},
}
_AUDIO = {media: {"schema": {"type": "string", "format": "binary"}} for media in
          ("audio/ogg", "audio/mpeg", "audio/wav", "audio/flac", "audio/pcm")}  # fmt: skip


class Node:
    """What lives as long as the app: the queue, the processes that speak, the counters."""

    def __init__(self, settings: Settings, command: Sequence[str]) -> None:
        """Start unready."""
        self.settings = settings
        self.metrics = Metrics()
        self.requests = RequestLog()
        self.slots: Slots[WorkerProcess] = Slots(settings.queue_max, settings.queue_limit_sec)
        self.workers = Workers(
            command,
            self.slots,
            concurrency=settings.concurrency,
            load_limit_sec=settings.load_limit_sec,
            synthesis_limit_sec=settings.synthesis_limit_sec,
            cancel_limit_sec=settings.cancel_limit_sec,
        )

    def must_be_ready(self) -> None:
        """Raise NodeError 503 until a synthesis has worked, and while no process can speak."""
        if not self.workers.ready:
            raise NodeError(503, "not_ready", "The node can't speak at the moment.", retry_after_sec=2)

    def health(self) -> Health:
        """Tell how the node is."""
        ready = self.workers.ready
        return Health(
            ok=ready,
            serverId=self.settings.server_id,
            engine=self.workers.engine or self.settings.engine,
            ready=ready,
            capacity=self.settings.capacity,
            concurrency=self.settings.concurrency,
            inFlight=self.slots.in_flight,
            queued=self.slots.queued,
            version=VERSION,
        )

    def metrics_text(self) -> str:
        """Write the counters and what is so right now."""
        return self.metrics.text({
            "ready": self.workers.ready, "in_flight": self.slots.in_flight, "queued": self.slots.queued,
            "capacity": self.settings.capacity, "worker_restarts_total": self.workers.restarts,
        })  # fmt: skip


def create_app(settings: Settings, worker_command: Sequence[str] | None = None) -> FastAPI:
    """Build the app. Its voices load in processes of their own after start; `/health` says when one works."""
    node = Node(settings, worker_command or [sys.executable, "-u", "-m", "voxnode.worker", settings.engine])

    beside = Beside(settings) if settings.paths else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        node.workers.start()
        yield
        await node.workers.stop()
        if beside is not None:
            await beside.close()

    app = FastAPI(title="Voxpool node", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.node = node
    rate = Rate(settings.rate_per_sec, settings.rate_burst)
    app.add_middleware(Gate, settings=settings, rate=rate, metrics=node.metrics, requests=node.requests)
    _refusals(app)

    @app.get("/health", response_model=Health, responses={503: {"model": Health, "description": _MEANINGS[503]}})
    async def health() -> JSONResponse:
        now = node.health()
        return JSONResponse(now.model_dump(), status_code=200 if now.ready else 503)

    @app.get("/metrics", response_class=PlainTextResponse, responses=_REFUSED)
    async def metrics() -> PlainTextResponse:
        return PlainTextResponse(node.metrics_text(), media_type="text/plain; version=0.0.4")

    @app.get("/v1/audio/voices", response_model=Voices, responses=_REFUSED)
    async def voices() -> JSONResponse:
        node.must_be_ready()
        return JSONResponse({"voices": node.workers.voices})

    @app.get(
        "/v1/requests/{request_id}",
        response_model=LoggedRequest,
        responses={**_REFUSED, **_NOT_LOGGED},
        openapi_extra={"parameters": [_REQUEST_ID]},
    )
    async def logged_request(request: Request) -> JSONResponse:
        found = node.requests.find(request.path_params["request_id"])
        if found is None:
            raise NodeError(404, "request_not_found", "This id is not among the requests that are kept.")
        return JSONResponse(found.model_dump(exclude_unset=True))

    @app.post(
        SPEECH_PATH,
        response_class=Response,
        responses={200: {"content": _AUDIO}, **_ERRORS},
        openapi_extra={"requestBody": _SPEECH_BODY},
    )
    async def speech(request: Request) -> Response:
        started = time.monotonic()
        seen: Seen = request.state.seen
        wanted = parse_speech_request(await _body(request, settings.body_limit_sec))
        seen.input_length = utf16_length(wanted.input)
        node.must_be_ready()
        try:
            work = node.workers.speak(wanted.model_dump(exclude_unset=True), seen.request_id)
            header, audio = await unless_gone(request.receive, work)
        except ClientGone:
            return Response(status_code=499)
        seen.engine, seen.voice = header["engine"], header["voice"]
        node.metrics.speech(time.monotonic() - started, len(audio))
        return Response(audio, media_type=header["mediaType"], headers={"X-Voice": header["voice"]})

    if beside is not None:
        serve_beside(app, beside, settings.paths)
    return app


def _refusals(app: FastAPI) -> None:
    @app.exception_handler(NodeError)
    async def refused(_: Request, refusal: NodeError) -> JSONResponse:
        return refusal.response()

    @app.exception_handler(HTTPException)
    async def no_such_thing(_: Request, fault: HTTPException) -> JSONResponse:
        codes = {404: "not_found", 405: "method_not_allowed"}
        answer = NodeError(fault.status_code, codes.get(fault.status_code, "http_error"), str(fault.detail)).response()
        answer.headers.update(fault.headers or {})
        return answer


async def _body(request: Request, limit_sec: float) -> bytes:
    try:
        return await asyncio.wait_for(request.body(), limit_sec)
    except (TimeoutError, asyncio.TimeoutError):
        raise NodeError(408, "body_timeout", "The body did not arrive in time.") from None
