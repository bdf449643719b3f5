"""Makes the Word file and the PDF of the demo: `python -m tools.demo_files`. All names are invented."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

FOLDER = Path(__file__).resolve().parents[1] / "src" / "efface" / "demo" / "officer"
_DAY = datetime(2026, 2, 3, 9, 0, tzinfo=UTC)
_ADDRESS = "https://records.example/patients/tanaka-boyd-2026"


def word_letter() -> Document:
    """A referral whose patient also stands in a table, a link, a comment, the footer and the properties."""
    letter = docx.Document()
    properties = letter.core_properties
    properties.author, properties.title = "Ines Marchetti", "Letter about M. Tanaka-Boyd"
    properties.comments = ""
    properties.created = properties.modified = _DAY
    letter.add_paragraph("Dear Dr. Lindqvist,")
    seen = letter.add_paragraph(
        "Mireille Tanaka-Boyd was seen in Halden Bay on 2 February 2026. Ms. Tanaka-Boyd's card is 4111 1111 1111 1111."
    )
    ask = letter.add_paragraph(
        "Please write to m.tanakaboyd@example.org, or ring her brother on +44 20 7946 0958. Her record: "
    )
    _link(ask, "open it here", _ADDRESS)
    table = letter.add_table(rows=2, cols=2)
    for row, (label, value) in zip(
        table.rows, (("Patient", "TANAKA-BOYD, M."), ("Seen by", "Dr. Lindqvist")), strict=True
    ):
        row.cells[0].text, row.cells[1].text = label, value
    letter.sections[0].footer.paragraphs[0].text = "Tanaka-Boyd, page 1"
    letter.add_comment(seen.runs, "Mireille's sister called again.", author="Ines Marchetti", initials="IM")
    return letter


def _link(paragraph: Paragraph, text: str, address: str) -> None:
    """A hyperlink at the end of a paragraph."""
    id = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link, run, shown = OxmlElement("w:hyperlink"), OxmlElement("w:r"), OxmlElement("w:t")
    link.set(qn("r:id"), id)
    shown.text = text
    run.append(shown)
    link.append(run)
    paragraph._p.append(link)


def covered_letter(path: Path) -> None:
    """A page that somebody "redacted" by drawing black boxes over the words."""
    page = Canvas(str(path), pagesize=A5, invariant=True)
    page.setTitle("Clinic letter")
    page.setAuthor("")
    page.setSubject("")
    page.setFont("Helvetica", 11)
    lines = (
        ("Patient: ", "Oskar Brandvold"),
        ("Diagnosis: ", "relapse of the lymphoma"),
        ("Next visit: ", ""),
    )
    for number, (label, secret) in enumerate(lines):
        at = 500 - 24 * number
        page.drawString(60, at, label + (secret or "Tuesday at nine"))
        if secret:
            start = 60 + page.stringWidth(label, "Helvetica", 11)
            page.rect(start - 1, at - 3, page.stringWidth(secret, "Helvetica", 11) + 2, 14, stroke=0, fill=1)
    page.save()


def main() -> None:
    """Write both files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    word_letter().save(str(FOLDER / "referral.docx"))
    covered_letter(FOLDER / "covered.pdf")


if __name__ == "__main__":
    main()
