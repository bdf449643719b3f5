"""Small worlds in which guarantees fight: what one puts in, or leaves, another forbids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import strategies as st

from efface.attacks.leaks import ForbiddenTerms
from efface.core import Edit, Finder, GapKind, Guarantee
from efface.finders.entities import EntityFinder
from efface.finders.lists import Listed, WordFinder
from efface.finders.phrases import PhraseFinder
from efface.guarantees.absence import Absence
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.ksafety.guarantee import KSafety
from efface.guarantees.semantic.guarantee import Semantic
from efface.knowledge.classes import LabelledDocument, TrainingSettings, train
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index
from efface.knowledge.taxonomy.concepts import Concept, Taxonomy
from efface.operators import Generalise, Operator, Operators, Redact, Replace, Surrogate
from efface.pipeline.bound import BoundPolicy
from tests.guarantees.confusability import oracle as classes_oracle
from tests.guarantees.semantic import oracle as semantic_oracle

BROADER = {"zidovudine": "drug", "saliva": "fluid", "HIV": "virus"}
WORDS = ["bank", "loan", "steel", "fever", "rash", "cat", *BROADER, *BROADER.values()]
CLASSES = ["Acme", "Bolt", "Crane"]
KINDS = Taxonomy.of(
    "kinds",
    [
        *(Concept(f"{word} 1", (word,), (f"{broader} 2",)) for word, broader in BROADER.items()),
        *(Concept(f"{broader} 2", (broader,)) for broader in BROADER.values()),
    ],
)
EVERY = tuple(frozenset({word}) for word in WORDS)  # every word is known to the corpus
SILENT: tuple[frozenset[str], ...] = (
    frozenset(),
) * 250  # and the rest of the world, beside which its words are rare enough to tell
COMMON = [(["bank"], "Acme"), *[(["loan"], "Bolt"), (["steel"], "Crane")] * 2]
KEY = b"worlds that fight: one key".ljust(32, b".")
_PLACEHOLDER = re.compile(r"\[[A-Z_]+(?:_\d+)?\]|\[REDACTED\]")


@dataclass(frozen=True)
class World:
    """What each guarantee knows; an empty part means that the policy does not ask for that guarantee."""

    words: tuple[str, ...]
    deny: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    entities: dict[str, frozenset[str]] = field(default_factory=dict)
    protected: frozenset[str] = frozenset()
    k: int = 2
    documents: tuple[LabelledDocument, ...] = ()
    truth: str = "Acme"
    crowd: int = 2
    texts: tuple[frozenset[str], ...] = ()
    operators: Operators = field(default_factory=Operators)

    @property
    def text(self) -> str:
        return "Seen: " + ", ".join(self.words) + "."

    @property
    def semantic(self) -> Semantic:
        corpus = semantic_oracle.ToyCorpus(self.texts)
        return Semantic({"HIV": "virus"}, corpus, (KINDS,), support=1, common=1.0)

    def bound(self, folder: Path) -> BoundPolicy:
        """The policy of this world."""
        finders: dict[str, Finder] = {}
        guarantees: list[Guarantee] = []
        if self.deny:
            finders["deny"] = WordFinder(tuple(Listed(term) for term in sorted(self.deny)), "denied")
            guarantees.append(Absence.of({"deny": finders["deny"]}, frozenset(), 0.0))
        if self.entities:
            rows = [Entity(id, tuple(("term", t) for t in sorted(own))) for id, own in self.entities.items()]
            build(rows, folder)
            index = open_index(folder)
            finders["things"] = EntityFinder(index, "things")
            guarantees.append(KSafety(index, "things", self.k, index.select(self.protected)))
        if self.texts:
            finders["phrases"] = PhraseFinder()
            guarantees.append(self.semantic)
        if self.documents:
            model = train(self.documents, TrainingSettings(min_count=1))
            wider = isinstance(self.operators.by_type.get("WORD"), Generalise)
            promise = Confusability(model, self.crowd, generalise=_wider if wider else None)
            guarantees.append(promise.bind(self.text, self.truth))
        kept = WordFinder(tuple(Listed(term) for term in sorted(self.keep)), "kept") if self.keep else None
        return BoundPolicy(
            finders=finders,
            guarantees=tuple(guarantees),
            operators=self.operators,
            keep=kept,
            types=("WORD", "TERM", "DENIED"),
            accept=frozenset({GapKind.KNOWLEDGE}),  # the corpus of a world is as small as the world
            denied=ForbiddenTerms(tuple(sorted(self.deny))),
        )


def _wider(word: str) -> Sequence[str]:
    return [BROADER[word]] if word in BROADER else []


def said(text: str) -> list[str]:
    """The words of a released text, without efface's own placeholders."""
    return re.findall(r"[A-Za-z]+", _PLACEHOLDER.sub(" ", text))


