"""HTML pages, read as browsers read them and never rebuilt: what no edit touches keeps its bytes.

The text is what a reader sees, in order, with a line break at each tag that is not an inline one (a tab at
table cells), so that words go on over `<b>` but not over `<p>`. After it, a line each: readings beside words (ruby), every
attribute's value, comments, scripts, style sheets, declarations, names in tags that HTML does not define, and what
pictures in addresses (data:image/png;base64,…) show. Entities
are resolved everywhere, percent escapes in attributes, backslash escapes in scripts and style sheets.

Reading a release again gives exactly the edited text, except where an edit covers what is between two
places (tags), in names of tags and attributes (which cannot hold every character), in a tag that the end
of the file cuts off, and where an edit leaves a declaration or an encoding's name that is HTML's own.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from efface.core import Document, Edit, Gap, Part, Pictures
from efface.errors import InputError
from efface.formats import gaps as document_gaps
from efface.formats import notes as document_notes
from efface.formats.html import escapes as spelling
from efface.formats.html.addressed_pictures import (
    UNOPENED,
    AddressedPicture,
    patches_of,
    pictures_of,
    without_codes,
)
from efface.formats.html.page_layout import PageBlock, blocks_of
from efface.formats.html.style_sheets import with_kinds
from efface.formats.html.vocabulary import (
    ATTRIBUTES,
    CELLS,
    ELEMENTS,
    INLINE,
    RAW,
    RCDATA,
    RUBY,
    UNSEEN,
    URLS,
)
from efface.formats.patching.source_patching import Codec, SourceItem, SourceSlot, laid_out, patches, shown
from efface.formats.plain.encoding import Decoded, charset, decode

_S = r"\t\n\f\r "
_MARKUP = re.compile(rf"<(?:/?(?P<name>[A-Za-z][^{_S}/>]*+)(?P<bare>[{_S}/]*+>)?|[/!?])")
_ATTRIBUTE = re.compile(
    rf"[{_S}/]*+(?:(?P<close>>)|(?P<name>=[^{_S}/>=]*+|[^{_S}/>=]++)"
    rf"(?:[{_S}]*+=[{_S}]*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<open>[\"'])"
    rf"|(?P<unquoted>[^{_S}>\"'][^{_S}>]*+)|(?=>)))?+)"
)
_ESCAPING = re.compile(r"[&%+\\]")  # without one of these every place shows what is there
_COMMENT_END = re.compile(r"--!?>")
_DECLARATIONS = {"!": spelling.DECLARATION, "?": spelling.INSTRUCTION, "/": spelling.NAMELESS_END}
_TEXT_ONLY = RAW | RCDATA | {"plaintext"}


class _Value(NamedTuple):
    """The codecs of an attribute's value, by what it holds."""

    text: Codec
    url: Codec
    code: Codec


_VALUES = {  # by the quotes around it
    "double": _Value(spelling.DOUBLE, spelling.URL_DOUBLE, spelling.CODE_DOUBLE),
    "single": _Value(spelling.SINGLE, spelling.URL_SINGLE, spelling.CODE_SINGLE),
    "unquoted": _Value(spelling.UNQUOTED, spelling.URL_UNQUOTED, spelling.CODE_UNQUOTED),
}
# What says how the page is to be read, and nothing else: neither shown nor changed.
_DTD = r"-//(?:w3c|ietf)//dtd x?html [a-z0-9. ]{1,40}//en"
_DTD_ADDRESS = r"http://www\.w3\.org/[a-z0-9/.-]{1,60}|about:legacy-compat"
_STANDARD_DOCTYPE = re.compile(
    rf"doctype[{_S}]+html(?:[{_S}]+(?:public[{_S}]+[\"']{_DTD}[\"']|system)"
    rf"(?:[{_S}]+[\"'](?:{_DTD_ADDRESS})[\"'])?)?[{_S}]*",
    re.IGNORECASE,
)
_STANDARD_CHARSET = re.compile(r"[A-Za-z0-9_.:-]{1,40}")
_STANDARD_CONTENT = re.compile(r"\s*text/html;\s*charset=[A-Za-z0-9_.:-]{1,40}\s*", re.IGNORECASE)
_DECLARED = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})"
    rb"|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([^\"']{1,40})",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 4096  # bytes: HTML wants the charset in the first 1024, browsers look further


