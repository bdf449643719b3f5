"""Mail messages (.eml): heads, bodies, attachments and messages within messages.

The message is split over its raw bytes, and only the pieces that an edit touches are encoded again, so the
rest keeps its bytes. A body or an attachment is read by the format it is in; one that no format reads is
refused, since what it discloses is unknown. What cannot be read in one way only (two content types,
invalid base64, an unknown encoding) is refused too.

Reading a release again gives exactly the edited text, except that an edited boundary between parts gives
way to a fresh one, that names of fields, parameters' values and attachments' names cannot hold every
character, and what the formats of the pieces say of themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import NamedTuple, Protocol, cast

from efface.core import Document, Edit, Format, Gap, HiddenText, Part, Pictures
from efface.errors import InputError, Refused
from efface.formats import BY_ENDING, BY_MEDIA_TYPE, FORMATS, get_format
from efface.formats import gaps as document_gaps
from efface.formats import notes as document_notes
from efface.formats.mail.attached import Attached, FileLabel
from efface.formats.mail.delimiters import EOL, delimiters
from efface.formats.mail.headers import Headers, fields, parameters
from efface.formats.mail.transfer_encoding import decoded, encoded
from efface.formats.mail.vocabulary import TEXT_TYPES, TRANSFER_ENCODINGS
from efface.formats.plain.encoding import is_ascii_compatible

MAX_DEPTH = 20  # messages within messages
MAX_PARTS = 10_000  # of one message, attachments and their parts included

_HEAD = re.compile(
    rb"(?:From [^\r\n]*+" + EOL + rb")?+"
    rb"(?:[!-9;-~]++[ \t]*+:[^\r\n]*+(?:" + EOL + rb"[ \t][^\r\n]*+)*+(?:" + EOL + rb"|\Z))*+"
)
_BLANK = re.compile(EOL)
_ONCE = ("content-type", "content-transfer-encoding", "content-disposition")
# Formats that keep their bytes without edits; others drop what hides in a file.
_KEEPS_ITS_BYTES = frozenset(["text", "csv", "json", "jsonl", "headers"])
_NOT_ATTACHED = FileLabel()
_ANY_READER_KNOWS = frozenset(["", "utf-8", "utf8", "us-ascii", "ascii"])


class _Textual(Protocol):
    def read(self, data: bytes, name: str, charset: str | None) -> Document: ...


class _MailPiece(NamedTuple):
    """`data[start:end]` of a message as a document of its own, whose text starts at `at` in the whole."""

    start: int
    end: int
    at: int
    document: Document
    format: Format
    transfer: str
    boundaries: tuple[bytes, ...]  # of the multiparts that the piece is in
    called: FileLabel


class _Multipart(NamedTuple):
    """A message of several parts: the piece that is its head, and where its boundary is in the bytes."""

    head: int
    boundary: bytes
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Message:
    data: bytes
    pieces: tuple[_MailPiece, ...]
    multiparts: tuple[_Multipart, ...]

    @property
    def attached(self) -> tuple[Attached, ...]:
        return tuple(Attached(p.at, p.document, p.called) for p in self.pieces if p.called.label)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What of its bodies and attachments was not looked at."""
        return tuple(dict.fromkeys(gap for piece in self.pieces for gap in document_gaps(piece.document)))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note for piece in self.pieces for note in document_notes(piece.document)))


@dataclass(frozen=True, slots=True)
class Mail:
    """core.Format for .eml."""

    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> Mail:
        """The format under a policy that says what becomes of pictures in bodies and attachments."""
        return replace(self, pictures=pictures)

    def read(self, data: bytes, name: str) -> Document:
        return _read(data, name, self.pictures, depth=0)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        message = document.origin
        assert isinstance(message, _Message)
        return _write(message, edits)


EML = Mail()


def _read(data: bytes, name: str, pictures: Pictures, depth: int) -> Document:
    reader = _Reader(data, name, pictures)
    reader.entity(_MailScope(0, len(data), depth))
    text = "\n".join(piece.document.text for piece in reader.pieces)
    message = _Message(data, tuple(reader.pieces), tuple(reader.multiparts))
    return Document(name, "eml", text, tuple(reader.parts), message, tuple(reader.hidden))


class _MailScope(NamedTuple):
    """The place of a message or part, and what contains it."""

    start: int
    end: int
    depth: int
    path: tuple[int, ...] = ()
    boundaries: tuple[bytes, ...] = ()
    default: str = "text/plain"


