"""What Word, Excel and PowerPoint files have in common: read, search everything, write what changed.

Reading scrubs: what no recipient should get is gone before the text is composed, so reading the released bytes
again gives the text with the edits applied. Exceptions, all at the end of the text so that nothing before them
moves: a paragraph's other views and shared values may merge once edits made them equal, an edited formula is
gone, a metafile with edited words is blank, and a picture with cleared words may be read in other words.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from efface.core import Document, Edit, Gap, Part, Pictures
from efface.errors import InputError
from efface.formats.office import grammar, picture_parts
from efface.formats.office import open_packages as opc
from efface.formats.office.list_prefixes import WITH_LIST_TEXT, ListPrefixes
from efface.formats.office.namespaces import tags
from efface.formats.office.open_packages import Package
from efface.formats.office.picture_parts import NOWHERE, PICTURE, PictureParts, compose_drawn, compose_said
from efface.formats.office.reading_flow import (
    BEFORE_CHANGES,
    FAINT_BYTES,
    OFF,
    SHOWN_CHANGES,
    WITHOUT_HIDDEN,
    Flow,
    word_value,
)
from efface.formats.office.string_codecs import shown
from efface.formats.office.unshown_text import FORMULA, JOINED, PROPERTY, UnshownTextReader
from efface.formats.office.xmltext import (
    MARKUP,
    STYLES,
    Changes,
    Composer,
    Element,
    XmlLayout,
    XmlPlace,
    apply_changes,
    copies,
    remove,
    serialize,
)
from efface.formats.office.zip_package import Budget, pack, unpack

NESTED = "\0nested"
_LAST = (
    BEFORE_CHANGES,
    WITHOUT_HIDDEN,
    SHOWN_CHANGES,
    WITH_LIST_TEXT,
    JOINED,
    STYLES,
    MARKUP,
    FORMULA,
    picture_parts.STREAM,
)
_RECOVERED = "The file was damaged; the copy holds what could be recovered."
_STYLES, _BASES = tags("w:style"), tags("w:basedOn")

_FAMILIES = {
    name: family
    for family, root in (("docx", "w:document"), ("xlsx", "x:workbook"), ("pptx", "p:presentation"))
    for name in tags(root)
}
_LABELS = {"docx": "Word document", "xlsx": "Excel workbook", "pptx": "PowerPoint presentation"}
# Core properties that are content and stay, searched like any text. The others say who, when and how.
_PROPERTIES_KEPT = tags(
    "dc:title dc:subject dc:description dc:language cp:keywords cp:category cp:contentStatus"
)


@dataclass(frozen=True, slots=True)
class OoxmlOrigin:
    """The scrubbed package that a document's text was read from."""

    trees: Mapping[str, Element]
    binaries: Mapping[str, bytes]
    nested: Mapping[str, Document]
    layout: XmlLayout
    pictures: PictureParts
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Rewrite:
    """A package being written: its trees, copied where they change, and the changes in those copies."""

    origin: OoxmlOrigin
    trees: dict[str, Element]
    changes: Changes
    copied: set[str] = field(default_factory=set)

    def tree(self, part: str) -> Element:
        """The part's tree, safe to change."""
        if part not in self.copied:
            self.trees[part] = copy.deepcopy(self.origin.trees[part])
            self.copied.add(part)
        return self.trees[part]


def _apply(rewrite: Rewrite) -> None:
    apply_changes(rewrite.changes)