class _Asides:
    """Items by part, in the order of the source: three numbers each, as a page may have very many."""

    def __init__(self) -> None:
        self._parts: dict[str, array[int]] = {}
        self._codecs: dict[Codec, int] = {}

    def add(self, span: tuple[int, int], codec: Codec, part: str) -> None:
        numbers = self._parts.setdefault(part, array("Q"))
        numbers.extend((*span, self._codecs.setdefault(codec, len(self._codecs))))

    def cut(self, start: int) -> None:
        """Forget what begins at `start` or after it."""
        for numbers in self._parts.values():
            while numbers and numbers[-3] >= start:
                del numbers[-3:]

    def __iter__(self) -> Iterator[SourceItem]:
        codecs = list(self._codecs)
        for part, numbers in self._parts.items():
            triples = iter(numbers)
            for start, end, codec in zip(triples, triples, triples, strict=True):
                yield SourceItem(start, end, codecs[codec], part)


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """A page as it was decoded, its pictures, and how long its own text is: theirs comes after it."""

    source: Decoded
    pictures: tuple[AddressedPicture, ...]
    length: int

    @property
    def blocks(self) -> Iterator[PageBlock]:
        """The layout of the text, without the text of its pictures."""
        source = self.source.text
        items = without_codes(_scan(source), self.pictures)
        return blocks_of(source, ((item, _shown_text(source, item)) for item in items))

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What of its pictures was not read."""
        opened = [picture.document for picture in self.pictures if picture.document is not None]
        return tuple(gap for document in opened for gap in document_gaps(document))

    @property
    def notes(self) -> tuple[str, ...]:
        opened = [picture.document for picture in self.pictures if picture.document is not None]
        said = [note for document in opened for note in document_notes(document)]
        return (*said, *([UNOPENED] if len(opened) < len(self.pictures) else []))


@dataclass(frozen=True, slots=True)
class Html:
    """core.Format for .html and .htm."""

    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> Html:
        """The format under a policy that says what becomes of pictures."""
        return replace(self, pictures=pictures)

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        source = decode(data, charset if charset is not None else _declared(data))
        pictures = pictures_of(source.text, name, self.pictures)
        items = without_codes(_scan(source.text), pictures)
        text, found = laid_out((item, _shown_text(source.text, item)) for item in items)
        parts = tuple(with_kinds(text, found))
        origin = PageOrigin(source, pictures, len(text))
        if pictures:
            said = "".join(f"\n{picture.text}" for picture in pictures)
            parts, text = (*parts, Part("picture", len(text), len(text) + len(said))), text + said
        return Document(name, "html", text, parts, origin)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        origin = document.origin
        assert isinstance(origin, PageOrigin)
        source, pictures = origin.source, origin.pictures
        changes = list(patches(source, lambda _: _slots(source.text, pictures), edits))
        changes += patches_of(pictures, edits, origin.length + 1)
        return source.splice(sorted(changes))


HTML = Html()


def _declared(data: bytes) -> str | None:
    """The encoding that the page names at its beginning, if it can be that one."""
    match = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    if not match:
        return None
    name = (match[1] or match[2]).decode("latin-1")
    try:
        return "utf-8" if charset(name).startswith(("utf-16", "utf-32")) else name
    except InputError:
        return None  # browsers, too, then guess


def _slots(source: str, pictures: Sequence[AddressedPicture]) -> Iterator[SourceSlot]:
    for item in without_codes(_scan(source), pictures):
        yield SourceSlot(item.start, item.end, len(_shown_text(source, item)), item.codec)


def _shown_text(source: str, item: SourceItem) -> str:
    if item.codec is None:
        return item.glue
    raw = source[item.start : item.end]
    return shown(item.codec, raw) if _ESCAPING.search(raw) else raw


def _scan(source: str) -> Iterator[SourceItem]:
    """What the page shows, then what it does not show."""
    asides = _Asides()
    position = 0
    is_ruby = False
    hidden_names = _hidden_names(source)
    while match := _MARKUP.search(source, position):
        start = match.start()
        if start > position and is_ruby:
            asides.add((position, start), spelling.TEXT, "ruby")
        elif start > position:
            yield SourceItem(position, start, spelling.TEXT, "body")
        if match["name"] is None:
            position = _declaration(source, start, asides)
            continue
        name = match["name"].lower()
        if hidden := _hidden_element(source, start, hidden_names):
            asides.add(hidden.span("inside"), spelling.TEXT, "hidden")
            _attributes(source, match.end("name"), name, asides)
            position = hidden.end()
            continue
        is_ruby = _is_ruby(name, is_ruby, is_start=source[start + 1] != "/")
        position = match.end() if match["bare"] and name in ELEMENTS else _tag(source, match, name, asides)
        if name not in INLINE and name not in UNSEEN:
            yield SourceItem(start, start, None, "body", "\t" if name in CELLS else "\n")
        if name in _TEXT_ONLY and source[start + 1] != "/":
            start, position = position, _end_of_content(source, position, name)
            if name in RCDATA:
                yield SourceItem(start, position, spelling.inside(name), name)
            else:
                asides.add((start, position), spelling.inside(name), name)
    if position < len(source):
        yield SourceItem(position, len(source), spelling.TEXT, "body")
    for aside in asides:
        yield SourceItem(aside.start, aside.start, None, aside.part, "\n")
        yield aside


_PLAIN_ELEMENT = re.compile(
    r"<(?P<tag>[a-z][a-z0-9-]*+)(?P<attributes>[^<>]*+)>(?P<inside>[^<]*+)</(?P=tag)\s*>", re.IGNORECASE
)
_UNSHOWN = r"(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9]))"
_HIDDEN_ATTRIBUTE = re.compile(r"\shidden(?![\w-])", re.IGNORECASE)
_STYLED = re.compile(r"\sstyle\s*=", re.IGNORECASE)
_UNSHOWN_BY = re.compile(_UNSHOWN, re.IGNORECASE)
_NAMES = re.compile(r"\s(?:class|id)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_STYLE_SHEET = re.compile(r"<style(?=[\s>])[^>]*>([^<]*)", re.IGNORECASE)
_SELECTED = re.compile(r"[.#]([\w-]+)")


def _hidden_names(source: str) -> frozenset[str]:
    """Classes and ids that the rules of the page's own style sheets name where they hide something."""
    names: set[str] = set()
    for sheet in _STYLE_SHEET.findall(source):
        for rule in sheet.split("}"):
            selector, _, declarations = rule.rpartition("{")
            if _UNSHOWN_BY.search(declarations):
                names.update(_SELECTED.findall(selector))
    return frozenset(names)


