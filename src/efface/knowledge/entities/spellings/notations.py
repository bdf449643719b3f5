"""Values with a form of their own, such as dates and account numbers: a pattern for an attribute.

Such a value is kept in one normal form, and what a text writes is brought to the same form: "9180 4408-8778"
means the account 918044088778. Only values of the index are found: a text that merely looks like an account
number is no mention.

| pattern              | normal form        | how a text may write it                                           |
|----------------------|--------------------|-------------------------------------------------------------------|
| date                 | 2019-03-12         | any way to write a date                                           |
| date-dmy, date-mdy   | 2019-03-12         | the same; 3/4/2019 *in the data* is the 3rd of April, the 4th of March |
| learned              | without its marks  | in groups parted by spaces, dashes, dots, slashes, brackets       |
| a regular expression | without its marks  | as the expression says                                            |
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from efface.errors import InputError, PolicyError
from efface.knowledge.entities.spellings.values import dates
from efface.text.folding import words

LEARNED = "learned"
_ORDERS = {"date": "", "date-dmy": "dmy", "date-mdy": "mdy"}
_TIME = re.compile(r"[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?$")
_GAP = re.compile(r"[ ./()_:-]{0,3}")
_RUN = re.compile(r"\d+|[^\W\d]+")
_MOST_FORMS = 16  # beyond so many orders of letters and digits a value is any mixture of them
_MOST_WORDS, _MOST_MARKS = 12, 2
_MOST_PATHS = 10_000  # ways through a notation before it is refused as too free

FieldPlaces = Sequence[tuple[int, int]]
Written = Iterator[tuple[int, int, str]]  # where it is in the folded text, and its normal form


@dataclass(frozen=True, slots=True)
class Notation:
    """The pattern of one attribute as the policy has it, checked."""

    spec: str

    def __post_init__(self) -> None:
        if self.spec != LEARNED and self.spec not in _ORDERS:
            _check(self.spec)

    def normal(self, value: str) -> str:
        """The normal form of a folded value. A value that does not have this form is returned unchanged."""
        if self.spec in _ORDERS:
            return _normal_date(value, _ORDERS[self.spec])
        if self.spec == LEARNED:
            return _run_together(value)
        return _without_separators(value) if _compiled(self.spec).fullmatch(value) else value


def notations(patterns: Mapping[str, str]) -> dict[str, Notation]:
    """The policy's patterns, by attribute."""
    return {name: Notation(spec) for name, spec in patterns.items()}


@dataclass(frozen=True, slots=True)
class Form:
    """The pattern of an attribute as an index holds it: `regex` is of the normal form when it was learned."""

    spec: str
    regex: str = ""
    longest: int = 0

    def find(self, text: str, spans: FieldPlaces) -> Written:
        """What a folded text, cut into words, may write in this form. Dates are read for every attribute."""
        if self.spec == LEARNED:
            return self._groups(text, spans)
        return iter(()) if self.is_date else self._pattern_matches(text, spans)

    @property
    def is_date(self) -> bool:
        return self.spec in _ORDERS

    def matches(self, value: str) -> bool:
        """Whether a folded value has this form. The attribute does not matter."""
        if self.is_date:
            return any((start, end) == (0, len(value)) for start, end, _ in dates(value))
        if self.spec == LEARNED:
            return bool(self.regex) and _compiled(self.regex).fullmatch(_run_together(value)) is not None
        return _compiled(self.spec).fullmatch(value) is not None

    def _groups(self, text: str, spans: FieldPlaces) -> Written:
        """Words that together make up a value; one alone is found as any other term is."""
        form = _compiled(self.regex)
        for at, (start, _) in enumerate(spans):
            written, last = "", start
            for first, end in spans[at:]:
                written += text[first:end]
                if len(written) > self.longest or not _GAP.fullmatch(text, last, first):
                    break
                last = end
                if len(written) > end - first and form.fullmatch(written):
                    yield start, end, written

    def _pattern_matches(self, text: str, spans: FieldPlaces) -> Written:
        """Stretches from one word to the same or another, with the marks at its ends, that match as a whole."""
        pattern = _compiled(self.spec)
        for at, (start, _) in enumerate(spans):
            for begin in _outwards(text, start, -1):
                if pattern.match(text, begin) is None:
                    continue
                for _, end in spans[at : at + _MOST_WORDS]:
                    for stop in _outwards(text, end, 1):
                        if pattern.fullmatch(text, begin, stop):
                            yield begin, stop, _without_separators(text[begin:stop])


def _outwards(text: str, place: int, step: int) -> Iterator[int]:
    """A place and those beyond a mark or two: "(030)" and "+49" begin before their first word."""
    yield place
    for _ in range(_MOST_MARKS):
        mark = text[place - 1 : place] if step < 0 else text[place : place + 1]
        if not mark or mark.isalnum() or mark.isspace():
            return
        place += step
        yield place