@dataclass(frozen=True, slots=True)
class Ooxml:
    """One of the three formats. `compose` shows the parts with a reading order, `scrub` removes what the
    format hides, `rewrite` carries out the changes."""

    name: str
    scrub: Callable[[Package], None]
    compose: Callable[[Package, Composer], None]
    rewrite: Callable[[Rewrite], None] = _apply
    free_text: grammar.FreeTextTable = field(default_factory=dict)
    cells: bool = False
    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> Ooxml:
        """The format under a policy that says what becomes of pictures."""
        return replace(self, pictures=pictures)

    def gaps(self, document: Document) -> tuple[Gap, ...]:
        """What of a document was not looked at."""
        return document.origin.gaps if isinstance(document.origin, OoxmlOrigin) else ()

    def read(self, data: bytes, name: str) -> Document:
        package = _load(data, Budget(), self.pictures)
        self._check(package)
        return self.document(package, name)

    def document(self, package: Package, name: str) -> Document:
        """Scrub a package and compose its text."""
        scrub_properties(package)
        self.scrub(package)
        composer = Composer()
        pictures = self._look_at_pictures(package)
        self.compose(package, composer)
        self._compose_rest(package, composer)
        compose_said(pictures, composer)
        nested = (_nested_name(part) for part in package.nested)
        layout = composer.layout(last=(*nested, *_LAST))
        origin = OoxmlOrigin(
            package.trees,
            package.binaries,
            package.nested,
            layout,
            pictures,
            (*pictures.gaps, *_from_embedded(package, "gaps")),
            (
                *pictures.notes,
                *_from_embedded(package, "notes"),
                *([_RECOVERED] if package.recovered else []),
            ),
        )
        return Document(name, self.name, layout.text, _open_nested(layout.parts, package), origin)

    def _look_at_pictures(self, package: Package) -> PictureParts:
        parts = [part for part in package.binaries if package.kinds.get(part) in opc.PICTURES]
        addressing = [package.trees[part] for part in package.addressing if part in package.trees]
        return picture_parts.look_at(package.binaries, parts, addressing, self.pictures)

    def _check(self, package: Package) -> None:
        family = family_of(package)
        if family != self.name:
            what = f"a {_LABELS[family]}" if family else "not an office document"
            raise InputError(
                f"The file is {what}, not a {_LABELS[self.name]}.", "Give it the right extension and retry."
            )

    def _compose_rest(self, package: Package, composer: Composer) -> None:
        free_text = grammar.merged(grammar.FREE_TEXT, self.free_text, grammar.NAMES_OF_PARTS)
        drawn = {
            part: tree for part, tree in package.trees.items() if package.mentions(part, b"textbox", b"svg")
        }
        compose_drawn(drawn, composer)
        styles = frozenset(package.of_kind(*grammar.STYLE_PARTS))
        sweep = UnshownTextReader(
            composer, free_text, neutral=grammar.NEUTRAL, cells=self.cells, style_parts=styles
        )
        for part, tree in package.trees.items():
            stream = PROPERTY if package.kinds.get(part) == "core-properties" else MARKUP
            sweep.part(part, tree, foreign=part in package.foreign, stream=stream)
        sweep.finish()
        for source in ["", *package.kinds]:
            _compose_links(package, source, composer)
        for part, document in package.nested.items():
            place = XmlPlace(part, NOWHERE, NESTED)
            composer.line(_nested_name(part), document.text, place)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        origin = document.origin
        if not isinstance(origin, OoxmlOrigin):
            raise TypeError("the document was not read by this format")
        changes = origin.layout.changes(edits)
        inside = {place: change for place, change in changes.items() if place.slot not in (NESTED, PICTURE)}
        fresh, moved = copies(origin.trees, inside)
        rewrite = Rewrite(origin, {**origin.trees, **fresh}, moved, set(fresh))
        self.rewrite(rewrite)
        binaries = origin.pictures.written(changes)
        for part, nested in origin.nested.items():
            inner = changes.get(XmlPlace(part, NOWHERE, NESTED), [])
            binaries[part] = write_embedded(nested, inner)
        return pack(_ordered({part: serialize(tree) for part, tree in rewrite.trees.items()} | binaries))


def _open_nested(parts: Sequence[Part], package: Package) -> tuple[Part, ...]:
    """The parts of the package. An embedded document shows its own parts, each with its own kind."""
    nested = {_nested_name(part): document for part, document in package.nested.items()}
    opened: list[Part] = []
    for part in parts:
        inner = nested.get(part.name)
        if inner is None or not inner.parts:
            opened.append(part)
            continue
        for inside in inner.parts:
            start, end = part.start + inside.start, part.start + inside.end
            opened.append(Part(f"{part.name} {inside.name}", start, end, inside.kind))
    return tuple(opened)


def _nested_name(part: str) -> str:
    return f"embedded {part}"


