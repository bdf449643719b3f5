"""A part of a value that an operator leaves is a term of everybody whose value gives it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.guarantees import parts_in_words
from efface.guarantees.left_parts import LeftParts

POLICY = """
find: {patterns: none, names: none}
knowledge:
  cards: {entities: cards.csv, identifying: [card, city]}
guarantees:
  - k-safety: {over: cards, k: 3, protect: all, attributes: apart}
operators:
  CARD: {mask: {chars_to_mask: 12}}
"""
CARDS = [
    ("1", "4000111122223333", "Alden"),
    ("2", "4000555566663333", "Alden"),
    ("3", "4000777788883333", "Alden"),
    ("4", "4000999900001111", "Alden"),
    ("5", "4000999900003333", "Brixby"),
]


def released(folder: Path, text: str) -> str:
    lines = [",".join(row) for row in (("id", "card", "city"), *CARDS)]
    (folder / "cards.csv").write_text("\n".join(lines) + "\n")
    (folder / "policy.yaml").write_text(POLICY)
    report = Sanitizer.from_policy(folder / "policy.yaml").sanitize(text.encode(), name="n.txt")
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


def test_a_part_that_many_values_give_stays(tmp_path: Path) -> None:
    assert released(tmp_path, "Paid with 4000111122223333.") == "Paid with ************3333."


def test_a_part_that_one_value_gives_becomes_a_placeholder(tmp_path: Path) -> None:
    shown = released(tmp_path, "Paid with 4000999900001111.")
    assert "1111" not in shown and "[" in shown


@pytest.mark.parametrize(
    "part",
    [
        "****1111",
        "************1111",
        "4000 99** **** 1111",
        "**** **** **** 1111",
        "****-****-****-1111",
        "4000 9999 **** 1111",
    ],
)
def test_what_came_masked_is_a_part_too(tmp_path: Path, part: str) -> None:
    """One card of the five ends in 1111, whoever wrote the stars."""
    shown = released(tmp_path, f"Paid with {part} today.")
    assert "1111" not in shown and shown.startswith("Paid with [") and shown.endswith("] today.")


@pytest.mark.parametrize(
    "text", ["Paid with ************3333.", "## 11\n#### 11\n**bold** 4 * 4", "Ask 5*** for 11"]
)
def test_what_came_masked_stays_where_many_or_none_have_it(tmp_path: Path, text: str) -> None:
    assert released(tmp_path, text) == text


def test_a_part_is_counted_with_what_else_the_text_says(tmp_path: Path) -> None:
    """Four cards end in 3333, but one of Brixby."""
    shown = released(tmp_path, "Brixby: 4000999900003333.")
    assert not ("3333" in shown and "Brixby" in shown)


@pytest.mark.parametrize(
    ("value", "left", "is_given"),
    [
        ("4000111122223333", "************3333", True),
        ("4000 1111 2222 3333", "************3333", True),
        ("4000111122223334", "************3333", False),
        ("10117", "101**", True),
        ("20117", "101**", False),
        ("1980-03-12", "1980", True),
        ("1980-03-12", "1981", False),
        ("1980", "1980", False),
        ("1957-03-04", "1950s", True),
        ("1967-03-04", "1950s", False),
        ("43", "40-49", True),
        ("53", "aged 40-49", False),
        ("93", "90+", True),
        ("52000", "$50,000-59,999", True),
        ("62000", "$50,000-59,999", False),
        ("tn4 8xx", "tn4", True),
        ("tn48 1ab", "tn4", False),
        ("10.1.2.77", "10.1.2.0/24", True),
        ("10.1.3.77", "10.1.2.0/24", False),
        ("1957-03-04", "14 june 1957", True),
        ("1959-03-04", "14 june 1957", False),
        ("4000111122223333", "xxxxxxxxxxxx3333", True),
    ],
)
def test_a_value_gives_what_is_left_of_it(value: str, left: str, is_given: bool) -> None:
    assert LeftParts("*x", 200).test(left)(value) is is_given


@pytest.mark.parametrize(
    "told",
    [
        "the card ending in {}",
        "a card that ends with {}",
        "card, last four {}",
        "card (last 4 digits: {})",
        "card xxxx{}",
        "card XXXX-XXXX-XXXX-{}",
        "card ending {}",
        "card no. ...{}",
        "card …{}",
        "card {} (last four)",
        "card {} (the last 4 digits)",
    ],
)
def test_a_part_that_the_text_tells_is_a_part_too(tmp_path: Path, told: str) -> None:
    """One card of the five ends in 1111, four end in 3333."""
    assert "1111" not in released(tmp_path, f"Paid with {told.format('1111')}, today.")
    text = f"Paid with {told.format('3333')}, today."
    assert released(tmp_path, text) == text


PATIENTS = """
find: {patterns: none, names: none}
knowledge:
  patients: {entities: patients.csv, identifying: [birth_date, postcode]}
