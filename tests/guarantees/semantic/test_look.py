"""What is kept of a document is kept for one look at it, and with a look the same is found as without."""

from __future__ import annotations

import numpy as np

from efface.guarantees.secret_rank import SecretRank
from efface.guarantees.semantic.guarantee import Semantic
from efface.knowledge.corpus.counts import CombinedCorpus, corpus_for_look, wikipedia
from efface.knowledge.taxonomy.concepts import Concept, Taxonomy
from efface.knowledge.vectors.word_vectors import WordVectors
from tests.guarantees.held_strings import strings
from tests.guarantees.semantic.oracle import reading, toy

VIRUSES = ("poliomyelitis", "rabies", "measles", "mumps")
KINDS = Taxonomy.of("kinds", [Concept("virus", ("virus",)), *(Concept(n, (n,), ("virus",)) for n in VIRUSES)])
CORPUS = toy(
    "9 rabies virus dog bite", "9 measles virus rash", "9 poliomyelitis virus limp", "90 table chair"
)
TEXT = "a dog bite and zorbulating quixwords beside rabbies rash"


def guarantee() -> Semantic:
    words = ("dog", "bite", "rash", "rabies", "measles")
    vectors = WordVectors({word: at for at, word in enumerate(words)}, np.eye(5, dtype=np.int8))
    return Semantic(
        {"rabies": "virus"},
        CORPUS,
        (KINDS,),
        support=1,
        common=1.0,
        k=2,
        vectors=vectors,
        secret=SecretRank(bytes(16)),
    )


def test_a_guarantee_keeps_no_word_of_a_document() -> None:
    promise = guarantee()
    held = []
    for text in (
        "table chair rabbies",
        TEXT,
        f"{TEXT} swiftly",
    ):  # of its own knowledge it keeps what the first text needs
        for each in (promise, promise.at_look()):
            each.plan(reading(text), each.assess(reading(text)))
            each.unknown_terms(reading(text))
        held.append(sorted(strings(promise, {})))
    assert held[0] == held[1] == held[2]


def test_a_look_keeps_its_words_and_finds_the_same() -> None:
    promise = guarantee()
    look = promise.at_look()
    read = reading(TEXT)
    assert look.assess(read) == promise.assess(read)
    assert look.plan(read, look.assess(read)).edits == promise.plan(read, promise.assess(read)).edits
    assert "bite" in " ".join(strings(look.look, {}))
    assert promise.at_look().look is not look.look


def test_a_corpus_keeps_rows_only_for_a_look() -> None:
    corpus = wikipedia()
    kept = corpus_for_look(CombinedCorpus((corpus,)))
    assert isinstance(kept, CombinedCorpus)
    for each in (corpus, kept.corpora[0]):
        assert each.row("fever").any() and not each.row("zorbulating").any()
    assert set(strings(kept.corpora[0]._unpacked, {})) == {"fever", "zorbulating"}
    assert corpus._unpacked is None
    assert corpus_for_look(CORPUS) is CORPUS
