"""The packaged model on hand-written sentences, odd texts, and as part of the flow."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Mention
from efface.errors import InputError
from efface.evaluate.gold import Gold, GoldCase
from efface.evaluate.scoring import ALL, Predicted, ScoreTally, score
from efface.finders.names.finder import ALL_TYPES, NameFinder, blocks
from efface.finders.names.model import NAMES, PACKAGED, SUBJECT, load_model

KINDS = {"P": "PERSON", "L": "LOCATION", "O": "ORGANIZATION", "D": "DATE_TIME", "N": "NRP"}
_MARK = re.compile(r"\[([^|\]]+)\|([PLODN])\]")


@cache
def golden() -> tuple[GoldCase, ...]:
    lines = (Path(__file__).parent / "golden.txt").read_text("utf-8").splitlines()
    return tuple(_case(line) for line in lines if line and not line.startswith("#"))


def _case(line: str) -> GoldCase:
    text, spans, last = "", [], 0
    line = line.replace("~", "\n")
    for mark in _MARK.finditer(line):
        text += line[last : mark.start()]
        spans.append(Gold(len(text), len(text) + len(mark[1]), KINDS[mark[2]]))
        text += mark[1]
        last = mark.end()
    return GoldCase(line[:40], text + line[last:], (tuple(spans),))


def found(text: str, **options: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], m.type) for m in NameFinder(**options).find(text)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Patient He was seen by He Zhang in Nashville.",
            [("He", "PERSON"), ("He Zhang", "PERSON"), ("Nashville", "LOCATION")],
        ),
        (
            "Barclays hired Deloitte to audit its Singapore office after Li Wei resigned.",
            [
                ("Barclays", "ORGANIZATION"),
                ("Deloitte", "ORGANIZATION"),
                ("Singapore", "LOCATION"),
                ("Li Wei", "PERSON"),
            ],
        ),
    ],
)
def test_the_sentences_of_the_issue(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@cache
def _golden_tally() -> dict[tuple[str, str], ScoreTally]:
    tallies: dict[tuple[str, str], ScoreTally] = {}
    for case in golden():
        said = [Predicted(m.start, m.end, m.type) for m in NameFinder().find(case.text)]
        for key, tally in score(case, said).tallies.items():
            tallies[key] = tallies.get(key, ScoreTally()) + tally
    return tallies


def test_two_hundred_sentences() -> None:
    assert len(golden()) >= 200
    together = _golden_tally()["partial", ALL]
    assert together.recall >= 0.95
    assert together.precision >= 0.90
    assert _golden_tally()["strict", "PERSON"].recall >= 0.93


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("👋 Maria Gonzalez lives here.", "Maria Gonzalez"),
        ("Jose\u0301 Garci\u0301a lives in Madrid.", "Jose\u0301 Garci\u0301a"),
        ("Name:\tPeter Jackson\r\nCity:\tDenver\r\n", "Peter Jackson"),
        ("Dear Ms.\u00a0Thompson, thank you.", "Thompson"),
        ("“Robert Kim” said so.", "Robert Kim"),
        ("(Elena Petrova) signed.", "Elena Petrova"),
    ],
)
def test_offsets_are_exact(text: str, word: str) -> None:
    assert any(one.endswith(word) for one, kind in found(text) if kind == "PERSON")


def test_one_person_has_one_key() -> None:
    text = (
        "Mr James Livingston moved to Oslo. LIVINGSTON was born in Bergen.\n"
        "James Livingston signed; Livingston's wife Mary agreed."
    )
    people = [m for m in NameFinder().find(text) if m.type == "PERSON"]
    livingston = {m.key for m in people if "livingston" in text[m.start : m.end].lower()}
    assert livingston == {"james livingston"}
    assert sum("livingston" in text[m.start : m.end].lower() for m in people) == 4


def test_placeholders_count_persons_not_spellings() -> None:
    sanitizer = Sanitizer.from_text("efface: 1\nfind: {patterns: none, names: {types: [PERSON]}}\n")
    text = "Mr James Livingston met Anna Novak. Livingston thanked Novak."
    released = sanitizer.sanitize(text.encode(), name="a.txt").released
    assert released is not None
    assert len(set(re.findall(rb"\[PERSON_\d+\]", released))) == 2
    assert b"ivingston" not in released


def test_the_recall_preset_marks_whatever_the_precision_preset_marks_with_persons() -> None:
    for case in golden()[:60]:
        sure = {m.start for m in NameFinder(preset="precision").find(case.text) if m.type == "PERSON"}
        starts = {at for m in NameFinder().find(case.text) for at in range(m.start, m.end)}
        assert sure <= starts


def test_the_same_text_gives_the_same_mentions() -> None:
    text = " ".join(case.text for case in golden()[:40])
    assert list(NameFinder().find(text)) == list(NameFinder().find(text))


def test_the_subject_is_masked_and_the_court_is_not() -> None:
    text = (
        "PROCEDURE\n\nThe case originated in an application (no. 25929/05) against the Republic of Turkey "
        "lodged with the Court under Article 34 of the Convention for the Protection of Human Rights and "
        "Fundamental Freedoms by a Turkish national, Mr Orhan Tural, on 12 June 2005.\n\n"
        "THE FACTS\n\nThe applicant was born in 1961 and lives in Bursa."
    )
    masked = [text[m.start : m.end] for m in NameFinder(risk="subject", types=ALL_TYPES).find(text)]
    for word in ("Orhan Tural", "25929/05", "12 June 2005", "1961", "Bursa"):
        assert any(word in one for one in masked), word
    assert not any("Convention" in one or "Article" in one or "Republic of Turkey" in one for one in masked)


def test_blocks_are_the_whole_text() -> None:
    text = "".join(f"line {number} of a long text\n" for number in range(40_000))
    assert "".join(text[low:high] for low, high in blocks(text)) == text
    assert "".join("x" * 5 for _ in blocks("x" * 450_000))


def _mentions(text: str) -> Iterator[Mention]:
    return NameFinder().find(text)


def test_a_line_of_several_blocks() -> None:
    assert list(_mentions("x" * 1_000_000)) == []
    text = f"{'x' * 250_000} Maria Gonzalez {'y' * 250_000}"
    assert [text[m.start : m.end] for m in _mentions(text)] == ["Maria Gonzalez"]


@pytest.mark.slow
def test_a_text_of_several_blocks() -> None:
    filler = (
        "The roof leaked again in the spring and the owner said that nothing could be done about it. " * 6
    )
    line = f"{filler}Mr James Livingston of Oslo wrote to Anna Novak about the lease.\n"
    text = line * (2**20 // len(line))
    count = sum(text[m.start : m.end].endswith("Novak") for m in _mentions(text))
    assert count == 2**20 // len(line)


def test_nothing_is_found_in_nothing() -> None:
    for text in ("", " \n\t", "...", "\u200b", "🙂"):
        assert list(_mentions(text)) == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGED, tmp_path / "model", copy_function=os.symlink)
    return tmp_path / "model"


@pytest.mark.parametrize("name", ["names.onnx", "subject.onnx", "vocab.txt", "settings.json"])
@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_missing_or_damaged_model_is_said_clearly(copied: Path, name: str, damage: str) -> None:
    path = copied / name
    data = path.read_bytes()
    path.unlink()
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError) as refused:
        list(NameFinder(folder=copied).find("Maria Gonzalez"))
    assert "model" in refused.value.message
    assert refused.value.hint


def test_the_model_is_loaded_once() -> None:
    assert load_model() is load_model()
    assert sum((PACKAGED / name).stat().st_size for name in (NAMES, SUBJECT)) <= 30 * 10**6


def test_what_was_read_before_changes_no_score() -> None:
    """A release is judged in rounds that remember windows, and verified by a finder that remembers nothing."""
    people = ("Anna Petersen", "Omar Haddad", "Li Wei", "Maria Lopez", "Jan Kowalski", "Ada Byron")
    clause = "and {} of the county office in Trowbridge wrote to the clerk about the late report"
    sentences = []
    for turn in range(6):
        clauses = [clause.format(people[(turn + number) % 6]) for number in range(5)]
        sentences.append("On Monday nobody came " + ", ".join(clauses) + " heute" * turn + ".")
    text = " ".join(sentences)
    finder = NameFinder().for_one_document()
    list(finder.find(text.replace("Omar Haddad", "[PERSON_1]")))
    assert [mention.score for mention in finder.find(text)] == [m.score for m in NameFinder().find(text)]
