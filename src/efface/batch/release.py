"""The release as a whole: what linked documents disclose together, the retrained attacker, verdict and certificate."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from efface import __version__
from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import TOLD_BY_PATH, Options
from efface.batch.engines.one_document import Engine
from efface.batch.manifest import Manifest
from efface.core import Coverage, Guarantee, Scope, Verdict, worst
from efface.errors import EffaceError, UsageError
from efface.guarantees.abilities import HasReleaseTest, JudgesTogether, ReleaseTest
from efface.report.coverage import not_looked_for
from efface.report.data import CERTIFICATE_SCHEMA, claim_data

_LINKED = "Read together with documents that a reader can link to it, it leaves too small a crowd."

Withdraw = Callable[[bytes, int, str], None]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What may be said of the release: every claim with its verdict, and the digest of what it is about."""

    verdict: Verdict
    outcomes: tuple[tuple[dict[str, Any], Verdict], ...]
    documents: int
    size: int
    sha256: str
    withdrawn: int = 0
    notes: tuple[str, ...] = ()

    def certificate(self, published: bool) -> dict[str, Any]:
        """What may be published. It names no document, and counts nothing by type."""
        released = {"documents": self.documents, "bytes": self.size, "sha256": self.sha256}
        nothing = {"documents": 0, "bytes": 0, "sha256": hashlib.sha256().hexdigest()}
        return {
            "schema": CERTIFICATE_SCHEMA,
            "kind": "for publication: holds nothing of the originals",
            "efface": __version__,
            "verdict": self.verdict.value,
            "guarantees": [{**claim, "verdict": verdict.value} for claim, verdict in self.outcomes],
            "checks": [
                "the released bytes of every document were read again and every guarantee was assessed on them",
                "the released bytes were extracted by independent code and searched for every removed string",
                "guarantees of scope `release` were assessed over all released documents together",
            ],
            "released": released if published else nothing,
        }


def judges_linked(engine: Engine, options: Options) -> bool:
    """Whether a guarantee must hold over documents that a reader can link."""
    if not judges_of_linked(engine):
        return False
    return bool(options.subject or options.links or engine.bound.operators.are_lasting)


def judges_of_linked(engine: Engine) -> list[JudgesTogether]:
    """The guarantees that speak of linked documents."""
    able = [promise for promise in engine.bound.guarantees if isinstance(promise, JudgesTogether)]
    return [promise for promise in able if promise.claim_together is not None]


def needs_judgement(engine: Engine, options: Options) -> bool:
    """Whether documents may leave only when all of them have been judged together."""
    of_release = any(promise.claim.scope is Scope.RELEASE for promise in engine.bound.guarantees)
    return engine.spec.follow or of_release or is_told_by_path(options)


def is_told_by_path(options: Options) -> bool:
    """Whether folders or file names tell what is hidden. They are the same in the output, so the release tells it too."""
    return options.truth in TOLD_BY_PATH


def check_labels(sanitizer: Sanitizer, viewer: str | None, labels: Path | None) -> None:
    """Refuse labels that cannot be used before the documents are done, not after."""
    if labels is None:
        return
    from efface.knowledge.identifiers.corpus import read_labelled

    read_labelled(labels)
    promises = sanitizer.bind(viewer).guarantees
    if not any(isinstance(promise, HasReleaseTest) for promise in promises):
        raise UsageError(
            "The policy has no guarantee about a whole release, such as `identifiers`, that labels could serve.",
            "Leave --labels out.",
        )


def judge(
    engine: Engine, manifest: Manifest, root: Path, options: Options, labels: Path | None, withdraw: Withdraw
) -> Judgement:
    """Withdraw what linked documents disclose together, attack the rest, and say what holds."""
    outcomes: list[tuple[dict[str, Any], Verdict]] = []
    left_out = not_looked_for(Coverage(gaps=engine.bound.unasked))
    notes: list[str] = [left_out] if left_out else []
    withdrawn = 0
    if engine.spec.follow:
        judges = judges_of_linked(engine)
        linked = _check_stated(manifest, options, notes)
        withdrawn = _withdraw_linked(judges, manifest, withdraw)
        for judge_of in judges:
            if judge_of.claim_together is not None:
                outcomes.append((claim_data(judge_of.claim_together), linked))
    hidden_by = {late.name for late in engine.bound.late}
    for claim, verdict in manifest.claims():
        if claim["name"] in hidden_by and is_told_by_path(options):
            verdict = _beside_paths(verdict, options, notes)
        if claim["scope"] != Scope.RELEASE:
            outcomes.append((claim, verdict))
    for promise in engine.bound.guarantees:
        if promise.claim.scope is Scope.RELEASE:
            outcomes.append((claim_data(promise.claim), _tested(promise, root, labels, notes)))
    count, size, digest = _released(manifest)
    overall = worst(verdict for _, verdict in outcomes)
    return Judgement(overall, tuple(outcomes), count, size, digest, withdrawn, tuple(notes))


