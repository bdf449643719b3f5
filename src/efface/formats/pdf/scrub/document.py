"""Takes out what hides: everything that no page shows and no reader of the text would look for.

Metadata, scripts, attachments, XFA, signatures, thumbnails, private data, named destinations (links keep
working: they point at the page itself), pages that are no longer pages. What is kept is a list
(`vocabulary.KEYS`), so that the unknown goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from efface.formats.pdf.object_values import stream_bytes
from efface.formats.pdf.reader.content import page_streams
from efface.formats.pdf.reader.object_walk import TRAILER_INFO, ObjGen, containers, members, serialised, walk
from efface.formats.pdf.scrub.vocabulary import (
    ACTION_KEYS,
    ACTIONS,
    AUTHORED,
    FREE,
    HARMLESS,
    HOLDERS,
    INFO,
    KEYS,
    STATES,
    STREAM_MARKS,
    STREAMS,
    TEXT_STREAMS,
)

_NAME = re.compile(rb"/[^\s/<>\[\](){}%]*")
_TELLING = re.compile(
    rb"/(?:Dest|GoTo|F |AP |DA |T |CharProcs|(?:V|DV|Title|TU|TM|Subj|Alt|E|ActualText|URI|CA|AC|Lang) \d+ \d+ R)"
)
_FONT = re.compile(r"(/[^\s/<>\[\](){}%]+)\s+(-?[\d.]+)\s+Tf")
_COLOUR = re.compile(r"(?:-?[\d.]+\s+){1,4}(?:g|rg|k)\b")
_MAX_TREE = 200_000  # nodes of a tree of names or structure that are looked at
_MAX_TEXT = 1 << 20  # bytes of a stream that is kept as a string

_NOTES = {
    "/XFA": "The XFA form was dropped; the plain form and the pages stay.",
    "/JS": "JavaScript was dropped.",
    "/JavaScript": "JavaScript was dropped.",
    "/AA": "Automatic actions were dropped.",
    "/EmbeddedFiles": "Attachments were dropped.",
    "/EF": "Attachments were dropped.",
    "/FS": "Attachments were dropped.",
    "/AF": "Attachments were dropped.",
    "/ByteRange": "A digital signature was dropped: the document is no longer the one that was signed.",
    "/Encrypt": "The encryption was dropped; the file opens without a password.",
}


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What the reader of the file would miss, and the appearances of its annotations."""

    notes: tuple[str, ...]
    appearances: tuple[ObjGen, ...]


def scrub(pdf: pikepdf.Pdf) -> Scrubbed:
    """Changes the opened file in place."""
    return _Scrubber(pdf).run()


class _Scrubber:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._pages = {page.obj.objgen for page in pdf.pages}
        self._contents = {stream.objgen for page in pdf.pages for stream in page_streams(page)}
        self._named: dict[bytes, pikepdf.Object] | None = None
        self._notes: dict[str, None] = {}
        self._appearances: dict[ObjGen, None] = {}

    def run(self) -> Scrubbed:
        trailer = self._pdf.trailer
        info = trailer.get("/Info")
        if isinstance(info, Dictionary) and not info.is_indirect:
            trailer["/Info"] = self._pdf.make_indirect(info)
        if self._pdf.is_encrypted:
            self._note("/Encrypt")
        self._named = self._destinations()
        walk(self._pdf, self._visit)
        return Scrubbed(tuple(self._notes), tuple(self._appearances))

    def _note(self, key: str) -> None:
        if key in _NOTES:
            self._notes[_NOTES[key]] = None

    def _visit(self, obj: pikepdf.Object, key: str) -> None:
        """Cleans one object of the file. One that nothing expects where it is loses all its entries."""
        if key == TRAILER_INFO:
            self._keep_only(obj, INFO)
            return
        if _mapping(obj) and obj.objgen not in self._pages and _drawn_like_a_page(obj):
            self._keep_only(obj, frozenset())  # a deleted page that something still points at
            return
        if isinstance(obj, Stream) and not self._expected(obj, key):
            self._keep_only(obj, frozenset())
            return
        raw = serialised(obj)
        names = {match.decode("latin-1") for match in _NAME.findall(raw)}
        if names <= HARMLESS and not _TELLING.search(raw):
            return
        for container, led_by in containers(obj, key):
            if _mapping(container):
                self._clean(container, led_by)

    def _expected(self, stream: Stream, key: str) -> bool:
        """Whether a stream has a part in showing pages; text and data in odd places have none."""
        if key in STREAMS or stream.objgen in self._contents:
            return True
        return stream.get("/Subtype") in ("/Form", "/Image") or any(mark in stream for mark in STREAM_MARKS)

    def _keep_only(self, obj: pikepdf.Object, keys: frozenset[str]) -> None:
        if _mapping(obj):
            for key in list(obj.keys()):
                if key not in keys and not (key == "/Length" and isinstance(obj, Stream)):
                    del obj[key]
        if isinstance(obj, Stream):
            obj.write(b"")

    def _clean(self, holder: pikepdf.Object, led_by: str) -> None:
        if led_by in FREE or (led_by in STATES and _only_streams(holder)):
            return
        if holder.get("/Subtype") in HOLDERS:
            holder["/Subtype"] = Name.Text if holder.get("/Subtype") == "/FileAttachment" else Name.Stamp
        for key, value in members(holder):
            if isinstance(key, str):
                self._clean_member(holder, key, value)

    def _clean_member(self, holder: pikepdf.Object, key: str, value: pikepdf.Object) -> None:
        """Treats one entry of a dictionary: removed, replaced by something neutral, noted for later, or left."""
        if _must_go(holder, key, value):
            self._remove_entry(holder, key, value)
        elif key in ACTION_KEYS:
            self._keep_actions(holder, key, value)
        elif key == "/Dest":
            self._resolve(holder, key, value)
        elif key == "/T" and holder.get("/Subtype") in AUTHORED and "/FT" not in holder:
            del holder[key]  # who wrote the comment, as with the authors of Word's
        elif key == "/DA":
            _plain_appearance(holder, value)
        elif isinstance(value, Stream) and key not in STREAMS and key != "/Contents":
            _stream_as_string(holder, key, value)
        elif key == "/AP" and isinstance(value, Dictionary):
            self._appearances.update(dict.fromkeys(_streams(value)))
        elif key == "/CharProcs" and isinstance(value, Dictionary):
            self._contents.update(proc.objgen for _, proc in members(value) if isinstance(proc, Stream))

    def _remove_entry(self, holder: pikepdf.Object, key: str, value: object) -> None:
        self._note(key)
        if isinstance(value, Dictionary):
            for inner, _ in members(value):
                self._note(str(inner))
        del holder[key]

    def _keep_actions(self, holder: pikepdf.Object, key: str, value: object) -> None:
        if isinstance(value, Array) and key == "/Next":
            kept = [action for action in value if self._allowed(action)]
            holder[key] = Array(kept)
        elif _mapping(value) and "/S" in value and not self._allowed(value):
            self._remove_entry(holder, key, value)

    def _allowed(self, action: object) -> bool:
        if not _mapping(action) or action.get("/S") not in ACTIONS:
            return False
        if action.get("/S") == "/GoTo":
            self._resolve(action, "/D", action.get("/D"))
        return True

    def _resolve(self, holder: pikepdf.Object, key: str, value: object) -> None:
        """A destination by name becomes the place itself; a dangling one goes."""
        if isinstance(value, (String, Name)):
            target = (self._named or {}).get(_name_bytes(value))
            if target is None:
                del holder[key]
            else:
                holder[key] = target

    def _destinations(self) -> dict[bytes, pikepdf.Object]:
        found: dict[bytes, pikepdf.Object] = {}
        root = self._pdf.Root
        legacy = root.get("/Dests")
        if isinstance(legacy, Dictionary):
            for name, value in legacy.items():
                _add_destination(found, name[1:].encode("utf-8", "surrogateescape"), value)
        names = root.get("/Names")
        if isinstance(names, Dictionary):
            for node in _tree(names.get("/Dests")):
                pairs = node.get("/Names")
                items = list(pairs) if isinstance(pairs, Array) else []
                for key, value in zip(items[::2], items[1::2], strict=False):
                    if isinstance(key, String):
                        _add_destination(found, bytes(key), value)
        return found


