"""Numbers in English words: fifty-two thousand, one and a half million, sixty-four point five; twelfth, thirty-first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = {word: number for number, word in enumerate(_UNITS)}
SMALL |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
# The days of a month have no others.
ORDINALS = {word: number for number, word in enumerate(_ORDINALS, 1)}
ORDINALS |= {"thirtieth": 30, "thirty-first": 31}
ORDINALS |= {f"twenty-{word}": number for number, word in enumerate(_ORDINALS[:9], 21)}
_SCALES = {
    "thousand": 10**3,
    "grand": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
}
_LEAST = 20  # smaller ones are words of any text
_ONE = rf"(?:{'|'.join([*SMALL, *_SCALES, 'hundred'])})"
_WORDS = re.compile(
    rf"(?<![\w-]){_ONE}(?:(?:[ -]| and (?:a half )?){_ONE})*(?: and a half| point(?: (?:{'|'.join(_UNITS[:10])}))+)?(?![\w-])"
)


def in_words(number: int) -> str:
    """A number below a hundred in words; empty for others."""
    if not 0 < number < 100:
        return ""
    if number < len(_UNITS):
        return _UNITS[number]
    tens, units = _TENS[number // 10 - 2], number % 10
    return f"{tens}-{_UNITS[units]}" if units else tens


def numbers_in_words(text: str) -> Iterator[tuple[int, int, str]]:
    """The places of numbers in a folded text, and each number in digits."""
    for match in _WORDS.finditer(text):
        before, _, after = match[0].partition(" point ")
        words = re.split(r"[ -]", before)
        number = _year(words) or _value(words) if words[0] != "grand" else None
        if number is None or number < _LEAST:
            continue
        if after:
            yield (
                match.start(),
                match.end(),
                f"{number}.{''.join(str(SMALL[word]) for word in after.split(' '))}",
            )
        elif number.denominator <= 2:
            yield match.start(), match.end(), str(number if number.denominator == 1 else float(number))


def year_in_words(text: str) -> int | None:
    """The year that words say: "nineteen eighty", "two thousand and five"."""
    words = re.split(r"[ -]", text)
    if any(word not in SMALL and word not in ("thousand", "and") for word in words):
        return None
    year = _year(words) or _value(words)
    return int(year) if year is not None and 1800 <= year < 2100 else None


def _year(words: list[str]) -> Fraction | None:
    """ "nineteen eighty-two"."""
    if words[0] not in ("eighteen", "nineteen", "twenty") or len(words) < 2:
        return None
    rest = _value(words[1:])
    return 100 * SMALL[words[0]] + rest if rest is not None and 10 <= rest < 100 else None


def _value(words: list[str]) -> Fraction | None:
    """The sum of the number words, or None if they form no number, such as "one two"."""
    total, part, last = Fraction(0), Fraction(0), 1000
    for word in words:
        if word in ("and", "a"):
            continue
        if word == "half":
            part += Fraction(1, 2)
        elif word in SMALL:
            size = SMALL[word]
            if last < 100 and not (last >= 20 and 0 < size < 10):
                return None
            part += size
            last = size
        elif word == "hundred":
            part, last = (part or Fraction(1)) * 100, 100
        else:
            total, part, last = total + (part or 1) * _SCALES[word], Fraction(0), 1000
    return total + part
