"""espeak-ng from the `espeakng-loader` wheel, called through ctypes: a hundred languages, no system package.

The library keeps one state (voice, rate, callback) for the whole process: one call at a time, which sets all of it.
"""

import ctypes
import threading
from collections.abc import Callable

import numpy as np

from .engine import Cancelled, Line, Samples, Voice, within

# Samples come through the callback, in the calling thread, before espeak_Synth returns.
_SYNCHRONOUS = 2
_DONT_EXIT = 0x8000
_UTF8 = 1
_RATE, _PITCH = 1, 3
_NORMAL_WPM = 175
_SLOWEST_WPM, _FASTEST_WPM = 80, 450
# Its scale of pitch goes from 0 to 100, with 50 for its own. Measured: steps a semitone, and where it begins to bend.
_DOWN, _UP = 6.7, 5.8
_LOWEST, _HIGHEST = -5.0, 8.0
# Which of several voices of a language speaks for it; the first of all is the engine's default.
_PREFERRED = ("en-us", "fr-fr", "vi")
# The wheel lists these, but has no dictionary for them: they are mute.
_MUTE = ("fo", "kaa", "xex")
_TERMS = ("GPL-3.0-or-later (the program; its sound is yours)", "eSpeak NG")
_LOCK = threading.Lock()
_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class _CVoice(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.POINTER(ctypes.c_char)),
        ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("reserved", ctypes.c_ubyte),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


class EspeakEngine:
    """Loads the library and its data from the wheel; raises when the wheel is not installed or does not start."""

    name = "espeak"

    def __init__(self) -> None:
        """Start the library and read its list of voices."""
        import espeakng_loader

        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        data_path = espeakng_loader.get_data_path().encode()
        # Without the flag a missing data folder ends the whole process.
        with _LOCK:
            self._rate_hz = self._library.espeak_Initialize(_SYNCHRONOUS, 0, data_path, _DONT_EXIT)
        if self._rate_hz <= 0:
            raise RuntimeError("espeak-ng did not start")
        self._chunks: list[bytes] = []
        self._cancelled: Callable[[], bool] = lambda: False
        # Kept on the object: ctypes would throw away what the library still calls.
        self._callback = _Callback(self._receive)
        self._identifiers: dict[str, bytes] = {}
        self._voices = self._read_voices()

    def voices(self) -> list[Voice]:
        """One voice for each language and region that espeak-ng knows."""
        return self._voices

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise; beyond 80 to 450 words a minute, 5 semitones down and 8 up is left to the node.

        The library's flutter goes on from call to call: a text comes out a few samples longer or shorter each time.
        """
        text = line.text.encode() + b"\0"
        wpm = round(within(_NORMAL_WPM * line.speed, _SLOWEST_WPM, _FASTEST_WPM))
        semitones = within(line.pitch_semitones, _LOWEST, _HIGHEST)
        pitch = round(50 + semitones * (_UP if semitones > 0 else _DOWN))
        with _LOCK:
            if cancelled():
                raise Cancelled
            self._library.espeak_SetSynthCallback(self._callback)
            self._chunks, self._cancelled = [], cancelled
            if self._library.espeak_SetVoiceByName(self._identifiers[line.voice.id]) != 0:
                raise RuntimeError("espeak-ng could not take the voice")
            self._library.espeak_SetParameter(_RATE, wpm, 0)
            self._library.espeak_SetParameter(_PITCH, pitch, 0)
            if self._library.espeak_Synth(text, ctypes.c_size_t(len(text)), 0, 1, 0, _UTF8, None, None) != 0:
                raise RuntimeError("espeak-ng could not speak")
            sound, self._chunks = b"".join(self._chunks), []
        if cancelled():
            raise Cancelled
        pcm = np.frombuffer(sound, dtype=np.int16).astype(np.float32) / 32_768
        return Samples(pcm, self._rate_hz, _NORMAL_WPM * line.speed / wpm, line.pitch_semitones - semitones)

    def _receive(self, wave: "ctypes._Pointer[ctypes.c_short]", count: int, _events: int | None) -> int:
        if self._cancelled():
            return 1
        if wave and count > 0:
            self._chunks.append(ctypes.string_at(wave, count * 2))
        return 0

    def _read_voices(self) -> list[Voice]:
        self._library.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_CVoice))
        listed = self._library.espeak_ListVoices(None)
        voices: dict[str, Voice] = {}
        index = 0
        while listed[index]:
            item = listed[index].contents
            index += 1
            # One byte of priority, then the language's tag.
            tag = ctypes.string_at(ctypes.addressof(item.languages.contents) + 1).decode()
            voice_id = tag.lower()
            if voice_id not in voices and voice_id not in _MUTE:
                self._identifiers[voice_id] = item.identifier
                voices[voice_id] = Voice(voice_id, item.name.decode(), _with_region(tag), self.name, *_TERMS)
        first = [voices[voice_id] for voice_id in _PREFERRED if voice_id in voices]
        return first + [voice for voice in voices.values() if voice not in first]


def _with_region(tag: str) -> str:
    """Write `en-us` as `en-US`; `en-gb-x-rp` keeps what follows."""
    parts = tag.split("-")
    return "-".join([parts[0], *(p.upper() if len(p) == 2 and i == 0 else p for i, p in enumerate(parts[1:]))])
