"""The file of a trained model: a line with its kind, version and checksum, then arrays. Never pickle.

The same model gives the same bytes. A file that was cut, changed or made by another version is refused.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError

Arrays = dict[str, NDArray[Any]]

_LONGEST_LINE = 160


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A kind of model: what it is called, the command that makes one, its version, and how large it may get."""

    kind: str
    command: str
    version: int
    limit: int

    def dumps(self, arrays: Arrays) -> bytes:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        body = buffer.getvalue()
        return f"efface-{self.kind} {self.version} {hashlib.sha256(body).hexdigest()}\n".encode() + body

    def loads(self, data: bytes) -> Arrays:
        line, _, _ = data[:_LONGEST_LINE].partition(b"\n")
        head = line.split(b" ")
        if len(head) != 3 or head[0] != f"efface-{self.kind}".encode():
            raise InputError(f"This is not a model of {self.kind}.", f"Give a file made by `{self.command}`.")
        if head[1] != str(self.version).encode():
            raise self.error("The model was made by another version of efface.")
        body = data[len(line) + 1 :]
        if hashlib.sha256(body).hexdigest().encode() != head[2]:
            raise self.error("The model is damaged: its checksum does not match.")
        try:
            return self._arrays(body)
        except (ValueError, zipfile.BadZipFile):
            raise self.damaged() from None

    def _arrays(self, body: bytes) -> Arrays:
        with zipfile.ZipFile(io.BytesIO(body)) as container:
            if sum(member.file_size for member in container.infolist()) > self.limit:
                raise ValueError("larger than any model")
        with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
            return dict(arrays)

    def damaged(self) -> InputError:
        return self.error("The model is damaged: its parts do not fit together.")

    def error(self, message: str) -> InputError:
        return InputError(message, f"Train it again with `{self.command}`.")
