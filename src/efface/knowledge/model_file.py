"""The file of a trained model: packed arrays, read whole. Never pickle.

A model that was cut, changed or made by another version is refused, and the error names the command that makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from efface.errors import InputError
from efface.files.array_file import ArrayKind, dump_arrays, load_arrays

Arrays = dict[str, NDArray[Any]]

_EARLIER = b"efface-"  # models of 0.1 begin with a line of text
_FILE = "This file"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A kind of model: what it is called, the command that makes one, its version, and how large it may get."""

    kind: str
    command: str
    version: int
    limit: int

    @property
    def _array_kind(self) -> ArrayKind:
        remedy = f"Train it again with `{self.command}`."
        return ArrayKind(f"model of {self.kind}", self.version, remedy, self.limit)

    def dumps(self, arrays: Mapping[str, NDArray[Any]]) -> bytes:
        return dump_arrays(self._array_kind, {}, arrays, packed=True)

    def loads(self, data: bytes) -> Arrays:
        if data.startswith(_EARLIER):
            raise self._array_kind.other_version(_FILE)
        return dict(load_arrays(data, self._array_kind, _FILE).arrays)

    def damaged(self) -> InputError:
        return self.error("The model is damaged: its parts do not fit together.")

    def error(self, message: str) -> InputError:
        return InputError(message, f"Train it again with `{self.command}`.")
