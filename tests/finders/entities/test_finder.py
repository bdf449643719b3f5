"""The finder against a slow search for every term at every place."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Mention
from efface.errors import InputError
from efface.finders.entities import EntityFinder
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.matching import Fuzziness
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import EntityStore, build, open_index
from efface.text.folding import Folded, fold_term, foldings

LOOSE = r"[ '\-,`]{0,3}"


def _index(
    folder: Path, *terms: tuple[str, str], fuzzy: int = 0, sensitive: tuple[str, ...] = ()
) -> EntityIndex:
    entities = [Entity(str(at), (term,)) for at, term in enumerate(terms)]
    entities += [Entity(value, (), (("salary", value),), (("label", "labelled"),)) for value in sensitive]
    build(entities, folder / "index", fuzzy=fuzzy)
    return open_index(folder / "index")


def _places(mentions: object) -> set[tuple[int, int, str]]:
    assert isinstance(mentions, list)
    return {(mention.start, mention.end, mention.key) for mention in mentions}


def _words(text: str) -> list[tuple[int, int]]:
    """Maximal stretches of letters and digits that nothing parts."""
    folded = Folded(text, [0], [0], [-1])
    cuts = [at for at in range(len(text) + 1) if at in (0, len(text)) or folded.stands_alone(0, at)]
    return [(start, end) for start, end in pairwise(cuts) if text[start].isalnum()]


def _pattern(key: str) -> tuple[re.Pattern[str], int]:
    """A term as a pattern: its words as they are, what parts them loose where it is loose."""
    spans = _words(key)
    if not spans:
        return re.compile(f"(?=({re.escape(key)}))"), 0
    built = re.escape(key[: spans[0][0]])
    for at, (start, end) in enumerate(spans):
        built += f"({re.escape(key[start:end])})"
        gap = key[end : spans[at + 1][0]] if at + 1 < len(spans) else ""
        if at + 1 < len(spans):
            loose = re.fullmatch(LOOSE, gap) is not None
            built += LOOSE if loose else re.escape(gap)
    tail = key[spans[-1][1] :]
    built += r"\.?" if tail == "." else re.escape(tail)
    return re.compile(f"(?=({built}))"), len(spans)


def slow_find(text: str, keys: set[str]) -> set[tuple[int, int, str]]:
    found = set()
    for folded in foldings(text):
        for key in keys:
            pattern, words = _pattern(key)
            for match in pattern.finditer(folded.text):
                if all(folded.stands_alone(*match.span(2 + word)) for word in range(words)):
                    span = folded.span(*match.span(1))
                    found.add((span.start, span.end, key))
    return found


PIECES = [
    "a",
    "b",
    "ab",
    "é",
    "E",
    "ß",
    "ss",
    "東",
    "京",
    "1",
    "_",
    "+",
    "-",
    "'",
    ".",
    ",",
    " ",
    "  ",
    "\n",
    "-\n",
    "\u200b",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(st.lists(TEXTS, min_size=1, max_size=8), TEXTS)
@settings(max_examples=160, deadline=None, derandomize=True)
def test_finds_what_a_slow_search_finds(terms: list[str], text: str) -> None:
    keys = {fold_term(term) for term in terms} - {""}
    with TemporaryDirectory() as folder:
        index = _index(Path(folder), *(("t", term) for term in terms))
        assert _places(list(EntityFinder(index, "x").find(text))) == slow_find(text, keys)


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("Ann Lee", "ANN  LEE's house, not Joann Lee or Ann Leeds", ["ANN  LEE"]),
        ("Smith-Jones", "Smith Jones; smith–jones; SmithJones", ["Smith Jones", "smith–jones", "SmithJones"]),
        ("O'Brien", "O’Brien and O Brien", ["O’Brien", "O Brien"]),
        ("Łódź", "in LODZ", ["LODZ"]),
        ("Straße", "STRASSE", ["STRASSE"]),
        ("東京", "私は東京に住む", ["東京"]),
        ("山田 太郎", "山田太郎さん", ["山田太郎"]),
        ("transport", "trans-\nport by rail", ["trans-\nport"]),
        ("C++", "C, C++ and c", ["C++"]),
        ("AT&T", "AT&T, AT & T", ["AT&T", "AT & T"]),
        ("+41 22 1", "call +41 22 1 or 41 22 1", ["+41 22 1"]),
        ("♥", "I ♥ you♥", ["♥", "♥"]),
        ("Paris Hilton", "in Paris. Hilton said", []),
        # The name without its suffix is the name, too.
        ("Ann Lee Jr.", "Ann Lee, Jr., or ANN LEE JR", ["Ann Lee, Jr.", "Ann Lee", "ANN LEE JR", "ANN LEE"]),
        ("Acme Corp.", "the Acme Corp's and Acme, Corp.", ["Acme Corp", "Acme, Corp."]),
        ("Said Abd Omar", "Said `Abd Omar", ["Said `Abd Omar"]),
        ("раris", "Paris", ["Paris"]),  # Cyrillic look-alikes in the database
        ("a\u00adb", "ab", ["ab"]),
    ],
)
def test_occurrences(tmp_path: Path, term: str, text: str, found: list[str]) -> None:
    finder = EntityFinder(_index(tmp_path, ("name", term)), "people")
    assert [text[mention.start : mention.end] for mention in finder.find(text)] == found


def test_the_longest_comes_first_and_overlaps_are_kept(tmp_path: Path) -> None:
    index = _index(
        tmp_path, ("city", "New York"), ("city", "York"), ("team", "New York City"), ("team", "City Hall")
    )
    found = [mention.key for mention in EntityFinder(index, "x").find("New York City Hall")]
    assert found == ["new york city", "new york", "york", "city hall"]


def test_a_mention_says_its_attribute_and_never_quotes(tmp_path: Path) -> None:
    index = _index(tmp_path, ("name", "Paris"), ("city", "Paris"), sensitive=("50000",))
    finder = EntityFinder(index, "people", types={"city": "LOCATION"})
    assert list(finder.find("Paris, labelled, has 50000")) == [
        Mention(0, 5, "LOCATION", "paris", 1.0, "term of people.city"),
        Mention(0, 5, "NAME", "paris", 1.0, "term of people.name"),
        Mention(21, 26, "SALARY", "50000", 1.0, "term of people.salary"),
    ]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("born 12/03/1980", {"1980-03-12", "1980-12-03"}),
        ("born 3 December 1980", {"1980-12-03"}),
        ("born 1980-03-12", {"1980-03-12"}),
        ("earns 50,000", {"50000"}),
        ("earns 50'000.00", {"50000"}),
    ],
)
def test_dates_and_numbers_in_other_spellings(tmp_path: Path, text: str, keys: set[str]) -> None:
    index = _index(tmp_path, ("born", "1980-03-12"), ("born", "1980-12-03"), sensitive=("50000",))
    mentions = list(EntityFinder(index, "x").find(text))
    assert {mention.key for mention in mentions} == keys
    assert len({(mention.start, mention.end) for mention in mentions}) == 1


def test_what_is_deleted_is_no_longer_found(tmp_path: Path) -> None:
    build(
        [Entity("1", (("name", "Ann"), ("city", "Bern"))), Entity("2", (("city", "Bern"),))],
        tmp_path / "index",
    )
    store = EntityStore(tmp_path / "index")
    store.delete(["1"])
    store.upsert([Entity("3", (("name", "Zoe"),))])
    found = EntityFinder(store.snapshot(), "x").find("Ann and Zoe in Bern")
    assert [mention.key for mention in found] == ["zoe", "bern"]


# Fuzzy matching


def _near(folder: Path, text: str, *terms: tuple[str, str], edits: int = 1) -> set[tuple[str, str]]:
    index = _index(folder, *terms, fuzzy=2)
    finder = EntityFinder(index, "x", Fuzziness(edits))
    return {(text[mention.start : mention.end], mention.key) for mention in finder.find(text)}


@pytest.mark.parametrize(
    ("term", "text", "edits", "found"),
    [
        ("Manish", "Manosh, Mansih, Mnish, Manisha; Banish", 1, "Manosh Mansih Mnish Manisha Banish".split()),
        ("Manish", "Monosh", 2, []),  # two edits need eight letters
        ("Bangalore", "Bengaluru, Bangalroe, Bengalroe", 2, ["Bangalroe", "Bengalroe"]),
        ("Bangalore", "Bengalroe", 1, []),
        ("Lee", "Lea", 2, []),
        ("Manish Patel", "Manosh Patel", 1, ["Manosh Patel"]),
        ("Manish Patel", "Manosh Patle", 1, []),
        ("Manish Patel", "Manosh Patle", 2, ["Manosh Patle"]),
        ("Manish Patel", "M. Patel; M Patel; m patel", 1, ["M. Patel", "M Patel"]),
        ("Manish Patel", "Patel, Manish; Patel, M.; Patel M", 1, ["Patel, Manish", "Patel, M", "Patel M"]),
        ("PATEL, Manish", "Manish Patel; M. Patel", 1, ["Manish Patel", "M. Patel"]),
        ("Manish Kumar Patel", "Manish K. Patel and M. K. Patel and Manish Patel", 1,
         ["Manish K. Patel", "M. K. Patel", "Manish Patel"]),
        ("Anna Heart", "A heart; A. Heart", 1, ["A. Heart"]),
        ("St Gallen", "St. Gallen", 1, ["St. Gallen"]),
        ("Acme Inc.", "Acme Inc", 1, ["Acme Inc"]),
        ("New York", "NewYork", 1, ["NewYork"]),
        ("Newcastle", "New castle", 1, ["New castle"]),
        ("C++", "c", 1, []),
        ("12345678", "12345679", 2, []),
        ("Müller", "Mueller, Mülller, MULLER", 1, ["Mueller", "Mülller", "MULLER"]),
        ("Thorn", "There were thorns", 1, ["thorns"]),  # "there" is near, but says nothing
    ],
)  # fmt: skip
def test_near_occurrences(tmp_path: Path, term: str, text: str, edits: int, found: list[str]) -> None:
    assert _near(tmp_path, text, ("name", term), edits=edits) == {(piece, fold_term(term)) for piece in found}


def test_a_misspelling_stands_for_every_value_near_it(tmp_path: Path) -> None:
    terms = [("name", "Manish Patel"), ("name", "Manosh Patel"), ("name", "Mark Patel"), ("city", "Manish")]
    assert _near(tmp_path, "M. Patel", *terms) == {
        ("M. Patel", "manish patel"),
        ("M. Patel", "manosh patel"),
        ("M. Patel", "mark patel"),
    }


def test_the_exact_value_and_its_neighbours_are_all_there(tmp_path: Path) -> None:
    index = _index(tmp_path, ("name", "Manish P"), ("name", "Manosh P"), fuzzy=1)
    found = {
        mention.key: mention.score for mention in EntityFinder(index, "x", Fuzziness(1)).find("Manish P")
    }
    assert found["manish p"] == 1.0
    assert 0.5 < found["manosh p"] < 1.0


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_fuzzy_finds_at_least_what_exact_finds(terms: list[str], text: str) -> None:
    with TemporaryDirectory() as folder:
        index = _index(Path(folder), *(("name", term) for term in terms), fuzzy=2)
        exact = _places(list(EntityFinder(index, "x").find(text)))
        for edits in (1, 2):
            assert exact <= _places(list(EntityFinder(index, "x", Fuzziness(edits)).find(text)))


def test_an_index_not_built_for_it_is_refused(tmp_path: Path) -> None:
    finder = EntityFinder(_index(tmp_path, ("name", "Ann"), fuzzy=1), "people", Fuzziness(2))
    with pytest.raises(InputError, match="not built"):
        finder.find("Ann")


def test_finding_is_repeatable(tmp_path: Path) -> None:
    finder = EntityFinder(_index(tmp_path, ("name", "Manish Patel"), fuzzy=1), "x", Fuzziness(1))
    text = "Manosh Patel, M. Patel, Manish Patel"
    assert list(finder.find(text)) == list(finder.find(text))
