"""Numbers in English words: fifty-two thousand, one million five hundred thousand, one and a half million."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: number for number, word in enumerate(_UNITS)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_SCALES = {"thousand": 10**3, "lakh": 10**5, "million": 10**6, "crore": 10**7, "billion": 10**9}
_LEAST = 20  # smaller ones are words of any text
_ONE = rf"(?:{'|'.join([*_SMALL, *_SCALES, 'hundred'])})"
_WORDS = re.compile(rf"(?<![\w-]){_ONE}(?:(?:[ -]| and (?:a half )?){_ONE})*(?![\w-])")


def numbers_in_words(text: str) -> Iterator[tuple[int, int, str]]:
    """The places of numbers in a folded text, and each number in digits."""
    for match in _WORDS.finditer(text):
        words = re.split(r"[ -]", match[0])
        number = _year(words) or _value(words)
        if number is not None and number >= _LEAST and number.denominator == 1:
            yield match.start(), match.end(), str(number.numerator)


def _year(words: list[str]) -> Fraction | None:
    """ "nineteen eighty-two"."""
    if words[0] not in ("eighteen", "nineteen", "twenty") or len(words) < 2:
        return None
    rest = _value(words[1:])
    return 100 * _SMALL[words[0]] + rest if rest is not None and 10 <= rest < 100 else None


def _value(words: list[str]) -> Fraction | None:
    """What the words add up to; None for a row of words that is no number, such as "one two"."""
    total, part, last = Fraction(0), Fraction(0), 1000
    for word in words:
        if word in ("and", "a"):
            continue
        if word == "half":
            part += Fraction(1, 2)
        elif word in _SMALL:
            size = _SMALL[word]
            if last < 100 and not (last >= 20 and 0 < size < 10):
                return None
            part += size
            last = size
        elif word == "hundred":
            part, last = (part or Fraction(1)) * 100, 100
        else:
            total, part, last = total + (part or 1) * _SCALES[word], Fraction(0), 1000
    return total + part
