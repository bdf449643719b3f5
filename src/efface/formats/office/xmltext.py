"""Text that knows where in the XML it came from, and edits of that text written back to the XML.

An `XmlPlace` is one string of a tree: an element's text, its tail or an attribute. An `XmlLayout` is the document's
text as a row of pieces, each with the places it shows. Trees are never changed in place: edits go to copies.
"""

from __future__ import annotations

import copy
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, overload, runtime_checkable

from lxml import etree

from efface.core import Edit, Part, PartKind
from efface.errors import InputError
from efface.formats.office.string_codecs import CODECS, NOT_XML


class Element(Protocol):
    """What we use of an lxml element, typed: names and values are always str once parsed."""

    tag: str
    text: str | None
    tail: str | None

    @property
    def nsmap(self) -> Mapping[str | None, str]: ...
    @property
    def attrib(self) -> MutableMapping[str, str]: ...
    @overload
    def get(self, key: str) -> str | None: ...
    @overload
    def get(self, key: str, default: str) -> str: ...
    def set(self, key: str, value: str) -> None: ...
    def items(self) -> list[tuple[str, str]]: ...
    def values(self) -> list[str]: ...
    def iter(self, *tags: str) -> Iterator[Element]: ...
    def iterchildren(self, *tags: str) -> Iterator[Element]: ...
    def iterancestors(self) -> Iterator[Element]: ...
    def getparent(self) -> Element | None: ...
    def getprevious(self) -> Element | None: ...
    def append(self, element: Element) -> None: ...
    def extend(self, elements: Iterable[Element]) -> None: ...
    def insert(self, index: int, element: Element) -> None: ...
    def remove(self, element: Element) -> None: ...
    def replace(self, old: Element, new: Element) -> None: ...
    def xpath(self, path: str, *, namespaces: Mapping[str, str]) -> Any: ...
    def __iter__(self) -> Iterator[Element]: ...
    def __len__(self) -> int: ...


MAX_TEXT = 100_000_000  # characters of one document

# Slots of a place other than an attribute's name. No attribute name begins with NUL.
TEXT = "\0text"
TAIL = "\0tail"
DROP = "\0drop"  # the element shows one or more characters; an edit of them removes it

_DOCTYPE = re.compile(rb"<\0?!\0?(?:D\0?O\0?C\0?T\0?Y\0?P\0?E|E\0?N\0?T\0?I\0?T\0?Y)")
_ENCODINGS = frozenset("UTF-8 UTF-16 UTF-16LE UTF-16BE ASCII US-ASCII ISO-8859-1 WINDOWS-1252".split())
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
# Outside these the schemas do not allow the attribute, and no space is lost without it.
_KEEPS_SPACE = re.compile(r"(?:wordprocessing|spreadsheet)ml/[^}]*\}(?:t|delText|instrText|delInstrText)$")


class XmlPlace(NamedTuple):
    """One string of the package. `codec` says how it is written there and shown in the text."""

    part: str
    element: Element
    slot: str = TEXT
    codec: str = "plain"


# The streams of a package's text that are no prose.
STYLES, MARKUP = "styles and fonts", "markup"
_KINDS = {
    STYLES: PartKind.CODE,
    MARKUP: PartKind.LABEL,
    "field code": PartKind.LABEL,
    "bookmark": PartKind.LABEL,
}

XmlPiece = tuple[str, tuple[XmlPlace, ...]]
XmlChange = tuple[int, int, str]
Changes = dict[XmlPlace, list[XmlChange]]


def parse_xml(data: bytes, *, recover: bool = False) -> Element:
    """The root element. No DTD, no entities, no network, bounded depth; comments and instructions are dropped."""
    if _DOCTYPE.search(data):
        raise InputError(
            "The file declares XML entities, which office files never need.",
            "Open it in an office program and save it again.",
        )
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
    try:
        root: Element | None = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise _unreadable() from None  # lxml quotes the document
    if root is None:  # what recovery leaves of something that is no XML at all
        raise _unreadable()
    if any("depth" in entry.message for entry in parser.error_log):  # an attack rather than damage
        raise _unreadable()
    _check_encoding(root)
    return root


def _check_encoding(root: Any) -> None:
    """In other encodings nothing that looks at the bytes (a document type, foreign names) would see anything."""
    if (root.getroottree().docinfo.encoding or "UTF-8").upper() not in _ENCODINGS:
        raise InputError(
            "A part of the file is in an encoding that office files never have.",
            "Open it in an office program and save it again.",
        )


def _unreadable() -> InputError:
    return InputError(
        "A part of the file is not well-formed XML, or is nested too deeply.",
        "Open it in an office program, save it again and retry.",
    )


