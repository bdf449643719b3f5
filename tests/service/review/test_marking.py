"""What a reviewer marks by hand: types, codes, columns, areas and pages; and the index of what was taken out."""

from __future__ import annotations

import csv
import io
from typing import Any

import docx
import pypdfium2
import pytest

from efface.api.sanitizer import Sanitizer
from efface.service.review.decisions import Decision, EffectiveDecisions, Recorded
from efface.service.review.run_with_decisions import ReviewInput, _area_words
from tests.service.hospital import House
from tests.service.review.test_review import MAIL, add, decide, export, view

CODES = """
find: {patterns: default, names: none}
review:
  codes: {"(b)(6)": personal privacy, "art. 15(4)": rights of others}
  show_codes: true
"""


def furnish(house: House) -> None:
    (house.service.settings.policies / "codes.yaml").write_text(f"efface: 1{CODES}", "utf-8")


def test_a_mark_has_the_type_that_the_reviewer_says(house: House) -> None:
    id = add(house)
    decide(house, id, {"kind": "redact", "term": "grey", "type": "PERSON"})
    assert b"[PERSON_1] cat, [PERSON_1] cat." in export(house, id).content


@pytest.mark.parametrize(
    "made",
    [
        {"kind": "redact", "term": "grey", "type": "WIZARD"},
        {"kind": "keep", "term": "grey", "type": "PERSON"},
        {"kind": "keep", "term": "grey", "code": "(b)(6)"},
        {"kind": "redact", "places": [[5, 3]]},
        {"kind": "keep", "places": [[3, 5]]},
        {"kind": "area", "page": 0},
        {"kind": "area", "page": 0, "box": [0.5, 0.1, 0.2, 0.3]},
        {"kind": "area", "page": 0, "box": [0.1, 0.1, 1.2, 0.3]},
        {"kind": "page"},
        {"kind": "page", "page": 0},
        {"kind": "redact", "term": "grey", "code": "(b)(7)"},
    ],
)
def test_a_mark_that_makes_no_sense_is_refused(house: House, made: dict[str, Any]) -> None:
    """The last two are right in form: a text has no pages, and the policy no such code."""
    assert decide(house, add(house), made).status_code == 422


PARTS = "The Military Housing Establishment (founded by “Old Tom”) paid 13573/AB. Military\nHousing again. שלום דוד כהן."


@pytest.mark.parametrize(
    ("term", "left"),
    [
        ("Establishm", "Housing [REDACTED_1] (founded"),
        ("Military Housing Establishm", "The [REDACTED_1] (founded"),
        ("ilitary Housing", "The [REDACTED_1] Establishment (founded by “Old Tom”) paid 13573/AB. [REDACTED_1] again"),
        ("ld Tom", "by “[REDACTED_1]”) paid"),
        ("573/A", "paid [REDACTED_1]. Military"),
        ("דוד כ", "שלום [REDACTED_1]."),
        ("Tom", "by “Old [REDACTED_1]”) paid"),
    ],
)  # fmt: skip
def test_a_part_of_a_word_takes_the_whole_word(shared_house: House, term: str, left: str) -> None:
    """A drag that ended too early was found nowhere: the decision was in the list, the file unchanged and held."""
    id = add(shared_house, PARTS.encode(), "parts.txt")
    decide(shared_house, id, {"kind": "redact", "term": term})
    found = view(shared_house, id)
    assert found["verdict"] == "held" and found["edits"]
    assert left in export(shared_house, id).content.decode()


def test_several_places_are_one_decision_and_one_undo(house: House) -> None:
    rows = b"name,town\nAnselm,Ghent\nBirgit,Ghent\n"
    id = add(house, rows, "people.csv")
    text = rows.decode()
    places = [[text.index(word), text.index(word) + 6] for word in ("Anselm", "Birgit")]
    assert decide(house, id, {"kind": "redact", "places": places}).status_code == 200
    content = export(house, id).content
    assert b"Anselm" not in content and b"Birgit" not in content and content.count(b"Ghent") == 2
    decide(house, id, {"kind": "undo", "of": 1})
    assert export(house, id).content == rows


