"""Letters that a list, a bullet or a number format puts beside a word complete no denied word."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from tests.attacks.leaks.docx_vectors import DOC
from tests.attacks.leaks.office_packages import WORD, docx, inflated, pptx, word_part, xlsx

DENY = Sanitizer({"find": {"deny": ["Zanzibarov"], "names": "none", "patterns": "none"}})
_LIST = "<w:numPr><w:ilvl w:val='0'/><w:numId w:val='3'/></w:numPr>"
_STYLES = (
    f"<w:style w:type='paragraph' w:styleId='Base'><w:pPr>{_LIST}</w:pPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='Item'><w:basedOn w:val='Base'/></w:style>"
)


def _listed(prefix: str, text: str, properties: str = _LIST, override: str = "") -> bytes:
    """A Word document with one paragraph in a list."""
    level = "<w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val='{}'/></w:lvl>"
    levels = (
        f"<w:abstractNum w:abstractNumId='7'>{level.format(prefix)}</w:abstractNum>"
        "<w:num w:numId='3'><w:abstractNumId w:val='7'/>"
        + (f"<w:lvlOverride w:ilvl='0'>{level.format(override)}</w:lvlOverride>" if override else "")
        + "</w:num>"
    )
    runs = "".join(f"<w:r><w:t>{piece}</w:t></w:r>" for piece in text.split("|"))
    return docx(
        f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>",
        parts={
            "word/numbering.xml": word_part("numbering", levels),
            "word/styles.xml": word_part("styles", _STYLES),
        },
        types={"word/numbering.xml": f"{WORD}numbering+xml", "word/styles.xml": f"{WORD}styles+xml"},
        relations=[(DOC, "numbering", "numbering.xml"), (DOC, "styles", "styles.xml")],
    )


def _released(data: bytes, ending: str) -> str:
    report = DENY.sanitize(data, name=f"file.{ending}")
    assert report.verdict.value == "held"
    assert report.released is not None
    assert DENY.verify(report.released, name=f"file.{ending}").verdict.value == "held"
    return "\n".join(part.decode() for part in inflated(report.released).values())


@pytest.mark.parametrize(
    ("prefix", "text"),
    [
        ("Z", "anzibarov signs"),
        ("Zanzi", "barov"),
        ("Zanzi-", "barov"),
        ("%1. Zanzi", "barov signs"),
        ("Z", "anzi|barov| signs"),
    ],
)
def test_the_text_of_a_list_completes_no_word_in_word(prefix: str, text: str) -> None:
    assert "barov" not in _released(_listed(prefix, text), "docx")


@pytest.mark.parametrize("style", ["Base", "Item"])
def test_a_list_may_be_that_of_a_style(style: str) -> None:
    assert "barov" not in _released(_listed("Zanzi", "barov", f"<w:pStyle w:val='{style}'/>"), "docx")


def test_a_list_may_have_levels_of_its_own() -> None:
    assert "barov" not in _released(_listed("%1.", "barov signs", override="Zanzi"), "docx")


@pytest.mark.parametrize(
    ("prefix", "text"), [("o", "barov signs"), ("%1.", "barov signs"), ("", "barov signs")]
)
def test_a_list_without_the_rest_of_the_word_costs_nothing(prefix: str, text: str) -> None:
    assert text in _released(_listed(prefix, text), "docx")


def test_a_bullet_completes_no_word_on_a_slide() -> None:
    item = "<a:p><a:pPr><a:buChar char='Z'/></a:pPr><a:r><a:t>anzibarov</a:t></a:r></a:p>"
    body = f"<p:sp><p:nvSpPr><p:cNvPr id='2' name='Title 1'/></p:nvSpPr><p:txBody>{item}</p:txBody></p:sp>"
    assert "barov" not in _released(pptx(body), "pptx")


@pytest.mark.parametrize("code", ['"Zanzi"General"barov"', '"Zanzi"0.00"barov"', '0 "Zanzi"@"barov";General'])
def test_a_number_format_writes_no_word_around_a_number(code: str) -> None:
    written = code.replace('"', "&quot;")
    formats = f"<numFmts count='1'><numFmt numFmtId='170' formatCode='{written}'/></numFmts>"
    released = _released(xlsx(styles=formats), "xlsx")
    assert "barov" not in released
    assert "Zanzi" not in released


def test_other_number_formats_stay() -> None:
    formats = (
        "<numFmts count='1'><numFmt numFmtId='170' formatCode='0&quot;km&quot;0&quot;h&quot;'/></numFmts>"
    )
    assert '0"km"0"h"' in _released(xlsx(styles=formats), "xlsx").replace("&quot;", '"')
