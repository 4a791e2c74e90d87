"""An engine of the VOICEVOX family (VOICEVOX, AivisSpeech, ...) that runs at VOICEVOX_URL and speaks their HTTP API."""

import json
import os
import urllib.parse
from collections.abc import Callable
from typing import Any

import numpy as np

from .ask import HttpFault, ask
from .decode import decode
from .engine import Cancelled, Line, Samples, Voice, within
from .pieces import split_pieces

_SLOWEST, _FASTEST = 0.5, 2.0
# `pitchScale` is in octaves; its own editor goes no further, since the voices break there.
_PITCH_MAX = 0.15
_PIECE_MAX = 140
_STYLES_MAX = 1000
_LIMIT_SEC = 40.0
_JSON_MAX_BYTES, _WAV_MAX_BYTES = 8_000_000, 32_000_000


class VoicevoxEngine:
    """The engine is the operator's: whose voice it is, and what its terms ask for, stands in each voice's credit."""

    name = "voicevox"

    def __init__(self) -> None:
        """Ask for the speakers; raises where VOICEVOX_URL is not set or nobody answers there."""
        self._url = os.environ.get("VOICEVOX_URL", "").strip().rstrip("/")
        if not self._url:
            raise RuntimeError("VOICEVOX_URL is not set")
        self._styles: dict[str, int] = {}
        self._voices: list[Voice] = []
        listed = self._json("/speakers")
        for speaker, style in [(s, style) for s in listed for style in s["styles"]][:_STYLES_MAX]:
            if style.get("type", "talk") != "talk":
                continue
            voice_id = f"voicevox-{int(style['id'])}"
            self._styles[voice_id] = int(style["id"])
            who = " ".join(str(speaker["name"]).split())[:60]
            name = f"{who} ({' '.join(str(style['name']).split())[:40]})"
            self._voices.append(
                Voice(voice_id, name, "ja", self.name, "the character's terms of use", f"VOICEVOX:{who}")
            )

    def voices(self) -> list[Voice]:
        """All styles of all speakers, as the engine orders them."""
        return self._voices

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise piece by piece: query, then sound."""
        speed = within(line.speed, _SLOWEST, _FASTEST)
        pitch = within(line.pitch_semitones / 12, -_PITCH_MAX, _PITCH_MAX)
        speaker = self._styles[line.voice.id]
        parts, rate_hz = [], 24_000
        for piece in split_pieces(line.text, _PIECE_MAX):
            if cancelled():
                raise Cancelled
            query = self._json("/audio_query", {"text": piece, "speaker": speaker}, b"")
            if not query.get("accent_phrases"):
                continue
            query |= {"speedScale": speed, "pitchScale": pitch, "outputStereo": False}
            address, body = self._address("/synthesis", {"speaker": speaker}), json.dumps(query).encode()
            sound = decode(ask(address, _LIMIT_SEC, _WAV_MAX_BYTES, body).body)
            parts.append(sound.pcm)
            rate_hz = sound.rate_hz
        pcm = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        return Samples(pcm, rate_hz, line.speed / speed, line.pitch_semitones - 12 * pitch)

    def _address(self, path: str, query: dict[str, object]) -> str:
        return f"{self._url}{path}?{urllib.parse.urlencode(query)}"

    def _json(self, path: str, query: dict[str, object] | None = None, body: bytes | None = None) -> Any:  # noqa: ANN401
        answer = ask(self._address(path, query or {}), _LIMIT_SEC, _JSON_MAX_BYTES, body)
        try:
            return json.loads(answer.body)
        except ValueError:
            raise HttpFault(f"{path} did not answer JSON") from None
