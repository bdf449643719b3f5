"""Word fields that make words of their own code, and runs that nobody sees: no half of a name stays."""

from __future__ import annotations

import io

import docx as python_docx
import pytest

from efface import Sanitizer
from efface.core import Verdict
from tests.attacks.leaks.office_packages import docx, paragraph

DENY = Sanitizer({"find": {"deny": ["Whitcombe"], "names": "none"}})


def _mark(kind: str) -> str:
    return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"


def _field(code: str, shown: str = "") -> str:
    code = code if code.startswith("<") else f"<w:r><w:instrText>{code}</w:instrText></w:r>"
    return f"{_mark('begin')}{code}{_mark('separate')}<w:r><w:t>{shown}</w:t></w:r>{_mark('end')}"


def _code(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def _text(data: bytes) -> str:
    return "\n".join(line.text for line in python_docx.Document(io.BytesIO(data)).paragraphs)


@pytest.mark.parametrize(
    "pieces",
    [
        ["Whit", _field("QUOTE combe")],
        ["Whit", _field("QUOTE 99 111 109 98 101")],
        ["Whit", _field("QUOTE combe", "combe")],
        [_field(_code("QUOTE Whit") + _field("QUOTE combe"))],
        ["Whit", *(_field(f"SYMBOL {ord(char)}") for char in "combe")],
        ["Whit", *(_field(f"SYMBOL 0x{ord(char):x} \\f Arial") for char in "combe")],
        [_field("EQ \\o(Whit,combe)")],
        ["Whit", _field("EQ \\s\\up5(combe)")],
        ["Whit", _field('IF 1 = 1 "combe" ""')],
        ["Whit", _field("MACROBUTTON NoMacro combe")],
        ["<w:fldSimple w:instr=' QUOTE Whit'/>", "<w:fldSimple w:instr=' QUOTE combe'/>"],
        ["Whit", "<w:r><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:t>zzz</w:t></w:r>", "combe"],
        ["Whit", '<w:r><w:rPr><w:sz w:val="2"/></w:rPr><w:t>zzz</w:t></w:r>', "combe"],
    ],
)
def test_half_a_name_in_a_code_goes(pieces: list[str]) -> None:
    report = DENY.sanitize(docx(paragraph("Dear ", *pieces)), name="letter.docx")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    content = _text(report.released)
    assert "Dear " in content
    assert "combe" not in content
    again = DENY.verify(report.released, name="letter.docx")
    assert again.verdict is Verdict.HELD


@pytest.mark.parametrize(
    ("field", "left"),
    [
        (_field('QUOTE "some text"'), "some text"),
        (_field("QUOTE x", "as shown"), "as shown"),
        (_field("SYMBOL 169"), "\u00a9"),
        (_field("EQ \\l(lower,upper)"), "lower,upper"),
        (_field(_code("IF ") + _field("MERGEFIELD sex", "M") + _code(' = "M" "Mr" "Ms"'), "Mr"), "Mr"),
        ("<w:fldSimple w:instr='QUOTE x'><w:r><w:t>kept</w:t></w:r></w:fldSimple>", "kept"),
        (_field("PAGE", "7"), "7"),
    ],
)
def test_what_a_field_showed_stays(field: str, left: str) -> None:
    report = DENY.sanitize(docx(paragraph("It says: ", field)), name="letter.docx")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert f"It says: {left}" in _text(report.released)


def test_an_equation_of_signs_stays_one() -> None:
    report = DENY.sanitize(docx(paragraph(_field("EQ \\f(a,2)"))), name="letter.docx")
    assert "EQ \\f(a,2)" in report.document.text
