"""Content streams as lists of operators, and back to bytes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import pikepdf
from pikepdf import Array, Stream

from efface.errors import Refused

Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage
ContentPiece = Instruction | bytes  # an operator as it was, or new syntax

_MAX_CONTENT = 1 << 26  # bytes of a page's drawing commands
_MAX_TOKENS = 6_000_000  # of a page's drawing commands; each is an object in memory


def page_streams(page: pikepdf.Page) -> list[Stream]:
    contents = page.obj.get("/Contents")
    streams = list(contents) if isinstance(contents, Array) else [contents]
    return [stream for stream in streams if isinstance(stream, Stream)]


def page_bytes(page: pikepdf.Page) -> bytes:
    """A page's content; its streams are one stream to PDF."""
    return b"\n".join(stream_bytes(stream) for stream in page_streams(page))


def stream_bytes(stream: Stream) -> bytes:
    try:
        data = bytes(stream.get_stream_buffer())
    except pikepdf.PdfError:
        raise Refused(
            "A content stream of the PDF cannot be decoded, so it cannot be searched.",
            "Print the document to a new PDF, or use --flatten.",
        ) from None
    if len(data) > _MAX_CONTENT or _tokens(data) > _MAX_TOKENS:
        raise Refused(
            "A page of the PDF is too complex to be checked.",
            "Redact it with `efface redact --flatten`, which makes pictures of its pages.",
        )
    return data


def _tokens(data: bytes) -> int:
    return data.count(b" ") + data.count(b"\n") + data.count(b"\r") if len(data) > _MAX_TOKENS else 0


def parse(pdf: pikepdf.Pdf, data: bytes) -> list[Instruction]:
    """The operators with their operands, inline images among them."""
    if not data:
        return []
    try:
        with warnings.catch_warnings(action="ignore"):  # about damage: what follows it is not shown either
            return list(pikepdf.parse_content_stream(pikepdf.Stream(pdf, data)))
    except (pikepdf.PdfError, pikepdf.PikepdfError, TypeError, ValueError):
        raise Refused(
            "A content stream of the PDF is broken, so it cannot be searched.",
            "Print the document to a new PDF, or use --flatten.",
        ) from None


def serialise(pieces: Sequence[ContentPiece]) -> bytes:
    """Content syntax; comments and odd spacing of the original do not come back."""
    chunks: list[bytes] = []
    pending: list[Instruction] = []
    for piece in pieces:
        if isinstance(piece, bytes):
            if pending:
                chunks.append(pikepdf.unparse_content_stream(pending))
                pending = []
            chunks.append(piece)
        else:
            pending.append(piece)
    if pending:
        chunks.append(pikepdf.unparse_content_stream(pending))
    return b"\n".join(chunks) + b"\n"