def test_a_code_stands_in_the_text_and_in_the_index_but_the_word_in_neither(house: House) -> None:
    furnish(house)
    id = add(house, policy="codes")
    decide(house, id, {"kind": "redact", "term": "grey", "code": "(b)(6)"})
    assert export(house, id).content.count(b"[REDACTED (b)(6)] cat") == 2
    assert view(house, id)["codes"] == {"(b)(6)": "personal privacy", "art. 15(4)": "rights of others"}
    index = export(house, id, what="index.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(index)))
    coded = [row for row in rows if row["code"] == "(b)(6)"]
    assert [(row["place"], row["what the code means"], row["decided by"]) for row in coded] == [
        ("body, line 1", "personal privacy", "reviewer")
    ] * 2
    assert {row["decided by"] for row in rows if not row["code"]} == {"policy"}
    assert "grey" not in index.lower() and "ann@" not in index
    table = docx.Document(io.BytesIO(export(house, id, what="index.docx").content)).tables[0]
    assert len(table.rows) == len(rows) + 1 and table.cell(0, 0).text == "document"


def test_a_name_that_is_a_formula_is_text_in_the_index(house: House) -> None:
    id = add(house, MAIL, "=cmd().txt")
    index = export(house, id, what="index.csv").content.decode("utf-8-sig")
    assert "'=cmd().txt" in index


def pdf_of(*pages: str) -> bytes:
    from reportlab.pdfgen import canvas

    out = io.BytesIO()
    paper = canvas.Canvas(out, pagesize=(400, 400))
    for words in pages:
        for at, word in enumerate(words.split()):
            paper.drawString(40, 360 - 40 * at, word)
        paper.showPage()
    paper.save()
    return out.getvalue()


def test_small_words_of_an_area_may_stand_elsewhere(house: House) -> None:
    """Each word was a row of the list and was searched for by itself: "of" is in every file."""
    from reportlab.pdfgen import canvas

    out = io.BytesIO()
    paper = canvas.Canvas(out, pagesize=(400, 400))
    paper.setTitle("Name of the form")
    paper.drawString(40, 360, "Number of the Name")
    paper.drawString(40, 300, "A list of animals")
    paper.save()
    id = add(house, out.getvalue(), "form.pdf")
    decide(house, id, {"kind": "area", "page": 0, "box": [0, 0.05, 1, 0.15]})
    found = view(house, id)
    assert found["verdict"] == "held", found["leaks"]
    assert [term["text"] for term in found["terms"]] == ["Number of the Name"]


def form() -> bytes:
    """A label that stands twice. What the field draws stands beside the second one."""
    from reportlab.pdfgen import canvas

    out = io.BytesIO()
    paper = canvas.Canvas(out, pagesize=(400, 400))
    paper.drawString(40, 360, "Requested: by ann@example.org")
    paper.drawString(40, 330, "Requested:")
    paper.drawString(40, 300, "Requested:")
    paper.drawString(200, 300, "Approved:")
    paper.acroForm.textfield(name="amount", value="forty", x=110, y=295, width=70, height=16, fontSize=10)
    paper.save()
    return out.getvalue()


SECOND_LINE = [0.0, 0.13, 1.0, 0.2]


def test_a_label_of_a_form_may_stand_elsewhere(house: House) -> None:
    """Beside the value of a field it has other neighbours than in the text, and was called a leak."""
    id = add(house, form(), "form.pdf")
    decide(house, id, {"kind": "area", "page": 0, "box": SECOND_LINE})
    found = view(house, id)
    assert [term["text"] for term in found["terms"] if term["type"] == "REDACTED"] == ["Requested:"]
    assert found["verdict"] == "held", found["leaks"]


@pytest.mark.parametrize("also", [None, "requested:"])
def test_only_what_nothing_else_takes_out_is_searched_after_the_area(also: str | None) -> None:
    """What a finder marks or a reviewer redacts everywhere is searched for before too: it may be in sight elsewhere."""
    bound = Sanitizer("efface: 1\nfind: {names: none}\n").bind("ann")
    prepared = ReviewInput.of(form(), "form.pdf", bound)
    areas = (Recorded(kind="area", page=0, box=(0.0, 0.0, 1.0, 0.2)),)
    terms: dict[str, Decision] = {also: Recorded(kind="redact", term=also)} if also else {}
    words = _area_words(prepared, EffectiveDecisions(terms=terms, areas=areas, version=1, changed=1))
    lines = {"requested: by ann@example.org", "requested:"}
    assert words == lines - {also}
    alone = (Recorded(kind="area", page=0, box=(0.36, 0.0, 1.0, 0.12)),)
    assert _area_words(prepared, EffectiveDecisions(areas=alone, version=1, changed=1)) == set()


def test_an_area_and_a_page_are_taken_out_of_a_pdf(house: House) -> None:
    id = add(house, pdf_of("zebra yak", "lion", "tiger"), "zoo.pdf")
    made = [{"kind": "area", "page": 0, "box": [0, 0, 1, 0.15]}, {"kind": "page", "page": 1}]
    assert decide(house, id, *made).status_code == 200
    found = view(house, id)
    assert found["verdict"] == "held", found["problem"]
    content = export(house, id).content
    released = pypdfium2.PdfDocument(content)
    assert len(released) == 2
    assert released[0].get_textpage().get_text_range().strip() == "", "the page is a picture"
    assert released[1].get_textpage().get_text_range().strip() == "tiger"
    assert b"zebra" not in content and b"lion" not in content
    top = released[0].render(scale=1).to_pil().convert("L").crop((0, 0, 400, 55))
    assert top.getextrema() == (0, 0)
    leaving = house.get("reviewer", f"/v1/reviews/{id}/released").json()
    assert len(leaving["pages"]) == 2
    decide(house, id, {"kind": "undo", "of": 2})
    assert len(pypdfium2.PdfDocument(export(house, id).content)) == 3
    rows = export(house, id, what="index.csv").content.decode("utf-8-sig")
    assert "page 1,area" in rows


def test_words_of_a_turned_page_stand_where_they_are_seen(house: House) -> None:
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf_of("zebra"))) as pdf:
        pdf.pages[0].Rotate = 90
        out = io.BytesIO()
        pdf.save(out)
    id = add(house, out.getvalue(), "turned.pdf")
    words = house.get("reviewer", f"/v1/reviews/{id}/pages/0").json()["words"]
    left, top, right, bottom = words[0][2:]
    assert left > 300 and top < 120 and bottom - top > right - left, (
        "a word at the top left turns to the top right"
    )


