"""Every way in which an answer may write the replacements of a redaction, and the originals in their places."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from efface.api.link_places import in_link_behind, link_places
from efface.api.originals import NUMBERED, SHAPED, Originals
from efface.api.surrogate_words import ENDING, SurrogateWords, cased
from efface.operators.kinds import KINDS
from efface.text.entity_types import TYPES
from efface.text.spans import Place

_GAP = r"\\?[_ -]"  # between the words of a label
_GAP_INSIDE = r"\\?[_ \u00a0\u2010\u2011-]"  # and what models write there between brackets
# What stands before a label is no letter: Markdown's emphasis may, as in "__PERSON_1__".
_APART = r"(?:(?<![^\W\d])|(?<=(?<!\w)_)|(?<=(?<!\w)__)|(?<=(?<!\w)___))"
_LABELS = frozenset({*KINDS, *TYPES})  # what an invented placeholder is known by
_ODD = frozenset(
    "\\\u017f\u212a\u0130\u0131"
)  # a sign of escapes, and letters that are also s, k and i in another case


@dataclass(slots=True)
class RestoringTally:
    """What one restoring met: replacements used, placeholders invented, and those withheld."""

    used: set[str] = field(default_factory=set)
    invented: dict[str, None] = field(default_factory=dict)
    withheld: dict[str, None] = field(default_factory=dict)


class BegunForms:
    """What a stream may end with that is the beginning of a form, so that what follows decides."""

    def __init__(self, labels: Iterable[str], literals: Iterable[str]) -> None:
        self._labels = {f"{_plain_gaps(label)}_" for label in labels}
        self._literals = {_plain_gaps(literal) for literal in literals}
        self._beginnings = {
            form[:end] for form in (*self._labels, *self._literals) for end in range(1, len(form) + 1)
        }
        self._is_ascii = all(form.isascii() for form in self._beginnings)

    def first(self, text: str) -> int:
        """Where the first of them begins. A text with escapes may be one from its beginning on, and so may any where
        letters beyond ASCII are of a form, since these are alike in more ways than by their case."""
        if not self._is_ascii or not _ODD.isdisjoint(text):
            return 0
        bracket = text.rfind("[")
        end = bracket if bracket >= 0 and text.find("]", bracket) < 0 else len(text)
        plain = _plain_gaps(text)
        for start in range(end):
            if self._is_one(plain[start:]):
                return start
        return end

    def _is_one(self, text: str) -> bool:
        """Whether a text is a beginning, a label with digits of its number, or a surrogate with letters of its ending."""
        if text in self._beginnings or text.rstrip("0123456789") in self._labels:
            return True
        stems = (text[: len(text) - letters] for letters in range(ENDING + 2))
        return any(stem in self._literals and text[len(stem) :].isalpha() for stem in stems)


def _plain_gaps(text: str) -> str:
    """A text in small letters, with one sign for all that may stand between the words of a form."""
    return text.lower().replace(" ", "_").replace("-", "_")


class PlaceholderForms:
    """Every way in which the replacements may be written: an expression for placeholders, one for surrogates."""

    def __init__(self, originals: Originals) -> None:
        self._originals = originals
        self._numbered: dict[tuple[str, str], str] = {}
        for replacement in originals.mapping:
            parsed = NUMBERED.fullmatch(replacement)
            if parsed:
                self._numbered[parsed[1], parsed[2]] = replacement
        self._surrogates = SurrogateWords(originals)
        given = {label for label, _ in self._numbered}
        self._placeholder = _placeholder_pattern(frozenset(given | _LABELS))
        written = self._surrogates.pattern()
        self._surrogate = re.compile(written, re.IGNORECASE) if written else None
        longest = max(map(len, (*self._surrogates, *originals.mapping, "")))
        self._longest = 2 * longest + ENDING + 80  # escapes double a placeholder, an invented one has 75
        self._begun = BegunForms(given | _LABELS, self._surrogates)

    def _matches(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """The forms in a text, in order and apart. Where two begin together, a placeholder that is known is meant."""
        numbered = self._placeholder.search(text, start)
        written = self._surrogate.search(text, start) if self._surrogate else None
        while numbered or written:
            if numbered and (written is None or _is_first(numbered, written)):
                first = numbered
            else:
                assert written is not None
                first = written
            yield first
            if numbered and numbered.start() < first.end():
                numbered = self._placeholder.search(text, first.end())
            if written and self._surrogate and written.start() < first.end():
                written = self._surrogate.search(text, first.end())

    def unfinished(self, text: str) -> int:
        """Where the first form may begin that the end of the text leaves unfinished; the end where there is none."""
        start = max(0, len(text) - self._longest - 1)
        return start + self._begun.first(text[start:])

    def busy(self, text: str) -> Iterator[tuple[int, int]]:
        """Stretches that must not be cut."""
        yield from (match.span() for match in self._matches(text))
        yield from link_places(text, is_unfinished=True)

    def restored(self, text: str, start: int, end: int, tally: RestoringTally) -> str:
        """`text[start:end]` with its originals; what stands outside is read as context."""
        links = link_places(text) if not self._originals.links else []
        pieces: list[str] = []
        position = start
        open_link = start  # where a link ends that an original began
        for match in self._matches(text, start):
            if match.start() >= end:
                break
            is_inside = match.start() < open_link or _is_inside(match, links)
            original = self._original(match, tally, is_inside=is_inside)
            pieces += text[position : match.start()], match.group() if original is None else original
            position = match.end()
            if original is not None and not self._originals.links:
                open_link = max(open_link, in_link_behind(original, text, position))
        return "".join([*pieces, text[position:end]])

    def _original(self, match: re.Match[str], tally: RestoringTally, *, is_inside: bool) -> str | None:
        """What a form stands for; None where it stays as it is written."""
        if match.re is self._surrogate:
            meant = self._surrogates.meant(match)
            if meant is None:
                return None
            owners, original = meant.owners, cased(meant.original, meant.written, match.group())
        else:
            replacement = self._given(match)
            if replacement is None:
                # Among words that are no label only those in capitals are taken for a placeholder.
                is_one = match["shaped"] is None or match.group().isupper()
                if is_one and match.group() not in self._originals.literal:
                    tally.invented.setdefault(match.group())
                return None
            owners, original = frozenset({replacement}), self._originals.mapping[replacement]
        tally.used |= owners
        if is_inside or not owners.isdisjoint(self._originals.never):
            tally.withheld.update(dict.fromkeys(sorted(owners)))
            return None
        return original

    def _given(self, match: re.Match[str]) -> str | None:
        """The placeholder that was given out, for one in any spelling."""
        is_exact = match.group() in self._originals.mapping
        if match.group() in self._originals.literal and not is_exact:  # the text itself says so
            return None
        if match["shaped"] is not None:  # an invention, or a placeholder in words of another language
            return None
        label = re.sub(_GAP_INSIDE, "_", match["label"] or match["bare"]).upper()
        return self._numbered.get((label, match["number"] or match["bare_number"]))


@lru_cache(maxsize=64)
def _placeholder_pattern(known: frozenset[str]) -> re.Pattern[str]:
    """Placeholders of some types, and whatever has their shape."""
    labels = sorted(known, key=lambda one: (-len(one), one))
    named = "|".join("_".join(map(re.escape, label.split("_"))) for label in labels)
    inside, outside = (named.replace("_", gap) for gap in (_GAP_INSIDE, _GAP))
    number = r"(?P<{}>[1-9][0-9]{{0,6}})"
    gap = rf"(?:{_GAP_INSIDE}|(?<=[^\W\d_]))"  # "[PERSON1]"
    bracketed = rf"\\?\[(?P<label>{inside}){gap}{number.format('number')}\\?\]"
    bare = rf"{_APART}(?<!\[)(?P<bare>{outside})\\?_{number.format('bare_number')}(?![0-9\]]|_+[^\W_])"
    return re.compile(rf"{bracketed}|{bare}|(?P<shaped>{SHAPED})", re.IGNORECASE)


def spelled_like(replacements: Iterable[str], text: str) -> Iterator[str]:
    """What in a text would be taken for one of the replacements, though it is not written as they are."""
    parsed = map(NUMBERED.fullmatch, replacements)
    labels = frozenset(one[1] for one in parsed if one)
    if labels:
        yield from (match.group() for match in _placeholder_pattern(labels).finditer(text))


def _is_first(numbered: re.Match[str], written: re.Match[str]) -> bool:
    """Whether a placeholder comes before a surrogate. A surrogate may have the shape of an unknown placeholder."""
    if numbered.start() == written.start():
        return numbered["shaped"] is None
    return numbered.start() < written.start()


def _is_inside(match: re.Match[str], links: Sequence[Place]) -> bool:
    """Whether a form is a part of a link. One that begins a link may be followed by a path, but not by more of a host."""
    at = bisect_left(links, (match.end(), 0)) - 1
    if at < 0 or links[at][1] <= match.start():
        return False
    begin, end = links[at]
    behind = match.string[match.end() : end].lstrip("\\")[:1]
    goes_on = behind.isalnum() or (behind != "" and behind in ".@:-[")
    return goes_on or begin < match.start()
