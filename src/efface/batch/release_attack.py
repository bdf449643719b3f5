"""A release and the attack on it: files and labels in, a verdict out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from efface.attacks.release import Attack, Residue, Trial, attack_release, carry, upper_share, worst
from efface.attacks.release_bounds import Assumptions, TheoremBound, bounds
from efface.attacks.tradeoff import TradeoffPoint
from efface.core import Verdict
from efface.errors import InputError, UsageError
from efface.files.local import write_output
from efface.formats.file_text import text_of
from efface.knowledge.identifiers.corpus import LabelledText, read_labelled, token_labels
from efface.knowledge.identifiers.files import load as load_model
from efface.knowledge.identifiers.model import GreedyModel
from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.features import Flags
from efface.learners.greedy import Counts
from efface.learners.tokens import Tokens, tokenize
from efface.policy.guarantee_entries import IdentifiersEntry
from efface.policy.model import load as load_policy

_LIMIT = 0.01  # share of the words that the attacker may find, unless the policy says otherwise
_LOSS_RATIO = 10.0  # false alarms that a missed identifier is worth (L/C), as in training


@dataclass(frozen=True, slots=True)
class ReleaseTarget:
    """What the release is held to, and the model behind it when it is known."""

    limit: float = _LIMIT
    budget: int | None = None
    loss_ratio: float = _LOSS_RATIO
    model: GreedyModel | None = None
    assumed: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        policy: Path | None,
        limit: float | None,
        budget: int | None,
        loss_ratio: float | None,
        assumed: Mapping[str, float],
    ) -> ReleaseTarget:
        """What the policy asks for. What the command line says counts instead."""
        target = cls(assumed=assumed)
        if policy is not None:
            entry = _entry(policy)
            model = load_model(policy.parent / entry.model)
            target = cls(entry.limit, entry.budget, model.settings.loss_ratio, model, assumed)
        if limit is not None:
            target = replace(target, limit=limit)
        if budget is not None:
            target = replace(target, budget=budget)
        return target if loss_ratio is None else replace(target, loss_ratio=loss_ratio)


def _entry(policy: Path) -> IdentifiersEntry:
    found = [entry.identifiers for entry in load_policy(policy).guarantees if entry.identifiers is not None]
    if len(found) != 1:
        raise UsageError(
            "The policy must have one guarantee `identifiers`.", "Give --limit and --budget without a policy."
        )
    return found[0]


@dataclass(frozen=True, slots=True)
class TypeAttack:
    """The attack on one type of identifiers by the attacker that found most, with the bounds of theory beside it.

    `upper`: the share that no attacker would exceed on other documents of the same kind, except by chance.
    """

    type: str
    attack: Attack
    identifiers: int
    budget: int
    assumptions: Assumptions
    bounds: tuple[TheoremBound, ...]
    trials: tuple[Trial, ...] = ()
    upper: float = 0.0

    @property
    def found_share(self) -> float:
        return self.attack.found(self.budget) / max(1, self.identifiers)

    def verdict(self, limit: float, all_labelled: bool = True) -> Verdict:
        """Broken when the share found exceeds the limit. Held when its upper bound does not, or when no identifier is
        left to find and every released file has labels: nobody knows what is left in the others. Unproven otherwise."""
        if self.found_share > limit:
            return Verdict.BROKEN
        nothing_left = all_labelled and not self.attack.counts.sensitive
        return Verdict.HELD if self.upper <= limit or nothing_left else Verdict.UNPROVEN

    def tried(self) -> list[dict[str, Any]]:
        """Every attacker, with what it found for each of its budgets."""
        rows = []
        for trial in self.trials:
            found = {str(budget): trial.attack.found(budget) for budget in trial.attack.budgets}
            rows.append({"learner": trial.learner, "seed": trial.seed, "found": found})
        return rows

    def as_dict(self) -> dict[str, Any]:
        counts, ratio = self.attack.counts, self.attack.ratio(self.budget)
        given = asdict(self.assumptions).items()
        assumptions = {name: _finite_or_none(value) for name, value in given if value is not None}
        return {
            "type": self.type,
            "words": counts.total,
            "identifiers": self.identifiers,
            "left": counts.sensitive,
            "learners": list(dict.fromkeys(self.attack.learners)),
            "budget": self.budget,
            "found": self.attack.found(self.budget),
            "found_share": round(self.found_share, 6),
            "found_share_upper": round(self.upper, 6),
            "trials": self.tried(),
            "by_chance": round(self.attack.by_chance(self.budget), 4),
            "ratio": None if ratio is None else round(ratio, 4),
            "utility": round(self.attack.found(self.budget) * self.assumptions.loss_ratio, 4),
            "utility_by_chance": round(self.attack.by_chance(self.budget) * self.assumptions.loss_ratio, 4),
            "true_positives": counts.true_positives,
            "false_positives": counts.false_positives,
            "assumptions": assumptions,
            "bounds": [_bound(one) for one in self.bounds],
        }


@dataclass(frozen=True, slots=True)
class ReleaseAttack:
    """The verdict on a release: the worst over its types.

    Where the labels know no identifier, nothing was attacked, and nothing is proven.
    """

    types: tuple[TypeAttack, ...]
    documents: int
    unlabelled: int  # released files that the labels do not know
    limit: float

    @property
    def verdict(self) -> Verdict:
        if not any(one.identifiers for one in self.types):
            return Verdict.UNPROVEN
        all_labelled = not self.unlabelled
        verdicts = {one.verdict(self.limit, all_labelled) for one in self.types if one.identifiers}
        return next(
            (one for one in (Verdict.BROKEN, Verdict.UNPROVEN) if one in verdicts),
            Verdict.HELD,
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict.value,
            "documents": self.documents,
            "unlabelled": self.unlabelled,
            "limit": self.limit,
            "types": [one.as_dict() for one in self.types],
        }


@dataclass(frozen=True, slots=True)
class Release:
    """Released texts beside their labelled originals, in tokens."""

    documents: tuple[tuple[LabelledText, Tokens, Tokens], ...]
    unlabelled: int = 0  # files that the labels do not know

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(sorted({span.type for document, _, _ in self.documents for span in document.spans}))

    def residues(self, type_: str) -> list[Residue]:
        found = []
        for document, before, after in self.documents:
            labels = token_labels(before, document.spans, type_)
            found.append(Residue(after, carry(labels, before, after), len(before), int(labels.sum())))
        return found


def read_release(folder: Path, labels: Path) -> Release:
    """Every file of the folder whose labels are known. A file is named like its document, with any ending."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder.", "Give the folder with the released files.")
    known = _by_name(read_labelled(labels))
    found = []
    matched: set[str] = set()
    unlabelled = 0
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        name = path.relative_to(folder).as_posix()
        document = known.get(name) or known.get(name.removesuffix(path.suffix)) or known.get(path.stem)
        if document is None:
            unlabelled += 1
        elif document.name in matched:
            raise InputError(
                "Two released files have the name of one labelled document.",
                "Name the labelled documents by their path in the release.",
            )
        else:
            matched.add(document.name)
            found.append((document, tokenize(document.text), tokenize(text_of(path))))
    if not any(len(after) for _, _, after in found):
        raise InputError(
            "No released file has labels.", "Name the labelled documents like the released files."
        )
    return Release(tuple(found), unlabelled)


