"""The reader who knows the articles about the candidates: its definition as a slow oracle, and its file."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.whole_text_readers import ALLOWANCE
from efface.knowledge.corpus.subject_articles import (
    open_subject_articles,
    packaged_subjects,
    subject_articles,
    write_subject_articles,
)
from tests.guarantees.semantic.oracle import reading
from tests.guarantees.semantic.test_document_reader import (
    CLUES,
    VIRUSES,
    released,
    semantic,
    stands_out,
    world,
)

SILENT = world({})  # its counts say nothing of any clue
ARTICLES = st.dictionaries(
    st.sampled_from(VIRUSES),
    st.dictionaries(st.sampled_from(CLUES), st.integers(1, 60).map(lambda n: n / 10)),
)


def knowing(rows: dict[str, dict[str, float]], k: int = 3) -> Semantic:
    return semantic(SILENT, k=k, subjects=subject_articles(rows))


@settings(max_examples=25, deadline=None)
@given(ARTICLES, st.lists(st.sampled_from((*CLUES, "table", "unheard")), max_size=12), st.integers(2, 5))
def test_a_text_is_judged_by_the_definition(
    rows: dict[str, dict[str, float]], words: list[str], k: int
) -> None:
    times = {word: 1 + math.log2(words.count(word)) for word in words}
    described = ["HIV", *(name for name in VIRUSES[1:] if name in rows)]
    own = rows.get("HIV", {})
    scores = [sum(times[word] * rows.get(name, {}).get(word, 0) for word in times) for name in described]
    assume(abs(scores[0] - ALLOWANCE) > 1e-3)  # else rounding decides
    assume(all(abs(each - scores[0]) > 1e-3 for each in scores[1:]))
    seen = reading(". ".join(f"the {word}" for word in words))
    found = any("articles" in finding.because for finding in knowing(rows, k).assess(seen))
    assert found == (bool(own) and stands_out(scores, k))


def test_words_that_the_article_repeats_tell_together_and_go() -> None:
    rows = {name: {"table": 1.0} for name in VIRUSES} | {"HIV": {"needle": 4.0, "lymph": 4.0}}
    text = "The needle and the lymph. A table and a chair."
    assert any("articles" in finding.because for finding in knowing(rows).assess(reading(text)))
    left = released(knowing(rows), text)
    assert "table and a chair" in left
    assert not knowing(rows).assess(reading(left))


def test_an_entity_without_an_article_is_not_looked_up() -> None:
    rows = {name: {"needle": 4.0, "lymph": 4.0} for name in VIRUSES if name != "HIV"}
    assert not knowing(rows).assess(reading("The needle and the lymph."))


@given(ARTICLES)
@settings(max_examples=20, deadline=None)
def test_a_file_holds_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[str, dict[str, float]]
) -> None:
    path: Path = tmp_path_factory.mktemp("subjects") / "own.subjects"
    write_subject_articles(path, subject_articles(rows), "invented")
    opened = open_subject_articles(path)
    for title, words in rows.items():
        assert opened.typical_words(title) == pytest.approx(words)
    assert opened.typical_words("no such title") == {}


def test_the_packaged_articles_know_what_a_subject_is_about() -> None:
    words = packaged_subjects().typical_words("tuberculosis")
    assert words["sputum"] > words["people"]
    assert "mosquito" not in words