@pytest.mark.parametrize("made", [{"start": 3, "end": 4000}, {"places": [[3, 7], [3, 4000]]}])
def test_a_place_beyond_the_text_is_not_ignored(house: House, made: dict[str, Any]) -> None:
    """Somebody wanted it gone, and nothing went: that is not held."""
    id = add(house, b"The grey cat.", "cat.txt")
    assert decide(house, id, {"kind": "redact", **made}).status_code == 200
    assert view(house, id)["verdict"] == "broken"
    assert export(house, id).status_code != 200
    decide(house, id, {"kind": "undo", "of": 1}, who="reviewer")
    assert view(house, id)["verdict"] == "held"


@pytest.mark.parametrize("kind", ["keep", "redact"])
def test_places_of_another_text_count_no_more(house: House, kind: str) -> None:
    """A reader that was mended may read a document anew: the places would be those of other words."""
    note = b"The grey cat wrote to ann@example.org."
    id = add(house, note, "cat.txt")
    decide(house, id, {"kind": kind, "start": 22, "end": 37})
    assert view(house, id)["verdict"] == "held"
    store = house.service.review_store
    store._set(
        id, file=house.service.blobs.put(b"Anew.\n" + note)
    )  # as if the same file gave another text now
    store._open_reviews.clear()
    found = view(house, id)
    assert found["verdict"] == "broken" and "another text" in found["problem"]
    assert export(house, id).status_code != 200
    decide(house, id, {"kind": "undo", "of": 1})
    assert view(house, id)["verdict"] == "held"


def test_a_page_that_shows_another_text_decides_nothing(house: House) -> None:
    id = add(house, b"The grey cat.", "cat.txt")
    shown = house.get("reviewer", f"/v1/reviews/{id}").json()["text_digest"]
    made = [{"kind": "redact", "start": 4, "end": 8}]
    for digest, status in (("0" * 64, 409), (shown, 200)):
        body = {"decisions": made, "text_digest": digest}
        assert house.post("reviewer", f"/v1/reviews/{id}/decisions", json=body).status_code == status


def test_a_page_that_somebody_else_took_out_comes_back_once_it_was_seen(house: House) -> None:
    """No other decision says the opposite of a page, an area or a column."""
    id = add(house, pdf_of("zebra", "lion"), "zoo.pdf")
    decide(house, id, {"kind": "page", "page": 1})
    undo = {"kind": "undo", "of": 1}
    assert decide(house, id, undo, who="admin", seen=0).status_code == 409
    assert decide(house, id, undo, who="admin").status_code == 200
    assert view(house, id)["areas"] == []


def test_a_column_does_not_overwrite_unseen_what_somebody_decided_about_a_cell(house: House) -> None:
    id = add(house, b"name,town\nAnselm,Ghent\nBirgit,Ghent\n", "people.csv")
    cell, column = {"start": 10, "end": 16}, {"places": [[10, 16], [23, 29]]}
    assert decide(house, id, {"kind": "keep", **cell}, who="admin", seen=0).status_code == 200
    assert decide(house, id, {"kind": "redact", **column}, seen=0).status_code == 409
    assert decide(house, id, {"kind": "redact", **column}, seen=1).status_code == 200
    assert decide(house, id, {"kind": "keep", **cell}, who="admin", seen=1).status_code == 409
