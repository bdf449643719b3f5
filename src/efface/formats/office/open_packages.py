"""Open packages: which parts are reached, which relationships may stay, and what is left when one goes.

Only what the document can reach leaves with it. A relationship to something that cannot be searched (OLE
objects, controls, macros, printer settings, signatures, media) is dropped together with the element that used
it; the picture shown in its place stays. Embedded office packages are read by their own format and redacted
with the document; a binary part of unknown use refuses the file.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from lxml import etree

from efface.core import Document
from efface.errors import InputError
from efface.formats.office.grammar import RELATIONSHIP, SPOKEN
from efface.formats.office.namespaces import NAMESPACES, has_foreign_names, tag, tags
from efface.formats.office.picture_addresses import clean_addresses
from efface.formats.office.xmltext import Element, parse_xml, remove
from efface.formats.office.zip_package import Budget
from efface.formats.pictures.cleaning import cleaned

CONTENT_TYPES = "[Content_Types].xml"
ROOT_RELATIONS = "_rels/.rels"

# Where a link to something outside leads once it is cut: anything, and another workbook.
NEUTRAL_TARGETS = ("about:blank", "external.xlsx")
# Kinds of relationship (the last word of the type) that never leave.
_DROPPED = frozenset(
    """
    thumbnail extended-properties custom-properties customxml customxmlprops printersettings vbaproject
    wordvbadata vbaprojectsignature attachedtemplate attachedtoolbars keymapcustomizations oleobject control
    activexcontrolbinary people calcchain tags origin signature webextensiontaskpanes webextension userxmldata
    documenttasks tasks classificationlabels labelinfo audio video media changesinfo changesinfos revisioninfo
    revisionheaders revisionlog usernames styleswitheffects mailmergesource mailmergeheadersource recipientdata
    transform pivotcacherecords powerpivotdata model customdata customdataprops slideupdateinfo slideupdateurl
    printsettings xlintlmacrosheet xlmacrosheet ui extensibility usercustomization smarttags htmlpubsaveas
    functionprototypes
    """.split()
)
# No element refers to these.
_SILENT = frozenset(
    """
    thumbnail extended-properties custom-properties customxml customxmlprops vbaproject attachedtoolbars
    keymapcustomizations people calcchain origin styleswitheffects webextensiontaskpanes documenttasks
    classificationlabels changesinfo changesinfos revisioninfo revisionheaders usernames
    """.split()
)
_EMBEDDED = frozenset(("package", "oleobject", "afchunk"))
_BINARY_KEPT = frozenset(("font",))
PICTURES = frozenset(("image", "hdphoto"))
# What is removed with a dropped relationship, when it is not the element that names it.
_HOLDERS = {
    name: tags(holder)
    for element, holder in (
        ("x:oleObject", "x:oleObjects"),
        ("x:control", "x:controls"),
        ("p:control", "p:controls"),
        ("p:tags", "p:custDataLst"),
        ("p:custData", "p:custDataLst"),
        ("p:snd", "p:sndAc"),
        ("p14:media", "p:ext"),
    )
    for name in tags(element)
}
# Elements that lose only the attribute.
_ATTRIBUTE_ONLY = tags("x:pageSetup x:pivotCacheDefinition a:blip v:imagedata v:fill v:stroke w:embedRegular")
_OLE_FRAME = tags("p:oleObj")
_FRAME = tags("p:graphicFrame")
_PICTURE = tags("p:pic")

_DIRECTORIES = (
    "word|xl|ppt|docProps|media|embeddings|charts|diagrams|drawings|theme|themes|worksheets|chartsheets|"
    "dialogsheets|slides|slideLayouts|slideMasters|notesSlides|notesMasters|handoutMasters|comments|"
    "threadedComments|persons|tables|pivotTables|pivotCache|externalLinks|queryTables|slicers|slicerCaches|"
    "timelines|timelineCaches|ctrlProps|glossary|fonts|ink|richData|parts|_rels"
)
_STEMS = (
    "document|styles|settings|webSettings|fontTable|numbering|header|footer|footnotes|endnotes|comments|"
    "commentsExtended|commentsIds|commentsExtensible|theme|themeOverride|image|hdphoto|chart|chartEx|colors|"
    "style|drawing|vmlDrawing|data|layout|quickStyle|workbook|sheet|sharedStrings|table|pivotTable|"
    "pivotCacheDefinition|externalLink|connections|queryTable|metadata|person|threadedComment|presentation|"
    "slide|slideLayout|slideMaster|notesSlide|notesMaster|handoutMaster|presProps|viewProps|tableStyles|"
    "commentAuthors|authors|modernComment_[0-9A-F]+_[0-9A-F]+|font|core|part|ctrlProp|xmlMaps|"
    "Microsoft_(?:Excel_(?:Work)?[Ss]heet|Word_Document|PowerPoint_Presentation)|fontdata"
)
_EXTENSIONS = (
    "xml|rels|vml|png|jpe?g|gif|emf|wmf|emz|wmz|bmp|tiff?|svg|wdp|ico|webp|xlsx|docx|pptx|odttf|ttf|fntdata"
)
_REGULAR = re.compile(rf"(?:(?:{_DIRECTORIES})/)*(?:{_STEMS})?\d{{0,5}}\.(?:{_EXTENSIONS})(?:\.rels)?")
_EXTENSION = re.compile(_EXTENSIONS)

Nested = Callable[[bytes], Document | None]


@dataclass(slots=True)
class Package:
    """A package while it is read: parsed parts, other parts, and what each is."""

    trees: dict[str, Element] = field(default_factory=dict)
    binaries: dict[str, bytes] = field(default_factory=dict)
    nested: dict[str, Document] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # how a part is first reached
    foreign: set[str] = field(default_factory=set)  # parts with names outside the published vocabularies
    flowing: set[str] = field(default_factory=set)  # parts that may hold text to be read in order
    addressing: set[str] = field(default_factory=set)  # parts with pictures in their addresses
    recovered: set[str] = field(default_factory=set)  # parts that were damaged
    main: str = ""
    raw: Mapping[str, bytes] = field(default_factory=dict)

    def mentions(self, part: str, *words: bytes) -> bool:
        """Whether a part's bytes have one of these words; when in doubt they have. Saves a walk of its tree."""
        data = self.raw.get(part)
        return data is None or b"\0" in data[:4] or any(word in data for word in words)

    def of_kind(self, *kinds: str) -> list[str]:
        """The parsed parts reached in one of these ways, in the order of their discovery."""
        return [part for part, kind in self.kinds.items() if kind in kinds and part in self.trees]

    def relations(self, part: str) -> Mapping[str, str]:
        """{relationship id: part} of the internal relationships that a part kept."""
        tree = self.trees.get(relations_of(part))
        if tree is None:
            return {}
        return {
            relation.get("Id", ""): resolve(part, relation.get("Target", ""))
            for relation in tree.iter(RELATIONSHIP)
            if relation.get("TargetMode") != "External"
        }


