"""A class's own names: the label, its abbreviations and aliases, and where they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from efface.core import Span
from efface.folding import fold_term, foldings
from efface.knowledge.classes_words import blank_placeholders, is_plain

# What a company's name is often written without.
_LEGAL_FORMS = frozenset(
    """
    ab ag as asa bv co company corp corporation gmbh group holding holdings inc incorporated kg kk limited llc
    llp lp ltd nv oy oyj plc pty sa sarl sas se spa srl
    """.split()
)
_LITTLE_WORDS = frozenset("a an and de der des die du for la le les of the und van von".split())
_SEPARATORS = re.compile(r"[\s.,_/\\-]+")
_GAP = r"[ .,_/\\-]{0,3}"
_AND = frozenset({"&", "and"})
_SHORTEST_INITIALS = 3
_CUT = re.compile(r"-[ \t]*\r?\n")


@dataclass(frozen=True, slots=True, order=True)
class Spelling:
    """One way to write a class's name. `capitals`: only in capitals it is the name (initials)."""

    text: str
    capitals: bool = False


@lru_cache(maxsize=1024)
def spellings(label: str, aliases: tuple[str, ...]) -> tuple[Spelling, ...]:
    """The label and its aliases, each also without its legal form and, from three letters on, as initials."""
    found: dict[Spelling, None] = {}
    for name in (label, *aliases):
        pieces = _pieces(name)
        found[Spelling(name)] = None
        while len(pieces) > 1 and pieces[-1] in _LEGAL_FORMS:
            pieces.pop()
        if not _LITTLE_WORDS.issuperset(pieces):
            found[Spelling(" ".join(pieces))] = None
        initials = "".join(piece[0] for piece in pieces if piece not in _LITTLE_WORDS | _AND)
        if len(initials) >= _SHORTEST_INITIALS:
            found[Spelling(initials.upper(), capitals=True)] = None
    return tuple(spelling for spelling in found if _pieces(spelling.text))


def find_names(text: str, names: tuple[Spelling, ...]) -> tuple[Span, ...]:
    """Where a name stands alone, however it is spaced, punctuated or disguised; overlaps are joined."""
    text = blank_placeholders(text, "|")  # a class may be called like a type: [PERSON_1] does not name it
    if _cannot_name(text, names):
        return ()
    found: set[Span] = set()
    for folded in foldings(text):
        for pattern, capitals in _patterns(names):
            for match in pattern.finditer(folded.text):
                span = folded.span(*match.span())
                if folded.stands_alone(*match.span()) and (
                    not capitals or text[span.start : span.end].isupper()
                ):
                    found.add(span)
    return tuple(_joined(sorted(found)))


def _cannot_name(text: str, names: tuple[Spelling, ...]) -> bool:
    """Most texts do not hold a name, and in plain ASCII that shows at once."""
    if not is_plain(text):
        return False
    plain = text.lower()
    joined = _CUT.sub("", plain)  # words cut at a line's end
    return not any(anchor in plain or anchor in joined for anchor in _anchors(names))


@lru_cache(maxsize=256)
def _anchors(names: tuple[Spelling, ...]) -> tuple[str, ...]:
    """For each name the longest stretch of letters and digits that every way to write it has."""
    return tuple(max(_runs(name), key=len, default="") for name in names)


def _runs(name: Spelling) -> Iterator[str]:
    for piece in _pieces(name.text):
        if piece not in _AND:
            yield from re.findall(r"[^\W_]+", piece)


@lru_cache(maxsize=256)
def _patterns(names: tuple[Spelling, ...]) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """What to look for in a folded text, one by one: the longest that matches need not stand alone."""
    written = {(_written(name.text), name.capitals) for name in names}
    return tuple((re.compile(pattern), capitals) for pattern, capitals in sorted(written))


def _pieces(name: str) -> list[str]:
    return [piece for piece in _SEPARATORS.split(fold_term(name)) if piece]


def _written(name: str) -> str:
    """The name as a pattern: any separator or none between its pieces, apostrophes optional."""
    return _GAP.join(
        "(?:&|and)" if piece in _AND else re.escape(piece).replace("'", "'?") for piece in _pieces(name)
    )


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    last: Span | None = None
    for span in spans:
        if last is None:
            last = span
        elif span.start < last.end:
            last = Span(last.start, max(last.end, span.end))
        else:
            yield last
            last = span
    if last is not None:
        yield last
