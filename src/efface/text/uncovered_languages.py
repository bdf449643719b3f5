"""Text of a document in languages that a reader of it does not cover, in words for a report."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from efface.core import Document, PartKind
from efface.text.language import LATIN, SHARED, UNKNOWN, LanguageStretch, is_english_word, uncovered
from efface.text.letter_classes import SMALL

_SHOWN = 5  # places that a gap names
# Words in lower case that are needed to distinguish a language in Latin letters from English. A key of a table or an
# address has fewer.
_ENOUGH = 6
_ENOUGH_OF_LITTLE = 2  # words that suffice where a document says little else
# A piece of an address (`posting.example.org`) is no word.
_SMALL_WORD = re.compile(rf"(?<![^\W_])(?<![.@/]){SMALL}{{2,}}(?![^\W_]|@|\.\w)")
_LETTER = re.compile(r"[^\W\d_]")
_NOT_LINE_FEED = re.compile(r"[^\n]")
LANGUAGE_NAMES = {
    "af": "Afrikaans",
    "am": "Amharic",
    "ar": "Arabic",
    "az": "Azerbaijani",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "gl": "Galician",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "ko": "Korean",
    "ky": "Kyrgyz",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "mn": "Mongolian",
    "ms": "Malay",
    "mt": "Maltese",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sq": "Albanian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "tg": "Tajik",
    "th": "Thai",
    "tl": "Tagalog",
    "tr": "Turkish",
    "tt": "Tatar",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
    UNKNOWN: "a language that cannot be told",
}


@dataclass(frozen=True, slots=True)
class UncoveredLanguage:
    """A language that was not covered: its code, its name in English, and the lines where its text begins."""

    language: str
    name: str
    where: str
    lines: tuple[int, ...]


def uncovered_languages(
    document: Document,
    stretches: Sequence[LanguageStretch],
    covered: Collection[str],
    least_words: int = _ENOUGH,
) -> Iterator[UncoveredLanguage]:
    """The languages of a document's prose that are not among the `covered` ones, each once. One in Latin letters needs
    `least_words` small words, and fewer where the document says little else."""
    prose = prose_of(document)
    lines: dict[str, list[int]] = defaultdict(list)
    said: dict[str, list[str]] = defaultdict(list)
    for one in uncovered(prose, covered, stretches):
        lines[one.language].append(_first_line(prose, one))
        said[one.language] += small_words(prose, one)
    for language, numbers in lines.items():
        words = said[language]
        if language not in LATIN or len(words) >= least_words or _is_all_there_is(words, prose):
            name = LANGUAGE_NAMES.get(language, f"the language {language!r}")
            yield UncoveredLanguage(language, name, lines_in_words(numbers), tuple(numbers))


def _is_all_there_is(words: Sequence[str], prose: str) -> bool:
    """Whether the words of another language are most of what a document says: a letter of one sentence. Short words and
    those that English has too do not count."""
    telling = [word for word in words if len(word) > SHARED and not is_english_word(word)]
    return len(telling) >= _ENOUGH_OF_LITTLE and 2 * len(telling) > len(_SMALL_WORD.findall(prose))


def prose_of(document: Document) -> str:
    """The document's text with blanks in place of labels and code. Its length stays the same.

    Without this, a stretch of one language could begin in a sheet full of placeholders and continue in its date
    formats.
    """
    pieces: list[str] = []
    position = 0
    for part in sorted(document.parts, key=lambda part: part.start):
        if part.kind is not PartKind.PROSE and part.end > position:
            start = max(part.start, position)
            pieces += document.text[position:start], _NOT_LINE_FEED.sub(" ", document.text[start : part.end])
            position = part.end
    return "".join([*pieces, document.text[position:]])


def _first_line(text: str, stretch: LanguageStretch) -> int:
    """The number of the line in which the first letter of a stretch stands."""
    letter = _LETTER.search(text, stretch.start, stretch.end)
    return text.count("\n", 0, letter.start() if letter else stretch.start) + 1


def small_words(text: str, stretch: LanguageStretch) -> list[str]:
    """The words of a stretch without a capital, which are rarely names."""
    return _SMALL_WORD.findall(text, stretch.start, stretch.end)


def lines_in_words(numbers: Sequence[int]) -> str:
    """Where text begins, by the numbers of its lines."""
    shown = sorted(set(numbers))
    places = ", ".join(map(str, shown[:_SHOWN]))
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return f"text beginning in line {places}{more}"
