"""Names that the words before them introduce, however ordinary they are."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.finders.initialled_names import initialled_names
from efface.finders.introduced_names import INTRODUCED, IntroducedNames, introductions
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in IntroducedNames().find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('A male I know as "Spider" came out.', ["Spider"]),
        ("The man known as Spider left.", ["Spider"]),
        ("Dean Purvis, also known locally as 'spider', left.", ["spider"]),
        ("Dean Purvis (aka Spider) left.", ["Spider"]),
        ('DEACON, Marlon, alias Maz, a.k.a. "Big M", fled.', ["Maz", "Big M"]),
        ("He goes by Ghost online.", ["Ghost"]),
        ('As you know Amir Sadeghi (aka "The Wizard") leaves.', ["The Wizard"]),
        ("She went by the name of Silver.", ["Silver"]),
        ('Nwachukwu, Ifeoma (known as "Chips") came.', ["Chips"]),
        ("Siphokazi Mthembu, better known as Brick, fell.", ["Brick"]),
        ("A man who called himself Raj hung up.", ["Raj"]),
        ('He referred to her as "Immy" twice.', ["Immy"]),
        ("She is called Blue at home.", ["Blue"]),
        ("A friend called Bear was there.", ["Bear"]),
        ("Ernest Ball (known to everyone as Ernie) fell.", ["Ernie"]),
        ("Ernest, better known as Sparky, fell.", ["Sparky"]),
        ("His nickname is Flash.", ["Flash"]),
        ('Her partner "Smudge" slept.', ["Smudge"]),
        ("Known to us all, Ernest was nicknamed Sparky.", ["Sparky"]),
    ],
)
def test_nicknames(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "She has a condition known as Sjogren syndrome.",
        "The law, also known as Title IX, was passed.",
        "She called Social Services and he called NHS Direct.",
        "The patient called Police.",
        "Bromide, aka Br, is a salt.",
        "The centre of Alexandria is known as Old Town.",
        "They are known as Equity.",
        "It was nicknamed BackRub.",
        "Mike Novak was named CEO.",
        'The city nickname is "The Farm".',
        'The patient "Refused" it.',
        "He is known as the best of them.",
    ],
)
def test_what_is_no_persons_nickname(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mrs. M in bed 4 slept.", ["Mrs. M"]),
        ("Seen with Mr B. He slept.", ["Mr B"]),
        ("Mr. B's daughter rang.", ["Mr. B"]),
        ("Parent (Mrs T) informed.", ["Mrs T"]),
        ("Mr A. Threlfall operated.", []),
        ("Ms A.-M. Brun spoke for Mr M.S. Brun.", []),
        ("Mr J R Hartley wrote it.", []),
    ],
)
def test_an_initial_behind_a_title(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bed 3 Stan L. confused", ["Stan L"]),
        ("May I go? Will B come? Grade A.", []),
        ("Passed on, handler Precious N.\nThen", ["Precious N"]),
        ("One lad, D., was excluded. Vitamins, D, are good.", ["D"]),
        ("Vet: H. Lime MRCVS\n", ["H. Lime"]),
        ("Resolved. Approved: V. Power\n", ["V. Power"]),
        ("Signed: K. Long, Line manager: B. Well\n", ["K. Long", "B. Well"]),
        ("Answer: B. Paris is right", []),
        ("FASTER PAYMENT R BANKS", ["R BANKS"]),
        ("TFR TO MISS O LONG", ["MISS O LONG"]),
        ("VITAMIN C TABLETS", []),
        ("Thanks\nJ-P\n", ["J-P"]),
        ("Hi J-P, all is done. See A-B testing.", ["J-P"]),
    ],
)
def test_initials_where_no_sentence_is(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("PC 4417 Hollis arrived.", ["4417"]),
        ("PS 883 OKORO and DC Lund 7721 attended.", ["883", "7721"]),
        ("Later PC Lacey Drummond (2291) took a note.", ["2291"]),
        ("Washington, DC 20500 was closed.", []),
        ("Witnessed by: Dep. Lonnie Cash #4412", ["4412"]),
        ("Instructor: agente 118.204.", ["118.204"]),
        ("The IBM PC. In 1979 it sold.", []),
        ("PC World 2024.5 and DS Data 50%", []),
    ],
)
def test_collar_numbers(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer()


def test_a_nickname_goes_everywhere(sanitizer: Sanitizer) -> None:
    text = 'I saw a male known as "Spider". We ran, and Spider shouted at SPIDER\'s brother. A spider is an animal.'
    redaction = sanitizer.redact(text)
    assert redaction.verdict is Verdict.HELD
    assert redaction.text is not None
    assert "Spider" not in redaction.text
    assert "SPIDER" not in redaction.text
    assert "A spider is an animal." in redaction.text


@pytest.mark.parametrize("piece", ["known to a ", "Dean, ", "Mr A ", 'known as "A ', "PC A "])
def test_a_long_text_takes_no_long_time(piece: str) -> None:
    assert_linear(found, piece, 50_000)


_PIECES = (
    "goes by|Goes|going|went|go|online|by|the name of|the nickname|calls herself|called|call|answers to|real name:|his|her|my|"
    "whose|him the|street name|stage name is|knows|knew|know|I|only|him|as|referred to|known|to everybody|a.k.a.|aka|alias|"
    "aliases:|nicknamed|named|Maz|\"Spider\"|'Big M'|“Kit”|Anna Roe|,|.|-|\u212anown|tango|cargo"
).split("|")


@given(
    st.lists(
        st.tuples(st.sampled_from(_PIECES), st.sampled_from([" ", " ", " ", "\u00a0", "", "\n"])), max_size=25
    )
)
def test_phrases_are_found_where_a_search_for_them_finds_them(pieces: list[tuple[str, str]]) -> None:
    text = "".join(chain.from_iterable(pieces))
    plain = [phrase.span() for phrase in INTRODUCED.finditer(text)]
    assert [phrase.span() for phrase in introductions(text)] == plain


@pytest.mark.parametrize(
    ("text", "initials"),
    [
        ("Proposed HB, seconded PM.", ["HB", "PM"]),
        ("driver checked 2300 SB/LK. Daughter", ["SB", "LK"]),
        ("Rec'd 06 MAR   Init: TB   Ref 4", ["TB"]),
        ("Countersigned: RK", ["RK"]),
        ("BP checked, signed NDA, approved PO, proposed EU rules, seconded by the UK", []),
    ],
)
def test_initials_of_those_who_sign(text: str, initials: list[str]) -> None:
    assert [text[one.start : one.end] for one in initialled_names(text)] == initials