@dataclass(slots=True)
class _Reader:
    """Splits a message into pieces, in order."""

    data: bytes
    name: str
    pictures: Pictures
    pieces: list[_MailPiece] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    hidden: list[HiddenText] = field(default_factory=list)  # of attachments: words under a box of a PDF
    multiparts: list[_Multipart] = field(default_factory=list)
    length: int = 0
    fresh: str = ""

    def entity(self, scope: _MailScope) -> None:
        if scope.depth > MAX_DEPTH:
            raise InputError(
                f"The message is nested over {MAX_DEPTH} levels deep.", "Save the inner one alone."
            )
        if len(self.pieces) > MAX_PARTS:
            raise InputError(f"The message has over {MAX_PARTS} parts.", "Split it.")
        match = _HEAD.match(self.data, scope.start, scope.end)
        end = match.end() if match else scope.start
        head = self.data[scope.start : end]
        about = _part_headers(head, scope.default)
        self._add(scope._replace(end=end), head, Headers(self._fresh_boundary()))
        blank = _BLANK.match(self.data, end, scope.end)
        body = scope._replace(start=blank.end() if blank else end)
        boundary = _boundary(about)
        if about.media_type.startswith("multipart/") and boundary:
            self._multipart(body, about, boundary)
        elif BY_MEDIA_TYPE.get(about.media_type) == "eml" and not about.encoded:
            self.entity(body._replace(depth=scope.depth + 1, default="text/plain"))
        else:
            self._leaf(body, about)

    def _multipart(self, scope: _MailScope, about: _About, boundary: bytes) -> None:
        lines = delimiters(self.data, scope.start, scope.end, boundary)
        places = tuple((line.boundary, line.boundary + len(boundary)) for line in lines)
        self.multiparts.append(_Multipart(len(self.pieces) - 1, boundary, places))
        inner = scope._replace(
            depth=scope.depth + 1,
            boundaries=(*scope.boundaries, boundary),
            default="message/rfc822" if about.media_type == "multipart/digest" else "text/plain",
        )
        if not lines or lines[0].boundary - 2 > scope.start:
            self._add_text_between_parts(inner._replace(end=lines[0].start if lines else scope.end))
        edges = [*(line.start for line in lines), scope.end]
        for number, (line, end) in enumerate(zip(lines, edges[1:], strict=True), 1):
            if line.closes:
                self._add_text_between_parts(scope._replace(start=line.end))
            else:
                end = max(line.end, end)
                self.entity(inner._replace(start=line.end, end=end, path=(*scope.path, number)))

    def _add_text_between_parts(self, scope: _MailScope) -> None:
        """What is before the first part or after the last, for readers that know no parts."""
        self._add(scope, self.data[scope.start : scope.end], get_format("text"), FileLabel("between parts"))

    def _leaf(self, scope: _MailScope, about: _About) -> None:
        raw = self.data[scope.start : scope.end]
        content = decoded(raw, about.transfer)
        label = f"attachment {'.'.join(map(str, scope.path))}".strip()
        called = FileLabel(label, about.file_name) if about.attached else _NOT_ATTACHED
        name = _format_of(about, content)
        if name == "eml":
            document = _read(content, self.name, self.pictures, scope.depth + 1)
            self._append(scope, document, EML, about.transfer, called)
        else:
            declared = _charset_of(about, raw)
            if not FORMATS[name].takes_charset:
                _refuse_charset(about, declared)
                declared = None
            self._add(scope, content, get_format(name, self.pictures), called, about.transfer, declared)

    def _add(
        self,
        scope: _MailScope,
        content: bytes,
        format: Format,
        called: FileLabel = _NOT_ATTACHED,
        transfer: str = "",
        declared: str | None = None,
    ) -> None:
        if declared is None:
            document = format.read(content, self.name)
        else:
            document = cast("_Textual", format).read(content, self.name, declared)
        self._append(scope, document, format, transfer, called)

    def _append(
        self, scope: _MailScope, document: Document, format: Format, transfer: str, called: FileLabel
    ) -> None:
        at = self.length + len(self.pieces)  # a line break between two pieces
        self.pieces.append(
            _MailPiece(scope.start, scope.end, at, document, format, transfer, scope.boundaries, called)
        )
        label = called.label
        alone = label and len(document.parts) == 1
        for part in document.parts:
            name = label if alone else f"{label} {part.name}".lstrip()
            self.parts.append(Part(name, at + part.start, at + part.end, part.kind))
        for words in document.hidden:
            self.hidden.append(HiddenText(at + words.start, at + words.end, words.reason))
        self.length += len(document.text)

    def _fresh_boundary(self) -> str:
        """A boundary that is nowhere in the message, and is this part's alone."""
        if not self.fresh:
            self.fresh = "efface-part"
            while self.fresh.encode("ascii") in self.data:
                self.fresh += "s"
        return f"{self.fresh}-{len(self.pieces)}"


@dataclass(frozen=True, slots=True)
class _About:
    """What a head says of its body."""

    media_type: str
    parameters: dict[str, str]
    transfer: str
    file_name: str
    attached: bool

    @property
    def encoded(self) -> bool:
        return self.transfer in ("base64", "quoted-printable")


