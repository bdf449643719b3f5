"""Forms with a field to each letter of a name."""

from __future__ import annotations

import io

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from efface import Sanitizer
from efface.attacks.leaks import ForbiddenTerms, search
from efface.attacks.readers.extract import extract
from efface.core import Document, Verdict

SECRET = "Zanzibarov"


def _form(letters: str) -> bytes:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(400, 200))
    fields = []
    for number, letter in enumerate(letters):
        field = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            T=String(f"box {number}"),
            V=String(letter),
            Rect=Array([10 + 20 * number, 100, 25 + 20 * number, 120]),
        )
        fields.append(pdf.make_indirect(field))
    pdf.Root.AcroForm = Dictionary(Fields=Array(fields))
    page.obj.Annots = Array(fields)
    target = io.BytesIO()
    pdf.save(target)
    return target.getvalue()


def test_a_name_with_a_field_to_each_letter_goes() -> None:
    policy = {"find": {"deny": [SECRET], "names": "none"}}
    report = Sanitizer(policy).sanitize(_form(SECRET), name="form.pdf")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    with pikepdf.open(io.BytesIO(report.released)) as pdf:
        values = [str(field.V) for field in pdf.Root.AcroForm.Fields]
    assert "".join(values) == "[DENIED_1]"


def test_the_search_reads_fields_of_one_letter_together() -> None:
    found = search(
        (), extract(_form(SECRET), "pdf"), Document("", "pdf", ""), standing=ForbiddenTerms((SECRET,))
    )
    assert found
