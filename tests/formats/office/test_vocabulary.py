"""What counts as structure, and that no name does."""

from __future__ import annotations

from pathlib import Path

import pytest

from efface.attacks.readers.office_structure import (
    is_layout,
    is_usual_name,
    is_usual_uri,
    position,
    says_nothing,
)
from efface.formats.office.vocabulary import built_in, structural
from tests.growth import assert_linear

STRUCTURE = """
    left center both auto single 24 -1 0.5 12pt 100% FF0000 #4472c4 00A77B3E rId12 {00000000-0000-0000-0000-000000000001}
    en-US zh-Hans-CN accent1 _x0000_s1026 w14 x15ac roundRect heading1 ListParagraph LightGrid-Accent1 A1
    http://schemas.openxmlformats.org/drawingml/2006/chart m,l,21600r21600,l21600,xe
    position:absolute;margin-left:0;z-index:251 Calibri true false continuous
    """.split()
WORDS = """
    Zanzibar Smith smith Li Wu John12 Sade Ada Bea Carl carol paul adam IBM BMW SAP Georgia-Pacific McDonald
    Project-Falcon john.smith@x.example C:\\Users\\ann AcmeHeading Heading-Acme SmithGrid 張偉 Ньюман http://acme.example/x
    """.split()
PHRASES = ("New York Times", "Book of Smith", "Light Yagami", "position of Ann", "A1 Steak")


@pytest.mark.parametrize(
    "value", [*STRUCTURE, "Times New Roman", "Light Shading Accent 1", "white [3212]", "w14 w15"]
)
def test_structure(value: str) -> None:
    assert structural(value, cells=True)


@pytest.mark.parametrize("value", [*WORDS, *PHRASES])
def test_words_are_not_structure(value: str) -> None:
    assert not structural(value)
    assert not built_in(value)


@pytest.mark.parametrize("value", [word for word in WORDS if not word.islower()])
def test_the_attacker_thinks_so_too(value: str) -> None:
    assert not is_layout(value)
    assert not is_usual_name(f"word/{value}.xml")
    for kind in ("words", "author", "part", "style", "font", "style or font", "id"):
        assert not says_nothing(kind, value)


def test_few_names_of_people_hide_in_the_vocabulary(shared_data: Path) -> None:
    """Names as they are written, with a capital: a style or a font is called Georgia, and that is about all."""
    folder = shared_data / "ner" / "names"
    names = {
        line.split()[0].capitalize()
        for path in sorted(folder.iterdir())
        if "name" in path.name.lower()
        for line in path.read_text("utf-8", "replace").splitlines()
        if line.strip() and line.split()[0].isalpha() and len(line.split()[0]) > 1
    }
    names = set(sorted(names)[::4])  # every fourth tells as much
    hidden = sorted(name for name in names if structural(name))
    assert len(names) > 1000
    assert len(hidden) < len(names) / 200, hidden


# The last words of the types of relationships, as the standard and its extensions list them.
RELATIONSHIPS = """
    aFChunk attachedTemplate attachedToolbars audio chart chartColorStyle chartEx chartStyle chartUserShapes chartsheet
    comments commentsExtended commentsExtensible commentsIds commentAuthors connections control ctrlProp customXml
    customXmlProps diagramColors diagramData diagramDrawing diagramLayout diagramQuickStyle dictionary drawing endnotes
    externalLink externalLinkLongPath externalLinkPath featurePropertyBag font fontTable footer footnotes frame
    glossaryDocument graphicFrameDoc handoutMaster hdphoto header hyperlink image keyMapCustomizations namedSheetView
    notesMaster notesSlide numbering officeDocument oleObject package people person pivotCacheDefinition
    pivotCacheRecords pivotTable powerPivotData presProps printerSettings queryTable rdArray rdRichValue
    rdRichValueStructure rdRichValueTypes rdSupportingPropertyBag recipientData richStyles richValueRel settings
    sharedStrings sheetMetadata slicer slicerCache slide slideLayout slideMaster slideUpdateUrl styles
    stylesWithEffects subDocument table tableSingleCells tableStyles tags theme themeOverride threadedComment timeline
    timelineCache usernames vbaProject viewProps video vmlDrawing volatileDependencies webSettings wordVbaData
    worksheet wsSortMap xmlMaps
    """.split()
NAMESPACES = """
    http://schemas.libreoffice.org/ urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0
    urn:openoffice:names:experimental:ooxml-odf-interop:xmlns:form:1.0
    urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0
    """.split()


def test_published_addresses_tell_the_attacker_nothing() -> None:
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    assert [word for word in RELATIONSHIPS if not is_layout(base + word)] == []
    assert [uri for uri in NAMESPACES if not is_usual_uri(uri)] == []


POSITIONS = [
    ("docPr", "descr", "words"), ("jc", "val", "layout"), ("style", "styleId", "style"), ("rFonts", "ascii", "font"),
    ("comment", "author", "author"), ("Relationship", "Target", "part"), ("bookmarkStart", "name", "words"),
    ("font-face", "name", "font"), ("text-properties", "font-name-asian", "font"), ("alias", "val", "words"), ("name", "val", "style or font"), ("shape", "id", "id"),
]  # fmt: skip


@pytest.mark.parametrize(("element", "name", "kind"), POSITIONS)
def test_positions(element: str, name: str, kind: str) -> None:
    assert position(element, name) == kind


@pytest.mark.parametrize(("piece", "last"), [("1", "!"), ("a1", "é"), ("-", "x"), ("m", ""), ("1a", "")])
def test_long_values_take_time_by_their_length(piece: str, last: str) -> None:
    def work(text: str) -> object:
        value = text + last
        return structural(value), is_layout(value), built_in(value)

    assert_linear(work, piece, 100_000)