guarantees:
  - k-safety: {over: patients, k: 2, protect: all, attributes: apart}
"""


@pytest.mark.parametrize(
    ("told", "stays"),
    [
        ("born in {rare}", False),
        ("born {common}", True),
        ("b. {rare}", False),
        ("DOB {rare}", False),
        ("Roe (*{rare})", False),
        ("Roe (*{common})", True),
        ("DOB 03/{rare}", False),
        ("DOB 03/{common}", True),
        ("born {rare}-03", False),
        ("DOB: 04/{rare}", True),
        ("born on 12/3", True),
        ("postcode starting 202", False),
        ("postcode starting 101", True),
        ("year of birth: {rare}", False),
        ("aged {rare_age}", False),
        ("a {rare_age}-year-old", False),
        ("age: {common_age}", True),
        ("{rare_age} years old", False),
        ("Jahrgang {rare}", False),
        ("geb. {rare}", False),
        ("né en {rare}", False),
        ("a {rare}-born man", False),
        ("Jg. {common}", True),
        ("opened in {rare}", True),
        ("room {rare_age}", True),
        ("postcode 101xx", True),
        ("postcode 202xx", False),
        ("postcode 1011x", True),
        ("postcode 2021x", False),
        ("version 2xx.1", True),
    ],
)
def test_a_birth_year_an_age_and_a_crossed_number(tmp_path: Path, told: str, stays: bool) -> None:
    year = date.today().year
    rows = [(1, year - 40, "10117"), (2, year - 40, "10119"), (3, year - 70, "20217")]
    lines = ["id,birth_date,postcode", *(f"{id},{born}-03-12,{code}" for id, born, code in rows)]
    (tmp_path / "patients.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "policy.yaml").write_text(PATIENTS)
    written = told.format(rare=year - 70, common=year - 40, rare_age=70, common_age=40)
    text = f"The patient, {written}, came."
    report = Sanitizer.from_policy(tmp_path / "policy.yaml").sanitize(text.encode(), name="n.txt")
    assert report.verdict is Verdict.HELD and report.released is not None
    assert (report.released.decode() == text) == stays


@pytest.mark.parametrize(
    ("told", "part"),
    [
        ("born in March 1980", "March 1980"),
        ("born on 12 March", "12 March"),
        ("his birthday on the 12th of March, again", "12th of March"),
        ("Birthday: Mar 12th", "Mar 12th"),
        ("born in March.", "March"),
        ("born 12 March 1980", ""),  # a value
        ("born in London", ""),
        ("born 12/03/1980", ""),
        ("DOB 03/1980", "03/1980"),
        ("born 1980-03", "1980-03"),
    ],
)
def test_a_month_or_a_day_of_birth_is_a_part_of_a_date(told: str, part: str) -> None:
    found = [(told[span.start : span.end], key) for span, key in parts_in_words.parts_stated_in_words(told)]
    assert [text for text, _ in found] == ([part] if part else [])
    for _, key in found:
        (fits,) = parts_in_words.tests_of_words(key)
        assert fits("1980-03-12") and fits("12 march 1980") and not fits("1981-04-11")


COLUMNS_POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people: {{entities: people.csv, identifying: [salary, postcode, birth_date, admitted]}}
guarantees:
  - k-safety: {{over: people, k: 3, protect: all, attributes: {attributes}}}
operators:
  SALARY: {{mask: {{chars_to_mask: 3, from_end: true}}}}
  BIRTH_DATE: generalise
"""
PEOPLE = [
    ("1", "52000", "10101", "1980-03-12", "2019-01-01"),
    ("2", "61000", "52017", "1961-04-05", "1980-05-06"),
    ("3", "61000", "52019", "1961-04-05", "1980-06-07"),
    ("4", "61000", "52021", "1961-04-05", "1980-07-08"),
]


@pytest.mark.parametrize(("attributes", "stays"), [("apart", False), ("pooled", True)])
def test_a_part_of_a_value_counts_in_its_own_column(tmp_path: Path, attributes: str, stays: bool) -> None:
    """One salary begins with 52, and three postcodes; one is born in 1980, and three came then."""
    lines = [",".join(row) for row in (("id", "salary", "postcode", "birth_date", "admitted"), *PEOPLE)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "policy.yaml").write_text(COLUMNS_POLICY.format(attributes=attributes))
    made = Sanitizer.from_policy(tmp_path / "policy.yaml")
    for text, part in (("Earns 52000 here.", "52***"), ("Came 1980-03-12 here.", "1980")):
        shown = made.redact(text).text
        assert shown is not None and (part in shown) is stays


@pytest.mark.parametrize("written", ["4000 9999 0000 1111", "4000-9999-0000-1111"])
def test_what_a_mask_shows_of_a_card_that_is_grouped_otherwise(tmp_path: Path, written: str) -> None:
    assert "1111" not in released(tmp_path, f"Paid with {written}.")
    assert "3333" in released(tmp_path, "Paid with 4000111122223333.")


