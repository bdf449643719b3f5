"""PowerPoint presentations.

Read in this order: slides as they are shown, hidden ones too, notes, comments, layouts, masters, charts and
diagrams, then alternative texts, links and names.

Scrubbed always: authors of comments and the dates, tags and custom data, change logs, thumbnails, extended and
custom properties, macros, controls, sound and video (their pictures stay); an OLE object that is no office
package becomes the picture that stood for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from efface.formats.office import grammar
from efface.formats.office.namespaces import tags
from efface.formats.office.ooxml import Ooxml, compose_flows
from efface.formats.office.open_packages import Package
from efface.formats.office.placed_boxes import compose_boxes
from efface.formats.office.vocabulary import SCRUBBED_DATE
from efface.formats.office.xmltext import Composer, Element, XmlPlace, remove

_SLIDE_IDS = tags("p:sldId")
_COMMENT_TEXT = tags("p:text")
_FLOWS = (
    ("notesslide", "notes"),
    ("comments", "comments"),
    ("slidelayout", "layout"),
    ("slidemaster", "master"),
    ("notesmaster", "notes master"),
    ("handoutmaster", "handout master"),
    ("chart", "chart"),
    ("chartex", "chart"),
    ("chartusershapes", "chart shapes"),
    ("diagramdata", "diagram"),
    ("diagramdrawing", "diagram drawing"),
)
_REMOVED = tuple(sorted(tags("p:custDataLst p:modifyVerifier")))
_MEDIA = tuple(sorted(tags("p:video p:audio")))
_TIMING = tags("p:timing")
_LEGACY_AUTHORS = tags("p:cmAuthor")
_AUTHORS = tags("p:cmAuthor p188:author")
_DATES = {
    name: attribute
    for names, attribute in (("p:cm", "dt"), ("p188:cm", "created"), ("p188:reply", "created"))
    for name in tags(names)
}


def _scrub(package: Package) -> None:
    """Takes out what PowerPoint keeps besides the text: authors, dates, and the timing of media that are gone."""
    for part, tree in package.trees.items():
        if part.endswith(".rels"):
            continue
        for element in list(tree.iter(*_REMOVED)):
            remove(element)
        for media in list(tree.iter(*_MEDIA)):  # what played is gone, so nothing starts it
            timing = next((above for above in media.iterancestors() if above.tag in _TIMING), None)
            if timing is not None:
                remove(timing)
        for element in tree.iter(*_DATES):
            element.set(_DATES[element.tag], SCRUBBED_DATE)
        for number, element in enumerate(tree.iter(*_AUTHORS), 1):
            _neutralise(element, f"Author {number}")


def _neutralise(author: Element, name: str) -> None:
    author.set("name", name)
    author.set("initials", "A")
    if author.tag not in _LEGACY_AUTHORS:
        author.set("userId", name)
        author.set("providerId", "None")


def _compose(package: Package, composer: Composer) -> None:
    slides = list(_slides(package))
    compose_flows(package, composer, slides, "slide")
    for kind, stream in _FLOWS:
        compose_flows(package, composer, package.of_kind(kind), stream)
    for part, tree in package.trees.items():
        for text in tree.iter(*_COMMENT_TEXT):
            if text.text:
                composer.line("comments", text.text, XmlPlace(part, text))
    shown = {*slides, *package.of_kind(*(kind for kind, _ in _FLOWS))}
    for part in slides:
        compose_boxes(composer, part, package.trees[part])
    rest = [part for part in package.kinds if part in package.trees and part not in shown]
    compose_flows(package, composer, rest, "other")


def _slides(package: Package) -> Iterator[str]:
    """The slides in their order; one that the order forgot comes last."""
    relations = package.relations(package.main)
    ordered: dict[str, None] = {}
    for entry in package.trees[package.main].iter(*_SLIDE_IDS):
        for name, value in entry.items():
            if name.endswith("}id") and relations.get(value) in package.trees:
                ordered[relations[value]] = None
    yield from ordered
    yield from (part for part in package.of_kind("slide") if part not in ordered)


PPTX = Ooxml(
    "pptx",
    scrub=_scrub,
    compose=_compose,
    free_text=grammar.free_text(
        ((grammar.ELSEWHERE, "p:cmAuthor p188:author", "name initials userId providerId"),), "plain"
    ),
)
