"""Headers and footers of sheets, where codes that begin with an ampersand stand between the words.

`&LAcme &BCorp` prints "Acme **Corp**" on the left: the codes are passed over, so that a term is found across them,
and stay when it is removed. The fonts that codes name (`&"Perpetua,Bold"`) are no prose: they stand among the styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from efface.formats.office.namespaces import tags
from efface.formats.office.xmltext import (
    STYLES,
    TEXT,
    Composer,
    Element,
    XmlChange,
    XmlPiece,
    XmlPlace,
    splice,
)

# The slot of a stretch of the element's text: where it starts and how long it is there.
STRETCH = "\0stretch "
_LINES = tuple(
    tags(
        " ".join(
            f"{prefix}:{which}{what}"
            for prefix in "xc"
            for which in ("odd", "even", "first")
            for what in ("Header", "Footer")
        )
    )
)
# A font, a colour, a size, a literal ampersand, another code; or words.
_PIECES = re.compile(
    r'&"(?P<font>[^"]*)"|&K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|&\d{1,3}|(?P<and>&&)|&(?P<code>.)|[^&]+|&', re.S
)
_SECTIONS = frozenset("LCR")
_FIELDS = frozenset("PNDTFAZG")  # page, date, file and the like


def compose(part: str, root: Element, composer: Composer) -> None:
    """Show the words of a part's headers and footers."""
    for element in root.iter(*_LINES):
        if element.text:
            composer.answered.add((element, TEXT))
            composer.stream("header and footer").extend((*_pieces(part, element, element.text), ("\n", ())))
            for font, place in _fonts(part, element, element.text):
                composer.line(STYLES, font, place)


def _pieces(part: str, element: Element, text: str) -> Iterator[XmlPiece]:
    for match in _PIECES.finditer(text):
        if match["code"] in _SECTIONS:
            yield "\n", ()
        elif match["code"] in _FIELDS:
            yield " ", ()
        elif match["and"] or not match[0].startswith("&"):
            yield "&" if match["and"] else match[0], (_place(part, element, match.span()),)


def _fonts(part: str, element: Element, text: str) -> Iterator[tuple[str, XmlPlace]]:
    for match in _PIECES.finditer(text):
        if match["font"]:
            yield match["font"], _place(part, element, match.span("font"))


def _place(part: str, element: Element, stretch: tuple[int, int]) -> XmlPlace:
    start, end = stretch
    return XmlPlace(part, element, f"{STRETCH}{start} {end - start}")


def change(element: Element, changes: Mapping[str, Sequence[XmlChange]]) -> None:
    """Carry out the changes of an element's stretches."""
    text = element.text or ""
    fonts = {match.start("font") for match in _PIECES.finditer(text) if match["font"]}
    found: list[XmlChange] = []
    for slot, several in changes.items():
        start, length = map(int, slot.removeprefix(STRETCH).split())
        doubled = text[start : start + 2] == "&&"
        for begin, end, replacement in several:
            stop = start + (length if doubled else end)
            written = replacement.replace('"', "") if start in fonts else replacement.replace("&", "&&")
            found.append((start + begin, stop, written))
    element.text = splice(text, sorted(found))
