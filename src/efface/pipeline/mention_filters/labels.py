"""Names away from prose: style names, attributes, raw streams. There a finder's guess is worth less."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from efface.core import Finder, FinderTraits, Mention, Part, PartKind, Span, SpanSet, traits_of
from efface.text.folding import fold, fold_term
from efface.text.search.string_search import Strings

SURE = 0.7  # how sure a finder must be of a name that is in no sentence
_SHORTEST = 3  # characters of a name that is looked for in labels
_SENTENCE = 4  # words
_LINE = 200  # characters of a line on each side of a name
_WORD = re.compile(r"[^\W\d_]{2,}")
# Signs that no person's name holds, and that are everywhere among compressed bytes.
_NOISE = re.compile(r"[0-9@#$%^*+=<>{}|\\~`]")


def filter_labels(text: str, mentions: Iterable[Mention], parts: Sequence[Part]) -> Iterator[Mention]:
    """The mentions of the prose, and whatever the prose names in labels and code. A label may name something
    itself, if the finder is sure and it looks like a name. A font or a style is no name."""
    stretches = [Span(part.start, part.end) for part in parts if part.kind is not PartKind.PROSE]
    code = SpanSet(Span(part.start, part.end) for part in parts if part.kind is PartKind.CODE)
    labels = SpanSet(stretches)
    named: dict[str, Mention] = {}
    for mention in mentions:
        if code.touches(mention.start, mention.end):
            continue
        surface = text[mention.start : mention.end]
        if not labels.covers(mention.start, mention.end) or (mention.score >= SURE and _is_proper(surface)):
            named.setdefault(fold_term(surface), mention)
            yield mention
    yield from _named_in(text, stretches, named)


def _named_in(text: str, stretches: Iterable[Span], named: Mapping[str, Mention]) -> Iterator[Mention]:
    """The names of the prose, where they stand in labels and code."""
    names = Strings(name for name in named if len(name) >= _SHORTEST)
    for stretch in stretches:
        folded = fold(text[stretch.start : stretch.end])
        for name, begin, end in names.find(folded.text):
            span = folded.span(begin, end)
            yield replace(named[name], start=stretch.start + span.start, end=stretch.start + span.end)


def _is_proper(surface: str) -> bool:
    """Whether it is written as a name: `Edf`, not `7dash` or `tablehead`."""
    return surface[:1].isupper() and not any(char.isdigit() or char == "\n" for char in surface)


def _says_something(text: str, mention: Mention) -> bool:
    """Whether the line is a sentence or holds a person's full name: raw streams are full of "en-US" and "sRGB"."""
    start = text.rfind("\n", max(0, mention.start - _LINE), mention.start) + 1
    end = text.find("\n", mention.end, mention.end + _LINE)
    line = text[max(start, mention.start - _LINE) : end if end >= 0 else mention.end + _LINE]
    words = len(_WORD.findall(text, mention.start, mention.end))
    if len(_WORD.findall(line)) >= _SENTENCE:
        return True
    return mention.type == "PERSON" and words > 1 and not _NOISE.search(text, mention.start, mention.end)


@dataclass(frozen=True, slots=True)
class UnreadMentions:
    """What `finder` is sure of in raw streams, without what it read in its context in `text`."""

    finder: Finder
    text: str

    @property
    def traits(self) -> FinderTraits:
        return traits_of(self.finder)

    def find(self, text: str) -> Iterator[Mention]:
        sure = [m for m in self.finder.find(text) if m.score >= SURE and _says_something(text, m)]
        surfaces = [fold_term(text[mention.start : mention.end]) for mention in sure]
        known = fold(self.text).text
        read = {surface for surface, _, _ in Strings(set(surfaces)).find(known)}
        for mention, surface in zip(sure, surfaces, strict=True):
            if surface in read:
                continue
            # Raw streams break words anywhere: "Ru", "les" are the text's own "Rules".
            broken = "\n" in text[mention.start : mention.end]
            if not (broken and _unspaced(surface) in _unspaced(known)):
                yield mention


def _unspaced(text: str) -> str:
    return "".join(text.split())
