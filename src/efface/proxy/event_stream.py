"""Server-sent events, as the HTML standard defines them: what each one says."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator


async def event_data(pieces: AsyncIterable[bytes], limit: int) -> AsyncIterator[str]:
    """The data of each event. Raises ValueError for a line or an event of more than `limit` bytes.

    Only CR, LF and CRLF end a line: other separators of Unicode may stand inside of a text.
    """
    lines: list[bytes] = []
    async for line in _lines(pieces, limit):
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
            if sum(map(len, lines)) > limit:
                raise ValueError("an event is too long")
        elif not line and lines:
            yield b"\n".join(lines).decode("utf-8", "replace")
            lines = []
    if lines:  # a stream may end without an empty line
        yield b"\n".join(lines).decode("utf-8", "replace")


async def _lines(pieces: AsyncIterable[bytes], limit: int) -> AsyncIterator[bytes]:
    rest = b""
    async for piece in pieces:
        rest += piece
        if len(rest) > limit:
            raise ValueError("a line is too long")
        if b"\n" not in piece and b"\r" not in rest:
            continue
        found = rest.splitlines(keepends=True)
        # A CR at the end may be half of a CRLF, so its line waits for the next piece.
        rest = b"" if found[-1].endswith(b"\n") else found.pop()
        for line in found:
            yield line.rstrip(b"\r\n")
    for line in rest.splitlines():
        yield line
