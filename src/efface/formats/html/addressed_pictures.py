"""Pictures that a page holds in itself, written into an address: data:image/png;base64,…

Each is a document of its own, whose words come after the text of the page. One that cannot be opened is blanked.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from efface.core import Document, Edit, Pictures
from efface.errors import InputError
from efface.formats.html.escapes import TEXT
from efface.formats.patching.source_patching import SourceItem, shown
from efface.formats.pictures.cleaning import BLANK
from efface.formats.pictures.picture_file import PictureFile
from efface.formats.plain.encoding import Patch

_ADDRESS = re.compile(
    r"data:image/(?!svg)[a-z0-9.+-]{1,40}(?:;[a-z0-9=._-]{1,60}){0,3};base64,"
    r"(?P<code>(?:[a-z0-9+/=\t\r\n]|%[0-9a-f]{2}|&#x?[0-9a-f]{1,6};|&(?:plus|sol|equals|newline|tab);)*+)",
    re.IGNORECASE,
)
UNOPENED = "Pictures in addresses that cannot be opened are removed."


class AddressedPicture(NamedTuple):
    """`source[start:end]` is the code of a picture, `plain` the code alone. No document: it cannot be opened."""

    start: int
    end: int
    plain: str
    document: Document | None

    @property
    def text(self) -> str:
        """What the picture says."""
        return "" if self.document is None else self.document.text


def pictures_of(source: str, name: str, policy: Pictures) -> tuple[AddressedPicture, ...]:
    """The pictures in the addresses of a page, as they were read under a policy."""
    found = []
    for match in _ADDRESS.finditer(source):
        plain = "".join(unquote(shown(TEXT, match["code"])).split())
        found.append(AddressedPicture(*match.span("code"), plain, _read(plain, name, policy)))
    return tuple(found)


def _read(plain: str, name: str, policy: Pictures) -> Document | None:
    try:
        data = base64.b64decode(plain + "=" * (-len(plain) % 4))
        return PictureFile(policy).read(data, name)
    except (binascii.Error, InputError):
        return None


def without_codes(items: Iterable[SourceItem], pictures: Sequence[AddressedPicture]) -> Iterator[SourceItem]:
    """What the page says, without the codes of its pictures."""
    starts = [picture.start for picture in pictures]
    for item in items:
        position = item.start
        for picture in pictures[bisect_left(starts, item.start) : bisect_left(starts, item.end)]:
            yield item._replace(start=position, end=picture.start)
            position = picture.end
        if position == item.start or position < item.end:
            yield item._replace(start=position)


def patches_of(pictures: Sequence[AddressedPicture], edits: Sequence[Edit], position: int) -> Iterator[Patch]:
    """What changes the pictures of a page. The text of the first one begins at `position`, each in a line of its own."""
    for picture in pictures:
        start, position = position, position + len(picture.text) + 1
        written = BLANK
        if picture.document is not None:
            written = PictureFile().write(picture.document, _edits_within(edits, start, position - 1))
        code = base64.b64encode(written).decode()
        if code.rstrip("=") != picture.plain.rstrip("="):
            yield Patch(picture.start, picture.end, code)


def _edits_within(edits: Sequence[Edit], start: int, end: int) -> list[Edit]:
    """The parts of the edits that touch the text `[start, end)`, in its own places."""
    found = []
    for edit in edits:
        low, high = max(edit.start, start), min(edit.end, end)
        if low < high:
            found.append(replace(edit, start=low - start, end=high - start))
    return found
