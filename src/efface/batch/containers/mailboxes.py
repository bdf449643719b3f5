"""mbox: every message is a document. The envelope line, which names the sender, is replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from efface.batch.containers.members import ContainerMember, Options, Result
from efface.errors import InputError

_ENVELOPE = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n"
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_TO_QUOTE = re.compile(rb"^(>*From )", re.MULTILINE)


def mbox_members(file: Path, options: Options) -> Iterator[ContainerMember]:
    """Messages begin with `From ` at the start or after an empty line; `>From ` in them is a quoted `From `."""
    with file.open("rb") as stream:
        first = stream.readline(options.max_bytes)
        if first.strip() and not first.startswith(b"From "):
            raise InputError("It is not a mailbox: it does not begin with `From `.")
        if not first:
            return
        lines: list[bytes] = []
        size, blank = 0, False
        while line := stream.readline(options.max_bytes):
            if blank and line.startswith(b"From "):
                yield _message(lines, size, options)
                lines, size, blank = [], 0, False
                continue
            size += len(line)
            if size <= options.max_bytes:
                lines.append(line)
            blank = not line.strip(b"\r\n")
        yield _message(lines, size, options)


def _message(lines: list[bytes], size: int, options: Options) -> ContainerMember:
    if size > options.max_bytes:
        return ContainerMember("message.eml", None, b"", f"It is larger than {options.max_bytes >> 20} MiB.")
    if lines and not lines[-1].strip(b"\r\n"):
        lines = lines[:-1]  # the empty line before the next envelope is the mailbox's
    return ContainerMember("message.eml", _QUOTED.sub(rb"\1", b"".join(lines)))


def write_mbox(file: Path, options: Options, result: Result, output: BinaryIO) -> None:
    for part, _ in enumerate(mbox_members(file, options)):
        data = result(part)
        if data is not None:
            end = b"\n" if data.endswith(b"\n") else b"\n\n"
            output.write(_ENVELOPE + _TO_QUOTE.sub(rb">\1", data) + end)


def is_mail_folder(folder: bytes) -> bool:
    """Whether a file in this folder is a message of a Maildir, whatever it is called."""
    return folder.rsplit(b"/", 1)[-1] in (b"cur", b"new")