def serialize(root: Element) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def remove(element: Element) -> None:
    """Take an element out and leave the text that follows it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        previous = element.getprevious()
        if previous is not None:
            previous.tail = (previous.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


class Composer:
    """Collects pieces in named streams, in the order in which the streams are first named."""

    def __init__(self) -> None:
        self._streams: dict[str, list[XmlPiece]] = {}
        self.answered: set[tuple[Element, str]] = set()  # strings that a piece shows under another place

    def stream(self, name: str) -> list[XmlPiece]:
        return self._streams.setdefault(name, [])

    def line(self, stream: str, value: str, *places: XmlPlace) -> None:
        """One string on a line of its own."""
        self.stream(stream).extend(((value, places), ("\n", ())))

    def seen(self) -> set[tuple[Element, str]]:
        """The strings shown so far."""
        found = set(self.answered)
        for pieces in self._streams.values():
            for _, places in pieces:
                for place in places:
                    found.add((place.element, place.slot))
        return found

    def layout(self, last: Sequence[str] = ()) -> XmlLayout:
        """All streams joined; those named in `last` come at the end, in that order."""
        names = [name for name in self._streams if name not in last]
        names += [name for name in last if name in self._streams]
        return _layout_of((name, self._streams[name]) for name in names)


@dataclass(frozen=True, slots=True)
class XmlLayout:
    """The text, its parts, and for every piece with a source where it starts and what it shows."""

    text: str
    parts: tuple[Part, ...]
    starts: list[int]
    ends: list[int]
    places: list[tuple[XmlPlace, ...]]

    def changes(self, edits: Iterable[Edit]) -> Changes:
        """What every place has to change, in its own coordinates, sorted and disjoint."""
        found: Changes = {}
        for edit in edits:
            for places, change in self._cut(edit):
                for place in places:
                    found.setdefault(place, []).append(change)
        return {place: _merged(changes) for place, changes in found.items()}

    def _cut(self, edit: Edit) -> Iterable[tuple[tuple[XmlPlace, ...], XmlChange]]:
        """The edit on each piece it covers. The replacement goes where the edit starts, the rest is deleted."""
        replacement = NOT_XML.sub("\ufffd", edit.replacement or "")
        index = max(bisect_right(self.starts, edit.start) - 1, 0)
        if self.starts and self.ends[index] <= edit.start:
            index += 1
        home = None
        while index < len(self.starts) and self.starts[index] < edit.end:
            places = self.places[index]
            start = max(edit.start, self.starts[index]) - self.starts[index]
            end = min(edit.end, self.ends[index]) - self.starts[index]
            takes = home is None and places[0].slot != DROP
            if takes:
                home = index
            yield places, (start, end, replacement if takes else "")
            index += 1
        if home is None and replacement:
            yield from self._beside(index - 1, replacement)

    def _beside(self, index: int, replacement: str) -> Iterable[tuple[tuple[XmlPlace, ...], XmlChange]]:
        """An edit of tabs and line ends only: its replacement goes to the end of the text before them."""
        while index >= 0:
            places = self.places[index]
            if places[0].slot != DROP:
                length = self.ends[index] - self.starts[index]
                yield places, (length, length, replacement)
                return
            index -= 1


@runtime_checkable
class HasXmlLayout(Protocol):
    """The origin of a document whose text knows the elements it was read from."""

    @property
    def layout(self) -> XmlLayout: ...


def _layout_of(streams: Iterable[tuple[str, list[XmlPiece]]]) -> XmlLayout:
    texts: list[str] = []
    parts: list[Part] = []
    starts: list[int] = []
    ends: list[int] = []
    places: list[tuple[XmlPlace, ...]] = []
    position = 0
    for name, pieces in streams:
        begin = position
        for text, where in pieces:
            end = position + len(text)
            if where and text:
                starts.append(position)
                ends.append(end)
                places.append(where)
            texts.append(text)
            position = end
        if position > MAX_TEXT:
            raise InputError("The file holds too much text.", f"At most {MAX_TEXT:,} characters are read.")
        if position > begin:
            parts.append(Part(name, begin, position, _KINDS.get(name, PartKind.PROSE)))
    return XmlLayout("".join(texts), tuple(parts), starts, ends, places)


def _merged(changes: list[XmlChange]) -> list[XmlChange]:
    """Sorted and disjoint. The same string may be shown twice (before and after a tracked change), so edits of
    it may repeat or overlap: their union goes, with the first replacement."""
    result: list[XmlChange] = []
    for start, end, replacement in sorted(changes, key=lambda change: change[:2]):
        if result and (start < result[-1][1] or (start, end) == result[-1][:2]):
            first, last, kept = result[-1]
            result[-1] = (first, max(last, end), kept or replacement)
        else:
            result.append((start, end, replacement))
    return result


def splice(value: str, changes: Iterable[XmlChange]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, replacement in changes:
        pieces += (value[position:start], replacement)
        position = end
    pieces.append(value[position:])
    return "".join(pieces)


def copies(trees: Mapping[str, Element], changes: Changes) -> tuple[dict[str, Element], Changes]:
    """Copies of the trees that change, and the same changes with their places in the copies."""
    wanted: dict[str, set[Element]] = {}
    for place in changes:
        wanted.setdefault(place.part, set()).add(place.element)
    fresh: dict[str, Element] = {}
    twins: dict[Element, Element] = {}
    for part, elements in wanted.items():
        fresh[part] = copy.deepcopy(trees[part])
        pairs = zip(trees[part].iter(), fresh[part].iter(), strict=True)
        twins.update(pair for pair in pairs if pair[0] in elements)
    moved = {place._replace(element=twins[place.element]): change for place, change in changes.items()}
    return fresh, moved


def apply_changes(changes: Changes) -> None:
    """Write the changes of all places. Elements go last: the text that follows one is kept, so it must be changed by then."""
    for place, change in sorted(changes.items(), key=lambda entry: entry[0].slot == DROP):
        apply_change(place, change)


def apply_change(place: XmlPlace, changes: Sequence[XmlChange]) -> None:
    """Write one place's changes into its tree."""
    element, slot = place.element, place.slot
    if slot == DROP:
        remove(element)
        return
    show, write = CODECS[place.codec]
    new = write(splice(show(stored(place)), changes))
    if slot == TEXT:
        element.text = new
        if new != new.strip() and _KEEPS_SPACE.search(element.tag):
            element.set(_XML_SPACE, "preserve")
    elif slot == TAIL:
        element.tail = new
    elif place.codec == "discard":
        del element.attrib[slot]
    else:
        element.set(slot, new)


def stored(place: XmlPlace) -> str:
    """The string as the tree holds it."""
    if place.slot == TEXT:
        return place.element.text or ""
    if place.slot == TAIL:
        return place.element.tail or ""
    return place.element.get(place.slot) or ""
