"""What efface puts into a text says nothing about what stands beside it."""

from __future__ import annotations

import random

import pytest

import efface
from efface.core import Span, Verdict
from efface.pipeline.find import blank
from efface.text.placeholder_blank import BLANK

QUICK = efface.Sanitizer({"find": {"names": "none"}})
LABELS = (
    "PHONE_NUMBER",
    "US_SSN",
    "ID_NUMBER",
    "CREDIT_CARD",
    "MEDICAL_RECORD",
    "ZIP_CODE",
    "UK_NHS",
    "AGE",
    "DATE_TIME",
)


def test_a_placeholder_makes_no_phone_number() -> None:
    bare = "Lot 12345678 and 87654329 and 11223344."
    assert QUICK.redact(bare).text == bare
    beside = "A [PHONE_NUMBER_1] [PHONE_NUMBER_2] 11223344."
    assert QUICK.redact(beside).text == beside


@pytest.mark.parametrize("label", LABELS)
def test_no_label_changes_what_is_found(label: str) -> None:
    """Beside any placeholder a number is what it is beside a mark of no meaning."""
    draw = random.Random(label)
    for _ in range(30):
        number = "".join(draw.choice("0123456789") for _ in range(draw.randint(4, 12)))
        template = f"{{}} {number}, {{}} {number[::-1]} {{}}"
        ours = QUICK.redact(template.format(*[f"[{label}_{n}]" for n in (1, 2, 3)]))
        plain = QUICK.redact(template.format("§", "§", "§"))
        assert [(e.type, e.key) for e in ours.edits] == [(e.type, e.key) for e in plain.edits]


def test_ordinary_export_settles_in_one_round() -> None:
    codes = [str(4420713 + n * 7919) for n in range(200)]
    rows = [f"{n},{code},0770091{n:04d}" for n, code in enumerate(codes)]
    report = QUICK.sanitize("\n".join(["row,code,telephone", *rows]).encode(), name="export.csv")
    assert report.verdict is Verdict.HELD
    assert report.rounds <= 2
    released = (report.released or b"").decode()
    assert sum(code in released for code in codes) > 150  # those by the header may go
    assert "07700" not in released


def test_blank_keeps_every_place() -> None:
    text = "a [PERSON_1] b [PERSON_2]"
    assert blank(text, [Span(2, 12), Span(15, 25)]) == f"a {BLANK * 10} b {BLANK * 10}"
    assert blank(text, []) == text
