"""Patterns of attributes: what is learned, what a text may write, and what is nobody's."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.errors import InputError, PolicyError
from efface.finders.entities import EntityFinder
from efface.knowledge.entities.pattern_report import report_patterns
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.spellings.notations import Form, Notation, NotationLearner
from efface.knowledge.entities.store import EntityStore, build, open_index
from efface.text.folding import fold, words
from tests.access.views.test_views import text_of

codes = st.from_regex(r"[a-z]{0,3}[0-9]{2,6}[a-z]{0,2}[0-9]{0,3}", fullmatch=True).filter(str.isascii)


@pytest.mark.parametrize(
    ("spec", "value", "normal"),
    [
        ("date", "12 march 1987", "1987-03-12"),
        ("date", "1987-03-12", "1987-03-12"),
        ("date", "1987-03-12t10:30:00", "1987-03-12"),
        ("date", "31/12/1987", "1987-12-31"),
        ("date", "unknown", "unknown"),
        ("date-dmy", "03/04/1987", "1987-04-03"),
        ("date-mdy", "03/04/1987", "1987-03-04"),
        ("learned", "9180-4408 8778", "918044088778"),
        ("learned", "(030) 12 34", "0301234"),
        ("learned", "+49 30 1234", "49301234"),
        ("learned", "anna@example.org", "anna@example.org"),  # no text could write that @ otherwise
        ("learned", "--", "--"),
        (r"[A-Z]{2}-\d{4}", "ab-1234", "ab1234"),
        (r"[A-Z]{2}-\d{4}", "ab 1234", "ab 1234"),
        (r"\+\d{2} \d{4}", "+49 1234", "491234"),
    ],
)
def test_normal_forms(spec: str, value: str, normal: str) -> None:
    notation = Notation(spec)
    assert notation.normal(value) == normal
    assert notation.normal(normal) == normal, "a merge of segments reads normal forms again"


def test_a_date_that_can_be_read_in_two_ways_is_refused_without_quoting_it() -> None:
    with pytest.raises(InputError, match="two ways") as error:
        Notation("date").normal("03/04/1987")
    assert "1987" not in str(error.value)


@pytest.mark.parametrize(
    ("values", "regex"),
    [
        (["918044088778", "111122223333"], r"\d{12}"),
        (["ac12", "ac345"], r"ac\d{2,3}"),
        (["ab1", "cd1"], r"[^\W\d_]{2}1"),
        (["12", "a1"], r"12|a1"),
        ([], ""),
    ],
)
def test_learned_forms(values: list[str], regex: str) -> None:
    learner = NotationLearner()
    for value in values:
        learner.add(value)
    assert learner.form().regex == regex


@given(st.lists(codes, min_size=1, max_size=60))
def test_what_is_learned_fits_all_it_was_learned_from(values: list[str]) -> None:
    learner = NotationLearner()
    for value in values:
        learner.add(value)
    form = learner.form()
    assert all(form.matches(value) for value in values)
    assert form.longest == max(map(len, values))


def test_too_many_forms_are_any_mixture() -> None:
    learner = NotationLearner()
    for number in range(0, 1 << 20, 101):
        learner.add("".join("a" if number >> bit & 1 else "1" for bit in range(20)))
    assert learner.form().regex == r"[^\W_]{20}"


@settings(max_examples=150)
@given(st.lists(codes, min_size=1, max_size=5), st.data())
def test_any_grouping_of_a_value_is_found(values: list[str], data: st.DataObject) -> None:
    learner = NotationLearner()
    for value in values:
        learner.add(value)
    chosen = data.draw(st.sampled_from(values))
    cuts = data.draw(st.sets(st.integers(1, len(chosen) - 1), min_size=1))
    pieces = [chosen[a:b] for a, b in zip([0, *sorted(cuts)], [*sorted(cuts), len(chosen)], strict=True)]
    gaps = [data.draw(st.sampled_from([" ", "-", " - ", ".", "/", ") ", "_"])) for _ in pieces[1:]]
    written = pieces[0] + "".join(gap + piece for gap, piece in zip(gaps, pieces[1:], strict=True))
    text = f"{data.draw(st.sampled_from(['', '77 ', 'no. ', '5-']))}{written}{data.draw(st.sampled_from(['', ' 9', '.']))}"
    start = text.index(written)
    assert (start, start + len(written), chosen) in set(learner.form().find(text, words(text)))


@settings(max_examples=150)
@given(
    st.text("12 -a", max_size=14), st.sampled_from([r"\d{2}( |-)\d{1,2}", r"-?1{1,3}", r"(1|12)( 2){0,2}"])
)
def test_a_given_pattern_finds_what_matches_between_words(text: str, regex: str) -> None:
    """Every stretch that begins and ends at a word or its marks and matches whole, the slow way."""
    folded = fold(text).text
    spans = words(folded)
    found = {(start, end) for start, end, _ in Form(regex).find(folded, spans)}
    edges = {start for start, _ in spans}, {end for _, end in spans}
    for start in range(len(folded)):
        for end in range(start + 1, len(folded) + 1):
            if re.fullmatch(regex, folded[start:end]) and start in edges[0] and end in edges[1]:
                assert (start, end) in found
    assert all(re.fullmatch(regex, folded[start:end]) for start, end in found)


@pytest.mark.parametrize(
    "regex",
    [
        r"(a+)+b",
        r"\d+",
        r".*",
        r"a{1,}",
        r"(a|a){20}",
        r"(\d{1,5}){1,5}",
        r"((a?)(a?)){9}",
        r"\d{1,99}\d{1,99}\d{1,99}",
        r"(a)\1",
        r"(",
        r"[",
    ],
)
def test_patterns_that_could_take_long_are_refused(regex: str) -> None:
    with pytest.raises(PolicyError):
        Notation(regex)


@pytest.mark.parametrize(
    ("regex", "value"),
    [
        (r"\d{12}", "918044088778"),
        (r"[A-Z]{2}[- ]?\d{6,8}", "AB-123456"),
        (r"(?:\d{4} ){3}\d{4}", "1111 2222 3333 4444"),
        (r"[\])*+]{3}", "])*"),
        (r"\{\+\*", "{+*"),
        (r"(a|b)?c", "ac"),
    ],
)
def test_ordinary_patterns_are_taken(regex: str, value: str) -> None:
    assert Form(Notation(regex).spec).matches(value)


PEOPLE = [
    Entity("1", (("account", "9180-4408-8778"), ("phone", "918044088778"), ("born", "12 March 1987"))),
    Entity("2", (("account", "1111 2222 3333"), ("phone", "030 99887766"), ("born", "1990-01-02"))),
]
PATTERNS = {"account": "learned", "born": "date"}


def _found(path: Path, text: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], m.type) for m in EntityFinder(open_index(path), "x").find(text)]


def test_another_notation_stands_for_the_value_and_a_look_alike_for_nobody(tmp_path: Path) -> None:
    path = tmp_path / "index"
    build(PEOPLE, path, patterns=PATTERNS)
    assert _found(path, "It is 91 8044 08/8778, not 91 8044 08/8779.") == [
        ("91 8044 08/8778", "ACCOUNT"),
        ("91 8044 08/8778", "PHONE"),
    ]
    assert _found(path, "account 111122223333") == [("111122223333", "ACCOUNT")]
    assert _found(path, "call 030-99887766") == [("030-99887766", "PHONE")]
    assert _found(path, "call 0309 9887766") == [("0309 9887766", "PHONE")], "a code in other groups"
    assert _found(path, "call 0309 9887767") == []
    assert _found(path, "born 12/3/87 or on January 2nd, 1990") == [
        ("12/3/87", "BORN"),
        ("January 2nd, 1990", "BORN"),
    ]


def test_updates_bring_their_own_forms_and_merging_keeps_them(tmp_path: Path) -> None:
    store = EntityStore(tmp_path / "index")
    build(PEOPLE, store.path, patterns=PATTERNS)
    store.upsert([Entity("3", (("account", "DE-77"),))])
    text = "DE 77, 9180 44088778"
    assert [found for found, _ in _found(store.path, text)] == ["DE 77", "9180 44088778", "9180 44088778"]
    store.compact()
    assert [found for found, _ in _found(store.path, text)] == ["DE 77", "9180 44088778", "9180 44088778"]
    store.delete(["3"])
    assert [found for found, _ in _found(store.path, "DE 77")] == []


def test_the_report_counts_what_fits_and_is_of_another_attribute(tmp_path: Path) -> None:
    path = tmp_path / "index"
    build(PEOPLE, path, patterns=PATTERNS)
    account, born = report_patterns(open_index(path), "ask 1234-5678-9012 of 9180 4408 8778 on 1/1/2001")
    assert (account.attribute, account.regex) == ("account", r"\d{12}")
    assert (account.values, account.fitting_values) == (3, 0), (
        "two dates and a phone; the other is an account too"
    )
    assert account.fitting_places == 1, "the first number; the second is somebody's"
    assert (born.regex, born.values, born.fitting_values, born.fitting_places) == ("date", 3, 0, 1)
    build([Entity("1", (("zip", "12345"), ("code", "99999")))], path, patterns={"code": r"\d{5}"})
    assert report_patterns(open_index(path))[0].false_positive_rate == 1.0


POLICY = """
find: {patterns: none, names: none}
knowledge:
  clients:
    database: sqlite:///clients.db
    entities: client
    identifying: [name, account]
    sensitive: [card]
    patterns: {account: learned, card: '\\d{4}(-\\d{4}){3}'}
    access: {labels: {levels: [LOW, HIGH], rows: label, columns: {card: HIGH}, users: {low: LOW, high: HIGH}}}
