"""The one way through: sanitize a document, assess one as it is, verify one that was released.

read → find → assess → plan → apply → read again → assess again → report

Several guarantees run in rounds until all hold on the text as it would leave. The bytes are then written, read
again, and searched by the attackers. If that last look finds anything, the release is refused.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from efface.attacks.leaks import search
from efface.attacks.readers.extract import extract
from efface.core import (
    Coverage,
    Document,
    Finding,
    Format,
    Leakage,
    Outcome,
    Report,
    SpanSet,
    Verdict,
    worst,
)
from efface.formats import detect, get_format, notes
from efface.guarantees.abilities import judges_finds
from efface.pipeline.bound import BoundPolicy, StageListener, unwatched
from efface.pipeline.coverage import coverage_of
from efface.pipeline.judge import judge, overall, verdict_of
from efface.pipeline.left_fragments import left_fragments
from efface.pipeline.propagation.spread import exemptions_of
from efface.pipeline.replacement_places import replacement_places
from efface.pipeline.reread import (
    assess_again,
    for_another_reading,
    made_up_places,
    removed_strings,
    stay_places,
    with_seen_again,
    with_unseen_lines,
)
from efface.pipeline.rounds import Settled, settle
from efface.text.folding import fold_term

_LOG = logging.getLogger("efface.pipeline")
_LOOKS = 3  # times that a document is written and read again before it is refused for what is still seen


def sanitize(
    data: bytes,
    name: str,
    bound: BoundPolicy,
    watch: StageListener = unwatched,
    format: Format | None = None,
    searched_later: Collection[str] = (),
) -> Report:
    """The document as it may leave, with the report of what was done and checked. A broken one has no bytes.

    A PDF in which words are still hidden is released as pictures of its pages, which hide nothing. Without a
    `format` the name and the bytes decide it. What is `searched_later` (folded) the caller takes out of the bytes and
    searches for itself.
    """
    held = [data]
    del data  # no frame but that of the attempt holds the bytes, which lets them go once it has read them
    report = attempt(held.pop(), name, bound, watch, format, searched_later)
    if report.verdict is Verdict.BROKEN and report.document.format == "pdf":
        from efface.pipeline.flatten import without_hiding_places

        report = without_hiding_places(report, bound, watch)
    return withheld(report)


def withheld(report: Report) -> Report:
    """The report without the bytes if they may not leave."""
    if _LOG.isEnabledFor(logging.DEBUG):
        fields = {"format": report.document.format, "verdict": report.verdict.value, "rounds": report.rounds}
        _LOG.debug("document judged", extra={"efface": {**fields, "edits": len(report.edits)}})
    return replace(report, released=None) if report.verdict is Verdict.BROKEN else report


def attempt(
    data: bytes,
    name: str,
    bound: BoundPolicy,
    watch: StageListener = unwatched,
    format: Format | None = None,
    searched_later: Collection[str] = (),
) -> Report:
    """The report with the bytes as they were written, whatever the verdict on them. For the pipeline alone."""
    format = format or get_format(detect(name, data), bound.pictures)
    watch("reading")
    document = format.read(data, name)
    del data  # frees the memory of a large file
    bound = bound.at(document)
    written = _write(document, name, format, bound, watch)
    settled = written.settled
    watch("attacking")
    leaks = (
        *_search(document, settled, written.released, bound, searched_later),
        *written.fragments,
    )
    outcomes = _outcomes(bound, settled, written.after)
    return Report(
        document=document,
        verdict=worst((overall(outcomes, leaks), written.coverage.verdict)),
        outcomes=outcomes,
        edits=settled.edits,
        leaks=leaks,
        rounds=settled.rounds,
        notes=(*bound.all_notes, *notes(document)),
        released=written.released,
        coverage=written.coverage,
    )


@dataclass(frozen=True, slots=True)
class _WrittenRelease:
    """The bytes, the edits that they carry, and what was found in them when they were read again."""

    settled: Settled
    released: bytes
    after: tuple[tuple[Finding, ...], ...]
    coverage: Coverage
    fragments: tuple[Leakage, ...]  # of removed strings, that the writer left


def _write(
    document: Document, name: str, format: Format, bound: BoundPolicy, watch: StageListener
) -> _WrittenRelease:
    """Plans, writes and reads again. What the finders see only in the re-read text is cut as well."""
    looking = bound
    for look in range(_LOOKS):
        settled = settle(document, looking, watch)
        watch("writing")
        released = format.write(document, settled.edits)
        watch("reading again")
        again = format.read(released, name)
        after = settled.after
        is_as_planned = settled.alignment.gives(document, again.text)
        if again.hidden or not is_as_planned:  # a box of ours may cover another word
            after = assess_again(again, settled.edits, bound)
        more = with_seen_again(looking, again, after) if any(after) else looking
        if more is looking or look == _LOOKS - 1:
            break
        looking = more
    made_up = partial(made_up_places, document, settled.alignment) if is_as_planned else tuple
    coverage = coverage_of(again, bound, exemptions_of(document.text, settled.stays), made_up)
    fragments = () if is_as_planned else tuple(left_fragments(document, settled.alignment, again))
    return _WrittenRelease(settled, released, after, coverage, fragments)


def _search(
    document: Document, settled: Settled, released: bytes, bound: BoundPolicy, later: Collection[str]
) -> tuple[Leakage, ...]:
    """What of the removed and denied strings the released bytes still hold, beyond the places that are exempt."""
    alignment = settled.alignment  # makes the planned text when needed: a large one is not held
    strings = removed_strings(document, alignment, settled.cuts)
    removed = (one for one in strings if not later or fold_term(one.text) not in later)
    ours = (edit.replacement for edit in alignment.edits if edit.replacement is not None)
    placeholders = filter(bound.placeholders.fullmatch, ours)
    pieces = extract(released, document.format)
    exempt = SpanSet(chain(alignment.inserted, stay_places(settled.stays, alignment)))
    return search(removed, pieces, lambda: alignment.planned(document), placeholders, bound.denied, exempt)


def _outcomes(
    bound: BoundPolicy, settled: Settled, after: Sequence[tuple[Finding, ...]]
) -> tuple[Outcome, ...]:
    """How each guarantee fared, from the first look to the last."""
    rows = zip(bound.guarantees, settled.before, after, settled.plans, settled.unknown, strict=True)
    outcomes = []
    for guarantee, first, last, plan, unknown in rows:
        verdict = verdict_of(guarantee, last)
        outcomes.append(
            Outcome(guarantee.claim, first, last, verdict, plan, judges_finds(guarantee), unknown)
        )
    return tuple(outcomes)


def assess(
    data: bytes, name: str, bound: BoundPolicy, watch: StageListener = unwatched, format: Format | None = None
) -> Report:
    """What the document discloses as it is."""
    format = format or get_format(detect(name, data), bound.pictures)
    watch("reading")
    document = format.read(data, name)
    watch("finding")
    return judge(document, bound.at(document))


def preview(data: bytes, name: str, bound: BoundPolicy, watch: StageListener = unwatched) -> Report:
    """What would be cut, what would replace it, and what stays on purpose. Nothing is written."""
    watch("reading")
    document = get_format(detect(name, data), bound.pictures).read(data, name)
    bound = bound.at(document)
    settled = settle(document, bound, watch)
    coverage = coverage_of(document, bound, exemptions_of(document.text, settled.stays))
    outcomes = _outcomes(bound, settled, settled.before)
    return Report(
        document, overall(outcomes, ()), outcomes, settled.edits, rounds=settled.rounds, coverage=coverage
    )


def verify(
    data: bytes,
    name: str,
    bound: BoundPolicy,
    watch: StageListener = unwatched,
    made_up: Collection[str] = (),
) -> Report:
    """Whether a released file holds its guarantees, seen by the format's reader and by the attackers'.

    `made_up` are the words that the release put in the place of others. They identify no one.
    """
    format = get_format(detect(name, data), bound.pictures)
    watch("reading")
    document = format.read(data, name)
    watch("finding")
    looking = bound.at(document)
    own = judge(document, looking, replacement_places(document, looking, made_up))
    watch("attacking")
    pieces = list(extract(data, document.format))
    seen = with_unseen_lines(document, pieces)
    # The attackers' text repeats most of the document's, and finders remember what they read of it.
    another = for_another_reading(replace(bound.at(document), finders=looking.finders), document.text)
    other = judge(seen, another, replacement_places(seen, another, made_up))
    leaks = search((), pieces, lambda: document, standing=bound.denied)
    if own.verdict is Verdict.BROKEN:
        return replace(own, leaks=leaks)
    verdict = worst((overall(other.outcomes, leaks), own.coverage.verdict))
    return replace(
        other,
        document=document,
        notes=own.notes,
        leaks=leaks,
        verdict=verdict,
        coverage=own.coverage,
    )
