"""OpenDocument text and sheets.

Read in this order: the body (sheets by row), headers and footers, then comments, notes and alternative texts,
fields, links, names, the values behind cells, and what is left of the markup.

An edited cell becomes text and loses its value and formula. Scrubbed always: tracked changes (they are
accepted: what was deleted is gone for good), authors and dates of comments, all metadata but title, subject,
description, keywords and language, settings that hold strings (printers, paths, databases), scripts, forms'
database links, linked sections and sheets, previews and thumbnails, OLE objects, signatures, and every file of
the package that the document does not show.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lxml import etree

from efface.core import Document, Edit, Gap, Pictures
from efface.errors import InputError
from efface.formats.office import picture_parts
from efface.formats.office.excel.formulas import makes_words
from efface.formats.office.namespaces import NAMESPACES, has_foreign_names, local, tag, tags
from efface.formats.office.odf_text import CELLS, FREE_TEXT, PARAGRAPHS, OdfFlow, hiding_styles
from efface.formats.office.ooxml import OoxmlOrigin
from efface.formats.office.picture_addresses import clean_addresses
from efface.formats.office.picture_parts import PICTURE, compose_drawn, compose_said
from efface.formats.office.reading_flow import WITHOUT_HIDDEN
from efface.formats.office.unshown_text import FORMULA, JOINED, PROPERTY, UnshownTextReader
from efface.formats.office.xmltext import (
    DROP,
    MARKUP,
    STYLES,
    TAIL,
    TEXT,
    Changes,
    Composer,
    Element,
    XmlPlace,
    apply_changes,
    copies,
    parse_xml,
    remove,
    serialize,
)
from efface.formats.office.zip_package import Budget, pack, unpack
from efface.formats.pictures.cleaning import BLANK, cleaned

_MIMETYPE = "mimetype"
_MANIFEST = "META-INF/manifest.xml"
_DOCUMENT_PARTS = ("content.xml", "styles.xml", "meta.xml", "settings.xml")
_HREF = tag("xlink:href")
_OPENDOCUMENT = "application/vnd.oasis.opendocument."
_MEDIA_TYPES = {
    "xml": "text/xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "svg": "image/svg+xml",
}

_REMOVED = tuple(
    sorted(
        tags(
            "text:tracked-changes text:change text:change-start text:change-end table:tracked-changes "
            "office:scripts office:event-listeners script:event-listener text:script text:section-source "
            "table:table-source table:cell-range-source form:connection-resource office:binary-data "
            "office:dde-source text:dde-connection-decls table:dde-links meta:creator-initials "
            "loext:sender-initials meta:date-string"
        )
    )
)
# They show words of their attributes.
_FIELDS = tags(
    "text:conditional-text text:variable-set text:variable-get text:variable-input text:expression text:drop-down "
    "text:user-field-get text:user-field-input"
)
_SPAN, _FORMULA = tag("text:span"), tag("table:formula")
_ANNOTATIONS = tags("office:annotation")
_CREATOR, _DATE = tag("dc:creator"), tag("dc:date")
_META = tags("office:meta")
_META_KEPT = tags("dc:title dc:subject dc:description dc:language meta:keyword")
_CONFIG_ITEMS, _CONFIG_SETS = tags("config:config-item"), tags("config:config-item-set")
_VALUE_ATTRIBUTES = frozenset(
    (
        *(tag(f"office:{name}") for name in "value date-value time-value boolean-value string-value currency".split()),
        tag("calcext:value-type"),
        tag("table:formula"),
    )
)  # fmt: skip
_LAST = (WITHOUT_HIDDEN, JOINED, STYLES, MARKUP, FORMULA, picture_parts.STREAM)
_PICTURE_NAME = re.compile(r"(?:.*/)?Pictures/(?:image\d{1,5}|[0-9A-F]{16,40})\.\w{2,5}")


@dataclass(slots=True)
class _OdfPackage:
    """An OpenDocument package while it is read."""

    parts: Mapping[str, bytes]
    budget: Budget
    media_type: str
    trees: dict[str, Element] = field(default_factory=dict)
    binaries: dict[str, bytes] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    addressing: set[str] = field(default_factory=set)  # parts that may have pictures in their addresses
    folders: dict[str, str] = field(default_factory=dict)  # media types of embedded objects

    def parse(self, part: str, *, name: str = "") -> None:
        data = self.parts[part]
        self.budget.parsed(len(data))
        self.trees[name or part] = parse_xml(data)
        if b"data:" in data or data[:2] in (b"\xfe\xff", b"\xff\xfe"):
            clean_addresses(self.trees[name or part])
            self.addressing.add(name or part)
        if has_foreign_names(data):
            self.foreign.add(name or part)


@dataclass(frozen=True, slots=True)
class Odf:
    """One OpenDocument format, `kind` being its word in the media type."""

    name: str
    kind: str
    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> Odf:
        """The format under a policy that says what becomes of pictures."""
        return replace(self, pictures=pictures)

    def gaps(self, document: Document) -> tuple[Gap, ...]:
        """What of a document was not looked at."""
        return document.origin.gaps if isinstance(document.origin, OoxmlOrigin) else ()

    def read(self, data: bytes, name: str) -> Document:
        package = _load(data, self.kind)
        _scrub(package)
        composer = Composer()
        addressing = [package.trees[part] for part in package.addressing]
        seen = picture_parts.look_at(package.binaries, package.binaries, addressing, self.pictures)
        _compose(package, composer)
        compose_said(seen, composer)
        layout = composer.layout(last=_LAST)
        package.trees[_MANIFEST] = _manifest(package)
        origin = OoxmlOrigin(package.trees, package.binaries, {}, layout, seen, seen.gaps, seen.notes)
        return Document(name, self.name, layout.text, layout.parts, origin)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        origin = document.origin
        if not isinstance(origin, OoxmlOrigin):
            raise TypeError("the document was not read by this format")
        changes = origin.layout.changes(edits)
        fresh, moved = copies(origin.trees, {p: c for p, c in changes.items() if p.slot != PICTURE})
        apply_changes(moved)
        _turn_to_text(moved)
        binaries = origin.pictures.written(changes)
        trees = {**origin.trees, **fresh}
        whole = next(iter(trees[_MANIFEST]))
        mimetype = whole.get(tag("manifest:media-type"), "").encode()
        parts = {part: serialize(tree) for part, tree in trees.items()} | binaries
        return pack({_MIMETYPE: mimetype} | parts, stored=(_MIMETYPE,))


def _load(data: bytes, kind: str) -> _OdfPackage:
    budget = Budget()
    parts = unpack(data, budget)
    media_type = parts.get(_MIMETYPE, b"").decode("ascii", "replace").strip()
    if not media_type.startswith(_OPENDOCUMENT) or "content.xml" not in parts:
        raise InputError(
            "The file is not an OpenDocument file.", "Check its extension; .docx and .xlsx have their own."
        )
    if media_type.removeprefix(_OPENDOCUMENT).removesuffix("-template") != kind:
        raise InputError(
            "The file is an OpenDocument file of another kind.", "Give it the right extension and retry."
        )
    package = _OdfPackage(parts, budget, media_type)
    if b"encryption-data" in parts.get(_MANIFEST, b""):
        raise InputError("The file is password-protected.", "Save it without a password and try again.")
    _take_document(package, "", "")
    return package


def _take_document(package: _OdfPackage, folder: str, name: str) -> None:
    """Take in a document of the package, and after it the objects and pictures that it shows."""
    queue = [(folder, name)]
    while queue:
        folder, name = queue.pop(0)
        for part in _DOCUMENT_PARTS:
            if folder + part in package.parts:
                package.parse(folder + part, name=name + part)
                for element in list(package.trees[name + part].iter()):
                    if element.get(_HREF):
                        queue.extend(_follow(package, element, folder, name))


def _follow(package: _OdfPackage, element: Element, folder: str, name: str) -> Iterator[tuple[str, str]]:
    """Take what an element shows from the package, under a neutral name, or remove the element."""
    href = element.get(_HREF, "")
    if href.startswith(("#", "/", "..")) or re.match(r"[A-Za-z][\w+.-]*:", href):
        return
    target = posixpath.normpath(posixpath.join(folder, href.rstrip("/"))) if href else ""
    if f"{folder}/".startswith(f"{target}/") or target == ".":  # a chart names the document it is in
        element.set(_HREF, ".")
        return
    if target + "/content.xml" in package.parts:
        inner = name + f"Object {len(package.folders) + 1}/"
        package.folders[inner] = _object_type(package, target)
        element.set(_HREF, "./" + inner.removeprefix(name).rstrip("/"))
        yield target + "/", inner
    elif target in package.parts and _looks_like_picture(package.parts[target]):
        _take_picture(package, element, target, name)
    else:
        remove(element)


def _looks_like_picture(data: bytes) -> bool:
    return data.lstrip().startswith(b"<") or cleaned(data) != BLANK


def _take_picture(package: _OdfPackage, element: Element, target: str, name: str) -> None:
    extension = target.rpartition(".")[2].lower()
    own = posixpath.join("Pictures", posixpath.basename(target))
    if not _PICTURE_NAME.fullmatch(own):
        count = len(package.binaries) + len(package.trees)
        own = f"Pictures/image{count}.{extension if extension in _MEDIA_TYPES else 'img'}"
    if package.parts[target].lstrip().startswith(b"<"):
        package.parse(target, name=name + own)
    else:
        package.binaries[name + own] = cleaned(package.parts[target])
    element.set(_HREF, own)


def _object_type(package: _OdfPackage, target: str) -> str:
    """The media type of an embedded document, from the manifest when that is a published one."""
    match = re.search(
        rb'full-path="' + re.escape(target.encode()) + rb'/"[^>]*?media-type="([\w./-]+)"'
        rb'|media-type="([\w./-]+)"[^>]*?full-path="' + re.escape(target.encode()) + rb'/"',
        package.parts.get(_MANIFEST, b""),
    )
    found = (match[1] or match[2]).decode() if match else ""
    return found if re.fullmatch(re.escape(_OPENDOCUMENT) + "[a-z-]+", found) else _OPENDOCUMENT + "chart"


def _scrub(package: _OdfPackage) -> None:
    """Takes out what OpenDocument keeps besides the text: authors, dates, metadata, settings."""
    authors: dict[str, str] = {}
    for tree in package.trees.values():
        for element in list(tree.iter(*_REMOVED)):
            remove(element)
        for annotation in tree.iter(*_ANNOTATIONS):
            for child in list(annotation):
                if child.tag == _DATE:
                    remove(child)
                elif child.tag == _CREATOR:
                    child.text = authors.setdefault(child.text or "", f"Author {len(authors) + 1}")
        for meta in tree.iter(*_META):
            for child in list(meta):
                if child.tag not in _META_KEPT:
                    remove(child)
        _scrub_settings(tree)
        _show_fields(tree)
        _keep_values_of_words(tree)


def _show_fields(tree: Element) -> None:
    """Fields that show a word or another, as something else says, become the word that they show."""
    for element in list(tree.iter(*_FIELDS)):
        for label in list(element):
            remove(label)
        element.tag = _SPAN
        element.attrib.clear()


def _keep_values_of_words(tree: Element) -> None:
    """Formulas that may make words nobody can look for are replaced by the values that they gave."""
    for cell in tree.iter(*CELLS):
        formula = cell.get(_FORMULA)
        if formula and makes_words(formula, has_value=any(text.text for text in cell.iter())):
            del cell.attrib[_FORMULA]


def _scrub_settings(tree: Element) -> None:
    for item in list(tree.iter(*_CONFIG_ITEMS)):
        if item.get(tag("config:type")) in ("string", "base64Binary", "datetime", None):
            remove(item)
    for items in list(tree.iter(*_CONFIG_SETS)):
        if items.get(tag("config:name")) == "ooo:view-settings":
            remove(items)


def _compose(package: _OdfPackage, composer: Composer) -> None:
    compose_drawn(package.trees, composer)
    hiding = hiding_styles(package.trees.values())
    for number, (part, tree) in enumerate(package.trees.items()):
        stream = {"content.xml": "body", "styles.xml": "styles"}.get(part, f"part {number}")
        OdfFlow(composer, part, stream, hiding).read(tree)
    sweep = UnshownTextReader(composer, FREE_TEXT, formulas=frozenset(), codec=_codec, cells=True)
    for part, tree in package.trees.items():
        stream = PROPERTY if part.endswith("meta.xml") else MARKUP
        sweep.part(part, tree, foreign=part in package.foreign, stream=stream)
    sweep.finish()


def _codec(attribute: str) -> str:
    """Names of styles have their spaces and signs escaped."""
    return "style" if attribute.endswith("style-name") or attribute == tag("style:name") else "plain"


def _manifest(package: _OdfPackage) -> Element:
    namespace = NAMESPACES["manifest"]
    root: Element = etree.Element(f"{{{namespace}}}manifest", nsmap={"manifest": namespace})
    version = package.trees["content.xml"].get(tag("office:version"), "1.2")
    root.set(f"{{{namespace}}}version", version)
    entries = {"/": package.media_type} | package.folders
    for part in (*package.trees, *package.binaries):
        entries[part] = _MEDIA_TYPES.get(part.rpartition(".")[2].lower(), "")
    for path, media_type in entries.items():
        entry = etree.SubElement(root, f"{{{namespace}}}file-entry")
        entry.set(f"{{{namespace}}}full-path", path)
        if path == "/":
            entry.set(f"{{{namespace}}}version", version)
        entry.set(f"{{{namespace}}}media-type", media_type)
    return root


def _turn_to_text(changes: Changes) -> None:
    """Cells that an edit touched hold text from now on, and nothing is computed in them."""
    touched: dict[Element, list[XmlPlace]] = {}
    for place in changes:
        cell = _cell_around(place.element)
        if cell is not None:
            touched.setdefault(cell, []).append(place)
    for cell, places in touched.items():
        values = [place for place in places if place.element is cell and _is_value(place.slot)]
        if values and len(values) == len(places):
            _show(cell, values[0].element.get(values[0].slot, ""))
        for name in _VALUE_ATTRIBUTES.intersection(cell.attrib):
            del cell.attrib[name]
        if any(place.slot != tag("table:style-name") for place in places):
            cell.set(tag("office:value-type"), "string")


def _cell_around(element: Element) -> Element | None:
    """The innermost cell that holds an element, which may be the cell itself."""
    for around in (element, *element.iterancestors()):
        if around.tag in CELLS:
            return around
    return None


def _is_value(slot: str) -> bool:
    """Whether a slot is an attribute with the value that a cell shows, and not stray text beside its paragraphs."""
    return slot not in (TEXT, TAIL, DROP) and local(slot) != "formula"


def _show(cell: Element, text: str) -> None:
    """A value was edited that the cell shows in other words: show the edited one."""
    paragraphs = list(cell.iterchildren(*PARAGRAPHS))
    for paragraph in paragraphs:
        for child in list(paragraph):
            paragraph.remove(child)
        paragraph.text = ""
    if paragraphs:
        paragraphs[0].text = text


ODT = Odf("odt", "text")
ODS = Odf("ods", "spreadsheet")
ODP = Odf("odp", "presentation")
