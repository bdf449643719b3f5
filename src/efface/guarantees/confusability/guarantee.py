"""k-confusability: the true class ranks k-th or worse for every trained reader; ties count against us.

The readers (`efface.knowledge.classes.readers`) judge the text as it is, efface's own words among them. The
class's own names go whatever the ranking says. A plan aims at a secret rank between k and 2k for each reader, so that
rank k reveals nothing; the claim states k.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap

import numpy as np

from efface.core import (
    Claim,
    Document,
    Finding,
    Gap,
    GapKind,
    Measure,
    Optimality,
    Plan,
    Reading,
    Span,
)
from efface.errors import PolicyError, UsageError
from efface.guarantees.abilities import Level, Ranking, strengths
from efface.guarantees.confusability.broader_words import BroaderWords, WiderWords
from efface.guarantees.confusability.class_ranks import ConfusabilityLook, Looks
from efface.guarantees.confusability.disguised_choice import DisguisedChoice
from efface.guarantees.confusability.edits import (
    disjoint,
    edited,
    new_edit,
    rank_of,
    suppressed,
    terms_of,
    whole_words,
)
from efface.guarantees.confusability.explanation import class_explanation
from efface.guarantees.confusability.secret_depth_check import DepthCheck
from efface.guarantees.confusability.secret_depths import SecretDepths
from efface.guarantees.confusability.slider import Sensitivity
from efface.guarantees.confusability.suppression_choice import SuppressionChoice, aim_of, fixed_scores
from efface.guarantees.secret_rank import SecretRank, few_ranks, too_few
from efface.knowledge.classes.model import ClassModel, LabelledDocument
from efface.knowledge.classes.readers import NAIVE_BAYES
from efface.solvers.confusability.curve import Curve
from efface.solvers.confusability.objectives import OBJECTIVES
from efface.solvers.confusability.solve import METHODS, steps_needed, suppression_order
from efface.text.folding import fold_term

NAME = "k-confusability"
THRIFT = 0.25  # times the mean worth of the document's words


def number_of_others(k: int) -> str:
    """How many hide one among k, in words."""
    return "1 other" if k == 2 else f"{k - 1} others"


@dataclass(frozen=True, slots=True)
class Confusability:
    """The promise for one document. Without `truth` it is a template: `bind` it to a document first."""

    model: ClassModel
    k: int
    readers: tuple[str, ...] = ()  # of those in the model; empty: all
    truth: str | None = field(default=None, repr=False)
    guessed: bool = False  # the class is the model's best guess
    guess_allowed: bool = False  # the policy says that a guess will do
    unlearned: bool = False  # the reader is one who knows the corpus but for this document
    keep: tuple[str, ...] = field(default=(), repr=False)  # the document's categories that should show
    keep_margin: float | None = None  # how far ahead the category must stay; None: as far as it can be kept
    method: str = "lp"
    objective: str = ""  # empty: OVALogOdds against naive Bayes alone, else as few words as possible
    thrift: float = THRIFT  # what any word that stays is worth, beside its use to the categories
    per_occurrence: bool = False
    time_limit: float = 10.0
    rare: int | None = None  # words that so many classes or fewer use go, whatever the ranking says
    generalise: WiderWords | None = field(default=None, repr=False)
    secret: SecretRank | None = field(default=None, repr=False)  # None: the rank to reach is k, known to all
    ranks: tuple[Mapping[str, int], ...] = field(default=(), repr=False, compare=False)  # to reach; `_drawn`
    # The text before anything was removed: ranks follow from it.
    text: str = field(default="", repr=False, compare=False)
    looks: Looks | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.k < 2:
            raise PolicyError(f"`{NAME}`: k counts the true one too.", "Give 2 or more.")
        if self.method not in METHODS:
            raise PolicyError(f"`{NAME}` has no such method.", f"Choose one of {', '.join(METHODS)}.")
        if self.objective and self.objective not in OBJECTIVES:
            raise PolicyError(f"`{NAME}` has no such objective.", f"Choose one of {', '.join(OBJECTIVES)}.")
        if self.secret is not None and self.k >= len(self.model.sensitive.names):
            compared = "people" if self.model.of_people else "classes"
            raise too_few(NAME, self.k, len(self.model.sensitive.names), compared)
        if missing := [name for name in self.readers if name not in self.model.readers]:
            raise PolicyError(
                f"`{NAME}`: the model has no reader {missing[0]}.",
                f"It has {', '.join(self.model.readers)}; `efface train classes` makes all of them.",
            )
        if self.per_occurrence and (
            self.model.settings.ngrams > 1 or self.names_of_readers != (NAIVE_BAYES,)
        ):
            raise PolicyError(
                f"`{NAME}`: `per-occurrence` is for naive Bayes over single words alone.",
                f"Set `readers: [{NAIVE_BAYES}]`, or leave it out.",
            )

    @property
    def names_of_readers(self) -> tuple[str, ...]:
        """The readers that the promise is about."""
        return self.readers or self.model.readers

    def as_template(self) -> Confusability:
        """The promise free of any document, to be bound to others."""
        return replace(self, truth=None, guessed=False, keep=(), ranks=(), text="", looks=None)

    def bind(
        self, text: str, truth: str | None = None, keep: Iterable[str] = (), *, in_corpus: bool = False
    ) -> Confusability:
        """The promise for the document with this text, before anything is removed from it.

        Without `truth` (from the policy or the metadata) the model's best guess is hidden, and `guessed` says
        so. With `in_corpus` the model first unlearns the document: its reader is one who does not have it.
        """
        if truth is None and in_corpus:
            raise UsageError(
                "To unlearn a document its class must be given.", "Give it, or leave `in_corpus`."
            )
        guessed = truth is None
        name = self.model.best_guess(text) if truth is None else truth
        secret, useful = self.model.sensitive, self.model.utility
        name = secret.names[secret.index(name)]  # as the model writes it: its other names are known by that
        given = tuple(useful.names[useful.index(one)] for one in keep)
        model = self.model.without(LabelledDocument(text, name, given)) if in_corpus else self.model
        categories = given or self._best_category(text)
        return replace(
            self,
            model=model,
            truth=name,
            guessed=guessed,
            keep=categories,
            unlearned=in_corpus,
            ranks=self._drawn(text),
            text=text,
            looks=Looks(),
        )

    def _drawn(self, text: str) -> tuple[Mapping[str, int], ...]:
        """The ranks to reach, tried in order. Without a secret each is k."""
        if self.secret is None:
            return (dict.fromkeys(self.names_of_readers, self.k),)
        return self._depths(text).drawings

    def _depths(self, text: str) -> SecretDepths:
        """The secret numbers of one document."""
        assert self.secret is not None
        return SecretDepths(self.secret, self.k, text, self.names_of_readers, len(self.model.sensitive.names))

    def _best_category(self, text: str) -> tuple[str, ...]:
        useful = self.model.utility
        if not useful.names:
            return ()
        return (useful.names[int(np.argmax(useful.scores(*self.model.bag(text))))],)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reviewer should know about how the promise was bound."""
        notes = [*few_ranks(self.secret, self.k, len(self.model.sensitive.names))]
        if self.guessed:
            notes.append("the document's class was not given: the model's best guess is hidden")
        if self.model.others_dropped:
            notes.append(
                "classes learned at run time are known to naive Bayes alone: other readers have no part"
            )
        return tuple(notes)

    @property
    def is_proven(self) -> bool:
        """A guessed class may be the wrong one; then nothing is hidden."""
        return not self.guessed or self.guess_allowed

    def gaps(self, document: Document) -> Iterator[Gap]:
        """A guessed class may be the wrong one, and then nothing is hidden."""
        if self.guessed:
            yield Gap(
                GapKind.GUESS,
                NAME,
                "the class to hide was not given, and a guess may be wrong",
                "Give `truth`, or write `truth: guess` if the model's best guess will do.",
                self.guess_allowed,
            )

    @property
    def strength(self) -> int:
        return self.k

    def with_strength(self, strength: int) -> Confusability:
        """This guarantee for another k, with ranks drawn again: a rank that is always k would reveal the truth."""
        changed = replace(self, k=strength)
        return replace(changed, ranks=changed._drawn(self.text))

    def levels(self, reading: Reading) -> Iterator[Level]:
        """What goes for each k. A k that no choice of words gives is left out."""
        offered = strengths(self.k, len(self.model.sensitive.names) - (self.secret is not None))
        slider = self.sensitivity(reading, max(offered, default=1))
        for k in offered:
            steps = slider.needed(k)
            if steps is not None:
                yield k, {(span.start, span.end) for span in slider.spans(k, steps)}

    def shown(self, reading: Reading, strengths: Sequence[int]) -> Mapping[int, float]:
        """How surely a trained reader still recognises the categories that should show."""
        if not self.keep:
            return {}
        slider = self.sensitivity(reading, max(strengths))
        shares = {}
        for k in strengths:
            chances = dict(slider.at(k, slider.needed(k) or 0).utility)
            shares[k] = sum(chances.get(name, 0.0) for name in self.keep)
        return shares

    def ranking(self, text: str) -> Ranking | None:
        """The classes as a trained reader of the text would guess them. A tie counts against us."""
        if self.truth is None:
            return None
        labels = self.model.sensitive
        scores = self.model.scores(text)
        truth = labels.index(self.truth)
        rank = rank_of(scores, truth)
        others = [int(label) for label in (-scores).argsort(kind="stable") if label != truth]
        order = [*others[: rank - 1], truth, *others[rank - 1 :]]
        readers = {name: 1 + ahead for name, ahead in self._fresh_look(text).ahead.items()}
        return Ranking(tuple(labels.names[label] for label in order), self.truth, rank, self.k, readers)

    @property
    def claim(self) -> Claim:
        return Claim(
            name=NAME,
            sentence=f"To each reader trained on the classes ({', '.join(self.names_of_readers)}), {number_of_others(self.k)} or more fit "
            "the released text strictly better than the true one, which is not named, or nothing of it is left that this reader knows.",
            unit="1 / rank of the class",
            legend="tells the class",
            title="Which class it could be (k-confusability)",
            parameters={
                "k": self.k,
                "classes": len(self.model.sensitive.names),
                "readers": ", ".join(self.names_of_readers),
                "secret_rank": self.secret is not None,
                "rare": -1 if self.rare is None else self.rare,
                "method": self.method,
                "objective": aim_of(self.objective, self.names_of_readers, self.keep_margin),
                "per_occurrence": self.per_occurrence,
                "class_guessed": self.guessed,
                "reader_without_document": self.unlearned,
            },
        )

    # --- assess -------------------------------------------------------------------------------------------

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        look, truth = self._look(reading.document.text), self._truth
        findings = []
        if look.names:
            terms = terms_of({fold_term(truth): look.names}, "the class's own name", NAME)
            findings.append(Finding(NAME, truth, terms, float(len(look.names)), 0.0, "the class is named"))
        if rare := self._rare(look, reading.inserted):
            findings.append(rare)
        if min(look.ahead_as_written.values()) < self.k - 1:
            findings.append(self._ranking(look, reading.inserted))
        elif look.least_ahead < self.k - 1:
            findings.append(DisguisedChoice(look, reading.inserted).finding(NAME, self.k))
        return tuple(findings)

    def explain(self, finding: Finding) -> str:
        return class_explanation(finding)

    def names(self, text: str) -> tuple[Span, ...]:
        """The places of the class's own names."""
        return self._look(text).names

    def _rare(self, look: ConfusabilityLook, inserted: Sequence[Span]) -> Finding | None:
        """Words of which the corpus knows too little to say whom they point to."""
        if self.rare is None:
            return None
        terms = terms_of(look.rare_words(self.rare, inserted), "rare", NAME)
        if not terms:
            return None
        because = f"words that at most {self.rare} of the classes use"
        return Finding(NAME, self._truth, terms, float(len(terms)), 0.0, because)

    def _look(self, text: str) -> ConfusabilityLook:
        """The text as the readers see it; a bound promise looks at the same text once."""
        looks = self.looks if self.looks is not None else Looks()
        return looks.at(text, self.model, self._truth, self.names_of_readers)

    def _ranking(self, look: ConfusabilityLook, inserted: Sequence[Span]) -> Finding:
        """The finding that the ranking reveals the class; its terms are those that SIMPLEREDACTOR would suppress."""
        view, ahead = look.view(inserted, whole_words(look.text, look.names)), look.least_ahead
        problem = self.choice.problem(view)
        rivals = problem.ranked(problem.sizes)[: self.k - 1]
        order = suppression_order(problem, rivals)
        steps = steps_needed(problem, order)
        places = {view.units[unit]: starmap(Span, view.places[unit]) for unit in order[:steps]}
        nearest = ", ".join(self.model.sensitive.names[rival] for rival in rivals)
        told = ", ".join(name for name, count in look.ahead.items() if count < self.k - 1)
        because = f"{ahead} of the {self.k - 1} classes needed rank higher for {told}; nearest: {nearest}"
        return Finding(NAME, self._truth, terms_of(places, NAME, NAME), 1 / (1 + ahead), 1 / self.k, because)

    @property
    def _truth(self) -> str:
        if self.truth is None:
            raise UsageError(f"`{NAME}` does not know the class to hide.", "Bind it to the document first.")
        return self.truth

    # --- plan ---------------------------------------------------------------------------------------------

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        if not findings:
            return Plan((), optimality=Optimality.PROVED)
        text = reading.document.text
        look = self._look(text)
        names = whole_words(text, look.names)
        rare = look.rare_words(self.rare, reading.inserted) if self.rare is not None else {}
        gone = [*names, *(span for spans in rare.values() for span in spans)]
        view = look.view(reading.inserted, gone)
        choice = replace(self.choice, evidence_of=look.evidence)
        edits = [new_edit(span, fold_term(self._truth), "the class's own name") for span in names]
        edits += [new_edit(span, key, "rare") for key, spans in rare.items() for span in spans]

        check = self._check
        solution = choice.deepened(view, check.depths)
        merged = disjoint([*edits, *suppressed(view, solution.kept)])
        merged = DisguisedChoice(look, reading.inserted).added(merged, check)
        if self.generalise is not None:
            broader = BroaderWords(text, merged, self.generalise, check.as_deep_as(edited(text, merged)))
            merged = broader.placed(choice.most_valuable(view, solution))
        extra = float(len(names)) if choice.is_counting else 0.0
        return Plan(
            merged,
            solution.cost + extra,
            solution.optimality,
            solution.lower_bound + extra,
            (self._measure(look),),
            choice.note(text, view, solution, len(names)),
        )

    def _measure(self, look: ConfusabilityLook) -> Measure:
        """The class's place for the reader that comes nearest, as the chance that the first guess is right."""
        return Measure(self._truth, 1 / (1 + look.least_ahead), 1 / self.k, 1 / self.k)

    @property
    def _check(self) -> DepthCheck:
        depths = None if self.secret is None else self._depths(self.text)
        return DepthCheck(self._fresh_look, self.k, self.choice.ranks, depths)

    def _fresh_look(self, text: str) -> ConfusabilityLook:
        """A look at a text that is only tried: the last one kept is that of the document."""
        return ConfusabilityLook(text, self.model, self._truth, self.names_of_readers)

    @property
    def choice(self) -> SuppressionChoice:
        """The optimisation behind a plan."""
        return SuppressionChoice(
            model=self.model,
            truth=self._truth,
            k=self.k,
            readers=self.names_of_readers,
            ranks=self.ranks or (dict.fromkeys(self.names_of_readers, self.k),),
            keep=self.keep,
            keep_margin=self.keep_margin,
            method=self.method,
            objective=self.objective,
            thrift=self.thrift,
            per_occurrence=self.per_occurrence,
            time_limit=self.time_limit,
        )

    # --- the slider ---------------------------------------------------------------------------------------

    def sensitivity(self, reading: Reading, up_to: int) -> Sensitivity:
        """For each k up to `up_to`: the order in which words go, and the reader's view after each."""
        text = reading.document.text
        look = self._look(text)
        names = whole_words(text, look.names)
        view = look.view(reading.inserted, names)
        useful = self.model.utility
        base = fixed_scores(useful, view)
        curve = Curve.of(self.choice.problem(view), useful.rows(view.features), base, up_to)
        return Sensitivity(self.model, view, names, curve)
