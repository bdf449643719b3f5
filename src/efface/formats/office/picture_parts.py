"""The pictures of a package, each a part of the text.

A picture that is written into an address of the markup (data:image/png;base64,…) is blanked when it shows words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from efface.core import Gap, Pictures
from efface.formats.office.namespaces import tag, tags
from efface.formats.office.picture_addresses import BLANK_ADDRESS, addressed
from efface.formats.office.xmltext import (
    TAIL,
    TEXT,
    Changes,
    Composer,
    Element,
    XmlPlace,
    stored,
)
from efface.formats.pictures.inspection import PictureInspection, PictureText, hides, without

PICTURE = "\0picture"
NOWHERE = etree.Element("nowhere")
STREAM = "picture"
# Text of drawings, in markup of its own kind.
_DRAWN_TEXT = ("{http://www.w3.org/2000/svg}text", tag("v:textbox"))
_WORD_TEXT = tags("w:txbxContent")


@dataclass(frozen=True, slots=True)
class PictureParts:
    """The pictures as they were read, by part."""

    binaries: Mapping[str, bytes] = field(default_factory=dict)
    said: Mapping[str, PictureText] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()

    def written(self, changes: Changes) -> dict[str, bytes]:
        """The pictures as they leave."""
        result = dict(self.binaries)
        for part, said in self.said.items():
            wanted = changes.get(XmlPlace(part, NOWHERE, PICTURE))
            if wanted:
                spans = [(start, end) for start, end, _ in wanted]
                result[part] = without(self.binaries[part], said, spans)
        return result


def look_at(
    binaries: Mapping[str, bytes],
    parts: Iterable[str],
    addressing: Iterable[Element],
    policy: Pictures,
) -> PictureParts:
    """Reads the pictures among the binaries, named by `parts`, and those in the addresses of some trees."""
    inspection = PictureInspection(policy, dict(binaries))
    for part in parts:
        inspection.picture(part)
    for tree in addressing:
        _blank_addresses(tree, inspection)
    return PictureParts(inspection.binaries, inspection.said, inspection.gaps, inspection.notes)


def _blank_addresses(tree: Element, inspection: PictureInspection) -> None:
    """Pictures in the markup itself. Their words have no place in the text, so those with words go."""
    for element in tree.iter():
        for name, value in element.items():
            data = addressed(value)
            if data is not None and (inspection.must_go(data) or hides(data)):
                element.set(name, BLANK_ADDRESS)


def compose_drawn(trees: Mapping[str, Element], composer: Composer) -> None:
    """What drawings in markup say."""
    for part, tree in trees.items():
        for text in tree.iter(*_DRAWN_TEXT):
            if next(text.iter(*_WORD_TEXT), None) is not None:
                continue
            pieces = composer.stream("drawing text")
            for element in text.iter():
                for slot in (TEXT, TAIL) if element is not text else (TEXT,):
                    place = XmlPlace(part, element, slot)
                    pieces.append((stored(place), (place,)))
            pieces.append(("\n", ()))


def compose_said(parts: PictureParts, composer: Composer) -> None:
    """What pictures say, a paragraph for each."""
    for part, said in parts.said.items():
        composer.line(STREAM, said.text, XmlPlace(part, NOWHERE, PICTURE))
