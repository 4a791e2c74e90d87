"""From a checked request to audio: which engine, which voice, samples, file. Blocking: runs in a worker thread."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .effects.master import mastered
from .encode import encode
from .engines.choice import choose_voice
from .engines.engine import Busy, Engine, Line, Samples, Voice
from .errors import NodeError
from .log import log
from .wire import ANY_VOICE, SpeechRequest

_PROOF = "あa"
# Below this (of 1) nobody hears anything.
_SILENCE = 1e-3


@dataclass(frozen=True)
class Speech:
    """A finished answer, and which voice spoke it."""

    audio: bytes
    voice: Voice


class Speaker:
    """All engines that have proved that they work, best first."""

    def __init__(self, engines: list[Engine]) -> None:
        """Take engines that speak; see `load_speaker`."""
        self._engines = {engine.name: engine for engine in engines}
        self._listed = [engine.voices() for engine in engines]
        self.name = "+".join(self._engines)[:64]

    def voices(self) -> list[Voice]:
        """All voices of all engines."""
        return [voice for listed in self._listed for voice in listed]

    def choose(self, request: SpeechRequest) -> Voice:
        """Pick the voice; raises NodeError 400 for one that is not here, 422 for a text that has no sound."""
        voice = choose_voice(self._listed, request.voice, request.language, request.input)
        if voice is None:
            raise NodeError(400, "voice_not_found", "This node has no such voice.", param="voice")
        if not any(unicodedata.category(character)[0] in "LNS" for character in request.input):
            raise _unspeakable()
        return voice

    def speak(
        self, request: SpeechRequest, voice: Voice, cancelled: Callable[[], bool], request_id: str = ""
    ) -> Speech:
        """Synthesise and encode; raises NodeError 422 when there is nothing to say, Cancelled when nobody waits."""
        text = "".join(character if unicodedata.category(character) != "Cc" else " " for character in request.input)
        for one in self._candidates(request, voice):
            samples = self._sound(Line(text.strip(), one, request.speed, request.pitch, request_id), cancelled)
            if _heard(samples.pcm):
                return Speech(encode(mastered(samples, request.volume), request.response_format), one)
        raise _unspeakable()

    def _candidates(self, request: SpeechRequest, voice: Voice) -> Iterator[Voice]:
        yield voice
        # A neural voice has no word for an emoji; the plainer ones behind it have.
        if request.voice == ANY_VOICE:
            yield from (listed[0] for listed in self._listed if listed[0].engine not in (voice.engine, "tone"))

    def _sound(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        try:
            return self._engines[line.voice.engine].speak(line, cancelled)
        except Busy:
            raise NodeError(429, "busy", "The voice has no room at the moment.", retry_after_sec=2) from None


def load_speaker(makers: Mapping[str, Callable[[], Engine]]) -> Speaker:
    """Make the engines and let each say something; those that can't are named in the log and left out.

    When none is left the tone engine speaks, so that a node is never mute because of a missing package. It never speaks
    for an attached server: that one is down or refuses the key, which tones would only hide.
    """
    engines = [engine for name, make in makers.items() if (engine := _proved(name, make))]
    if not engines and not {"tone", "openai"} & set(makers):
        from .engines.tone import ToneEngine

        log("engine_fallback", engine="tone", message="No wanted voice engine works here: the node speaks in tones.")
        engines = [ToneEngine()]
    if not engines:
        raise RuntimeError("no engine works")
    return Speaker(engines)


def _proved(name: str, make: Callable[[], Engine]) -> Engine | None:
    try:
        engine = make()
        samples = engine.speak(Line(_PROOF, engine.voices()[0]), lambda: False)
    except Exception as fault:  # whatever a third-party library throws, the other engines go on
        log("engine_missing", engine=name, reason=f"{type(fault).__name__}: {fault}"[:300])
        return None
    if not _heard(samples.pcm):
        log("engine_missing", engine=name, reason="it made no sound")
        return None
    log("engine_ready", engine=name, voices=len(engine.voices()))
    return engine


def _heard(pcm: np.ndarray) -> bool:
    return bool(pcm.size) and float(np.max(np.abs(pcm))) > _SILENCE


def _unspeakable() -> NodeError:
    return NodeError(422, "input_unspeakable", "There is nothing in this text that can be spoken.", param="input")
