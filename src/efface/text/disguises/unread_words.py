"""Words that stand in a text only in code or letter by letter. No finder of names, which reads sentences, sees them."""

from __future__ import annotations

import re
from string import ascii_letters

from efface.text.disguises.encoded_tokens import encoded_tokens
from efface.text.ordinary_words import is_ordinary
from efface.text.search.search_prefilter import in_kinds

_WORD = re.compile(r"[^\W\d_]{4,}")
_NAME = re.compile(r"[A-Z]\w{4,}")
_VOWEL = re.compile("[aeiouyAEIOUY]|[^\x00-\x7f]")
_NOT_SPOKEN = re.compile("[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5}|[aeiouAEIOU]{4}")
_UNSHOWN = re.compile("[^\t\n\r -~\u00a0-\ufffc]")
_IN_SHAPES = re.compile(
    "[\u24b6-\u24e9\u2801-\u28ff\U0001f110-\U0001f189]{4,}"
)  # in circles, in squares, Braille
_SPELLED = re.compile(r"(?<![^\s\"'(])[^\W\d_](?:[ .-][^\W\d_]){5,}(?![^\s\"').,;:!?])")
_IS_SPELLED = in_kinds({ascii_letters: "a", " .-": "s"}, "asasasasasa")


def unread_words(text: str) -> int:
    """How many stretches of the text say words that nobody reads who reads the text."""
    places: set[tuple[int, int]] = set()
    for token in encoded_tokens(text):
        place = token.start, token.end
        if place not in places and _says_unseen_words(text[token.start : token.end], token.reading):
            places.add(place)
    in_shapes = 0 if text.isascii() else len(_IN_SHAPES.findall(text))
    return len(places) + in_shapes + _spelled_words(text)


def _spelled_words(text: str) -> int:
    """Words that are written letter by letter, but for ordinary ones and for headings: "C O N F I D E N T I A L"."""
    if not _IS_SPELLED(text, text.encode("utf-8", "surrogatepass")):
        return 0
    words = [re.sub(r"[\W_]", "", found) for found in _SPELLED.findall(text)]
    told = [word for word in words if not word.isupper() and not is_ordinary(word.lower())]
    return sum(map(_is_spoken, told))


def _says_unseen_words(written: str, reading: str) -> bool:
    """Whether a reading adds something: a word that may be a name, or several words, none of which the text shows."""
    others = len(reading) - len(reading.encode("ascii", "ignore"))
    if 8 * others > len(reading) or _UNSHOWN.search(reading) is not None:
        return False  # noise
    written = written.replace("\b", "")  # letters struck over one another
    words = [word for word in _WORD.findall(reading) if _is_spoken(word)]
    unseen = [word for word in words if not _is_begun(word, written)]
    return len(unseen) > 1 or any(map(_NAME.fullmatch, unseen))


def _is_begun(word: str, written: str) -> bool:
    """Whether the first or the last letters of a word stand where a word begins or ends: "Gr=C3=BC=C3=9Fe"."""
    first, last = re.escape(word[:2]), re.escape(word[-2:])
    return re.search(rf"(?<![^\W_]){first}|{last}(?![^\W_])", written) is not None


def _is_spoken(word: str) -> bool:
    """Whether a word has vowels as words do: numbers that are read as letters have few."""
    return _NOT_SPOKEN.search(word) is None and 4 * len(_VOWEL.findall(word)) >= len(word)
