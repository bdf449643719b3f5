"""k-confusability among everybody known: the person whom a text is about ranks k-th or worse for every reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from efface.core import Claim, Document, Finding, Gap, GapKind, Plan, Reading, Term
from efface.errors import PolicyError
from efface.guarantees.abilities import Ranking
from efface.guarantees.confusability.edits import TYPE, mention, new_edit, whole_words
from efface.guarantees.confusability.explanation import class_explanation
from efface.guarantees.confusability.guarantee import NAME, Confusability, number_of_others
from efface.guarantees.secret_rank import few_ranks
from efface.knowledge.classes.names import (
    Spelling,
    find_names,
    name_parts,
    person_part,
    short_person_parts,
    spellings,
)
from efface.knowledge.people.index import PeopleIndex
from efface.knowledge.people.person_key import person_key, written_otherwise
from efface.text.folding import fold_term


@dataclass(frozen=True, slots=True)
class PeopleConfusability:
    """The promise for one document. Every text is judged by a model of the people who come nearest to it.

    `template` is the promise over any such model. Its own model is that of a text without words.
    """

    index: PeopleIndex
    template: Confusability
    text: str = field(default="", repr=False)  # the document before anything was removed
    truth: str | None = field(default=None, repr=False)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)  # other names of people

    def bind(self, text: str, truth: str | None = None) -> PeopleConfusability:
        for name in self.aliases:
            is_truth = truth is not None and person_key(name) == person_key(truth)
            if not is_truth and self.index.number(name) is None:
                raise PolicyError(
                    f"`{NAME}`: other names are given for a person who is neither in the index nor to be hidden.",
                    "Check how the person is spelled under `aliases`: the other names would stay in the text.",
                )
        return replace(self, text=text, truth=truth)

    @property
    def is_known(self) -> bool:
        return self.truth is None or self.index.number(self.truth) is not None

    @property
    def is_proven(self) -> bool:
        return self.is_known and (self.truth is not None or self.template.guess_allowed)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = [*few_ranks(self.template.secret, self.template.k, self.index.most_compared)]
        if self.truth is None:
            notes.append("the person was not given: the likeliest one is hidden")
        elif not self.is_known:
            notes.append("the person is not in the index of people, and is treated as unknown")
        return tuple(notes)

    def gaps(self, document: Document) -> Iterator[Gap]:
        if self.truth is None:
            next_step = "Give `truth`, or write `truth: guess` if the likeliest person will do."
            yield Gap(
                GapKind.GUESS,
                NAME,
                "the person to hide was not given",
                next_step,
                self.template.guess_allowed,
            )
        elif not self.is_known:
            next_step = "Add the person with `efface train people --add`."
            yield Gap(GapKind.KNOWLEDGE, NAME, "the person to hide is not in the index of people", next_step)

    @property
    def claim(self) -> Claim:
        return replace(
            self._for("").claim,
            sentence=f"To each reader who knows the backgrounds of {len(self.index.names)} people, {number_of_others(self.template.k)} or "
            "more fit the released text strictly better than the true one, who is not named, or nothing of that person is "
            "left that this reader knows.",
            parameters=dict(self._for("").claim.parameters) | {"classes": len(self.index.names)},
        )

    def _for(self, text: str) -> Confusability:
        """The promise over the people who come nearest to this text, with the ranks of the original."""
        truth = self._hidden
        model = self.index.model(text, truth).with_aliases({truth: self._other_names(truth)})
        promise = replace(self.template, model=model)
        return replace(promise.bind(self.text, truth), guessed=self.truth is None)

    def _other_names(self, person: str) -> tuple[str, ...]:
        """Other names of the person: those in the policy, and other ways to write the name."""
        own = person_key(person)
        given = [
            other for name, others in self.aliases.items() if person_key(name) == own for other in others
        ]
        return (*written_otherwise(person), *given)

    def _names_of_unknown(self, person: str) -> tuple[Spelling, ...]:
        """How a text may name a person of whom the index knows nothing: whole names in both orders, and their parts."""
        other_names = self._other_names(person)
        whole = spellings(person, other_names)
        parts = [person_part(part, own=False) for part in name_parts(person, other_names)]
        return (*whole, *short_person_parts(person, other_names), *filter(None, parts))

    @property
    def _hidden(self) -> str:
        """The person as the index spells the name; without one given, the likeliest."""
        if self.truth is None:
            return self.index.model(self.text).best_guess(self.text)
        number = self.index.number(self.truth)
        return self.index.names[number] if number is not None else self.index.names[0]

    def ranking(self, text: str) -> Ranking | None:
        """The likeliest people, as a reader of the text would guess them."""
        return self._for(text).ranking(text) if self.is_known else None

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        if self.is_known:
            return self._for(reading.document.text).assess(reading)
        assert self.truth is not None
        spans = find_names(reading.document.text, self._names_of_unknown(self.truth))
        if not spans:
            return ()
        key = fold_term(self.truth)
        term = Term(key, TYPE, tuple(mention(span, key, "the person's own name") for span in spans), NAME)
        return (Finding(NAME, self.truth, (term,), float(len(spans)), 0.0, "the person is named"),)

    def explain(self, finding: Finding) -> str:
        return class_explanation(finding)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        if self.is_known:
            return self._for(reading.document.text).plan(reading, findings)
        text = reading.document.text
        spans = [m.span for finding in findings for term in finding.terms for m in term.mentions]
        key = fold_term(self.truth or "")
        edits = [new_edit(span, key, "the person's own name") for span in whole_words(text, tuple(spans))]
        return Plan(tuple(edits), float(len(edits)))
