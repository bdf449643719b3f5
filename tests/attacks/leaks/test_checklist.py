"""Every hiding place that the promise names, and the cell of the matrix that plants a secret there."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.attacks.leaks.test_office_leaks import VECTORS as OFFICE
from tests.attacks.leaks.test_pdf_leaks import VECTORS as PDF

CHECKLIST: dict[str, dict[str, list[str]]] = {
    "docx": {
        "body": ["body", "split over runs", "upper case", "drop cap"],
        "tables": ["table", "nested table"],
        "headers and footers": ["header", "footer"],
        "footnotes and endnotes": ["footnote", "endnote"],
        "comments and people": ["comment", "comment author", "comment initials", "people"],
        "text boxes, both branches": [
            "text box, new branch",
            "text box, fallback branch",
            "text box, both branches",
        ],
        "tracked changes": ["tracked insertion", "tracked deletion", "tracked move", "author of a change"],
        "hidden text": ["hidden text", "term around hidden text", "term around text hidden by a style"],
        "content controls": ["content control", "content control title", "content control tag"],
        "data bindings and custom XML": ["data binding", "bound custom XML", "custom XML element"],
        "fields and their codes": ["field code", "field code over runs", "simple field", "field data"],
        "hyperlinks and targets": ["hyperlink target", "hyperlink anchor and tooltip", "attached template"],
        "alternative text": ["alternative text", "VML titles", "table caption"],
        "bookmarks": ["bookmark"],
        "properties": ["title", "creator", "company and manager", "custom property value"],
        "embedded files and OLE": ["embedded document", "embedded workbook", "OLE object", "control"],
        "caches of charts": ["chart cache", "chart workbook"],
        "thumbnails": ["thumbnail"],
        "rsids": ["rsid of a paragraph and of a run", "rsids of the settings"],
        "glossary and settings": ["glossary", "document variables", "unknown setting"],
        "pictures": ["JPEG EXIF", "JPEG IPTC", "PNG text", "GIF comment", "words in a metafile", "SVG"],
    },
    "xlsx": {
        "strings": ["shared string", "rich shared string, split", "inline string"],
        "formulas and cached values": ["formula with words", "cached words of a formula", "shared formula"],
        "defined names": ["name of a range", "words in a range"],
        "comments": ["comment", "threaded comment", "person"],
        "hidden places": ["hidden row", "hidden column", "hidden sheet"],
        "pivot caches": ["pivot items", "pivot number", "pivot records"],
        "external links": ["path of another workbook", "value of another workbook"],
        "headers and footers": ["header and footer"],
        "charts": ["chart title", "chart cache", "chart reference"],
    },
    "pptx": {
        "slides": ["slide", "split over runs", "hidden slide", "table"],
        "notes": ["notes", "notes master"],
        "masters": ["master", "layout", "handout master"],
        "comments": ["comment", "comment author", "modern comment"],
        "alternative text": ["alternative text"],
    },
    "odt": {
        "text": ["paragraph", "split over spans", "table", "header", "footer", "footnote"],
        "annotations": ["comment", "comment author"],
        "tracked changes": ["tracked deletion", "tracked insertion"],
        "metadata": ["title", "creator", "user-defined property"],
    },
    "ods": {
        "cells": ["cell", "cell value", "formula", "result of a formula", "hidden sheet", "hidden row"],
        "annotations": ["comment"],
        "tracked changes": ["tracked changes"],
        "metadata": ["properties"],
    },
    "pdf": {
        "content": [
            "string",
            "drop cap",
            "kerned array",
            "letter by letter, placed",
            "split over content streams",
        ],
        "forms": ["form", "form in form in form", "form that is never drawn"],
        "patterns": ["tiling pattern", "soft mask"],
        "Type 3 fonts": ["Type 3 glyph that shows text", "Type 3 glyph that means the word"],
        "marked content": ["ActualText", "Alt and E in content", "marked point"],
        "structure tree": ["structure tree", "user properties and unknown attributes"],
        "OCR layers": ["OCR layer over a scan"],
        "unseen text": ["off the page", "clipped away", "invisible", "white on white", "under a rectangle"],
        "annotations and popups": ["comment and its popup", "reply", "free text", "appearance"],
        "links": ["link address", "link over the word"],
        "outlines, destinations, labels": ["bookmarks", "named destinations", "page labels"],
        "form values": ["form fields", "field value in a stream", "appearance states"],
        "XFA": ["form fields"],
        "JavaScript": ["JavaScript"],
        "attachments": ["attachments"],
        "thumbnails": ["thumbnail"],
        "Info and XMP": ["document information", "XMP"],
        "layers": ["hidden layer", "layer's name"],
        "revisions and orphans": ["previous revision", "orphaned objects and bytes between objects"],
        "ToUnicode and subsets": ["composite font", "character set of a font", "names of a TrueType font"],
        "pictures": ["metadata inside a JPEG", "alternate image"],
    },
}


@pytest.mark.parametrize("kind", CHECKLIST)
def test_every_named_place_is_in_the_matrix(kind: str) -> None:
    matrix: Iterable[str] = PDF if kind == "pdf" else OFFICE[kind]
    named = {cell for cells in CHECKLIST[kind].values() for cell in cells}
    assert named <= set(matrix), sorted(named - set(matrix))
