"""Pictures that a text holds as code, for policies that remove pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from efface.core import FinderTraits, Mention
from efface.text.disguises.encoded_files import encoded_files

PICTURE = "PICTURE"


@dataclass(frozen=True, slots=True)
class CodedPictures:
    """Finds the codes of pictures in base64 and hexadecimal."""

    traits: ClassVar[FinderTraits] = FinderTraits(overrules_keep=True)
    types: ClassVar[frozenset[str]] = frozenset({PICTURE})

    def find(self, text: str) -> Iterator[Mention]:
        for file in encoded_files(text):
            if file.is_picture:
                yield Mention(
                    file.start, file.end, PICTURE, PICTURE, 1.0, "a picture, which the policy removes"
                )
