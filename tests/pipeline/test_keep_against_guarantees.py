"""The keep list takes a finder's mistake back. Against a guarantee it is overruled, or the verdict says so."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import GapKind, Report, Verdict
from efface.errors import NotSettled
from efface.pipeline.propagation.spread import KEPT_AGAINST

PATIENTS = [
    ("1", "Jonathan Whitcombe", "Alden", "ulcer", "LOW"),
    *((str(n), f"Person{n} Other{n}", "Alden", f"illness{n}", "LOW") for n in range(2, 9)),
]
K_SAFETY = """
find: {{patterns: none, names: none, keep: [{keep}]}}
knowledge:
  patients:
    database: sqlite:///{folder}/hospital.db
    entities: patient
    key: id
    identifying: [name, city]
    sensitive: [illness]
    access: {{labels: {{levels: [LOW, HIGH], rows: label, columns: {{illness: HIGH}}, users: {{clerk: LOW}}}}}}
guarantees:
  - k-safety: {{over: patients, k: 3, protect: all}}
{more}
"""
SEMANTIC = """
find: {{patterns: none, names: none, keep: [{keep}]}}
guarantees: [{{semantic: {{hide: {{HIV: virus}}}}}}]
{more}
"""
DENY = "find: {{patterns: none, names: none, deny: [Whitcombe], keep: [{keep}]}}\n{more}"


def sanitized(folder: Path, policy: str, text: str, keep: str, more: str = "") -> Report:
    base = sqlite3.connect(folder / "hospital.db")
    base.execute("create table patient (id text, name text, city text, illness text, label text)")
    base.executemany("insert into patient values (?, ?, ?, ?, ?)", PATIENTS)
    base.commit()
    base.close()
    path = folder / "policy.yaml"
    path.write_text(policy.format(folder=folder, keep=keep, more=more))
    bound = Sanitizer.from_policy(path)
    viewer = "clerk" if "access" in policy else None
    report = bound.sanitize(text.encode(), name="letter.txt", viewer=viewer, allow_unproven=True)
    if report.released is not None:
        again = bound.verify(report.released, name="letter.txt", viewer=viewer)
        reasons = {each.reason for each in report.coverage.exemptions}
        # Whose name a kept surname was a part of, only the release that took the name out can know.
        assert again.verdict is report.verdict or KEPT_AGAINST in reasons
    return report


CASES = [
    (K_SAFETY, "Seen: Dr Jonathan Whitcombe.", "Whitcombe", "Jonathan Whitcombe", "Dr Jonathan Whitcombe"),
    (K_SAFETY, "Seen: the ulcer ward.", "ulcer", "Ulcer", "ulcer ward"),  # a column that is denied
    (SEMANTIC, "She lives with HIV infection.", "HIV", "hiv", "lives with HIV infection"),
]


@pytest.mark.parametrize(("policy", "text", "secret", "same", "longer"), CASES)
def test_the_protected_thing_itself_goes_though_it_is_kept(
    tmp_path: Path, policy: str, text: str, secret: str, same: str, longer: str
) -> None:
    report = sanitized(tmp_path, policy, text, same)
    assert report.verdict is Verdict.HELD and report.released is not None
    assert secret.lower() not in report.released.decode().lower()


@pytest.mark.parametrize(("policy", "text", "secret", "same", "longer"), CASES)
def test_something_longer_that_holds_it_stays_and_nothing_is_proven(
    tmp_path: Path, policy: str, text: str, secret: str, same: str, longer: str
) -> None:
    report = sanitized(tmp_path, policy, text, longer)
    kept = [gap for gap in report.coverage.gaps if gap.kind is GapKind.KEPT]
    assert report.verdict is Verdict.UNPROVEN and kept
    assert all(secret not in f"{gap.where} {gap.reason} {gap.next_step}" for gap in kept)


def test_the_policy_may_say_that_it_is_kept_all_the_same(tmp_path: Path) -> None:
    report = sanitized(tmp_path, *CASES[0][:2], CASES[0][4], "accept: [kept]")
    assert report.verdict is Verdict.HELD
    assert [gap.allowed for gap in report.coverage.gaps if gap.kind is GapKind.KEPT] == [True]


@pytest.mark.parametrize(
    ("keep", "verdict"), [("Whitcombe", Verdict.HELD), ("Old Whitcombe", Verdict.UNPROVEN)]
)
def test_a_part_of_a_protected_name_is_no_more_to_be_kept(
    tmp_path: Path, keep: str, verdict: Verdict
) -> None:
    policy = K_SAFETY.replace("key: id", "key: id\n    types: {{name: PERSON}}")
    text = "Seen: Jonathan Whitcombe. Old Whitcombe was better."
    report = sanitized(tmp_path, policy, text, keep)
    assert report.verdict is verdict and report.released is not None
    assert ("Whitcombe" in report.released.decode()) is (verdict is Verdict.UNPROVEN)


def test_a_keep_entry_that_meets_nothing_protected_changes_nothing(tmp_path: Path) -> None:
    report = sanitized(tmp_path, K_SAFETY, "Seen: Jonathan Whitcombe in Alden Bay.", "Alden Bay")
    assert report.verdict is Verdict.HELD and report.coverage.is_whole


@pytest.mark.parametrize(
    "spelling", ["Whitcombe", "WHITCOMBE", "whitcombe", "Wh\u00adit\u200bcombe", "Ｗhitcombe"]
)
def test_no_spelling_of_a_denied_word_is_kept(tmp_path: Path, spelling: str) -> None:
    report = sanitized(tmp_path, DENY, "Seen: Whitcombe, WHITCOMBE.", f'"{spelling}"')
    assert report.verdict is Verdict.HELD and report.released is not None
    assert "whitcombe" not in report.released.decode().lower()


@pytest.mark.parametrize("operator", ["{mask: {chars_to_mask: 5}}", "generalise"])
@pytest.mark.parametrize(
    ("policy", "text", "left"),
    [
        (K_SAFETY, "Seen: Jonathan Whitcombe.", "combe"),
        (K_SAFETY, "Seen: illness4.", "ss4"),
        (SEMANTIC, "She lives with HIV.", "HIV"),
        (DENY, "Seen: Whitcombe.", "Whitcombe"),
    ],
)
def test_what_an_operator_leaves_is_judged(
    tmp_path: Path, policy: str, text: str, left: str, operator: str
) -> None:
    report = sanitized(tmp_path, policy, text, "nothing of this", f"operators: {{default: {operator}}}")
    assert report.verdict is Verdict.HELD and report.released is not None
    assert left not in report.released.decode()


@pytest.mark.parametrize("number", [5, 8, 9, 12, 15])
@pytest.mark.parametrize("from_end", ["true", "false"])
def test_a_mask_over_the_space_in_a_name_leaves_no_rest_that_only_one_has(
    tmp_path: Path, number: int, from_end: str
) -> None:
    operator = f"{{mask: {{chars_to_mask: {number}, from_end: {from_end}}}}}"
    report = sanitized(
        tmp_path, K_SAFETY, "Seen: Jonathan Whitcombe.", "nothing", f"operators: {{default: {operator}}}"
    )
    assert report.verdict is Verdict.HELD and report.released is not None
    left = report.released.decode().removeprefix("Seen: ")
    assert left == "[REDACTED]." or not any(map(str.isalpha, left))


@pytest.mark.parametrize(
    ("text", "kept"), [("Seen: Jonathan Whitcombe.", "NAME"), ("Seen: illness4.", "ILLNESS")]
)
def test_a_type_that_a_guarantee_must_take_out_cannot_be_kept(tmp_path: Path, text: str, kept: str) -> None:
    with pytest.raises(NotSettled):
        sanitized(tmp_path, K_SAFETY, text, "nothing of this", f"operators: {{{kept}: keep}}")


def test_a_kept_word_stays_though_it_holds_a_denied_one() -> None:
    sanitizer = Sanitizer({"find": {"names": "none", "deny": ["Baker"], "keep": ["bakery", "Baker"]}})
    redaction = sanitizer.redact("Baker owns the bakery. Ba\u00adker and Bakers went; BAKER_1 too.")
    assert redaction.verdict is Verdict.HELD
    assert redaction.text == "[DENIED_1] owns the bakery. [DENIED_1] and [DENIED_1] went; [DENIED_1] too."
