"""The node's HTTP: contract 2 and nothing else. `create_app` takes all it needs, so that tests build what they want."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from . import VERSION
from .encode import media_type
from .engines.engine import Engine
from .errors import NodeError
from .gate import Gate
from .log import log
from .settings import Settings
from .slots import Slots
from .speaker import Speaker, load_speaker
from .wire import ErrorBody, Health, SpeechRequest, Voices, parse_speech_request
from .work import ClientGone, Workers, unless_gone

_ERRORS: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorBody} for status in (400, 401, 408, 413, 422, 429, 500, 503)
}
_SPEECH_BODY = {
    "required": True,
    "content": {"application/json": {"schema": SpeechRequest.model_json_schema()}},
}


class Node:
    """What lives as long as the app: the slots, the threads, and the speaker once it has proved that it speaks."""

    def __init__(self, settings: Settings) -> None:
        """Start unready."""
        self.settings = settings
        self.slots = Slots(settings.concurrency, settings.queue_max, settings.queue_limit_sec)
        self.workers = Workers(self.slots, settings.synthesis_limit_sec)
        self.speaker: Speaker | None = None

    def ready_speaker(self) -> Speaker:
        """Give the speaker; raises NodeError 503 until a synthesis has worked."""
        if self.speaker is None:
            raise NodeError(503, "not_ready", "The node can't speak yet.", retry_after_sec=1)
        return self.speaker


def create_app(settings: Settings, engines: Mapping[str, Callable[[], Engine]]) -> FastAPI:
    """Build the app. The engines are made in the background after start, best first; `/health` says when one works."""
    node = Node(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        loading = asyncio.create_task(_load(node, engines))
        yield
        loading.cancel()
        with suppress(asyncio.CancelledError):
            await loading
        node.workers.pool.shutdown(wait=False, cancel_futures=True)

    app = FastAPI(title="Voxpool node", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.node = node
    app.add_middleware(Gate, node_key=settings.node_key, body_limit_bytes=settings.body_limit_bytes)

    @app.exception_handler(NodeError)
    async def refused(_: Request, refusal: NodeError) -> JSONResponse:
        return refusal.response()

    @app.exception_handler(HTTPException)
    async def no_such_thing(_: Request, fault: HTTPException) -> JSONResponse:
        codes = {404: "not_found", 405: "method_not_allowed"}
        answer = NodeError(fault.status_code, codes.get(fault.status_code, "http_error"), str(fault.detail)).response()
        answer.headers.update(fault.headers or {})
        return answer

    @app.get("/health", response_model=Health, responses={503: {"model": Health}})
    async def health() -> JSONResponse:
        ready = node.speaker is not None
        body = Health(
            ok=ready,
            serverId=settings.server_id,
            engine=node.speaker.name if node.speaker else settings.engine,
            ready=ready,
            capacity=settings.capacity,
            concurrency=settings.concurrency,
            inFlight=node.slots.in_flight,
            queued=node.slots.queued,
            version=VERSION,
        )
        return JSONResponse(body.model_dump(), status_code=200 if ready else 503)

    @app.get("/v1/audio/voices", response_model=Voices, responses={401: _ERRORS[401], 503: _ERRORS[503]})
    async def voices() -> JSONResponse:
        return JSONResponse({"voices": [asdict(voice) for voice in node.ready_speaker().voices()]})

    @app.post(
        "/v1/audio/speech",
        response_class=Response,
        responses={200: {"content": {"audio/ogg": {}, "audio/mpeg": {}}}, **_ERRORS},
        openapi_extra={"requestBody": _SPEECH_BODY},
    )
    async def speech(request: Request) -> Response:
        wanted = parse_speech_request(await _body(request, settings.body_limit_sec))
        speaker = node.ready_speaker()
        voice = speaker.choose(wanted)
        try:
            work = node.workers.run(lambda cancelled: speaker.speak(wanted, voice, cancelled))
            spoken = await unless_gone(request.receive, work)
        except ClientGone:
            return Response(status_code=499)
        return Response(spoken.audio, media_type=media_type(wanted.response_format), headers={"X-Voice": voice.id})

    return app


async def _load(node: Node, engines: Mapping[str, Callable[[], Engine]]) -> None:
    loop = asyncio.get_running_loop()
    try:
        node.speaker = await loop.run_in_executor(node.workers.pool, load_speaker, engines)
        log("ready", engine=node.speaker.name)
    except Exception as fault:
        log("not_ready", error=f"{type(fault).__name__}: {fault}"[:300])


async def _body(request: Request, limit_sec: float) -> bytes:
    try:
        return await asyncio.wait_for(request.body(), limit_sec)
    except (TimeoutError, asyncio.TimeoutError):
        raise NodeError(408, "body_timeout", "The body did not arrive in time.") from None