def _part_headers(head: bytes, default: str) -> _About:
    """The headers that say how a part of a message is read."""
    found: dict[str, str] = {}
    for name, value in fields(head):
        # Programs differ in which of two such headers they believe.
        if name in _ONCE and name in found:
            raise InputError(
                "The message says twice how one of its parts is to be read.", "Repair the message."
            )
        found[name] = value
    media_type, parameters_ = parameters(found.get("content-type", default))
    disposition, more = parameters(found.get("content-disposition", ""))
    file_name = more.get("filename") or parameters_.get("name") or ""
    about = _About(
        media_type if media_type.count("/") == 1 else "text/plain",
        parameters_,
        found.get("content-transfer-encoding", "7bit").strip().lower(),
        file_name,
        disposition == "attachment" or bool(file_name),
    )
    if about.transfer not in TRANSFER_ENCODINGS or (about.encoded and media_type.startswith("multipart/")):
        raise InputError(
            "A part of the message is encoded in a way efface cannot read.", "Save that part alone."
        )
    return about


def _format_of(about: _About, content: bytes) -> str:
    """By media type; where that says little, by the file's name. Unknown kinds are refused."""
    by_type = BY_MEDIA_TYPE.get(about.media_type, "")
    by_name = BY_ENDING.get(PurePath(about.file_name).suffix.lower(), "")
    if by_type and by_type != "text" and (by_type, by_name) != ("json", "jsonl"):
        return by_type
    if by_name:
        return by_name
    if by_type or about.media_type in TEXT_TYPES or not content.strip():
        return "text"
    raise InputError(
        "The message has an attachment of a kind that efface cannot read.",
        "Remove the attachment, or convert it to a kind that efface reads.",
    )


def _charset_of(about: _About, raw: bytes) -> str | None:
    """The declared charset; plain ASCII where only ASCII may stand in the message."""
    declared = about.parameters.get("charset")
    if about.transfer == "7bit" and raw.isascii() and is_ascii_compatible(declared or ""):
        return "us-ascii"
    return declared


def _refuse_charset(about: _About, declared: str | None) -> None:
    """Text in a charset that its format does not take would be read as other letters than the recipient sees."""
    if about.media_type.startswith("text/") and (declared or "").lower() not in _ANY_READER_KNOWS:
        raise InputError(
            "The message has an attachment in a charset that its format cannot be read in.",
            "Convert the attachment to UTF-8.",
        )


def _write(message: _Message, edits: Sequence[Edit]) -> bytes:
    """The message with the edited parts in place; a part that no edit touches keeps its bytes."""
    written: dict[int, bytes] = {}
    patches: list[tuple[int, int, bytes]] = []
    for index, (piece, shares) in enumerate(_shares(message.pieces, edits)):
        if not shares and piece.document.format in _KEEPS_ITS_BYTES:
            continue
        raw = message.data[piece.start : piece.end]
        content = piece.format.write(piece.document, shares)
        if not shares and content == decoded(raw, piece.transfer):
            continue
        written[index] = encoded(content, raw, piece.transfer)
        _refuse_delimiters(written[index], piece.boundaries)
        patches.append((piece.start, piece.end, written[index]))
    for multipart in message.multiparts:
        if multipart.head in written:
            boundary = _boundary(_part_headers(written[multipart.head], "text/plain"))
            if boundary != multipart.boundary:
                patches += ((start, end, boundary) for start, end in multipart.places)
    return b"".join(_spliced(message.data, sorted(patches)))


def _shares(pieces: Sequence[_MailPiece], edits: Sequence[Edit]) -> Iterator[tuple[_MailPiece, list[Edit]]]:
    """Each piece with its shares of the edits; the first share of an edit has the replacement."""
    index = 0
    placed = False
    for piece in pieces:
        end = piece.at + len(piece.document.text)
        shares: list[Edit] = []
        while index < len(edits) and edits[index].start < end:
            edit = edits[index]
            start, stop = max(edit.start, piece.at) - piece.at, min(edit.end, end) - piece.at
            if start < stop:
                text = "" if placed else edit.replacement
                shares.append(replace(edit, start=start, end=stop, replacement=text))
                placed = True
            if edit.end > end:
                break
            index += 1
            placed = False
        yield piece, shares


def _refuse_delimiters(content: bytes, boundaries: Sequence[bytes]) -> None:
    if any(delimiters(content, 0, len(content), boundary) for boundary in boundaries):
        raise Refused("The edits would cut the message into other parts.", "Choose another replacement.")


def _boundary(about: _About) -> bytes:
    return about.parameters.get("boundary", "").rstrip().encode("utf-8", "replace")


def _spliced(data: bytes, patches: Sequence[tuple[int, int, bytes]]) -> Iterator[bytes]:
    position = 0
    for start, end, new in patches:
        yield data[position:start]
        yield new
        position = end
    yield data[position:]