def relations_of(part: str) -> str:
    if not part:
        return ROOT_RELATIONS
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", name + ".rels")


def resolve(source: str, target: str) -> str:
    """The part that a relationship's target names."""
    path = unquote(target.partition("#")[0])
    if path.startswith("/"):
        return posixpath.normpath(path.lstrip("/"))
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path))


def load(parts: Mapping[str, bytes], nested: Nested, budget: Budget) -> Package:
    """Everything of a package that its relationships reach and that may leave. `nested` reads an embedded
    package, or says None when the bytes are not one."""
    if CONTENT_TYPES not in parts or ROOT_RELATIONS not in parts:
        raise InputError(
            "The file is a zip archive but not an office document.",
            "Check the file; an OpenDocument file needs its own extension.",
        )
    loader = _PartLoader(parts, nested, budget)
    queue = deque([""])
    while queue:
        queue.extend(loader.follow(queue.popleft()))
    package = loader.package
    if not package.main:
        raise InputError(
            "The package has no main document.", "Open it in an office program and save it again."
        )
    _rename(package)
    package.trees[CONTENT_TYPES] = loader.content_types()
    return package


class _PartLoader:
    def __init__(self, parts: Mapping[str, bytes], nested: Nested, budget: Budget) -> None:
        self._parts = parts
        self._names = {name.lower(): name for name in parts}
        self._nested = nested
        self._budget = budget
        self.package = Package(raw=parts)
        self._defaults: dict[str, str] = {}
        self._overrides: dict[str, str] = {}
        for entry in self._parse(CONTENT_TYPES).iter():
            content_type = entry.get("ContentType", "")
            if entry.get("Extension"):
                self._defaults[entry.get("Extension", "").lower()] = content_type
            elif entry.get("PartName"):
                self._overrides[entry.get("PartName", "").lower().lstrip("/")] = content_type

    def _parse(self, part: str, *, recover: bool = False) -> Element:
        data = self._parts[part]
        self._budget.parsed(len(data))
        if has_foreign_names(data):
            self.package.foreign.add(part)
        try:
            return parse_xml(data, recover=recover)
        except InputError:
            if recover:
                raise
        self.package.recovered.add(part)
        return parse_xml(data, recover=True)

    def _type(self, part: str) -> str:
        key = part.lower()
        return self._overrides.get(key) or self._defaults.get(key.rpartition(".")[2], "")

    def follow(self, source: str) -> Iterator[str]:
        """Judge the relationships of a part; yield the parts they newly reach."""
        name = self._names.get(relations_of(source).lower())
        if name is None:
            return
        tree = self._parse(name)
        self.package.trees[relations_of(source)] = tree
        dropped: set[str] = set()
        for relation in list(tree):
            kind = relation.get("Type", "").rpartition("/")[2].lower()
            if relation.tag != RELATIONSHIP or not self._stays(source, relation, kind):
                if kind not in _SILENT:
                    dropped.add(relation.get("Id", ""))
                remove(relation)
            elif relation.get("TargetMode") != "External":
                target = self._reach(source, relation, kind)
                if target in self.package.trees:
                    yield target
        if dropped and source in self.package.trees:
            _unlink(self.package.trees[source], dropped)

    def _reach(self, source: str, relation: Element, kind: str) -> str:
        """Take in the part that a relationship names; its name when it is new here, else nothing."""
        named = resolve(source, relation.get("Target", ""))
        target = self._names.get(named.lower(), "")
        if target and target != named:  # names of parts do not differ by case
            relation.set("Target", "/" + target)
        if not target or target in self.package.kinds:
            return ""
        self.package.kinds[target] = kind
        self._load_part(target, kind)
        if kind == "officedocument" and not source:
            self.package.main = target
        return target

    def _stays(self, source: str, relation: Element, kind: str) -> bool:
        """Whether a relation stays in the package. Embedded documents are opened on the way."""
        if relation.get("TargetMode") == "External":
            if kind in _DROPPED:
                return False
            if kind != "hyperlink":
                workbook = "external" in kind or kind.startswith("xl")
                relation.set("Target", NEUTRAL_TARGETS[workbook])
            return True
        if kind not in _EMBEDDED:
            return kind not in _DROPPED
        target = self._names.get(resolve(source, relation.get("Target", "")).lower())
        if target is not None and target not in self.package.nested:
            document = self._nested(self._parts[target])
            if document is not None:
                self.package.nested[target] = document
        if target in self.package.nested:
            return True
        if kind == "afchunk":
            raise InputError(
                "The document imports another file whole.", "Open it in Word, save it again and retry."
            )
        return False

    def _load_part(self, part: str, kind: str) -> None:
        data = self._parts[part]
        self.package.types[part] = self._type(part)
        if part in self.package.nested:
            return
        is_markup = data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<")
        if kind in _BINARY_KEPT:
            self.package.binaries[part] = data
        elif is_markup:
            recover = "vml" in self._type(part).lower() or part.endswith(".vml")
            self.package.trees[part] = self._parse(part, recover=recover)
            if self.package.mentions(part, b"data:") and clean_addresses(self.package.trees[part]):
                self.package.addressing.add(part)
            if next(self.package.trees[part].iter(*SPOKEN), None) is not None:
                self.package.flowing.add(part)
        elif kind in PICTURES:
            self.package.binaries[part] = cleaned(data)
        else:
            raise InputError(
                "The file holds a binary part that cannot be searched.",
                "Open it in an office program, remove embedded objects and save it again.",
            )

    def content_types(self) -> Element:
        """The content types of what is left, written again."""
        package = self.package
        root: Element = etree.Element(tag("ct:Types"), nsmap={None: NAMESPACES["ct"]})
        held = [*package.trees, *package.binaries, *package.nested]
        extensions = {part.rpartition(".")[2].lower() for part in held} | {"rels", "xml"}
        defaults = {"rels": _RELATIONS_TYPE, "xml": "application/xml"} | self._defaults
        for extension in sorted(extensions & defaults.keys()):
            _entry(root, "Default", "Extension", extension, defaults[extension])
        for part in held:
            content_type = package.types.get(part, "")
            if content_type and content_type != defaults.get(part.rpartition(".")[2].lower()):
                _entry(root, "Override", "PartName", "/" + part, content_type)
        return root


_RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"


def _entry(root: Element, name: str, key: str, value: str, content_type: str) -> None:
    etree.SubElement(root, tag(f"ct:{name}"), {key: value, "ContentType": content_type})


_STRICT_RELATIONS = next(name for name in tags("r:id") if name != tag("r:id"))[1:].partition("}")[0]


def _unlink(root: Element, dropped: set[str]) -> None:
    """Remove the elements that used relationships which are gone."""
    strict = _STRICT_RELATIONS.partition("/office")[0] in root.tag
    namespaces = {"r": _STRICT_RELATIONS if strict else NAMESPACES["r"], "o": NAMESPACES["o"]}
    for reference in root.xpath("//@r:*", namespaces=namespaces):
        if reference in dropped:
            _let_go(reference.getparent(), reference.attrname)
    if NAMESPACES["o"] in root.nsmap.values():
        for reference in root.xpath("//@o:relid", namespaces=namespaces):
            if reference in dropped:
                del reference.getparent().attrib[reference.attrname]


def _let_go(element: Element, attribute: str) -> None:
    if element.tag in _ATTRIBUTE_ONLY:
        del element.attrib[attribute]
    elif element.tag in _OLE_FRAME:
        _show_picture_only(element)
    else:
        holder = _HOLDERS.get(element.tag, frozenset())
        remove(next((above for above in element.iterancestors() if above.tag in holder), element))