guarantees:
  - k-safety: {over: clients, k: 2, protect: denied}
"""


def _clients(folder: Path, policy: str = POLICY) -> Sanitizer:
    with closing(sqlite3.connect(folder / "clients.db")) as database, database:
        database.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, name, account, card, label)")
        database.execute("INSERT INTO client VALUES (1, 'Ng', 918044088778, '4111-1111-1111-1111', 'HIGH')")
        database.execute("INSERT INTO client VALUES (2, 'Roe', '1111 2222 3333', NULL, 'LOW')")
    database.close()
    (folder / "policy.yaml").write_text(policy)
    return Sanitizer.from_policy(folder / "policy.yaml")


def test_a_viewer_reads_no_account_of_a_denied_row_however_it_is_written(tmp_path: Path) -> None:
    note = b"From 9180-4408-8778 to 111122223333, card 4111-1111-1111-1111 or 4111-1111-1111-1112."
    left = text_of(_clients(tmp_path).sanitize(note, name="n.txt", viewer="low"))
    assert left == "From [ACCOUNT_1] to 111122223333, card [CARD_1] or 4111-1111-1111-1112."
    assert text_of(_clients_again(tmp_path).sanitize(note, name="n.txt", viewer="high")) == note.decode()


def _clients_again(folder: Path) -> Sanitizer:
    return Sanitizer.from_policy(folder / "policy.yaml")


def test_a_new_pattern_means_a_new_index(tmp_path: Path) -> None:
    plain = _clients(tmp_path, POLICY.replace("account: learned, ", ""))
    assert "9180" in text_of(plain.sanitize(b"9180_4408_8778", name="n.txt", viewer="low"))
    (tmp_path / "policy.yaml").write_text(POLICY)
    again = _clients_again(tmp_path)
    assert "9180" not in text_of(again.sanitize(b"9180_4408_8778", name="n.txt", viewer="low"))


@pytest.mark.parametrize("patterns", ["{acount: learned}", "{account: '('}"])
def test_bad_patterns_are_refused(tmp_path: Path, patterns: str) -> None:
    policy = re.sub(r"patterns: \{account.*", f"patterns: {patterns}", POLICY)
    with pytest.raises(PolicyError):
        _clients(tmp_path, policy).bind("low")
