"""Which voice speaks: the one asked for, or for `auto` the best engine that knows the text's language. Pure."""

import unicodedata
from collections import Counter
from collections.abc import Sequence

from .engine import Voice

# The first word of a letter's Unicode name, and the language it speaks for when the request names none.
_SCRIPT_LANGUAGES = {
    "HIRAGANA": "ja", "KATAKANA": "ja", "HALFWIDTH": "ja", "CJK": "zh", "HANGUL": "ko", "LATIN": "en",
    "FULLWIDTH": "en", "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "HEBREW": "he", "DEVANAGARI": "hi",
    "BENGALI": "bn", "TAMIL": "ta", "TELUGU": "te", "KANNADA": "kn", "MALAYALAM": "ml", "GUJARATI": "gu",
    "GURMUKHI": "pa", "SINHALA": "si", "THAI": "th", "MYANMAR": "my", "GEORGIAN": "ka", "ARMENIAN": "hy",
    "ETHIOPIC": "am", "CHEROKEE": "chr",
}  # fmt: skip
_SAME = {"zh": "cmn", "no": "nb", "iw": "he", "in": "id"}


def text_language(text: str) -> str:
    """Guess the language from the script alone.

    Latin letters count only when there are no others: every voice reads them somehow, other scripts only their own.
    Any kana makes Han characters Japanese.
    """
    counts: Counter[str] = Counter()
    for character in text:
        if character.isalpha():
            language = _SCRIPT_LANGUAGES.get(unicodedata.name(character, "").split(" ")[0])
            if language:
                counts[language] += 1
    if counts["ja"]:
        counts["ja"] += counts.pop("zh", 0)
    others = Counter({language: count for language, count in counts.items() if language != "en" and count})
    return others.most_common(1)[0][0] if others else "en"


def choose_voice(engines: Sequence[Sequence[Voice]], voice_id: str, language: str, text: str) -> Voice | None:
    """Find the voice for a request among the engines' voices (best engine first); None when there is none of that name.

    `auto` takes the first engine with the very tag, then with the same language, then the first voice of all.
    """
    voices = [voice for engine in engines for voice in engine]
    if voice_id != "auto":
        return next((voice for voice in voices if voice.id == voice_id), None)
    wanted = (language or text_language(text)).lower()
    for engine in engines:
        exact = [voice for voice in engine if voice.language.lower() == wanted]
        alike = [voice for voice in engine if _primary(voice.language) == _primary(wanted)]
        if exact or alike:
            return (exact or alike)[0]
    return voices[0] if voices else None


def _primary(tag: str) -> str:
    first = tag.lower().split("-")[0]
    return _SAME.get(first, first)
