from __future__ import annotations

import pytest

from efface.core import Edit, apply_edits
from efface.errors import PolicyError
from efface.operators import Hash, Operators, Replace, placeholder_pattern
from tests.operators.helpers import KEY, edits_of, filled, one

ANN, BOB = ("PERSON", "Ann"), ("PERSON", "Bob")


@pytest.mark.parametrize(
    ("template", "text", "expected"),
    [
        ("[{type}_{number}]", "Bob, Ann, Bob", "[PERSON_1], [PERSON_2], [PERSON_1]"),
        ("<{type}>", "Bob, Ann, Bob", "<PERSON>, <PERSON>, <PERSON>"),
        ("#{number}", "Bob, Ann, Bob", "#1, #2, #1"),
        ("{number}-{type}", "7-PERSON met Bob", "7-PERSON met 8-PERSON"),
        ("(gone)", "Bob, Ann", "(gone), (gone)"),
        ("", "Bob, Ann", ", "),
        (
            "[{type}_{number}]",
            "[PERSON_7] met Bob, [DATE_TIME_9]",
            "[PERSON_7] met [PERSON_8], [DATE_TIME_9]",
        ),
        ("[{type}_{number}]", "[PERSON_7] [PERSON_2] Bob", "[PERSON_7] [PERSON_2] [PERSON_8]"),
        ("[{type}_{number}]", "[PERSON_12345678] met Bob", "[PERSON_12345678] met [PERSON_1]"),
    ],
)
def test_placeholders_are_numbered_by_key_after_those_already_there(
    template: str, text: str, expected: str
) -> None:
    assert filled(Replace(template), text, ANN, BOB) == expected


def test_numbers_count_within_a_type_unless_the_type_is_not_shown() -> None:
    terms = (BOB, ("LOCATION", "Rome"))
    assert filled(Replace(), "Bob in Rome", *terms) == "[PERSON_1] in [LOCATION_1]"
    assert filled(Replace("#{number}"), "Bob in Rome", *terms) == "#1 in #2"


def test_spellings_of_one_key_share_a_number() -> None:
    edits = [Edit(0, 3, "PERSON", "bob", "r"), Edit(4, 7, "PERSON", "bob", "r")]
    assert apply_edits("Bob BOB", Operators().fill(edits, "Bob BOB")) == "[PERSON_1] [PERSON_1]"


@pytest.mark.parametrize(
    ("type_name", "term", "expected"),
    [
        ("birth date", "x9", "[BIRTH_DATE_1]"),
        ("имя", "x9", "[TERM_1]"),
        ("9lives", "x9", "[TERM_1]"),
        ("PERSON", "Person", "[REDACTED_1]"),
        ("PERSON", "redacted person", "[PERSON_1]"),
        ("PERSON", "***", "[PERSON_1]"),
    ],
)
def test_labels(type_name: str, term: str, expected: str) -> None:
    assert one(Replace(), type_name, term) == expected


def test_a_placeholder_never_says_what_it_replaces() -> None:
    assert one(Replace("REDACTED {type}"), "TERM", "redacted") == "[TERM_1]"
    assert one(Replace(), "redacted", "redacted") == "*****"
    words = [f"x{n}" for n in range(122)] + ["123"]  # whose number would be 123
    text = " ".join(words)
    done = Operators().fill(
        edits_of(text, *(("PERSON", f"{word} ") for word in words[:-1]), ("PERSON", "123")), text
    )
    assert [done[0].replacement, done[-1].replacement] == ["[PERSON_1]", "[REDACTED_1]"]


@pytest.mark.parametrize("template", ["{name}", "{type!r}", "{type.x}", "{}", "{0}", "{", "a\nb"])
def test_bad_templates_are_refused(template: str) -> None:
    with pytest.raises(PolicyError):
        Replace(template)


def test_own_placeholders_are_recognised_for_known_types_only() -> None:
    pattern = placeholder_pattern(["clinic code"])
    for ours in ("[PERSON_1]", "[CLINIC_CODE_12]", "[REDACTED_3]", "[PERSON:#0123456789abcdef]"):
        assert pattern.fullmatch(ours), ours
    for not_ours in (
        "[SMITH_1]",
        "[PERSON_0]",
        "[PERSON_5551234567]",
        "[PERSON]",
        "[PERSON:#123]",
        "PERSON_1",
    ):
        assert not pattern.search(not_ours), not_ours


def test_what_an_operator_wrote_is_recognised() -> None:
    operators = Operators(Replace("<{type} {number}>"), {"case no": Hash()}, KEY)
    text = "Ann 12/3"
    done = operators.fill(edits_of(text, ANN, ("case no", "12/3")), text)
    pattern = operators.placeholder_pattern()
    assert [pattern.fullmatch(e.replacement or "") is not None for e in done] == [True, True]


@pytest.mark.parametrize("written", ["(PERSON_1)", "_PERSON_1_"])
def test_placeholders_in_names_of_sheets_and_tables(written: str) -> None:
    """Where a file allows no brackets, what stands for them is known too; a bare word is none."""
    assert placeholder_pattern().fullmatch(written)
    assert not placeholder_pattern().search(written.strip("()_"))
    assert not placeholder_pattern().search(written.replace("PERSON", "KING"))
