"""Contract 2 in pydantic. The examples in bot/wire/vectors/node.json run against this file and against the bot's."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from .errors import NodeError

INPUT_MAX_UTF16 = 2000
REQUEST_ID_PATTERN = r"^[A-Za-z0-9._:-]{1,128}$"
ANY_VOICE = "auto"

_TERMS = re.compile(r"[^\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]{0,200}")
_VOICE_ID = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]{1,128}")


def _voice_id(text: str) -> str:
    if not _VOICE_ID.fullmatch(text):
        raise ValueError("expected 1 to 128 characters without spaces")
    return text


def _terms(text: str) -> str:
    if not _TERMS.fullmatch(text):
        raise ValueError("expected at most 200 characters of plain text")
    return text


def utf16_length(text: str) -> int:
    """Count as the bot and JavaScript do: a character outside the basic plane is two units."""
    return len(text.encode("utf-16-le")) // 2


def _input(text: str) -> str:
    if not 1 <= utf16_length(text) <= INPUT_MAX_UTF16:
        raise ValueError(f"expected 1 to {INPUT_MAX_UTF16} characters")
    return text


Count = Annotated[int, Field(ge=0)]
Language = Annotated[str, Field(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", max_length=128)]
# The document says it too, so that clients that are made from it send no others.
_SEEN = {"pattern": f"^{_VOICE_ID.pattern}$"}
VoiceId = Annotated[str, Field(min_length=1, max_length=128, json_schema_extra=_SEEN), AfterValidator(_voice_id)]
ServerId = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_voice_id)]


Terms = Annotated[str, Field(max_length=200), AfterValidator(_terms)]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class SpeechRequest(_Model):
    """`POST /v1/audio/speech`. What an OpenAI client sends beyond this is ignored."""

    model: str = Field(default="voxpool", max_length=128)
    input: Annotated[str, Field(min_length=1, max_length=INPUT_MAX_UTF16), AfterValidator(_input)]
    voice: VoiceId = ANY_VOICE
    response_format: Literal["opus", "wav", "mp3", "flac", "pcm"] = "mp3"
    speed: float = Field(default=1, ge=0.25, le=4, description="1 is the voice's own speed")
    pitch: float = Field(default=0, ge=-12, le=12, description="semitones")
    volume: float = Field(default=1, ge=0, le=2, description="a factor on the samples")
    # Absent, but never null: the bot's schema refuses null too.
    language: Language = Field(default="", description="chooses the engine when the voice is `auto`")


class Health(_Model):
    """`GET /health`: 200 while the node can speak, 503 while it can't."""

    ok: bool
    serverId: ServerId
    engine: str = Field(max_length=64)
    ready: bool
    capacity: int = Field(ge=1, le=100_000)
    concurrency: int = Field(ge=1, le=64)
    inFlight: Count
    queued: Count
    version: str = Field(max_length=64)


class VoiceItem(_Model):
    """One voice; `language` is a BCP 47 tag, or `mul`."""

    id: VoiceId
    name: str = Field(min_length=1, max_length=128)
    language: Language
    engine: str = Field(min_length=1, max_length=64)
    licence: Terms = ""
    credit: Terms = ""


class Voices(_Model):
    """`GET /v1/audio/voices`."""

    voices: list[VoiceItem] = Field(max_length=2000)


class LoggedRequest(_Model):
    """`GET /v1/requests/{id}`: what the log has of a speech request. `receivedAt` is by the node's clock."""

    requestId: str = Field(pattern=REQUEST_ID_PATTERN)
    receivedAt: Count
    status: int = Field(ge=100, le=599, description="499: whoever asked went away before")
    durationMs: Count
    # Absent where no voice has spoken, but never null.
    engine: str = Field(default="", max_length=64)
    voice: VoiceId = ""
    inputLength: Count


class ErrorDetail(_Model):
    """What went wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class ErrorBody(_Model):
    """The OpenAI API's error shape."""

    error: ErrorDetail


def parse_speech_request(body: bytes) -> SpeechRequest:
    """Read a request's body; raises NodeError 400 that names the field, never the text."""
    try:
        return SpeechRequest.model_validate_json(body)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False, include_context=False)[0]
        if first["type"] == "json_invalid":
            raise NodeError(400, "invalid_json", "The body is not JSON.") from None
        param = ".".join(str(part) for part in first["loc"]) or None
        raise NodeError(400, "invalid_request", f"{param or 'body'}: {first['msg']}", param=param) from None
