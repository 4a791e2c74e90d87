"""Any server that speaks the OpenAI speech API, at ATTACH_URL: `colab_runner.py --attach` makes a node of it.

ATTACH_KEY is its bearer token, ATTACH_MODEL the model to ask for (else the first it lists, else `tts-1`), ATTACH_VOICE
its voices with commas between, where it lists none.
"""

import json
import os
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ogg import packet_ms, parse_ogg_opus
from .ask import Answer, HttpFault, ask
from .decode import decode
from .engine import Busy, Cancelled, Line, Samples, Voice

_LIMIT_SEC = 40.0
_LIST_LIMIT_SEC = 10.0
_AUDIO_MAX_BYTES, _JSON_MAX_BYTES = 64_000_000, 2_000_000
_VOICES_MAX = 2000
_VOICE_ID = re.compile(r"[\x21-\x7e]{1,128}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
# The text's own fault: another server would say so too.
_TEXT_FAULTS = (400, 413, 422)
_BUSY = (429, 503)
_TRIES, _PATIENCE_SEC = 3, 5.0


class OpenAiEngine:
    """Asks for Opus. What is Ogg Opus in packets of 20 ms already can go on as it is; anything else is decoded."""

    name = "openai"

    def __init__(self) -> None:
        """Ask for models and voices; a server that lists neither can be used all the same."""
        self._url = os.environ.get("ATTACH_URL", "").strip().rstrip("/").removesuffix("/v1")
        if not self._url:
            raise RuntimeError("ATTACH_URL is not set")
        key = os.environ.get("ATTACH_KEY", "").strip()
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model = os.environ.get("ATTACH_MODEL", "").strip() or self._first_model()
        named = [name.strip() for name in os.environ.get("ATTACH_VOICE", "").split(",")]
        voices = [item for name in named if name and (item := _voice(name))] + self._listed()
        self._voices = list({voice.id: voice for voice in reversed(voices)}.values())[::-1][:_VOICES_MAX]
        if not self._voices:
            # The voice that every server of this kind has a word for.
            self._voices = [Voice("alloy", "alloy", "mul", self.name)]

    def voices(self) -> list[Voice]:
        """List the server's voices; one that names no language is `mul`."""
        return self._voices

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Ask for Opus; a text that the server refuses has nothing to say. It knows no pitch."""
        wanted = {"model": self._model, "input": line.text, "voice": line.voice.id, "response_format": "opus"}
        body = json.dumps(wanted | ({"speed": line.speed} if line.speed != 1.0 else {})).encode()
        try:
            audio = self._patiently(body, line.request_id, cancelled).body
        except HttpFault as fault:
            if fault.status in _TEXT_FAULTS:
                return Samples(np.zeros(0, np.float32), 48_000)
            raise
        sound = decode(audio)
        ogg = audio if _is_ours(audio) else None
        return Samples(sound.pcm, sound.rate_hz, pitch_left_semitones=line.pitch_semitones, ogg=ogg)

    def _patiently(self, body: bytes, request_id: str, cancelled: Callable[[], bool]) -> Answer:
        headers = self._headers | ({"X-Request-Id": request_id} if request_id else {})
        for attempt in range(1, _TRIES + 1):
            if cancelled():
                raise Cancelled
            try:
                return ask(self._url + "/v1/audio/speech", _LIMIT_SEC, _AUDIO_MAX_BYTES, body, headers)
            except HttpFault as fault:
                if fault.status not in _BUSY:
                    raise
                if attempt == _TRIES or fault.retry_after_sec > _PATIENCE_SEC:
                    raise Busy from None
                _wait(fault.retry_after_sec or 0.5 * attempt, cancelled)
        raise Busy

    def _first_model(self) -> str:
        models = [item.get("id") for item in _items(self._list("/v1/models")) if isinstance(item, dict)]
        speaking = [name for name in models if isinstance(name, str) and len(name) <= 128]
        return next((name for name in speaking if "tts" in name.lower()), next(iter(speaking), "tts-1"))

    def _listed(self) -> list[Voice]:
        return [voice for item in _items(self._list("/v1/audio/voices")) if (voice := _voice(item))]

    def _list(self, path: str) -> Any:  # noqa: ANN401 (whatever JSON it is)
        try:
            return json.loads(ask(self._url + path, _LIST_LIMIT_SEC, _JSON_MAX_BYTES, None, self._headers).body)
        except (HttpFault, ValueError):
            return None


def _items(listed: Any) -> list[Any]:  # noqa: ANN401
    """Find the list: servers of this kind put it under `voices`, under `data`, or send it bare."""
    if isinstance(listed, dict):
        listed = listed.get("voices", listed.get("data"))
    return listed if isinstance(listed, list) else []


def _voice(item: Any) -> Voice | None:  # noqa: ANN401
    described = item if isinstance(item, dict) else {"id": item}
    voice_id = next((described[key] for key in ("id", "voice_id", "name") if described.get(key)), None)
    if not isinstance(voice_id, str) or not _VOICE_ID.fullmatch(voice_id):
        return None
    name, language = described.get("name"), described.get("language")
    return Voice(
        voice_id,
        " ".join(name.split())[:128] if isinstance(name, str) and name.strip() else voice_id,
        language if isinstance(language, str) and _LANGUAGE.fullmatch(language) else "mul",
        OpenAiEngine.name,
        *(str(described.get(key) or "")[:200] for key in ("licence", "credit")),
    )


def _is_ours(audio: bytes) -> bool:
    try:
        return all(packet_ms(packet) == 20 for packet in parse_ogg_opus(audio).packets)
    except (ValueError, IndexError):
        return False


def _wait(wait_sec: float, cancelled: Callable[[], bool]) -> None:
    until = time.monotonic() + wait_sec
    while time.monotonic() < until:
        if cancelled():
            raise Cancelled
        time.sleep(0.05)
