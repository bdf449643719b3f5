"""A denied full name is a person: its parts, initials and accounts go with it, whether names are looked for or not."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.core import Verdict

LETTER = (
    "Dear Mr Whitcombe, Jonathan Whitcombe (J.W., also JW) wrote. Whitcombe's wife came. The Whitcombes met J. Whitcombe.\n"
    "JONATHAN WHITCOMBE. Whitcombe, Jonathan. jonathan.whitcombe@mail.example, WhitcombeJ.docx, #whitcombe\n"
)


def _released(find: str, text: str, more: str = "") -> str:
    sanitizer = Sanitizer.from_text(f"efface: 1\nfind: {{patterns: none, names: none, {find}}}\n{more}")
    report = sanitizer.sanitize(text.encode(), name="letter.txt")
    assert report.verdict is Verdict.HELD and report.released is not None
    assert sanitizer.verify(report.released, name="letter.txt").verdict is Verdict.HELD
    return report.released.decode()


@pytest.mark.parametrize("written", ["Jonathan Whitcombe", "jonathan whitcombe", "Jonathan R. Whitcombe"])
def test_a_denied_full_name_goes_with_its_parts(written: str) -> None:
    released = _released(f"deny: [{written}]", LETTER + written).lower()
    assert all(left not in released for left in ("whitcombe", "jonathan", "j.w.", "jw"))


@pytest.mark.parametrize(
    "name", ["Farid Benhaddou", "Thabo Mokoena", "Xiu Zhao-Ouyang", "Olumide van der Okonjo"]
)
def test_a_denied_name_whose_given_name_no_list_has_goes_with_its_parts(name: str) -> None:
    surname = name.rsplit(maxsplit=1)[-1]
    released = _released(f"deny: [{name}]", f"{name} came. {surname} left, and {surname.upper()} stayed.")
    assert surname.lower() not in released.lower()


def test_a_denied_name_with_a_title_goes_without_it_too() -> None:
    assert "Whitcombe" not in _released("deny: [Mr Whitcombe]", LETTER)


def test_a_denied_phrase_that_is_no_name_goes_as_a_whole() -> None:
    text = "Project Falcon began. The falcon is a bird, and Falcon is a project."
    assert _released("deny: [Project Falcon]", text).endswith(
        "The falcon is a bird, and Falcon is a project."
    )


@pytest.mark.parametrize("term", ["Halden Bay", "Fort Zanzib", "Zanzib Falls", "Zorvex Ltd", "Zorvex GmbH"])
def test_a_denied_place_or_firm_is_no_person(term: str) -> None:
    assert _released(f"deny: [{term}]", f"{term} is far away.") == "[DENIED_1] is far away."


def test_a_part_of_a_denied_name_may_be_kept() -> None:
    text = "Jonathan Whitcombe sold Whitcombe to Jonathan."
    released = _released("deny: [Jonathan Whitcombe], keep: [Whitcombe]", text)
    assert released == "[PERSON_1] sold Whitcombe to [PERSON_1]."


def test_an_entry_keeps_the_type_that_it_is_given() -> None:
    denied = "deny: [{term: Jonathan Whitcombe, type: PHRASE}]"
    assert "[PHRASE_1] wrote to Whitcombe" in _released(denied, "Jonathan Whitcombe wrote to Whitcombe")


@pytest.mark.parametrize("operators", ["{PERSON: keep}", "{DENIED: redact}"])
def test_operators_of_a_policy_still_hold_for_denied_names(operators: str) -> None:
    policy = f"efface: 1\nfind: {{names: default, deny: [Jonathan Whitcombe]}}\noperators: {operators}\n"
    report = Sanitizer.from_text(policy).sanitize(b"Jonathan Whitcombe wrote.", name="letter.txt")
    assert report.released is not None and b"Whitcombe" not in report.released
