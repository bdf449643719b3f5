"""The posts of a guessing game: labelled documents redacted at several k, and what automatic attackers make of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from efface.attacks.classes import AttackedDocument, attack_with_model, cross_fit
from efface.core import Document, Verdict
from efface.errors import EffaceError
from efface.guarantees.abilities import HidesClass
from efface.knowledge.classes import RecordFields, read_corpus_bytes
from efface.knowledge.classes.model import ClassModel, LabelledDocument
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy
from efface.service.game.guessing_game import GameRequest
from efface.service.problems import Problem

MODEL = "naive-bayes"
_CORPUS = 20_000  # documents that attackers learn from
_LONGEST = 20_000  # characters of a post


@dataclass(frozen=True, slots=True)
class Post:
    """One document at one k, as players see it, and the true class's rank for each automatic attacker."""

    document: int
    k: int
    truth: str = field(repr=False)
    text: str = field(repr=False)
    ranks: Mapping[str, int] = field(default_factory=dict)


def promise_of(bound: BoundPolicy) -> tuple[BoundPolicy, HidesClass]:
    """The policy's promise that a class is hidden, free of any document; and the policy without it."""
    opened = bound.at(Document("", "text", ""))
    for promise in opened.guarantees:
        if isinstance(promise, HidesClass):
            rest = tuple(g for g in opened.guarantees if g is not promise)
            return replace(opened, guarantees=rest), promise.as_template()
    raise Problem("policy", "The policy hides no class: the game needs `k-confusability`.")


def corpus_of(name: str, data: bytes, model: ClassModel) -> list[LabelledDocument]:
    """The labelled documents of a file, JSON lines or CSV, with the fields that the model was trained on."""
    fields = RecordFields(model.settings.sensitive, model.settings.utility)
    found = list(islice(read_corpus_bytes(name, data, fields), _CORPUS))
    known = set(model.sensitive.names)
    usable = [document for document in found if document.sensitive in known]
    if not usable:
        raise Problem("unreadable", "No document of the file has a class that the policy's model knows.")
    return usable


def make(
    bound: BoundPolicy, corpus: Sequence[LabelledDocument], wanted: GameRequest, seed: str
) -> list[Post]:
    """Posts with the ranks of the attackers, who do not have the document they attack."""
    rest, promise = promise_of(bound)
    chosen = _chosen(corpus, wanted.documents, seed)
    posts = [post for place in chosen for post in _redacted(rest, promise, place, corpus[place], wanted)]
    ranks: list[dict[str, int]] = [{} for _ in posts]
    cases = [_case(post, corpus[post.document]) for post in posts]
    if cases:
        after = attack_with_model(promise.model, cases, learned=wanted.learned).after
        for row, rank in zip(ranks, after.tolist(), strict=True):
            row[MODEL] = rank
    for number, name, rank in _stronger(corpus, posts):
        ranks[number][name] = rank
    return [replace(post, ranks=row) for post, row in zip(posts, ranks, strict=True)]


def _case(post: Post, document: LabelledDocument) -> AttackedDocument:
    return AttackedDocument(post.text, post.truth, document.text, document.utility)


def _chosen(corpus: Sequence[LabelledDocument], count: int, seed: str) -> list[int]:
    """Documents that one can read, some of every class before more of any."""
    places = [place for place, document in enumerate(corpus) if 0 < len(document.text) <= _LONGEST]
    random.Random(seed).shuffle(places)  # noqa: S311 - which documents are played is no secret
    turn: dict[str, int] = {}
    order: list[tuple[int, int, int]] = []
    for at, place in enumerate(places):
        label = corpus[place].sensitive
        turn[label] = turn.get(label, 0) + 1
        order.append((turn[label], at, place))
    return [place for _, _, place in sorted(order)[:count]]


def _redacted(
    rest: BoundPolicy, promise: HidesClass, place: int, document: LabelledDocument, wanted: GameRequest
) -> Iterator[Post]:
    """The document at every k. What cannot be hidden among so many is not played."""
    keep = tuple(name for name in document.utility if name in promise.model.utility.names)
    mine = promise.bind(document.text, document.sensitive, keep, in_corpus=wanted.learned)
    for k in wanted.ks:
        if k == 1:
            yield Post(place, 1, document.sensitive, document.text)
            continue
        bound = replace(rest, guarantees=(*rest.guarantees, mine.with_strength(k)))
        try:
            report = pipeline.sanitize(document.text.encode("utf-8", "replace"), "post.txt", bound)
        except EffaceError:
            continue
        if report.verdict is not Verdict.BROKEN and report.released is not None:
            yield Post(place, k, document.sensitive, report.released.decode("utf-8", "replace"))


def _stronger(corpus: Sequence[LabelledDocument], posts: Sequence[Post]) -> Iterable[tuple[int, str, int]]:
    """(post, attacker, rank). Without scikit-learn, or with too few documents to learn from, there are none."""
    places = {post.document for post in posts}
    if not places:
        return ()
    found = []
    try:
        for name, part, attacker in cross_fit(corpus, places):
            left_out = set(part)
            attacked = [(number, post) for number, post in enumerate(posts) if post.document in left_out]
            texts = [post.text for _, post in attacked]
            truths = [post.truth for _, post in attacked]
            ranks = attacker.ranks(texts, truths).tolist()
            for (number, _), rank in zip(attacked, ranks, strict=True):
                found.append((number, name, rank))
    except (ImportError, ValueError):
        return ()
    return found
