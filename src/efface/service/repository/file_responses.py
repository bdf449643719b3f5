"""Files as HTTP responses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

# In the description: a file comes back in the type that it has, whichever that is.
FILE_CONTENT: dict[str, Any] = {"*/*": {"schema": {"type": "string", "format": "binary"}}}
_PIECE = 256 << 10  # bytes that are handed over at once
_MAX_NAME = 255  # as long as file systems take it


def name_of(sent: str | None) -> str:
    """A file's bare name; what is not printable is left out. A name of dots alone would lead out of a folder."""
    bare = PurePath((sent or "").replace("\\", "/")).name
    kept = "".join(character for character in bare if character.isprintable())[-_MAX_NAME:]
    return kept if kept.strip(". ") else "document"


def attachment(data: bytes, name: str, media_type: str, headers: Mapping[str, str]) -> Response:
    """A download: never shown as a page of the service's origin, whatever the file holds."""
    disposition = f"attachment; filename*=UTF-8''{quote(name.encode('utf-8', 'replace'), safe='')}"
    sent = {**headers, "Content-Disposition": disposition, "Content-Length": str(len(data))}
    sent["Content-Security-Policy"] = "sandbox; default-src 'none'"
    if len(data) <= _PIECE:
        return Response(data, headers=sent, media_type=media_type)
    return StreamingResponse(_pieces(data), headers=sent, media_type=media_type)


async def _pieces(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), _PIECE):
        yield data[start : start + _PIECE]
