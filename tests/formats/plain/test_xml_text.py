"""XML data files: tags stand, what stands between them is searched."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import PartKind, Verdict
from efface.errors import InputError, Refused
from efface.formats.plain.xml_text import XML

FILE = """<?xml version="1.0" encoding="UTF-8"?>
<!-- for Hazel King -->
<patients>
  <patient id="H4471209">
    <name><family>Little</family><given>Dean</given></name>
    <address line1="9 Cutler's Yard" town='Thame'/>
    <note a="x > y"><![CDATA[Seen with mum & Gail Little.]]> 5 &lt; 6</note>
  </patient>
</patients>
"""


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer()


def test_words_and_markup_are_told_apart() -> None:
    document = XML.read(FILE.encode(), "a.xml")
    text = document.text
    read = (
        FILE.replace("&lt;", "<").replace("<![CDATA[", "").replace("]]>", "")
    )  # a sentence goes on over a section
    assert text == read
    words = [text[part.start : part.end].strip() for part in document.parts if part.kind is PartKind.PROSE]
    assert {"Little", "9 Cutler's Yard", "Thame", "Seen with mum & Gail Little.", "5 < 6", "x > y"} <= set(
        words
    )
    assert not any("</" in word for word in words)
    assert "".join(text[part.start : part.end] for part in document.parts) == text


def test_a_release_is_well_formed_and_verifies(sanitizer: Sanitizer) -> None:
    report = sanitizer.sanitize(FILE.encode(), name="a.xml")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    text = report.released.decode()
    for word in ("Little", "Dean", "Gail", "King", "H4471209", "Cutler", "Thame"):
        assert word not in text
    root = ElementTree.fromstring(text)
    assert [child.tag for child in root[0]] == ["name", "address", "note"]
    assert sanitizer.verify(report.released, name="a.xml").verdict is Verdict.HELD


def test_names_as_data_standards_write_them(sanitizer: Sanitizer) -> None:
    text = (
        '<Patient><name><family value="Best"/><given value="Gale"/></name>'
        '<address><line value="3 Fen Side"/><city value="March"/></address></Patient>'
    )
    report = sanitizer.sanitize(text.encode(), name="a.xml")
    assert report.released is not None
    released = report.released.decode()
    assert not any(word in released for word in ("Best", "Gale", "Fen Side", "March"))


@pytest.mark.parametrize(
    "text",
    ["<a><b></a>", "no markup", '<!DOCTYPE a [<!ENTITY n "King">]><a>&n;</a>', "<a>&n;</a>", ""],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        XML.read(text.encode(), "a.xml")


def test_an_element_that_is_called_by_a_removed_name_is_no_release() -> None:
    sanitizer = Sanitizer({"find": {"names": "none", "deny": ["Zanzibarov"]}})
    with pytest.raises(Refused):
        sanitizer.sanitize(b"<Zanzibarov>x</Zanzibarov>", name="a.xml")


@pytest.mark.parametrize(
    "namespace",
    [
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://schemas.microsoft.com/office/word/2003/wordml",
        "http://schemas.microsoft.com/office/2006/xmlPackage",
        "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    ],
)
def test_documents_of_word_processors_are_refused(namespace: str) -> None:
    text = f"<w:p xmlns:w = '{namespace}'><w:r><w:t>Mor</w:t></w:r><w:r><w:t>gan Price</w:t></w:r></w:p>"
    with pytest.raises(InputError):
        XML.read(text.encode(), "a.xml")
    XML.read(f"<a>{namespace}</a>".encode(), "a.xml")


def test_another_encoding_stays_what_it_is(sanitizer: Sanitizer) -> None:
    data = '<?xml version="1.0" encoding="ISO-8859-1"?><a><surname>King</surname><b>été</b></a>'.encode(
        "latin-1"
    )
    report = sanitizer.sanitize(data, name="a.xml", allow_unproven=True)
    assert report.released is not None
    assert "été".encode("latin-1") in report.released
    assert b"King" not in report.released


def test_names_with_character_references_are_found(sanitizer: Sanitizer) -> None:
    text = "<a><surname>M&#252;ller</surname><note>Se&#225;n O&apos;Brien wrote &amp; left.</note></a>"
    report = sanitizer.sanitize(text.encode(), name="a.xml", allow_unproven=True)
    assert report.released is not None
    released = report.released.decode()
    assert "ller" not in released
    assert "Brien" not in released
    assert "wrote &amp; left." in released


def test_a_file_without_edits_keeps_its_bytes() -> None:
    data = FILE.encode()
    assert XML.write(XML.read(data, "a.xml"), ()) == data


@pytest.mark.parametrize(
    ("inside", "secrets"),
    [
        ("Patient <b>Mbe</b>ki and <hi>M</hi>organ Price left.", ("Mbe", "ki ", "organ", "Price")),
        ("Seen by <b>Morgan</b> Price today.", ("Morgan", "Price")),
        ("Seen by <x>Morgan</x> Price today.", ("Morgan", "Price")),
        ("Tel <b>01904</b> 555118 for details.", ("01904", "555118")),
        ("Write to jo<b>.</b>bloggs@example.org soon.", ("jo", "bloggs", "example.org")),
        ("Seen by Mor<!-- x -->gan Pri<![CDATA[ce]]> today.", ("Mor", "gan", "Pri", "ce]")),
        ("Seen by Mor<?x y?>gan Price today.", ("Mor", "gan", "Price")),
        (
            "<h:b xmlns:h='urn:h'>Seen by Mor</h:b><h:i xmlns:h='urn:h'>gan Price today.</h:i>",
            ("Mor", "gan", "Price"),
        ),
        ("<b>Mor</b><i>gan</i> <u>Price</u>", ("Mor", "gan", "Price")),
        (
            "It was <i who='Hazel King'>her</i> dog<!-- of Morgan Price -->.",
            ("Hazel", "King", "Morgan", "Price"),
        ),
        ("Of <n><surname>King</surname>, <forename>Hazel</forename></n> again.", ("King", "Hazel")),
        ("Staff: <n>Mary Jones</n><n>John Smith</n> again", ("Mary", "Jones", "John", "Smith")),
        ("Seen <name>Mbe</name>ki by <name>Dr Adaeze Okafor</name> today", ("Mbe", "ki", "Adaeze", "Okafor")),
    ],
)
def test_sentences_go_on_over_tags(sanitizer: Sanitizer, inside: str, secrets: tuple[str, ...]) -> None:
    data = f"<r><p>{inside}</p></r>".encode()
    assert XML.write(XML.read(data, "a.xml"), ()) == data
    report = sanitizer.sanitize(data, name="a.xml")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    released = report.released.decode()
    assert not any(secret in released for secret in secrets), released
    tags = [element.tag for element in ElementTree.fromstring(released).iter()]
    assert tags == [element.tag for element in ElementTree.fromstring(data).iter()]
    assert sanitizer.verify(report.released, name="a.xml").verdict is Verdict.HELD


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("<ward><note>Mrs Stone of Juniper ward</note></ward>", "<ward><note>["),
        ("<mark><student>Mark</student></mark>", "<mark><student>[PERSON_1]</student></mark>"),
        ("<order><bill>Bill Hodges</bill></order>", "<order><bill>[PERSON_1]</bill></order>"),
        ("<r bill='3'><name>Bill Hodges</name></r>", "<r bill='3'><name>[PERSON_1]</name></r>"),
    ],
)
def test_elements_called_by_ordinary_words_stay(sanitizer: Sanitizer, text: str, released: str) -> None:
    report = sanitizer.sanitize(text.encode(), name="a.xml")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert report.released.decode().startswith(released)
    assert sanitizer.verify(report.released, name="a.xml").verdict is Verdict.HELD


@pytest.mark.parametrize(
    "text",
    [
        "<r><Whitcombe>Mrs Whitcombe was seen.</Whitcombe></r>",
        "<r><note>Mrs Whitcombe was <Whitcombe>seen</Whitcombe>.</note></r>",
        "<r><HazelKing/><note>HazelKing is Mrs Hazel King.</note></r>",
        "<r><note Whitcombe='3'>Mrs Whitcombe was seen.</note></r>",
    ],
)
def test_elements_called_by_a_name_are_no_release(sanitizer: Sanitizer, text: str) -> None:
    with pytest.raises(Refused):
        sanitizer.sanitize(text.encode(), name="a.xml")


@pytest.mark.parametrize("text", ["<ward><a>ward</a></ward>", "<ward/>", "<r>see <ward>x</ward> ward</r>"])
def test_a_denied_word_is_none_of_an_element(text: str) -> None:
    denying = Sanitizer({"find": {"names": "none", "deny": ["ward"]}})
    try:
        report = denying.sanitize(text.encode(), name="a.xml")
    except Refused:
        return
    assert report.verdict is Verdict.BROKEN
    assert report.released is None


@pytest.mark.parametrize(
    "declarations",
    [
        "<!ELEMENT a ANY>",
        "<!-- it's > of Ruth --><!ELEMENT a ANY>",
        "\n<?x ]>?>\n<!ATTLIST a b CDATA ']> Ruth'>\n",
    ],
)
def test_declarations_of_a_document_type(declarations: str) -> None:
    file = f"<?xml version='1.0'?><!DOCTYPE a [{declarations}]><a>for Ruth, ]></a>"
    policy = "efface: 1\nfind: {patterns: none, names: none, deny: [Ruth]}\n"
    report = Sanitizer.from_text(policy).sanitize(file.encode(), name="a.xml")
    assert report.verdict is Verdict.HELD
    assert report.released == file.replace("Ruth", "[DENIED_1]").encode()