@pytest.mark.parametrize(
    "part", ["4000999900****", "4000 99 **** 1111", "40009999****", "**** 1111", "•••• 1111"]
)
def test_marks_may_stand_for_more_digits_than_there_are_marks(tmp_path: Path, part: str) -> None:
    shown = released(tmp_path, f"Paid with {part} today.")
    assert "1111" not in shown and "9999" not in shown


def test_marks_of_a_known_number_tell_the_length(tmp_path: Path) -> None:
    """Three cities end in s; of one with four letters stays ***s, of no other."""
    cities = ("Moss", "Weldens", "Orlans", "Brixbys")
    lines = ["id,city", *(f"{id},{city}" for id, city in enumerate(cities))]
    (tmp_path / "cards.csv").write_text("\n".join(lines) + "\n")
    policy = POLICY.replace("card, city", "city").replace(
        "CARD: {mask: {chars_to_mask: 12}}", "CITY: {mask: {chars_to_mask: 3}}"
    )
    (tmp_path / "policy.yaml").write_text(policy)
    shown = Sanitizer.from_policy(tmp_path / "policy.yaml").redact("She lives in Moss.").text
    assert shown is not None and "s." not in shown


@pytest.mark.parametrize(
    ("text", "hidden"), [("Patel, Manish came", "Manish"), ("born 12 March 1980", "1980")]
)
def test_a_mask_shows_nothing_of_a_value_in_another_spelling(tmp_path: Path, text: str, hidden: str) -> None:
    rows = ["id,name,birth_date", "1,Manish Patel,1980-03-12", "2,Ann Patel,1961-04-05"]
    (tmp_path / "cards.csv").write_text("\n".join(rows) + "\n")
    policy = POLICY.replace("card, city", "name, birth_date")
    policy = policy.replace(
        "  CARD: {mask: {chars_to_mask: 12}}",
        "  NAME: {mask: {chars_to_mask: 7}}\n  BIRTH_DATE: {mask: {chars_to_mask: 8}}",
    )
    (tmp_path / "policy.yaml").write_text(policy.replace("protect: all", "protect: all, infeasible: remove"))
    shown = Sanitizer.from_policy(tmp_path / "policy.yaml").redact(text + ".").text
    assert shown is not None and hidden not in shown


VIEWERS_POLICY = """
find: {patterns: none, names: none}
knowledge:
  people:
    database: sqlite:///people.db
    entities: person
    identifying: [card, city, ward]
    access: {view: grants, columns_view: readable}
guarantees:
  - k-safety: {over: people, k: 2, protect: denied, collusion: safe, weights: {ward: 3}}
operators:
  CARD: {mask: {chars_to_mask: 12}}
"""
VIEWERS_PEOPLE = [
    (1, "4000111122223333", "Alden", "alpha"),
    (2, "4000555566663333", "Brixby", "gamma"),
    (3, "4000777788881111", "Alden", "beta"),
    (4, "4000777788884444", "Corwen", "alpha"),
    (5, "4000777788885555", "Corwen", "beta"),
]


@pytest.fixture(scope="module")
def viewers(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    """Whom "one" is denied, and "two" is not: the third, because of whom Alden goes."""
    folder = tmp_path_factory.mktemp("viewers")
    with closing(sqlite3.connect(folder / "people.db")) as database, database:
        database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, card, city, ward)")
        database.executemany("INSERT INTO person VALUES (?, ?, ?, ?)", VIEWERS_PEOPLE)
        database.execute("CREATE TABLE grants (viewer, id)")
        database.execute("INSERT INTO grants VALUES ('two', 3)")
        database.execute("CREATE TABLE readable (viewer, column)")
        every = [(viewer, column) for viewer in ("one", "two") for column in ("card", "city", "ward")]
        database.executemany("INSERT INTO readable VALUES (?, ?)", every)
    (folder / "policy.yaml").write_text(VIEWERS_POLICY)
    return Sanitizer.from_policy(folder / "policy.yaml")


@pytest.mark.parametrize("card", ["a card ending in 3333", "4000111122223333", "****3333"])
def test_parts_in_copies_of_two_viewers_tell_nobody_together(viewers: Sanitizer, card: str) -> None:
    """Two cards end in 3333, one of them of Alden. "one" loses Alden because of somebody of whom "two" knows."""
    text = f"Alden, beta. Paid with {card}."
    copies = [viewers.redact(text, viewer=viewer).text for viewer in ("one", "two")]
    together = "".join(copy or "" for copy in copies)
    assert all(copies) and not ("3333" in together and "Alden" in together)
    assert "beta" in together


def test_a_part_that_is_safe_with_all_that_may_stay_is_kept_in_every_copy(viewers: Sanitizer) -> None:
    for viewer in ("one", "two"):
        assert (
            viewers.redact("Paid with a card ending in 3333.", viewer=viewer).text
            == "Paid with a card ending in 3333."
        )
