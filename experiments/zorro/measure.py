"""One document read by one viewer, by efface and by the paper's algorithm: what goes, who is left, how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from efface.api.sanitizer import Sanitizer
from efface.core import Edit, Mention, Verdict
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import Signatures
from efface.pipeline.bound import BoundPolicy
from experiments.zorro.baseline import Ask, Engine, Redaction, redact
from experiments.zorro.database import NAME

PLACEHOLDER = "XXXXX"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one document. Times are in seconds: on the clock, and of the processor."""

    spans: tuple[tuple[int, int], ...] = field(repr=False)  # removed, of the original text
    terms: int  # distinct ones removed
    unsafe: int  # entities with a crowd under k before anything is removed, denied or not
    left: int  # denied entities with a crowd under k in what is left
    seconds: float
    processor: float
    missed: int = 0  # terms of entities that the baseline never looked at, and that stayed
    skipped: int = 0  # those entities, where their crowd is under k


def with_efface(sanitizer: Sanitizer, viewer: str, text: str, ask: Ask, k: int | None) -> Trial:
    """Through the whole flow, binding the viewer included, as if nobody had read the document before."""
    data = text.encode()
    index_of(sanitizer.bind(viewer)).kept.clear()
    report, seconds, processor = timed(lambda: sanitizer.sanitize(data, name="document.txt", viewer=viewer))
    if report.verdict is not Verdict.HELD or report.released is None:
        raise RuntimeError("a document was not released")
    bound = sanitizer.bind(viewer)
    index = index_of(bound)
    mentions = list(bound.finders[NAME].find(text))
    before = terms_of(mentions)
    gone = {m.key for m in mentions if _covered(m, report.edits)}
    kept = _left(mentions, report.edits)
    return Trial(
        spans=tuple((edit.start, edit.end) for edit in report.edits),
        terms=len(gone),
        unsafe=len(small_crowds(index.signatures(before), k)),
        left=len(denied_in_small_crowds(index, kept, k, ask)),
        seconds=seconds,
        processor=processor,
    )


def with_baseline(engine: Engine, bound: BoundPolicy, text: str, ask: Ask, k: int | None) -> Trial:
    """The paper's algorithm on the terms that efface's finder finds; no reading again, no report."""
    index_of(bound).kept.clear()

    def work() -> tuple[list[Mention], Redaction, str]:
        mentions = list(bound.finders[NAME].find(text))
        found = redact(engine, terms_of(mentions), k, ask)
        return mentions, found, _replaced(text, mentions, found.removed)

    (mentions, redaction, _), seconds, processor = timed(work)
    index = index_of(bound)
    spans = tuple(sorted({(m.start, m.end) for m in mentions if m.key in redaction.removed}))
    edits = [Edit(start, end, "", "", "") for start, end in spans]
    kept = _left(mentions, edits)
    whole = index.signatures(terms_of(mentions))
    small = small_crowds(whole, k)
    unseen = {id: group for id, group in small.items() if id not in redaction.seen}
    denied = set(ask(sorted(unseen)))
    missed = {term for id, group in unseen.items() if id in denied for term in _terms(whole, group)}
    return Trial(
        spans=spans,
        terms=len(redaction.removed),
        unsafe=len(small),
        left=len(denied_in_small_crowds(index, kept, k, ask)),
        seconds=seconds,
        processor=processor,
        missed=len(missed & set(kept)),
        skipped=len(unseen),
    )


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    """The result, and the seconds it took on the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - clock, time.process_time() - processor


def terms_of(mentions: Iterable[Mention]) -> list[str]:
    return list(dict.fromkeys(mention.key for mention in mentions))


def denied_in_small_crowds(index: EntityIndex, terms: Sequence[str], k: int | None, ask: Ask) -> set[str]:
    """Who is denied and has some of the terms that fewer than k entities share."""
    small = small_crowds(index.signatures(terms), k)
    return set(ask(sorted(small))) if small else set()


def small_crowds(signatures: Signatures, k: int | None) -> dict[str, int]:
    """Entities whose terms fewer than k entities have, and the group of each."""
    counts = [signatures.crowd(row) for row in signatures.groups]
    small = [group for group, crowd in enumerate(counts) if k is None or crowd < k]
    return {id: group for group, id in signatures.members(small)}


def _terms(signatures: Signatures, group: int) -> list[str]:
    row = signatures.groups[group]
    return [term for at, term in enumerate(signatures.terms) if int(row[at // 64]) >> at % 64 & 1]


def _covered(mention: Mention, edits: Collection[Edit]) -> bool:
    return any(edit.start <= mention.start and mention.end <= edit.end for edit in edits)


def _left(mentions: Sequence[Mention], edits: Collection[Edit]) -> list[str]:
    """The terms that can still be read somewhere: no edit touches the mention."""
    stays = (m for m in mentions if not any(e.start < m.end and m.start < e.end for e in edits))
    return terms_of(stays)


def _replaced(text: str, mentions: Sequence[Mention], removed: Collection[str]) -> str:
    pieces, position = [], 0
    for mention in sorted((m for m in mentions if m.key in removed), key=lambda m: m.start):
        if mention.start >= position:
            pieces += [text[position : mention.start], PLACEHOLDER]
        position = max(position, mention.end)
    return "".join([*pieces, text[position:]])


def index_of(bound: BoundPolicy) -> EntityIndex:
    index = getattr(bound.finders[NAME], "index", None)
    assert isinstance(index, EntityIndex)
    return index