@dataclass(frozen=True, slots=True)
class _CharacterRun:
    """Digits or letters in a row: how few, how many, and which, while they are always the same."""

    least: int
    most: int
    text: str
    varies: bool = False

    @classmethod
    def of(cls, text: str) -> _CharacterRun:
        return cls(len(text), len(text), text)

    def with_(self, other: _CharacterRun) -> _CharacterRun:
        varies = self.varies or self.text != other.text
        return _CharacterRun(min(self.least, other.least), max(self.most, other.most), self.text, varies)

    @property
    def regex(self) -> str:
        if not self.varies:
            return re.escape(self.text)
        return (r"\d" if self.text.isdigit() else r"[^\W\d_]") + _times(self.least, self.most)


class NotationLearner:
    """The form of the values met so far: every order of runs of digits and letters, with their lengths."""

    def __init__(self) -> None:
        self._forms: dict[str, list[_CharacterRun]] = {}
        self._lengths = (1 << 30, 0)

    def add(self, value: str) -> None:
        """Adds a value in its normal form. A value with marks in it is found by its spelling only."""
        if not value.isalnum():
            return
        self._lengths = min(self._lengths[0], len(value)), max(self._lengths[1], len(value))
        if len(self._forms) > _MOST_FORMS:
            return
        runs = [_CharacterRun.of(text) for text in _RUN.findall(value)]
        order = "".join("d" if run.text.isdigit() else "l" for run in runs)
        known = self._forms.get(order, runs)
        self._forms[order] = [old.with_(new) for old, new in zip(known, runs, strict=True)]

    def form(self) -> Form:
        least, most = self._lengths
        if len(self._forms) > _MOST_FORMS:
            return Form(LEARNED, rf"[^\W_]{_times(least, most)}", most)
        regexes = []
        for _, runs in sorted(self._forms.items()):
            regexes.append("".join(run.regex for run in runs))
        return Form(LEARNED, "|".join(regexes), most)


def _times(least: int, most: int) -> str:
    return f"{{{least}}}" if least == most else f"{{{least},{most}}}"


@lru_cache(maxsize=256)
def _compiled(regex: str) -> re.Pattern[str]:
    return re.compile(regex, re.IGNORECASE)


def _run_together(value: str) -> str:
    """The words of a value run together, if nothing parts them that a text could not have there."""
    spans = words(value)
    gaps = pairwise(spans)
    if not spans or not all(_GAP.fullmatch(value, left[1], right[0]) for left, right in gaps):
        return value
    return "".join(value[start:end] for start, end in spans)


def _without_separators(value: str) -> str:
    return re.sub(r"[\W_]+", "", value) or value


def _normal_date(value: str, order: str) -> str:
    text = _TIME.sub("", value)
    days = {key for start, end, key in dates(text, order) if (start, end) == (0, len(text))}
    if len(days) > 1:
        raise InputError(
            "Some dates of an attribute with `date` as its pattern can be read in two ways.",
            "Say `date-dmy` or `date-mdy` in the policy's `patterns`.",
        )
    return days.pop() if days else value


_TOKEN = re.compile(
    r"\\(?P<escape>.)|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<either>\|)"
    r"|(?P<many>[*+])|(?P<maybe>\?)|\{(?P<least>\d*)(?P<comma>,?)(?P<most>\d*)\}|.",
    re.DOTALL,
)


def _check(regex: str) -> None:
    """Refuse what could take long on a hostile text: there may be few ways in which a match can be tried."""
    try:
        re.compile(regex)
        paths = _paths(_TOKEN.finditer(regex))
    except (re.error, OverflowError, RecursionError, IndexError):
        raise PolicyError("A pattern of `patterns` is not a regular expression.", "Mend it.") from None
    if paths > _MOST_PATHS:
        raise PolicyError(
            "A pattern of `patterns` could take too long on some texts.",
            "Write `{1,20}` for `+` and `*`, and repeat no group that varies.",
        )


def _paths(tokens: Iterable[re.Match[str]]) -> float:
    """An upper bound of the ways to match. Infinite for syntax that is not counted."""
    open_groups: list[tuple[float, float]] = [(0.0, 1.0)]  # ways of earlier alternatives, ways of this one
    item = 1.0  # ways of what a quantifier would repeat
    for token in tokens:
        kind = token.lastgroup
        if kind == "open":
            open_groups.append((0.0, 1.0))
        elif kind == "either":
            earlier, ways = open_groups.pop()
            open_groups.append((earlier + ways, 1.0))
        elif kind == "close":
            item = sum(open_groups.pop())
            _multiply(open_groups, item)
        elif kind in ("many", "maybe", "comma", "most"):
            _multiply(open_groups, _repeated(token, item))
        elif kind == "escape" and token["escape"].isdigit():
            return math.inf
        else:
            item = 1.0
    return sum(open_groups[0])


def _multiply(open_groups: list[tuple[float, float]], by: float) -> None:
    earlier, ways = open_groups[-1]
    open_groups[-1] = (earlier, ways * by)


def _repeated(token: re.Match[str], item: float) -> float:
    """How many times more ways a quantifier gives."""
    if token["many"]:
        return math.inf
    least = 0 if token["maybe"] else int(token["least"] or 0)
    most = 1 if token["maybe"] else int(token["most"] or (10**9 if token["comma"] else least))
    if item > 1 and most > 1:
        return math.inf
    return float(most - least + 1)
