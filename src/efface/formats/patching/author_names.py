"""Names that an author gave where a standard defines some: a header field, a parameter, a tag, an attribute."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from efface.formats.patching.source_patching import Fits, SlotStretch, SourceOrigin, SourcePiece
from efface.formats.plain.encoding import to_ascii


@dataclass(frozen=True, slots=True)
class OwnName:
    """A name of `shape` that is not among the `known`; new text does without what is `unfit` in one."""

    shape: re.Pattern[str]
    known: Container[str]
    unfit: re.Pattern[str]
    prefix: str  # marks a name that is wholly ours

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        fits = self.shape.fullmatch(raw) and raw.lower() not in self.known
        return (SlotStretch(0, len(raw)),) if fits else None

    def clean(self, text: str, fits: Fits) -> str:
        return self.unfit.sub("", to_ascii(text))

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        name = "".join(piece.text for piece in pieces)
        return f"{self.prefix}{name}" if pieces[0].origin is SourceOrigin.WHOLE else name