def broken(world: World, text: str) -> list[str]:
    """The guarantees that a released text breaks, by their definitions."""
    words = said(text)
    checks = {
        "absence": _absent(world, words),
        "k-safety": _safe(world, set(words)),
        "semantic": _unsaid(world, text),
        "k-confusability": _confused(world, words),
    }
    return [name for name, holds in checks.items() if not holds]


def _absent(world: World, words: Sequence[str]) -> bool:
    return not {word.lower() for word in words} & {term.lower() for term in world.deny}


def _safe(world: World, words: set[str]) -> bool:
    left = {word.lower() for word in words}
    contexts = {id: {term.lower() for term in own} for id, own in world.entities.items()}
    return all(
        sum(contexts[secret] & left <= context for context in contexts.values()) >= world.k
        for secret in world.protected
    )


def _unsaid(world: World, text: str) -> bool:
    """A fresh eye on the plain text: the measure itself has its oracle in tests/guarantees/semantic."""
    if not world.texts:
        return True
    seen = semantic_oracle.reading(_PLACEHOLDER.sub("…", text))
    return "HIV" not in text and world.semantic.assess(seen) == ()


def _confused(world: World, words: Sequence[str]) -> bool:
    if not world.documents:
        return True
    model = train(world.documents, TrainingSettings(min_count=1))
    text = " ".join(words).lower()
    scores = {
        name: classes_oracle.score(world.documents, name, text, model.words) for name in model.sensitive.names
    }
    ahead = sum(score > scores[world.truth] for score in scores.values())
    return ahead >= world.crowd - 1 and world.truth.lower() not in text.split()


replacing: st.SearchStrategy[Operator] = st.sampled_from([Replace(), Redact(), Surrogate(kind="person")])


def fakes(operators: Operators) -> list[str]:
    """The words that surrogates bring in: known to the world, and denied in it, like any other."""
    filled = [
        operators.fill([Edit(0, len(word), kind, word.lower(), "")], word)[0].replacement or ""
        for kind, operator in operators.by_type.items()
        if isinstance(operator, Surrogate)
        for word in WORDS
    ]
    return sorted({word for fake in filled for word in said(fake) if len(word) > 2})


@st.composite
def worlds(draw: st.DrawFn, *, guarantees: int = 2) -> World:
    """A text, and at least so many guarantees that all speak of its words."""
    names = ["deny", "k-safety", "semantic", "k-confusability"]
    asked = draw(st.sets(st.sampled_from(names), min_size=guarantees))
    by_type: dict[str, Operator] = {"TERM": draw(replacing), "DENIED": draw(replacing)}
    if draw(st.booleans()):
        by_type["WORD"] = Generalise()
    operators = Operators(Replace(), by_type, KEY)
    pool = [*WORDS, *fakes(operators)]
    some = st.sets(st.sampled_from(pool), max_size=4).map(frozenset)
    world = World(
        words=tuple(draw(st.lists(st.sampled_from([*WORDS, *CLASSES]), min_size=1, max_size=9))),
        keep=draw(some) if draw(st.booleans()) else frozenset(),
        operators=operators,
        deny=draw(some) if "deny" in asked else frozenset(),
    )
    return _known(draw, world, asked, some)


def _known(draw: st.DrawFn, world: World, asked: set[str], some: st.SearchStrategy[frozenset[str]]) -> World:
    if "k-safety" in asked:
        entities = draw(st.lists(some, min_size=3, max_size=7))
        named = {f"e{at}": own for at, own in enumerate(entities)}
        protected = draw(st.sets(st.sampled_from(sorted(named)), min_size=1))
        world = replace(world, entities=named, protected=frozenset(protected), k=draw(st.integers(2, 3)))
    if "semantic" in asked:
        about = draw(st.lists(some, min_size=1, max_size=4))
        texts = [own | {"HIV", "virus"} for own in about] + draw(st.lists(some, max_size=6))
        world = replace(world, texts=(*texts, *EVERY, *EVERY, *SILENT))
    if "k-confusability" in asked:
        classes = st.tuples(st.lists(st.sampled_from(WORDS), max_size=6), st.sampled_from(CLASSES))
        rows = [*COMMON, *draw(st.lists(classes, min_size=2, max_size=6))]  # the hidden class is no favourite
        documents = tuple(LabelledDocument(" ".join(text).lower(), name) for text, name in rows)
        world = replace(world, documents=documents, crowd=draw(st.integers(2, 3)))
    return world
