"""Readers who know more than the text, where row-level security of a real server says who is protected: one who reruns
efface on everybody's note, two who put their copies together, and one who reads what an operator leaves of a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Report, Verdict
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.sanitize import sanitize
from tests.real_postgres import as_login, disposed, real_postgres, run

# Everybody's values are several people's, most pairs of values are one person's.
CITIES, JOBS = ("Alden", "Brixby", "Corwen"), ("baker", "plumber", "tailor")
PEOPLE = {number: pair for number, pair in enumerate(product(CITIES, JOBS)) if number % 4 != 3} | {
    9: ("Alden", "baker")
}
CARDS = ("4000111122223333", "4000555566663333", "4000777788884444", "4000999900005555")
# The nurse sees person 4 and the porter person 1; the cards are hidden from both.
SETUP = f"""
CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE nurse LOGIN; CREATE ROLE porter LOGIN; GRANT nurse, porter TO app;
CREATE TABLE person (id integer PRIMARY KEY, city text, job text);
INSERT INTO person VALUES {", ".join(f"({id}, '{city}', '{job}')" for id, (city, job) in PEOPLE.items())};
CREATE TABLE card (id serial PRIMARY KEY, card text);
INSERT INTO card (card) VALUES {", ".join(f"('{card}')" for card in CARDS)};
CREATE TABLE duty (login text, person integer); INSERT INTO duty VALUES ('nurse', 4), ('porter', 1);
ALTER TABLE person ENABLE ROW LEVEL SECURITY; ALTER TABLE card ENABLE ROW LEVEL SECURITY;
CREATE POLICY part ON person USING (id IN (SELECT person FROM duty WHERE login = current_user));
GRANT SELECT ON person, card, duty TO app, nurse, porter;
"""
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  known: {{database: "{url}", entities: {entities}, key: id, identifying: [{columns}], access: postgres}}
guarantees:
  - k-safety: {{over: known, k: 2, protect: denied, {options}}}
{operators}
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with real_postgres(SETUP) as address:
        yield address
        disposed(address, "app")


def sanitizer(url: str, folder: Path, options: str) -> Sanitizer:
    policy = POLICY.format(
        url=as_login(url, "app"), entities="person", columns="city, job", options=options, operators=""
    )
    (folder / "policy.yaml").write_text(policy)
    return Sanitizer.from_policy(folder / "policy.yaml")


def released(bound: BoundPolicy, text: str) -> str:
    report = sanitize(text.encode(), "n.txt", bound)
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


def note(id: int) -> str:
    city, job = PEOPLE[id]
    return f"A {job} who lives in {city}."


# 1. A reader who reruns efface on the note of everybody.


def smallest_crowd(url: str, folder: Path, options: str) -> int:
    """Of the releases of everybody's note, the fewest denied people whose notes lead to one."""
    bound = sanitizer(url, folder, options).bind("nurse")
    releases = Counter(released(bound, note(id)) for id in PEOPLE if id != 4)
    return min(releases.values())


def test_whoever_reruns_efface_is_left_with_k_denied_people(url: str, tmp_path: Path) -> None:
    assert smallest_crowd(url, tmp_path, "reader: knows-method") >= 2


def test_whoever_reruns_efface_finds_somebody_where_nothing_is_done_against_it(
    url: str, tmp_path: Path
) -> None:
    assert smallest_crowd(url, tmp_path, "reader: text") == 1


# 2. Two viewers, whom the server shows different rows.


@pytest.mark.parametrize(("options", "tells"), [("collusion: safe", False), ("reader: text", True)])
def test_copies_of_two_viewers_together_tell_nobody(
    options: str, tells: bool, url: str, tmp_path: Path
) -> None:
    """One tailor lives in Alden, whom neither may see. The city goes where two people point to it, and the job where one
    does: the porter may see the plumber."""
    made = sanitizer(url, tmp_path, options)
    text = "A tailor and a plumber who live in Alden."
    together = "".join(released(made.bind(viewer), text) for viewer in ("nurse", "porter"))
    assert ("tailor" in together and "Alden" in together) is tells


# 3. What an operator leaves of a value.


def paid_with(url: str, folder: Path, card: str) -> Report:
    masks = "operators:\n  CARD: {mask: {chars_to_mask: 12}}"
    policy = POLICY.format(
        url=as_login(url, "app"),
        entities="card",
        columns="card",
        options="attributes: apart",
        operators=masks,
    )
    (folder / "policy.yaml").write_text(policy)
    made = Sanitizer.from_policy(folder / "policy.yaml")
    return made.sanitize(f"Paid with {card}.".encode(), name="n.txt", viewer="nurse")


def test_a_masked_value_that_k_denied_rows_give_stays(url: str, tmp_path: Path) -> None:
    report = paid_with(url, tmp_path, CARDS[0])
    assert (report.verdict, report.released) == (Verdict.HELD, b"Paid with ************3333.")


@pytest.mark.parametrize("written", [CARDS[2], "**** **** **** 4444", "the card ending in 4444"])
def test_a_masked_value_that_one_denied_row_gives_is_a_placeholder_and_the_report_says_why(
    written: str, url: str, tmp_path: Path
) -> None:
    report = paid_with(url, tmp_path, written)
    assert report.verdict is Verdict.HELD and report.released is not None
    assert b"4444" not in report.released and b"[" in report.released
    assert any("part of a value" in edit.reason for edit in report.edits)


def test_a_masked_value_of_a_row_that_the_server_shows_stays(url: str, tmp_path: Path) -> None:
    run(url, "CREATE POLICY all_cards ON card USING (current_user = 'nurse')")
    try:
        assert paid_with(url, tmp_path, CARDS[2]).released == f"Paid with {CARDS[2]}.".encode()
    finally:
        run(url, "DROP POLICY all_cards ON card")