def _mapping(obj: object) -> TypeGuard[pikepdf.Object]:
    return isinstance(obj, (Dictionary, Stream))


def _must_go(holder: pikepdf.Object, key: str, value: pikepdf.Object) -> bool:
    """Whether a page does not need a member: an unknown key, a file beside a stream, a signature's value."""
    if key not in KEYS or (key == "/F" and isinstance(holder, Stream)):
        return True
    return key == "/V" and _mapping(value) and "/ByteRange" in value


def _only_streams(holder: pikepdf.Object) -> bool:
    return all(isinstance(value, Stream) for _, value in members(holder))


def _streams(appearance: Dictionary) -> list[ObjGen]:
    """An annotation's looks: normal, rollover and down, each perhaps by state."""
    found: list[ObjGen] = []
    for _, look in members(appearance):
        for _, stream in [("", look), *(members(look) if isinstance(look, Dictionary) else [])]:
            if isinstance(stream, Stream):
                found.append(stream.objgen)
    return found


def _name_bytes(value: pikepdf.Object) -> bytes:
    return bytes(value) if isinstance(value, String) else str(value)[1:].encode("utf-8", "surrogateescape")


def _add_destination(found: dict[bytes, pikepdf.Object], name: bytes, value: object) -> None:
    target = value.get("/D") if isinstance(value, Dictionary) else value
    if isinstance(target, Array):
        plain = [item for item in target if not isinstance(item, (String, Stream))]
        found[name] = Array(plain)


def _tree(root: object) -> list[Dictionary]:
    """The nodes of a name tree, however it is knotted."""
    nodes: list[Dictionary] = []
    stack = [root]
    seen: set[ObjGen] = set()
    while stack and len(nodes) < _MAX_TREE:
        node = stack.pop()
        if not isinstance(node, Dictionary) or (node.is_indirect and node.objgen in seen):
            continue
        seen.add(node.objgen)
        nodes.append(node)
        kids = node.get("/Kids")
        if isinstance(kids, Array):
            stack.extend(kids)
    return nodes


def _drawn_like_a_page(obj: pikepdf.Object) -> bool:
    return obj.get("/Type") == "/Page" or isinstance(obj.get("/Contents"), (Stream, Array))


def _stream_as_string(holder: pikepdf.Object, key: str, value: Stream) -> None:
    """Text may be given as a stream; then it becomes the string it could have been, or goes."""
    data = stream_bytes(value)
    if key in TEXT_STREAMS and len(data) <= _MAX_TEXT:
        holder[key] = String(data)
    else:
        del holder[key]


def _plain_appearance(holder: pikepdf.Object, value: object) -> None:
    """A default appearance is code: only the font, its size and a colour survive."""
    text = str(value) if isinstance(value, String) else ""
    font = _FONT.search(text)
    colour = _COLOUR.search(text)
    holder["/DA"] = String(" ".join([m.group() for m in (colour, font) if m] or ["/Helv 0 Tf 0 g"]))
