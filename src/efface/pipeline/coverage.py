"""What of a document was looked at: a part of what `held` claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import (
    Coverage,
    Document,
    Exemption,
    Finding,
    Gap,
    GapKind,
    Pictures,
    Span,
    TellsGaps,
    traits_of,
)
from efface.formats import gaps
from efface.guarantees.abilities import judges_finds
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.pipeline.propagation.spread import KEPT_AGAINST
from efface.text.disguises.encoded_files import encoded_files, framed_files
from efface.text.disguises.unread_words import unread_words

_UNREAD = "Not read: the text holds them as code, in base64 or hexadecimal."
_BY_THEMSELVES = "Take them out and redact them by themselves"
_KEPT_STEP = "Take it off `find.keep`, or write `accept: [kept]` if it may stay."


def coverage_of(
    document: Document,
    bound: BoundPolicy,
    exemptions: Iterable[Exemption] = (),
    made_up: Callable[[], Sequence[Span]] = tuple,
) -> Coverage:
    """What was looked at in the document, and what was not. For a release, ask for the document read from the
    released bytes. `made_up` tells the places of words that efface made up, in their order, to those who read words."""
    exemptions = tuple(exemptions)
    kept = (*_kept_against(document, bound), *_kept_parts(exemptions))
    unread = (*gaps(document), *_unread_files(document, bound), *_reported_gaps(document, bound, made_up))
    found = dict.fromkeys((*unread, *kept, *bound.unasked))
    allowed = (replace(gap, allowed=True) if gap.kind in bound.accept else gap for gap in found)
    return Coverage(bound.looks, tuple(allowed), tuple(exemptions))


def _unread_files(document: Document, bound: BoundPolicy) -> Iterator[Gap]:
    """The files and pictures that the text holds as code: nobody has read what they say."""
    found = Counter(one.is_picture for one in encoded_files(document.text))
    files = found[False] + framed_files(document.text) + _unread_texts(document, bound)
    if files:
        where = f"{files} {'file' if files == 1 else 'files'} within the text"
        yield Gap(
            GapKind.FILE, where, _UNREAD, f"{_BY_THEMSELVES}, or write `accept: [file]` if they may stay."
        )
    if found[True]:
        where = f"{found[True]} {'picture' if found[True] == 1 else 'pictures'} within the text"
        step = f"{_BY_THEMSELVES}, or set `pictures: remove` or `pictures: keep` in the policy."
        yield Gap(GapKind.PICTURE, where, _UNREAD, step, allowed=bound.pictures is Pictures.KEEP)


def _unread_texts(document: Document, bound: BoundPolicy) -> int:
    """How many texts in code no finder of names has read. What is denied is found there; what the policy keeps may stay."""
    if not any(traits_of(finder).reads_sentence for finder in bound.finders.values()):
        return 0
    text = bound.placeholders.sub(_blank, document.text)
    count = unread_words(text)
    if count and bound.keep is not None:
        kept = sorted(Span(mention.start, mention.end) for mention in bound.keep.find(text))
        count = unread_words(_with_blanks_at(text, kept))
    return count


def _reported_gaps(
    document: Document, bound: BoundPolicy, made_up: Callable[[], Sequence[Span]]
) -> Iterator[Gap]:
    """What the finders and the guarantees could not look at. Words of its own count for no language."""
    asked = [
        one
        for one in (*bound.finders.values(), *bound.guarantees)
        if hasattr(one, "gaps") and isinstance(one, TellsGaps)
    ]
    if not asked:
        return
    text = bound.placeholders.sub(_blank, _with_blanks_at(document.text, made_up()))
    shown = replace(document, text=text, origin=None)
    for one in asked:
        yield from one.gaps(shown)


def _kept_against(document: Document, bound: BoundPolicy) -> Iterator[Gap]:
    """Guarantees that hold only because the keep list hides something from them.

    The list corrects a finder's mistakes. It does not change what a reader knows, so each of the other guarantees is
    asked again without it.
    """
    if bound.keep is None or not any(True for _ in bound.keep.find(document.text)):
        return
    judged = [guarantee for guarantee in bound.guarantees if not judges_finds(guarantee)]
    if not judged:
        return
    with_list, without = find(document, bound), find(document, replace(bound, keep=None))
    if with_list.terms == without.terms:
        return
    for guarantee in judged:
        if _secrets(guarantee.assess(without)) - _secrets(guarantee.assess(with_list)):
            yield _keep_list_gap(guarantee.claim.name)


def _secrets(findings: Iterable[Finding]) -> set[tuple[str, float, int]]:
    """What the findings say, to be compared: whose secret, how much of it, and in how many places."""
    said = set()
    for finding in findings:
        places = sum(len(term.mentions) for term in finding.terms)
        said.add((finding.secret, finding.amount, places))
    return said


def _kept_parts(exemptions: Iterable[Exemption]) -> Iterator[Gap]:
    """Parts of a name that a guarantee took out, where something on the keep list holds them."""
    if any(exemption.reason == KEPT_AGAINST for exemption in exemptions):
        yield _keep_list_gap("what a guarantee took out")


def _keep_list_gap(where: str) -> Gap:
    return Gap(GapKind.KEPT, where, "The keep list names something that this guarantee protects.", _KEPT_STEP)


def _with_blanks_at(text: str, places: Sequence[Span]) -> str:
    """The text, as long as it was, with nothing to read in the places."""
    pieces: list[str] = []
    position = 0
    for place in places:
        start = max(position, place.start)  # places may overlap
        pieces += text[position:start], " " * (place.end - start)
        position = max(position, place.end)
    return "".join([*pieces, text[position:]])


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
