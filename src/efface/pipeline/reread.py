"""The second look: the released bytes, read by the format again and by readers that share no code with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from efface.attacks.leaks import REACH, Removed, is_short
from efface.attacks.readers.extract import AS_BYTES
from efface.attacks.readers.html_page import APART
from efface.attacks.readers.office_structure import NUMBERS_AS_DATES
from efface.attacks.readers.pdf_pages import SEAMS
from efface.attacks.readers.rasters import CHANCE
from efface.core import (
    Document,
    Edit,
    Finder,
    FinderTraits,
    Finding,
    Mention,
    Part,
    PartKind,
    Span,
    Spans,
    Term,
    traits_of,
)
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.pipeline.judge import assess_all
from efface.pipeline.mention_filters.labels import UnreadMentions
from efface.pipeline.propagation.spread import Stay
from efface.pipeline.propagation.strings import PERSON, unwelcome
from efface.text.alignment import Alignment
from efface.text.disguises.glued_tokens import token_around
from efface.text.entity_types import HIDDEN_SOURCE
from efface.text.folding import fold, fold_term
from efface.text.search.string_search import Strings

_LISTS_OF_NAMES = " names"  # the parts in which readers list fonts, resources and styles, one a line
# The ends of the names of parts that no finder judges. Two lines of a page that meet by chance make an address ("out.in").
_SEARCHED_ONLY = (NUMBERS_AS_DATES, CHANCE, AS_BYTES, SEAMS)
_WORD = re.compile(r"[^\W\d_]+")
_OWN_FONTS = frozenset({"effacehelvetica", "effaceocr"})  # efface's own fonts, as a PDF names them
_PROTOCOL = re.compile(
    r"(?:text|multipart)/[a-z]{1,12}(?:; ?charset=\"?(?:utf-8|us-ascii|iso-8859-[0-9]{1,2}|windows-125[0-9])\"?)?"
    r"|1\.0|7bit|8bit|base64|quoted-printable"
)
_BETWEEN = re.compile(r'[\s,;|"]+')  # what parts cells in one reading, and blanks and tabs in the other


def assess_again(
    again: Document, edits: Sequence[Edit], bound: BoundPolicy
) -> tuple[tuple[Finding, ...], ...]:
    """What the re-read document discloses, where the format could not write the planned text itself.

    `verify` has nothing but the released bytes, so finders count here as they do in `verify`.
    """
    inserted = occurrences_of(again.text, (edit.replacement or "" for edit in edits))
    return assess_all(find(again, bound, inserted), bound.guarantees)


@dataclass(frozen=True, slots=True)
class _NoFinder:
    """Stands for what found the words that a page hides: the format, which is no finder."""

    def find(self, text: str) -> Iterator[Mention]:
        return iter(())


@dataclass(frozen=True, slots=True)
class SeenAgain:
    """A finder that also finds what it saw only in the document as it was read again, by folded string."""

    finder: Finder
    types_by_string: Mapping[str, str]

    @property
    def traits(self) -> FinderTraits:
        return traits_of(self.finder)

    def find(self, text: str) -> Iterator[Mention]:
        yield from self.finder.find(text)
        folded = fold(text)
        strings = "|".join(map(re.escape, sorted(self.types_by_string, key=len, reverse=True)))
        for found in re.finditer(rf"(?<![^\W_])(?:{strings})(?![^\W_])", folded.text):  # "_" parts two words
            span, key = folded.span(*found.span()), found[0]
            yield Mention(
                span.start, span.end, self.types_by_string[key], key, 1.0, "seen in the released text"
            )


def with_seen_again(bound: BoundPolicy, again: Document, after: Sequence[tuple[Finding, ...]]) -> BoundPolicy:
    """The policy whose finders also find what they saw in the re-read document."""
    finders = dict(bound.finders)
    for finding in chain.from_iterable(after):
        for term in finding.terms:
            finder = finders.get(term.source) or (_NoFinder() if term.source == HIDDEN_SOURCE else None)
            extended = _with_term(finder, term, again.text) if finder is not None else None
            if extended is not None:
                finders[term.source] = extended
    return replace(bound, finders=finders) if finders != bound.finders else bound


def _with_term(finder: Finder, term: Term, text: str) -> Finder | None:
    """The finder, which also finds the tokens that hold a term of the re-read text; None if it knows them already."""
    tokens = (token_around(text, mention.start, mention.end) for mention in term.mentions)
    strings = {fold_term(text[start:end]) for start, end in tokens} - {""}
    known = finder.types_by_string if isinstance(finder, SeenAgain) else {}
    new = dict.fromkeys(strings - known.keys(), term.type)
    if not new:
        return None
    inner = finder.finder if isinstance(finder, SeenAgain) else finder
    return SeenAgain(inner, {**known, **new})


def for_another_reading(bound: BoundPolicy, text: str) -> BoundPolicy:
    """The policy for another reading of a document whose `text` was judged.

    A string that a finder passed over in its sentence is not reported where it appears without a sentence.
    """
    finders = {}
    for source, finder in bound.finders.items():
        finders[source] = UnreadMentions(finder, text) if traits_of(finder).reads_sentence else finder
    return replace(bound, finders=finders)


def with_unseen_lines(own: Document, pieces: Iterable[tuple[str, str]]) -> Document:
    """The document with every line that only the attackers' reader sees.

    Lines of the text itself are judged in their place: words that a raw stream repeats in another order make no
    other sentences, and the row of a CSV file is the same row with tabs between its cells. Counted twice, its words would be
    twice the evidence. A salary that would be a date is searched for dates that were taken out, and is no date itself; what
    the pixels of a picture happen to spell is searched too, and names nobody.
    """
    lines = [(part, text.splitlines()) for part, text in pieces if not part.endswith(_SEARCHED_ONLY)]
    known = _lines_in(own.text, chain.from_iterable(read for _, read in lines))
    texts, parts, length = [own.text], list(own.parts), len(own.text)
    for part, read in lines:
        unseen = "\n".join(line for line in read if line not in known and not _says_nothing(line))
        if unseen:
            start = length + len(APART)
            length = start + len(unseen)
            kind = PartKind.LABEL if part.endswith(_LISTS_OF_NAMES) else PartKind.PROSE
            parts.append(Part(part, start, length, kind))
            texts.append(unseen)
    return Document(own.name, own.format, APART.join(texts), tuple(parts))


def _lines_in(text: str, lines: Iterable[str]) -> set[str]:
    """Returns the lines whose words stand in the text one after another."""
    words_of = {line: _by_words(fold_term(line)) for line in lines}
    asked = Strings(set(words_of.values()) - {""})
    found = {words for words, _, _ in asked.find(_by_words(fold(text).text))}
    return {line for line, words in words_of.items() if words in found}


def _says_nothing(line: str) -> bool:
    """Whether a line is empty, a word of the mail protocol that every message has, or a font by the name that efface gives."""
    stripped = line.strip().lower()
    if stripped in _OWN_FONTS or not _BETWEEN.sub("", stripped):
        return True
    return _PROTOCOL.fullmatch(stripped) is not None


def _by_words(folded: str) -> str:
    """A folded text with one space around each of its words, whatever parted them: blanks, or the ends of cells."""
    words = _BETWEEN.sub(" ", folded).strip()
    return f" {words} " if words else ""


def removed_strings(document: Document, alignment: Alignment, cuts: Sequence[Edit] = ()) -> Iterator[Removed]:
    """What was taken out, and the parts of persons' names. For strings too short to be recognised elsewhere, also the
    text around their place.

    `cuts` are the edits before those that overlap became one: a name inside of a longer edit is searched for by itself.
    """
    text = document.text
    planned = ""
    for edit, place in zip(alignment.edits, alignment.inserted, strict=True):
        around = None
        if is_short(text[edit.start : edit.end]):
            planned = planned or alignment.planned(document).text
            around = (
                planned[max(0, place.start - REACH) : place.start],
                planned[place.end : place.end + REACH],
            )
        yield Removed(text[edit.start + edit.lead : edit.end], edit.type, around)
    people = [edit for edit in (*alignment.edits, *cuts) if edit.type == PERSON]
    if not people:
        return
    for one in unwelcome(text, people, initials=False).values():
        if one.type == PERSON and one.glues:
            yield Removed(one.string, one.type, glued=True)


def stay_places(stays: Iterable[Stay], alignment: Alignment) -> Iterator[Span]:
    """The places in the edited text of the strings that stay on purpose."""
    for stay in stays:
        yield Span(alignment.forward(stay.start), alignment.forward(stay.end))


def made_up_places(document: Document, alignment: Alignment) -> Spans:
    """The places in the edited text of replacements that share no word with what they replace.

    A surrogate is made up. A sentence of which a guarantee leaves some words is not.
    """
    places = []
    for edit, place in zip(alignment.edits, alignment.inserted, strict=True):
        removed = set(_WORD.findall(document.text[edit.start : edit.end].lower()))
        if removed.isdisjoint(_WORD.findall((edit.replacement or "").lower())):
            places.append(place)
    return Spans(places)


def occurrences_of(text: str, strings: Iterable[str]) -> Spans:
    """The places of the strings in the text, overlaps included."""
    return Spans(Span(start, end) for _, start, end in Strings(filter(None, strings)).find(text))
