"""Edits of the text against the places it came from, by the definition: every character knows its home."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from efface.core import Edit, apply_edits
from efface.formats.office.string_codecs import CODECS, shown
from efface.formats.office.xmltext import (
    DROP,
    TAIL,
    TEXT,
    Composer,
    XmlPiece,
    XmlPlace,
    apply_change,
    copies,
    serialize,
)

_ROOT = "<r>" + "".join(f"<e{index}/>" for index in range(12)) + "</r>"
_TEXTS = st.text("ab \t<&é\U0001f600", min_size=1, max_size=5)


@st.composite
def _pieces(draw: st.DrawFn) -> list[tuple[str, str]]:
    """(kind, text): a text, a tail, an attribute, a character that is an element, or a separator."""
    kinds = st.sampled_from([TEXT, TAIL, "name", DROP, ""])
    pieces = [(draw(kinds), draw(_TEXTS)) for _ in range(draw(st.integers(1, 12)))]
    return [(kind, "\t" if kind == DROP else "\n" if kind == "" else text) for kind, text in pieces]


@st.composite
def _edits(draw: st.DrawFn, length: int) -> list[Edit]:
    cuts = sorted(draw(st.lists(st.integers(0, length), max_size=8, unique=True)))
    replacements = st.sampled_from(["", "[X]", "Y"])
    return [
        Edit(start, end, "T", "k", "r", draw(replacements))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]


@given(st.data())
def test_every_place_gets_what_the_definition_says(data: st.DataObject) -> None:
    rows = data.draw(_pieces())
    root = etree.fromstring(_ROOT)
    composer = Composer()
    stream: list[XmlPiece] = composer.stream("body")
    for element, (kind, text) in zip(root, rows, strict=False):
        if kind == TEXT:
            element.text = text
        elif kind == TAIL:
            element.tail = text
        elif kind == "name":
            element.set("name", text)
        stream.append((text, (XmlPlace("p", element, kind),) if kind else ()))
    layout = composer.layout()
    assert layout.text == "".join(text for _, text in rows)
    edits = data.draw(_edits(len(layout.text)))

    before = serialize(root)
    fresh, changes = copies({"p": root}, layout.changes(edits))
    for place, change in changes.items():
        apply_change(place, change)
    assert serialize(root) == before, "the original must not change"
    expected = _by_definition(rows, edits)
    written = fresh.get("p", root)
    left = iter(written)
    for (kind, _), want in zip(rows, expected, strict=True):
        if kind == DROP and want is None:
            continue  # the element is gone
        element = next(left)
        got = {TEXT: element.text, TAIL: element.tail, "name": element.get("name")}.get(kind)
        if kind in (TEXT, TAIL, "name"):
            assert (got or "") == want


def _by_definition(rows: list[tuple[str, str]], edits: list[Edit]) -> list[str | None]:
    """Slow and obvious: walk the characters; a replacement goes to the first editable character of its edit,
    or behind the last editable piece before it; elements go when any of their characters is edited."""
    owner = [index for index, (_, text) in enumerate(rows) for _ in text]
    chars = [[char] for _, text in rows for char in text]
    suffix: dict[int, str] = {}
    gone: set[int] = set()
    for edit in edits:
        covered = range(edit.start, edit.end)
        homes = [at for at in covered if rows[owner[at]][0] in (TEXT, TAIL, "name")]
        for at in covered:
            if rows[owner[at]][0] == DROP:
                gone.add(owner[at])
            chars[at] = []
        if homes:
            chars[homes[0]] = [edit.replacement or ""]
        elif edit.replacement and covered:
            before = [index for index in range(owner[edit.start]) if rows[index][0] in (TEXT, TAIL, "name")]
            if before:
                suffix[before[-1]] = suffix.get(before[-1], "") + edit.replacement
    result: list[str | None] = []
    position = 0
    for index, (kind, text) in enumerate(rows):
        piece = "".join("".join(chars[position + offset]) for offset in range(len(text)))
        position += len(text)
        result.append(None if kind == DROP and index in gone else piece + suffix.get(index, ""))
    return result


def test_one_string_shown_twice_is_edited_once() -> None:
    root = etree.fromstring("<r><e>secret name</e></r>")
    place = XmlPlace("p", root[0])
    composer = Composer()
    composer.stream("now").append(("secret name", (place,)))
    composer.stream("then").append(("secret name", (place,)))
    edits = [Edit(0, 6, "T", "k", "r", "[X]"), Edit(11, 17, "T", "k", "r", "[X]")]
    assert composer.layout().changes(edits) == {place: [(0, 6, "[X]")]}


def test_one_line_with_many_places_changes_them_all() -> None:
    root = etree.fromstring("<r><e id='a'/><e ref='a'/></r>")
    composer = Composer()
    composer.line("markup", "a", XmlPlace("p", root[0], "id"), XmlPlace("p", root[1], "ref"))
    fresh, changes = copies({"p": root}, composer.layout().changes([Edit(0, 1, "T", "k", "r", "b")]))
    for place, change in changes.items():
        apply_change(place, change)
    first, second = fresh["p"].iterchildren()
    assert [first.get("id"), second.get("ref")] == ["b", "b"]


def test_characters_that_xml_cannot_carry_are_replaced() -> None:
    root = etree.fromstring("<r><e>x</e></r>")
    composer = Composer()
    composer.line("body", "x", XmlPlace("p", root[0]))
    changes = composer.layout().changes([Edit(0, 1, "T", "k", "r", "a\0b\ud800")])
    assert list(changes.values()) == [[(0, 1, "a\ufffdb\ufffd")]]


@given(st.text("aZ %_x5fé[]&", max_size=12), st.sampled_from(["url", "xstring", "plain"]))
def test_what_is_written_reads_the_same(text: str, codec: str) -> None:
    assert shown(CODECS[codec][1](text), codec) == text


def test_edits_in_order_rebuild_the_text() -> None:
    edits = [Edit(0, 1, "T", "k", "r", "XX"), Edit(2, 3, "T", "k", "r", "")]
    assert apply_edits("abcd", edits) == "XXbd"