def _beside_paths(verdict: Verdict, options: Options, notes: list[str]) -> Verdict:
    """Unproven: the paths that leave name the class or the person that the claim hides."""
    notes.append(
        f"The {options.truth} of every document tells what is hidden, and is the same in the output. Put it into a column, "
        "or rename what leaves."
    )
    return worst((verdict, Verdict.UNPROVEN))


def _check_stated(manifest: Manifest, options: Options, notes: list[str]) -> Verdict:
    """Unproven where the options name a subject or link that documents lack: most likely a mistyped name. Such
    documents cannot be linked, so nothing is proven of linked ones."""
    verdict = Verdict.HELD
    for kind, stated in (("subject", options.subject), ("link", options.links)):
        missing, documents = manifest.documents_without(kind) if stated else (0, 0)
        if missing:
            notes.append(
                f"{missing:,} of {documents:,} documents do not tell what --{kind} names: they are judged alone."
            )
        if missing and missing == documents:
            verdict = Verdict.UNPROVEN
    return verdict


def _withdraw_linked(judges: Sequence[JudgesTogether], manifest: Manifest, withdraw: Withdraw) -> int:
    """In every group of linked documents the first ones stay, as long as all that stay are safe together."""
    count = 0
    for group in _groups(manifest):
        terms = [manifest.terms(path, part) for path, part in group]
        if _safe(judges, set().union(*terms)):
            continue
        kept: set[tuple[str, str]] = set()
        for (path, part), left in zip(group, terms, strict=True):
            if _safe(judges, kept | left):
                kept |= left
            else:
                withdraw(path, part, _LINKED)
                count += 1
    return count


def _safe(judges: Sequence[JudgesTogether], terms: Collection[tuple[str, str]]) -> bool:
    return all(promise.is_safe_together(terms) for promise in judges)


def _groups(manifest: Manifest) -> Iterator[list[tuple[bytes, int]]]:
    """Documents linked by a chain of tokens, each group and its documents in the order of their names."""
    parents: dict[tuple[bytes, int], tuple[bytes, int]] = {}

    def root(mark: tuple[bytes, int]) -> tuple[bytes, int]:
        while (above := parents.setdefault(mark, mark)) != mark:
            parents[mark] = parents[above]
            mark = above
        return mark

    last: tuple[str, tuple[bytes, int]] | None = None
    for token, path, part in manifest.linked():
        mark = (path, part)
        if last is not None and last[0] == token:
            first, second = sorted((root(last[1]), root(mark)))
            parents[second] = first
        last = (token, mark)
    groups: dict[tuple[bytes, int], list[tuple[bytes, int]]] = {}
    for mark in sorted(parents):
        groups.setdefault(root(mark), []).append(mark)
    yield from groups.values()


def _tested(promise: Guarantee, root: Path, labels: Path | None, notes: list[str]) -> Verdict:
    """The verdict on a guarantee about the whole release. One that cannot be tested is not proven."""
    test = promise.release_test if isinstance(promise, HasReleaseTest) else None
    if test is None:
        notes.append(f"`{promise.claim.name}` speaks of the whole release, and nothing here can test it.")
        return Verdict.UNPROVEN
    return _attacked(test, root, labels, notes)


def _attacked(test: ReleaseTest, root: Path, labels: Path | None, notes: list[str]) -> Verdict:
    """The verdict by what a retrained attacker finds. Without labels no attacker can be trained: unproven."""
    if labels is None:
        notes.append("No labels were given, so no attacker could be trained on the release: give --labels.")
        return Verdict.UNPROVEN
    from efface.batch.release_attack import ReleaseTarget, attack, read_release
    from efface.knowledge.identifiers.files import load

    model = load(test.model)
    wanted = ReleaseTarget(test.limit, test.budget, model.settings.loss_ratio, model)
    try:
        found = attack(read_release(root, labels), wanted)
    except EffaceError as error:
        notes.append(error.message)
        return Verdict.UNPROVEN
    notes += [
        f"{one.type}: a retrained attacker finds {one.found_share:.2%} of the labelled words; the limit is {found.limit:.2%}."
        for one in found.types
    ]
    if found.unlabelled:
        notes.append(f"{found.unlabelled:,} released files have no labels and were not attacked.")
    return found.verdict


def _released(manifest: Manifest) -> tuple[int, int, str]:
    """How many documents, how many bytes, and a digest of the released files' digests in their order."""
    digest = hashlib.sha256()
    for (output,) in manifest.select(
        "SELECT output FROM documents WHERE state = 'done' AND part = -1 "
        "UNION ALL SELECT output FROM containers WHERE state = 'done' ORDER BY output"
    ):
        digest.update(f"{output}\n".encode())
    row = manifest.select(
        "SELECT count(*), coalesce(sum(released), 0) FROM documents WHERE state = 'done'"
    ).fetchone()
    return int(row[0]), int(row[1]), digest.hexdigest()