def family_of(package: Package) -> str:
    """`docx`, `xlsx` or `pptx` by the main part, or nothing; macros are refused."""
    if "macroenabled" in package.types.get(package.main, "").lower():
        raise InputError(
            "The file holds macros.", "Save it without macros (.docx, .xlsx or .pptx) and retry."
        )
    tree = package.trees.get(package.main)
    return _FAMILIES.get(tree.tag, "") if tree is not None else ""


def scrub_properties(package: Package) -> None:
    for part in package.of_kind("core-properties"):
        for element in list(package.trees[part]):
            if element.tag not in _PROPERTIES_KEPT:
                remove(element)


def _compose_links(package: Package, source: str, composer: Composer) -> None:
    """Targets outside the package, and those that lead nowhere."""
    name = opc.relations_of(source)
    tree = package.trees.get(name)
    for relation in tree.iter(grammar.RELATIONSHIP) if tree is not None else ():
        target = relation.get("Target", "")
        inside = opc.resolve(source, target)
        external = relation.get("TargetMode") == "External"
        if target in opc.NEUTRAL_TARGETS:
            continue
        if external or not (inside in package.kinds or inside in package.nested):
            composer.line("link", shown(target, "url"), XmlPlace(name, relation, "Target", "url"))


def compose_flows(package: Package, composer: Composer, parts: Sequence[str], stream: str) -> None:
    """Show parts in reading order, each in a stream of its own when there are several."""
    hiding = _hiding_styles(package) if parts else frozenset()
    prefixes = ListPrefixes(package) if parts else None
    for number, part in enumerate(parts, 1):
        name = stream if len(parts) == 1 else f"{stream} {number}"
        if part in package.flowing:
            faint = package.mentions(part, *FAINT_BYTES)
            Flow(composer, part, name, hiding, faint=faint, prefixes=prefixes).read(package.trees[part])


def _hiding_styles(package: Package) -> Set[str]:
    """The ids of the styles that hide their text, by themselves or by the style they are based on."""
    hiding: set[str] = set()
    based: dict[str, str] = {}
    for part in package.of_kind("styles"):
        if package.mentions(part, b"anish"):
            for style in package.trees[part].iter(*_STYLES):
                identity = word_value(style, "styleId")
                based[identity] = next((word_value(base) for base in style.iterchildren(*_BASES)), "")
                if any(word_value(mark) not in OFF for mark in style.iter(*grammar.HIDING)):
                    hiding.add(identity)
    while inherited := {style for style, base in based.items() if base in hiding} - hiding:
        hiding |= inherited
    return hiding


def _from_embedded(package: Package, name: str) -> Iterator[Any]:
    """What the embedded documents add to the gaps or the notes."""
    for document in package.nested.values():
        yield from getattr(document.origin, name, ())


def _load(data: bytes, budget: Budget, pictures: Pictures) -> Package:
    return opc.load(unpack(data, budget), lambda inner: embedded(inner, budget, pictures), budget)


def embedded(data: bytes, budget: Budget, pictures: Pictures) -> Document | None:
    """An embedded package, read by its own format. None when the data are no package or cannot be read: the caller then
    removes them."""
    from efface.formats.office import DOCX, PPTX, XLSX

    if not data.startswith(b"PK") or budget.depth == 0:
        return None
    budget.depth -= 1
    try:
        package = _load(data, budget, pictures)
        chosen = {"docx": DOCX, "xlsx": XLSX, "pptx": PPTX}.get(family_of(package))
        return chosen.with_pictures(pictures).document(package, "") if chosen else None
    except InputError:
        if budget.spent:
            raise
        return None
    finally:
        budget.depth += 1


def write_embedded(document: Document, changes: Sequence[tuple[int, int, str]]) -> bytes:
    from efface.formats.office import DOCX, PPTX, XLSX

    edits = [Edit(start, end, "", "", "embedded", replacement) for start, end, replacement in changes]
    return {"docx": DOCX, "xlsx": XLSX, "pptx": PPTX}[document.format].write(document, edits)


def _ordered(parts: dict[str, bytes]) -> dict[str, bytes]:
    """The parts, those first that say what the others are."""
    first = {name: parts[name] for name in (opc.CONTENT_TYPES, opc.ROOT_RELATIONS)}
    return first | parts
