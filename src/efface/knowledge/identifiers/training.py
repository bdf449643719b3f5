"""From labelled texts to a model: one GreedySanitize a category, over features extracted once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from efface.errors import InputError, Refused
from efface.knowledge.identifiers.corpus import LabelledText, token_labels
from efface.knowledge.identifiers.model import GreedyModel, IdentifierSettings, TypeRounds
from efface.knowledge.identifiers.related import related
from efface.learners.crossfit import HALVES, CrossFit, parts
from efface.learners.features import FeatureLexicon, FeatureView, Flags, SentenceArrays, Space
from efface.learners.greedy import Round, greedy
from efface.learners.selection import learner
from efface.learners.tokens import Tokens, tokenize

RELATED = "{}_CONTEXT"  # the type of words that go with identifiers of a type


@dataclass(frozen=True)
class TrainingTexts:
    """Labelled texts in tokens: what every round of every category learns from."""

    texts: tuple[Tokens, ...]
    labels: Mapping[str, Flags]  # a type to its tokens, over all texts in turn
    view: FeatureView
    words: tuple[str, ...]  # by their ids in the view

    @classmethod
    def of(cls, documents: Sequence[LabelledText], confidence: float = 0.0) -> TrainingTexts:
        """The labelled texts as arrays. With a confidence, words that give an identifier away are labelled, too."""
        texts = tuple(tokenize(document.text) for document in documents)
        if not any(map(len, texts)):
            raise InputError("The labelled texts hold no words.", "Check the file.")
        types = dict.fromkeys(span.type for document in documents for span in document.spans)
        labels: dict[str, Flags] = {}
        for type_ in types:
            parts = [token_labels(t, d.spans, type_) for t, d in zip(texts, documents, strict=True)]
            labels[type_] = np.concatenate(parts)
            if confidence:
                tied = np.concatenate(related(texts, parts, confidence))
                if tied.any():
                    labels[RELATED.format(type_)] = tied
        lexicon = FeatureLexicon()
        sentences = SentenceArrays.of(texts, lexicon)
        space = Space.build(sentences, lexicon.words)
        words = lexicon.words
        return cls(texts, labels, FeatureView(sentences, space, space.rows(words)), words)

    @cached_property
    def of_sentence(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The number of the document that each sentence belongs to."""
        return np.repeat(np.arange(len(self.texts)), [len(tokens.firsts) for tokens in self.texts])


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """What is reported after every round: the type, the round's number, and the model so far."""

    type: str
    number: int
    round: Round
    so_far: GreedyModel
    found: Flags
    material: TrainingTexts


TrainingListener = Callable[[TrainingProgress], None]


def fingerprint(documents: Sequence[LabelledText], settings: IdentifierSettings) -> str:
    """What a run depends on, so that one which was interrupted resumes only with the same."""
    mark = hashlib.sha256(repr(settings).encode())
    for document in documents:
        mark.update(repr((document.text, document.spans)).encode("utf-8", "surrogatepass"))
    return mark.hexdigest()


def train(
    documents: Sequence[LabelledText],
    settings: IdentifierSettings,
    watch: TrainingListener = lambda _progress: None,
    resume: GreedyModel | None = None,
) -> GreedyModel:
    """The model, or a refusal when too few words remain at the stop to trust what was counted on them."""
    material = TrainingTexts.of(documents, settings.related)
    known = {category.type: category for category in resume.categories} if resume else {}
    chosen = learner(settings.learner, settings.seed)
    honest = CrossFit(chosen, settings.aimed, parts(material.of_sentence, HALVES, settings.seed))
    done: list[TypeRounds] = []
    for type_, sensitive in material.labels.items():
        rounds: list[Round] = []
        earlier = [step.classifier for step in known[type_].rounds] if type_ in known else []
        left = material.view
        for step in greedy(left, sensitive, honest, settings.costs, earlier):
            rounds.append(step)
            so_far = GreedyModel(material.view.space, (*done, TypeRounds(type_, tuple(rounds))), settings)
            found = honest.judge(step.classifier, left)
            watch(TrainingProgress(type_, len(rounds), step, so_far, found, material))
            left = left.without(found) if step.pays else left
        done.append(TypeRounds(type_, tuple(rounds)))
        _check_remaining(rounds[-1], settings)
    return GreedyModel(material.view.space, tuple(done), settings)


def _check_remaining(last: Round, settings: IdentifierSettings) -> None:
    if last.counts.total < settings.min_remaining:
        raise Refused(
            f"Only {last.counts.total} labelled words remain where learning stopped: too few to say what an "
            "attacker would find. Nothing should be published with these classifiers.",
            "Label more text, lower the loss ratio, or set --min-remaining.",
        )
