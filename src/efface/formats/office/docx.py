"""Word documents.

Read in this order: body, headers, footers, footnotes, endnotes, comments, glossary, charts and diagrams, then
what has no place on the page (field codes, links, names, alternative texts, properties). Tracked deletions,
moves and hidden text are searched and redacted like any text; the history stays.

Scrubbed always: authors become "Author 1, 2, …", dates of changes, revision ids, ids of controls and of the document, variables,
fields that make words of their own code (QUOTE, SYMBOL, EQ, IF), which become what they show, data bindings with their custom XML (a control keeps what it shows), mail merge, smart tag data, attached
templates, thumbnails, people, custom and extended properties, macros, OLE objects, controls and signatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count

from lxml import etree

from efface.formats.office.letter_fields import unlink_letters
from efface.formats.office.namespaces import tags
from efface.formats.office.ooxml import Ooxml, compose_flows
from efface.formats.office.open_packages import Package
from efface.formats.office.xmltext import Composer, Element, remove

_FLOWS = (
    ("header", "header"),
    ("footer", "footer"),
    ("footnotes", "footnotes"),
    ("endnotes", "endnotes"),
    ("comments", "comments"),
    ("glossarydocument", "glossary"),
    ("chart", "chart"),
    ("chartex", "chart"),
    ("chartusershapes", "chart shapes"),
    ("diagramdata", "diagram"),
    ("diagramdrawing", "diagram drawing"),
)

# Attributes, by what the bytes of a part must have for one to be there.
_STRIPPED = {
    b":rsid": tags("w:rsid w:rsidR w:rsidRPr w:rsidP w:rsidDel w:rsidSect w:rsidTr w:rsidRDefault w:rsidTbl"),
    b":date": tags("w:date w16du:dateUtc w16cex:dateUtc"),
    b":gfxdata": tags("o:gfxdata"),
}
_REMOVED = tags("w:smartTagPr w:customXmlPr w:dataBinding w15:dataBinding w:fldData w:printerSettings")
# Children of the settings, looked for nowhere else.
_REMOVED_SETTINGS = tags(
    "w:rsids w:docVars w:mailMerge w:attachedTemplate w14:docId w15:docId w:saveThroughXslt w:smartTagType "
    "w:activeWritingStyle w:documentType w:writeProtection"
)
_SETTINGS = tags("w:settings")
_CONTROL_IDS = tags("w:id")
_WORD_NAMESPACES = frozenset(name[1:].partition("}")[0] for name in tags("w:p"))


def _scrub(package: Package) -> None:
    """Takes out what Word keeps besides the text: ids of edits, settings, authors, names of controls."""
    authors: dict[str, str] = {}
    controls = count(1)
    for part, tree in package.trees.items():
        if part.endswith(".rels"):
            continue
        strict = package.mentions(part, b"purl.oclc.org")
        for word, names in _STRIPPED.items():
            if package.mentions(part, word):
                etree.strip_attributes(tree, *(names if strict else _usual(names)))
        if tree.tag in _SETTINGS:
            _remove_all(tree, _REMOVED_SETTINGS)
        if part in package.flowing:
            _remove_all(tree, _REMOVED if strict else _usual(_REMOVED))
            if package.mentions(part, b"fldChar", b"fldSimple"):
                unlink_letters(tree)
        if package.mentions(part, b":author"):
            _name_authors(tree, authors)
        if package.mentions(part, b":sdtPr"):
            _number_controls(tree, controls)


@cache
def _usual(names: frozenset[str]) -> frozenset[str]:
    """Names without those of the strict dialect, which few files use."""
    return frozenset(name for name in names if "purl.oclc.org" not in name)


def _remove_all(tree: Element, names: Iterable[str]) -> None:
    for element in list(tree.iter(*names)):
        remove(element)


def _number_controls(tree: Element, numbers: Iterator[int]) -> None:
    """Content controls have ids that nothing refers to; they are counted again."""
    for identity in tree.iter(*_CONTROL_IDS):
        for name in identity.attrib:
            identity.set(name, str(next(numbers)))


def _name_authors(tree: Element, authors: dict[str, str]) -> None:
    """Distinct authors stay distinct, in the order of their first mark."""
    for namespace in _WORD_NAMESPACES.intersection(tree.nsmap.values()):
        for name in tree.xpath("//@n:author", namespaces={"n": namespace}):
            element = name.getparent()
            element.set(name.attrname, authors.setdefault(str(name), f"Author {len(authors) + 1}"))
            if element.get(f"{{{namespace}}}initials") is not None:
                element.set(f"{{{namespace}}}initials", "A")


def _compose(package: Package, composer: Composer) -> None:
    compose_flows(package, composer, [package.main], "body")
    for kind, stream in _FLOWS:
        compose_flows(package, composer, package.of_kind(kind), stream)
    shown = {package.main, *package.of_kind(*(kind for kind, _ in _FLOWS))}
    rest = [part for part in package.kinds if part in package.trees and part not in shown]
    compose_flows(package, composer, rest, "other")


DOCX = Ooxml("docx", scrub=_scrub, compose=_compose)