def _by_name(documents: Sequence[LabelledText]) -> dict[str, LabelledText]:
    """By name, and by name without ending where that says which one is meant."""
    stems = Counter(Path(document.name).stem for document in documents)
    named = {document.name: document for document in documents}
    if len(named) < len(documents):
        raise InputError("Two labelled documents have one name.", "Name each like its released file.")
    return {stem: d for d in documents if stems[stem := Path(d.name).stem] == 1} | named


def attack(
    release: Release,
    wanted: ReleaseTarget,
    seed: int = 0,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
) -> ReleaseAttack:
    """Every type attacked in turn."""
    types = []
    for number, type_ in enumerate(release.types):
        types.append(_attack_type(type_, release.residues(type_), wanted, seed))
        watch(number + 1, len(release.types))
    return ReleaseAttack(tuple(types), len(release.documents), release.unlabelled, wanted.limit)


def _attack_type(type_: str, residues: Sequence[Residue], wanted: ReleaseTarget, seed: int) -> TypeAttack:
    trials = attack_release(residues, seed)
    most, budget = worst(trials, wanted.budget)
    done = most.attack
    words = sum(residue.original_tokens for residue in residues)
    identifiers = sum(residue.original_sensitive for residue in residues)
    given = Assumptions(wanted.loss_ratio, words, identifiers / max(1, words), **wanted.assumed)  # type: ignore[arg-type]
    if wanted.model is not None and given.v is None:
        given = replace(given, v=wanted.model.space.width + 1)
    assumptions = given.estimated(done.counts, _last_counts(wanted.model, type_))
    theory = tuple(bounds(done, budget, assumptions))
    upper = upper_share(trials, wanted.budget, [residue.original_sensitive for residue in residues])
    return TypeAttack(type_, done, identifiers, budget, assumptions, theory, tuple(trials), upper)


def _last_counts(model: GreedyModel | None, type_: str) -> Counts | None:
    """What the last round of training counted for a type, if the model has learned it."""
    for category in model.categories if model is not None else ():
        if category.type == type_:
            return category.rounds[-1].counts
    return None


def _bound(one: TheoremBound) -> dict[str, Any]:
    return {
        "theorem": one.theorem,
        "quantity": one.quantity,
        "bound": _finite_or_none(one.bound),
        "measured": _finite_or_none(one.measured),
        "vacuous": one.vacuous,
        "does_not_apply": one.why_not,
    }


def _finite_or_none(value: float | None) -> float | None:
    """The bound for JSON, which has no infinity: an infinite bound is null."""
    return None if value is None or not math.isfinite(value) else round(value, 6)


def chosen_labels(material: TrainingTexts, type_: str | None) -> Flags:
    """The tokens of one type, or of all."""
    if type_ is None:
        every: Flags = np.any(list(material.labels.values()), axis=0)
        return every
    if type_ not in material.labels:
        raise UsageError("The data has no labels of this type.", f"It has {', '.join(material.labels)}.")
    return material.labels[type_]


def draw(points: Sequence[TradeoffPoint], best: TradeoffPoint, path: Path, *, force: bool = False) -> None:
    """The share of identifiers left, and found, against the share of words published."""
    import io

    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("A picture needs matplotlib.", "Install efface[experiments].") from None
    figure = Figure(figsize=(5.2, 3.6), layout="constrained")
    axes = figure.subplots()
    published = [100 * point.published for point in points]
    axes.plot(published, [100 * point.left for point in points], marker="o", label="left")
    axes.plot(published, [100 * point.found for point in points], marker="s", label="found by the attacker")
    for point in points:
        axes.annotate(f"{point.loss_ratio:g}", (100 * point.published, 100 * point.left), fontsize=7)
    axes.axvline(100 * best.published, color="0.6", linestyle=":", label=f"knee, L/C = {best.loss_ratio:g}")
    axes.set_xlabel("words published, %")
    axes.set_ylabel("identifiers, %")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.25)
    buffer = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".")
    figure.savefig(
        buffer, format=kind, dpi=110, metadata={"Software": None} if kind == "png" else {"Date": None}
    )
    write_output(path, buffer.getvalue(), force=force)
