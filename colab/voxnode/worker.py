"""One synthesis process: `python -m voxnode.worker ENGINE`. The server starts it, feeds it, and kills it when it hangs.

On its input stands one JSON object a line: `{"job": 1, "requestId": "...", "request": {...}}` or `{"cancel": 1}`. Each
answer is a JSON line too, followed by as many bytes of audio as its `sizeBytes` says. What engines and libraries print
goes to the log.
"""

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, BinaryIO

from .encode import media_type
from .engines import engine_makers
from .engines.engine import Cancelled, Engine
from .errors import NodeError
from .log import log
from .speaker import Speaker, load_speaker
from .wire import SpeechRequest


def run_worker(makers: Mapping[str, Callable[[], Engine]]) -> int:
    """Load the engines, say hello, then serve one job after the other until the input ends."""
    # A print in some library would be taken for an answer: from here on standard output is the log.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        speaker = load_speaker({name: _announced(name, make) for name, make in makers.items()})
    except Exception as fault:  # whatever a third-party library throws: the server tries again, and says so
        _answer(answers, {"fault": f"{type(fault).__name__}: {fault}"[:300]})
        return 1
    _answer(answers, {"engine": speaker.name, "voices": [asdict(voice) for voice in speaker.voices()]})
    jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    cancelled: set[int] = set()
    threading.Thread(target=_listen, args=(jobs, cancelled), daemon=True).start()
    while True:
        job = jobs.get()
        number = job["job"]
        header, audio = _speak(speaker, job, lambda number=number: number in cancelled)  # type: ignore[misc]
        cancelled.discard(number)
        _answer(answers, {"job": number, **header}, audio)


def _speak(
    speaker: Speaker, job: dict[str, Any], cancelled: Callable[[], bool]
) -> tuple[dict[str, object], bytes]:
    try:
        request = SpeechRequest.model_validate(job["request"])
        spoken = speaker.speak(request, speaker.choose(request), cancelled, job["requestId"])
    except Cancelled:
        return {"cancelled": True}, b""
    except NodeError as refusal:
        wanted = {"param": refusal.param, "retry_after_sec": refusal.retry_after_sec}
        return {"error": [refusal.status, refusal.code, refusal.message], "more": wanted}, b""
    except Exception as fault:  # the one boundary of this process: logged with its stack, answered without
        stack = traceback.format_exc()[-4000:]
        log("engine_fault", requestId=job["requestId"], error=type(fault).__name__, stack=stack)
        return {"fault": type(fault).__name__}, b""
    header = {"voice": spoken.voice.id, "engine": spoken.voice.engine, "mediaType": media_type(request.response_format)}
    return header, spoken.audio


def _listen(jobs: "queue.SimpleQueue[dict[str, Any]]", cancelled: set[int]) -> None:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "cancel" in message:
            cancelled.add(message["cancel"])
        else:
            # Jobs come one after the other: what was cancelled before this one has been answered.
            cancelled.clear()
            jobs.put(message)
    # The server is gone, and nothing else would ever end a synthesis that hangs.
    os._exit(0)


def _answer(answers: BinaryIO, header: Mapping[str, object], audio: bytes = b"") -> None:
    answers.write(json.dumps({**header, "sizeBytes": len(audio)}).encode() + b"\n" + audio)
    answers.flush()


def _announced(name: str, make: Callable[[], Engine]) -> Callable[[], Engine]:
    def made() -> Engine:
        log("engine_loading", engine=name)
        return make()

    return made


if __name__ == "__main__":
    sys.exit(run_worker(engine_makers(sys.argv[1])))
