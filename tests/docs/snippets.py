"""Reads what a page tells its reader to do: files to make, commands to type, Python to run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# A fence, its language and title; or a comment that sets up what the reader is assumed to have.
_BLOCK = re.compile(
    r"^```(?P<kind>\w+)(?P<head>[^\n]*)\n(?P<body>.*?)^```$|^<!-- setup\n(?P<setup>.*?)^-->$",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'title="([^"]+)"')
_CODE = re.compile(r"\(exit code (\d+)\)")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. `shown` is what the page says comes out; empty: the page does not say."""

    kind: Literal["file", "python", "command"]
    body: str
    name: str = ""
    shown: str = ""
    code: int = 0


def steps(page: str) -> Iterator[Step]:
    """The page's steps in order. A `text` block right after Python is what it prints."""
    found = list(_BLOCK.finditer(page))
    for at, block in enumerate(found):
        if block["setup"] is not None:
            yield Step("python", block["setup"])
        elif title := _TITLE.search(block["head"] or ""):
            yield Step("file", block["body"], title[1])
        elif block["kind"] == "python":
            follows = found[at + 1] if at + 1 < len(found) else None
            answers = follows is not None and follows["kind"] == "text" and _near(page, block, follows)
            yield Step("python", block["body"], shown=follows["body"] if answers and follows else "")
        elif block["kind"] == "console":
            yield from _commands(block["body"])


def _near(page: str, block: re.Match[str], follows: re.Match[str]) -> bool:
    return not page[block.end() : follows.start()].strip()


def _commands(body: str) -> Iterator[Step]:
    """`$ command`, then what it prints; a line `(exit code 3)` says that it is to fail so."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        code = _CODE.search(shown)
        yield Step("command", command, shown=_CODE.sub("", shown).rstrip(), code=int(code[1]) if code else 0)


def agrees(shown: str, printed: str) -> bool:
    """Whether what was printed is what is shown, where `…` stands for anything and spaces count once."""
    wanted = r".*?".join(re.escape(" ".join(piece.split())) for piece in shown.split("…"))
    wanted = wanted.replace(r".*?", r"\ ?.*?\ ?")
    return re.fullmatch(wanted, " ".join(printed.split()), re.DOTALL) is not None
