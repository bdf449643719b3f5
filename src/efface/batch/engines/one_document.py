"""What every engine does with one document: the local workers, Spark's executors and dataframes share it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from efface.batch.items import Item, ItemResult, State
from efface.batch.work_folder import read_steadily, sha256
from efface.core import Report, Scope, Verdict
from efface.errors import EffaceError, PlugInError, Refused, describe_internal
from efface.formats import detect, get_format
from efface.formats.plain.text import format_of_text
from efface.guarantees.abilities import JudgesTogether
from efface.operators import is_lasting
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.policy.bind import bind
from efface.policy.model import Policy
from efface.policy.plugins import NO_EXTRAS, Extras
from efface.report.coverage import claim_of
from efface.report.data import claim_data
from efface.text.folding import fold_term

_COMMON = frozenset({"place", "organization", "date", "age", "postcode", "number", "url"})  # shared by many


@dataclass(frozen=True, slots=True)
class Spec:
    """All that an engine needs to begin, as plain values that travel to other processes and machines."""

    policy: str  # JSON
    folder: str
    viewer: str | None
    key: str = field(repr=False)  # hex
    max_bytes: int
    follow: bool = False  # whether the release is judged over linked documents
    refuses_unproven: bool = False  # whether a document of which something is unproven may not leave

    @classmethod
    def of(
        cls,
        policy: Policy,
        folder: Path,
        viewer: str | None,
        key: bytes,
        max_bytes: int,
    ) -> Spec:
        text = policy.model_dump_json(by_alias=True)
        return cls(text, str(folder.absolute()), viewer, key.hex(), max_bytes)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Spec:
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Engine:
    """A policy bound once, for document after document. The rights of a viewer are asked for with each document; the
    entities are those of the beginning, by which the documents of a release are judged together."""

    spec: Spec
    extras: Extras = NO_EXTRAS  # objects of a caller in this process

    @cached_property
    def policy(self) -> Policy:
        return Policy.model_validate_json(self.spec.policy)

    @cached_property
    def _looked_at(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def bound(self) -> BoundPolicy:
        return self._bind()

    def _bind(self) -> BoundPolicy:
        with self._entities_of_the_beginning():
            bound = bind(self.policy, Path(self.spec.folder), self.spec.viewer, self.extras)
        return bound.with_key(bytes.fromhex(self.spec.key))

    def _entities_of_the_beginning(self) -> AbstractContextManager[None]:
        if not self.policy.knowledge:
            return nullcontext()
        from efface.policy.knowledge_index import one_look  # loads numpy: not for a policy that needs none

        return one_look(self._looked_at)

    def following_links(self) -> Engine:
        """The same engine, which also tells what linked documents are judged by. The policy is not bound again."""
        engine = replace(self, spec=replace(self.spec, follow=True))
        vars(engine).update(bound=self.bound, _looked_at=self._looked_at)
        return engine

    def do(self, item: Item) -> ItemResult:
        """The item's outcome. Every error becomes an outcome, except the end of the process."""
        started = time.perf_counter()
        if item.problem:
            return ItemResult(item, State.FAILED, item.problem)
        try:
            data, stamp = (
                (item.data, "") if item.data is not None else read_steadily(item.file, self.spec.max_bytes)
            )
        except EffaceError as error:
            return ItemResult(item, State.FAILED, error.message)
        read = item.digest(data)
        if item.known and item.known == read:
            return ItemResult(item, State.DONE, input=read, stamp=stamp, size=len(data), same=True)
        done = self._sanitized_item(item, data)
        return replace(
            done, input=read, stamp=stamp, size=len(data), seconds=round(time.perf_counter() - started, 6)
        )

    def _sanitized_item(self, item: Item, data: bytes) -> ItemResult:
        format = format_of_text(data) if item.is_cell else None
        try:
            format_name = detect(item.name, data)
        except EffaceError as error:
            return ItemResult(item, State.FAILED, error.message)
        failed = ItemResult(item, State.FAILED, format=format_name)
        try:
            report = pipeline.sanitize(data, item.name, self._bound_to(item), format=format)
        except Refused as error:
            return replace(failed, state=State.REFUSED, reason=error.message)
        except PlugInError as error:  # worth another run, when the plug-in is mended
            return replace(failed, state=State.QUARANTINED, reason=error.message)
        except EffaceError as error:
            return replace(failed, reason=error.message)
        except MemoryError:
            raise
        except Exception as error:  # a defect of efface must not stop a million other documents
            return replace(failed, state=State.QUARANTINED, reason=f"{describe_internal(error)}.")
        return self._reported(failed, report)

    def _bound_to(self, item: Item) -> BoundPolicy:
        """Dates of one subject move together. The class that is hidden may be the item's own."""
        asks_rights = any(entry.access is not None for entry in self.policy.knowledge.values())
        bound = self._bind() if asks_rights else self.bound  # rights may change from one document to the next
        bound = replace(bound, truth=item.truth) if item.truth else bound
        if not item.subject:
            return bound
        return replace(bound, operators=replace(bound.operators, subject=item.subject))

    def _reported(self, known: ItemResult, report: Report) -> ItemResult:
        outcomes = tuple(
            (json.dumps(claim_data(o.claim), sort_keys=True), o.verdict.value) for o in report.outcomes
        )
        claim = json.dumps(claim_data(claim_of(report.coverage)), sort_keys=True)
        outcomes = (*outcomes, (claim, report.coverage.verdict.value))
        known = replace(known, verdict=report.verdict.value, edits=len(report.edits), outcomes=outcomes)
        if report.verdict is Verdict.BROKEN or report.released is None:
            return replace(known, state=State.REFUSED, reason=_refusal_words(report))
        if self.spec.refuses_unproven and (unproven := unproven_alone(known)):
            return replace(known, state=State.REFUSED, reason=unproven)
        data = report.released
        done = replace(known, state=State.DONE, output=sha256(data), data=data, released=len(data))
        if not self.spec.follow:
            return done
        return replace(
            done,
            terms=tuple(self._terms_left(known.item, report)),
            tokens=tuple(sorted(set(self._tokens(known.item, report)))),
        )

    def _terms_left(self, item: Item, report: Report) -> Iterator[tuple[str, str]]:
        """The entities' terms that a reader of the released file sees."""
        overs = {promise.over for promise in self.bound.guarantees if isinstance(promise, JudgesTogether)}
        if not overs or report.released is None:
            return
        name = report.document.name
        own = format_of_text(report.released) if item.is_cell else None
        released = (own or get_format(report.document.format)).read(report.released, name)
        finders = {over: finder for over, finder in self.bound.finders.items() if over in overs}
        reading = find(released, replace(self.bound, finders=finders))
        yield from sorted({(term.source, term.key) for term in reading.terms})

    def _tokens(self, item: Item, report: Report) -> Iterator[str]:
        """What a reader can link this document to others by. Digests: the manifest holds no names."""
        if item.subject:
            yield self._digest("subject", item.subject)
        for link in item.links:
            yield self._digest("link", link)
        operators = self.bound.operators
        for edit in report.edits:
            lasting = is_lasting(operators.operator(edit.type))
            if lasting and edit.replacement and operators.kind(edit.type) not in _COMMON:
                yield self._digest("surrogate", f"{edit.type} {fold_term(edit.replacement)}")

    def _digest(self, kind: str, value: str) -> str:
        data = f"{kind} {value}".encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(data, key=bytes.fromhex(self.spec.key)[:64], digest_size=16)
        return f"{kind} {digest.hexdigest()}"


