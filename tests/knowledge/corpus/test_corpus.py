"""Corpus indexes: counts equal to a direct count, files that are whole or refused."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError, OutputError
from efface.knowledge.corpus import build as corpus_build
from efface.knowledge.corpus.build import build
from efface.knowledge.corpus.counts import CombinedCorpus, Query, open_corpus, wikipedia
from efface.knowledge.corpus.postings import bitmap, encode, sizes
from efface.knowledge.corpus.text_runs import MAX_PHRASE, tokens
from efface.knowledge.taxonomy.concepts import WORDNET, lexicon
from tests.guarantees.semantic import oracle

VOCABULARY = [
    "HIV",
    "AIDS",
    "aids",
    "virus",
    "viruses",
    "immune",
    "system",
    "blood",
    "cat",
    "the",
    "T",
    "cells",
    ".",
]
TEXTS = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join), min_size=1, max_size=30)


def write(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


@given(st.integers(1, 2000), st.data())
def test_postings_come_back(documents: int, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, documents - 1), min_size=1))
    row = np.array(sorted(chosen), np.uint32)
    stored = encode(row, documents)
    assert len(stored) == sizes(np.array([len(row)]), documents)[0] <= -(-documents // 8)
    bits = np.unpackbits(bitmap(np.frombuffer(stored, np.uint8), len(row), documents))
    assert np.flatnonzero(bits).tolist() == sorted(chosen)


def keys_of(text: str) -> frozenset[str]:
    """Words, and all phrases that no border cuts, by a plain double loop."""
    found: set[str] = set()
    read = list(tokens(text, lexicon()))
    for start in range(len(read)):
        for end in range(start + 1, min(len(read), start + MAX_PHRASE) + 1):
            part = read[start:end]
            if (
                all(token.kind for token in part)
                and part[-1].kind == 2
                and (len(part) > 1 or part[0].kind == 2)
            ):
                found.add(" ".join(token.key for token in part))
    return frozenset(found)


@settings(max_examples=6)
@given(TEXTS)
def test_counts_are_those_of_a_direct_count(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    build([write(folder / "a.jsonl", texts)], folder / "a.idx")
    corpus = open_corpus(folder / "a.idx")
    documents = [keys_of(text) for text in texts]
    assert corpus.documents == len(texts)
    keys = sorted({key for document in documents for key in document})
    counted = corpus.table([((key,),) for key in keys]).counts(np.arange(len(keys)).reshape(-1, 1))
    for key, count in zip(keys, counted.tolist(), strict=True):
        direct = sum(key in document for document in documents)
        if corpus.knows(key):
            assert count == direct
        else:
            assert direct < corpus_build.MIN_PHRASE
            assert " " in key or direct < corpus_build.MIN_WORD
    known = sorted(corpus.terms)[:9]  # in pairs; each by itself was counted above
    queries: list[Query] = [((key,),) for key in known] + [tuple((key,) for key in known[:2]) or (("x",),)]
    groups = np.array([(a, b) for a in range(len(queries)) for b in range(len(queries))])
    expected = oracle.ToyTable(documents, queries)
    assert corpus.table(queries).counts(groups).tolist() == expected.counts(groups).tolist()
    narrowed = corpus.table(queries).where(0).counts(groups)
    assert narrowed.tolist() == expected.where(0).counts(groups).tolist()


def test_the_words_of_a_phrase_are_counted_together_when_the_phrase_is_rare(tmp_path: Path) -> None:
    texts = ["Green cats ran.", "The cats are green.", "Green sky and cats", "sky"] * 2
    build([write(tmp_path / "a.jsonl", texts)], tmp_path / "a.idx")
    corpus = open_corpus(tmp_path / "a.idx")
    assert not corpus.knows("green cat")
    assert corpus.count(["green cats"]) == 6
    assert corpus.count(["green", "sky"]) == 2
    assert corpus.count([]) == 8
    assert corpus.count(["dog"]) == 0


def test_the_index_holds_frequent_phrases_and_no_text(tmp_path: Path) -> None:
    texts = ["quick silver fox"] * corpus_build.MIN_PHRASE + ["Ermintrude met Ermengarde"]
    build([write(tmp_path / "a.jsonl", texts)], tmp_path / "a.idx")
    corpus = open_corpus(tmp_path / "a.idx")
    assert corpus.knows("quick silver fox")
    assert not any("ermin" in term for term in corpus.terms)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("AIDS", "aids", False),
        ("hearing aids", "hearing aid", True),
        ("hiv", "HIV", True),
        ("STDs", "STD", True),
        ("the patient's virus", "patient viruses", True),
        ("life-threatening", "life threatening", True),
        ("children", "child", True),
        ("café", "cafe", True),
    ],
)
def test_normal_forms(left: str, right: str, same: bool) -> None:
    def key(term: str) -> list[str]:
        return [token.key for token in tokens(term, lexicon()) if token.kind]

    assert (key(left) == key(right)) is same


def test_files_folders_and_compression_agree(tmp_path: Path) -> None:
    lines = b"".join(json.dumps({"title": "Cats", "text": f"virus {n}"}).encode() + b"\n" for n in range(4))
    (tmp_path / "in").mkdir()
    for name, data in (
        ("a.jsonl", lines),
        ("b.jsonl.gz", gzip.compress(lines)),
        ("c.jsonl.xz", lzma.compress(lines)),
        ("d.ndjson.bz2", bz2.compress(lines)),
        ("e.txt", b"A virus and cats."),
        (".hidden", b"ignored"),
    ):
        (tmp_path / "in" / name).write_bytes(data)
    heard: list[int] = []
    build([tmp_path / "in"], tmp_path / "a.idx", heard.append, attribution="ours")
    corpus = open_corpus(tmp_path / "a.idx")
    assert (corpus.documents, corpus.attribution, heard[-1]) == (17, "ours", 17)
    assert corpus.count(["cats", "virus"]) == 17


def test_the_same_input_gives_the_same_bytes_and_nothing_is_overwritten(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", ["virus blood"] * 9)
    build([source], tmp_path / "a.idx")
    build([source], tmp_path / "b.idx")
    assert (tmp_path / "a.idx").read_bytes() == (tmp_path / "b.idx").read_bytes()
    with pytest.raises(OutputError):
        build([source], tmp_path / "a.idx")
    assert not list(tmp_path.glob(".efface-*"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", b'{"text": "x"}\n{"no": 1}\n'),
        ("a.jsonl", b"[1]\n"),
        ("a.jsonl", b""),
        ("a.xz", b"x"),
        ("a.jsonl.xz", b"no xz"),
        ("a.jsonl.gz", gzip.compress(b'{"text": "secretword"}\n', mtime=0)[:-9]),
        ("a.pdf", b"%PDF"),
    ],
)
def test_bad_input_is_refused_without_quoting_it(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as refusal:
        build([tmp_path / name], tmp_path / "a.idx")
    assert "secretword" not in str(refusal.value)
    assert not (tmp_path / "a.idx").exists()


def test_a_damaged_index_is_never_used(tmp_path: Path) -> None:
    build([write(tmp_path / "a.jsonl", ["virus blood cat"] * 9)], tmp_path / "a.idx")
    whole = (tmp_path / "a.idx").read_bytes()
    used = len(whole.rstrip(b"\0"))
    for at in [*range(60), *range(60, used, 41)]:
        (tmp_path / "b.idx").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(InputError):
            open_corpus(tmp_path / "b.idx")
    for length in (0, 10, 47, used // 2, used - 1):
        (tmp_path / "b.idx").write_bytes(whole[:length])
        with pytest.raises(InputError):
            open_corpus(tmp_path / "b.idx")
    with pytest.raises(InputError, match="is no corpus"):
        open_corpus(WORDNET)


def test_two_corpora_count_as_one(tmp_path: Path) -> None:
    build([write(tmp_path / "a.jsonl", ["virus blood"] * 5 + ["cat"] * 4)], tmp_path / "a.idx")
    build([write(tmp_path / "b.jsonl", ["virus cat"] * 3)], tmp_path / "b.idx")
    both = CombinedCorpus((open_corpus(tmp_path / "a.idx"), open_corpus(tmp_path / "b.idx")))
    assert both.documents == 12
    assert both.count(["virus"]) == 8
    assert both.count(["virus", "cat"]) == 3
    assert both.count(["cat"]) == 7
    assert both.knows("blood") and not both.knows("dog")


def test_the_packaged_corpus_is_there_without_anything_else() -> None:
    corpus = wikipedia()
    assert corpus.documents == 23388
    assert "CC BY-SA" in corpus.attribution
    assert corpus.count(["HIV"]) > corpus.count(["HIV", "virus"]) > 20
    assert corpus.count(["AIDS"]) < corpus.count(["aids"])
    assert corpus.count(["HIV", "virus"]) == corpus.count(["virus", "HIV", "HIV"])
    assert corpus.knows("immune system") and not corpus.knows("virus the")