def _show_picture_only(ole_object: Element) -> None:
    """An embedded object on a slide becomes the picture that stood for it."""
    frame = next((above for above in ole_object.iterancestors() if above.tag in _FRAME), None)
    holder = frame.getparent() if frame is not None else None
    if frame is None or holder is None:
        return
    picture = next(frame.iter(*_PICTURE), None)
    if picture is None:
        remove(frame)
        return
    own, framed = next(picture.iter(*_CNVPR), None), next(frame.iter(*_CNVPR), None)
    if own is not None and framed is not None:
        own.set("id", framed.get("id", "0"))
    picture.tail = frame.tail
    holder.replace(frame, picture)


_CNVPR = tags("p:cNvPr")


def _rename(package: Package) -> None:
    """Give neutral names to parts whose names may disclose something, and change the references to them."""
    held = [*(part for part in package.kinds if part in package.trees), *package.binaries, *package.nested]
    renamed: dict[str, str] = {}
    for part in held:
        if not _REGULAR.fullmatch(part):
            extension = part.rpartition(".")[2].lower()
            suffix = extension if _EXTENSION.fullmatch(extension) else "bin"
            number = len(renamed) + 1
            while (name := f"parts/part{number}.{suffix}") in held or name in renamed.values():
                number += 1
            renamed[part] = name
    if not renamed:
        return
    for source in ["", *held]:
        _retarget(package, source, renamed)
    for store in (package.trees, package.binaries, package.nested, package.types, package.kinds):
        _rekey(store, renamed | {relations_of(old): relations_of(new) for old, new in renamed.items()})
    for parts in (package.foreign, package.flowing, package.addressing):
        parts.update(renamed[part] for part in parts & renamed.keys())
    package.main = renamed.get(package.main, package.main)


def _retarget(package: Package, source: str, renamed: Mapping[str, str]) -> None:
    tree = package.trees.get(relations_of(source))
    for relation in tree.iter(RELATIONSHIP) if tree is not None else ():
        if relation.get("TargetMode") != "External":
            target = resolve(source, relation.get("Target", ""))
            if target in renamed or source in renamed:
                relation.set("Target", "/" + renamed.get(target, target))


def _rekey(store: dict[str, Any], renamed: Mapping[str, str]) -> None:
    items = [(renamed.get(name, name), value) for name, value in store.items()]
    store.clear()
    store.update(items)