def unproven_alone(done: ItemResult) -> str:
    """Why a document by itself is unproven; empty where it is not. What speaks of a whole release is judged with it."""
    claims = [json.loads(claim) for claim, verdict in done.outcomes if verdict == Verdict.UNPROVEN]
    names = sorted({claim["name"] for claim in claims if claim["scope"] != Scope.RELEASE})
    return f"Unproven: {', '.join(names)}." if names else ""


def _refusal_words(report: Report) -> str:
    if report.leaks:
        leak = report.leaks[0]
        return f"The output still held something removed ({leak.type}, {leak.encoding})."
    broken = [o.claim.name for o in report.outcomes if o.verdict is Verdict.BROKEN]
    return f"The guarantee {broken[0]} does not hold." if broken else "Nothing was written."


def message_of(done: ItemResult) -> dict[str, Any]:
    """A Done without its item and its bytes, as JSON can hold it."""
    names = [name for name in ItemResult.__slots__ if name not in ("item", "data")]
    return {name: getattr(done, name) for name in names}


def done_of(item: Item, message: dict[str, Any], data: bytes | None) -> ItemResult:
    known = dict(message)
    known["state"] = State(known["state"])
    for name in ("terms", "outcomes"):
        known[name] = tuple((a, b) for a, b in known[name])
    known["tokens"] = tuple(known["tokens"])
    return ItemResult(item=item, data=data, **known)