def _has_name(attributes: str, names: frozenset[str]) -> bool:
    return any(names.intersection("".join(found).split()) for found in _NAMES.findall(attributes))


def _hidden_element(source: str, start: int, names: frozenset[str]) -> re.Match[str] | None:
    """An element at `start` that browsers do not show and that has no tags inside. `names` are classes and ids that
    a style sheet hides.

    The line around it goes on as if it were not there. Longer hidden parts stay in the body, where names that go over
    their tags are found.
    """
    element = _PLAIN_ELEMENT.match(source, start)
    if element is None:
        return None
    attributes = element["attributes"]
    styled = _STYLED.search(attributes) and _UNSHOWN_BY.search(attributes)
    hides = styled or _HIDDEN_ATTRIBUTE.search(attributes) or _has_name(attributes, names)
    return element if hides or element["tag"].lower() == "template" else None


def _is_ruby(name: str, before: bool, *, is_start: bool) -> bool:
    """Whether what follows a tag is a reading beside a word. End tags may be missing."""
    if name in RUBY:
        return is_start
    return before and name in INLINE and not name.startswith("r")


def _end_of_content(source: str, start: int, name: str) -> int:
    match = spelling.end_of(name).search(source, start)
    return match.start() if match else len(source)


def _tag(source: str, match: re.Match[str], name: str, asides: _Asides) -> int:
    """Where the tag ends. One that the end of the file cuts off stands aside whole."""
    if name not in ELEMENTS:
        asides.add(match.span("name"), spelling.TAG_NAME, "tag")
    end = _attributes(source, match.end("name"), name, asides)
    if end is None:
        asides.cut(match.start())
        asides.add((match.start(), len(source)), spelling.BROKEN, "broken tag")
        return len(source)
    return end


def _attributes(source: str, position: int, element: str, asides: _Asides) -> int | None:
    """Adds a tag's attributes; the place after the tag, or None if the file ends within it."""
    while match := _ATTRIBUTE.match(source, position):
        if match["close"]:
            return match.end()
        if match["open"]:
            return None
        position = match.end()
        name = match["name"].lower()
        known = name in ATTRIBUTES
        if not known:
            asides.add(match.span("name"), spelling.ATTRIBUTE_NAME, "attribute name")
        kind = match.lastgroup
        if kind in _VALUES and not (element == "meta" and _says_encoding(name, match[kind])):
            part = f"attribute {name}" if known else "attribute"
            asides.add(match.span(kind), _codec(kind, name), part)
    return None


def _codec(kind: str, name: str) -> Codec:
    if name in URLS:
        return _VALUES[kind].url
    return _VALUES[kind].code if name == "style" or name.startswith("on") else _VALUES[kind].text


def _says_encoding(name: str, value: str) -> bool:
    if name == "content":
        return _STANDARD_CONTENT.fullmatch(value) is not None
    return name == "charset" and _STANDARD_CHARSET.fullmatch(value) is not None


def _declaration(source: str, start: int, asides: _Asides) -> int:
    """Comments, doctypes, sections and instructions: each ends in its own way, or at the end of the file."""
    if source.startswith("<!--", start):
        return _comment(source, start + 4, asides)
    if source.startswith("<![CDATA[", start):
        end = source.find("]]>", start + 9)
        limit, after = (end, end + 3) if end >= 0 else (len(source), len(source))
        asides.add((start + 9, limit), spelling.SECTION, "section")
        return after
    end = source.find(">", start + 2)
    limit, after = (end, end + 1) if end >= 0 else (len(source), len(source))
    if not _STANDARD_DOCTYPE.fullmatch(source, start + 2, limit):
        asides.add((start + 2, limit), _DECLARATIONS[source[start + 1]], "declaration")
    return after


def _comment(source: str, start: int, asides: _Asides) -> int:
    for abrupt in (">", "->"):
        if source.startswith(abrupt, start):
            return start + len(abrupt)
    match = _COMMENT_END.search(source, start)
    limit, after = match.span() if match else (len(source), len(source))
    asides.add((start, limit), spelling.COMMENT, "comment")
    return after
