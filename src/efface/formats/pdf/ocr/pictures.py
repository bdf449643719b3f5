"""The pictures of a PDF, image by image: which can hold words, and how each is set upright to be read.

An image is read from its own pixels, not from the page, so that a box over it, a crop or a small size hides
nothing. A page whose pictures lie side by side (a scan cut into strips) is read as a page besides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pikepdf
from pikepdf import Stream

from efface.errors import Refused
from efface.files import ocr, picture_text
from efface.formats.pdf.object_values import integer
from efface.formats.pdf.ocr.painted import hides_samples
from efface.formats.pdf.reader.covers import bounds, square
from efface.formats.pdf.reader.document import DrawnPicture, Root
from efface.formats.pdf.reader.matrix import Matrix, multiply
from efface.formats.pdf.reader.object_walk import ObjGen
from efface.formats.pdf.writer import images

if TYPE_CHECKING:
    from PIL.Image import Image

_TOUCHING = 1.0  # points between pictures that make one together


@dataclass(frozen=True, slots=True)
class UprightImage:
    """An image as a reader sees it, and the way from its pixels to the root that draws it."""

    root: Root
    picture: Image
    to_root: Matrix


@dataclass(frozen=True, slots=True)
class PictureSurvey:
    """The pictures that can hold words, the pages to be read whole besides, and how many images cannot be opened."""

    upright: tuple[UprightImage, ...]
    mosaics: frozenset[int]
    unread: int
    hiding: frozenset[ObjGen] = frozenset()  # images whose samples say more than they paint

    @property
    def count(self) -> int:
        alone = self.mosaics - {one.root.page for one in self.upright}
        return len(self.upright) + len(alone) + self.unread


def survey(pdf: pikepdf.Pdf, drawn: Sequence[DrawnPicture]) -> PictureSurvey:
    """Looks at every picture that is drawn and large enough."""
    by_root: dict[Root, list[DrawnPicture]] = defaultdict(list)
    for one in drawn:
        by_root[one.root].append(one)
    found: list[UprightImage] = []
    mosaics: set[int] = set()
    rendered: dict[tuple[int, int], Image | None] = {}
    hiding: set[ObjGen] = set()
    unread = 0
    for root, pictures in by_root.items():
        if root.kind == "page" and _touch(pictures):
            mosaics.add(root.page)
        for one in pictures:
            if not _may_hold_words(one.image):
                continue
            key = one.image.objgen if one.image.is_indirect else (0, id(one.image))
            if key not in rendered:
                rendered[key] = _rendered(one.image)
                if hides_samples(one.image):
                    hiding.add(key)
            picture = rendered[key]
            if picture is None:
                unread += 1
            elif picture_text.can_hold_words(picture):
                found.append(_upright(root, picture, one.ctm, _page_rotation(pdf, root)))
    unread += sum(not number for number, _ in hiding)  # inline images stay as they are
    return PictureSurvey(tuple(found), frozenset(mosaics), unread, frozenset(key for key in hiding if key[0]))


def _may_hold_words(image: Stream) -> bool:
    sides = images.size(image)
    return min(sides) >= picture_text.MIN_SHORT_SIDE and max(sides) >= picture_text.MIN_LONG_SIDE


def _touch(pictures: Sequence[DrawnPicture]) -> bool:
    """Whether two pictures share an edge, so that a word may run from one into the other."""
    wide = [one for one in pictures if max(images.size(one.image)) >= picture_text.MIN_LONG_SIDE]
    boxes = [_box(one.ctm) for one in wide]
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            apart = max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
            if abs(apart) <= _TOUCHING:
                return True
    return False


def _box(ctm: Matrix) -> tuple[float, float, float, float]:
    return bounds(square(ctm))


def _rendered(image: Stream) -> Image | None:
    """The image as it is painted, no finer than OCR looks; None when it cannot be decoded."""
    width, height = images.size(image)
    finest = min(1.0, ocr.LONGEST / max(width, height, 1))
    try:
        return images.render(image, (max(1, round(width * finest)), max(1, round(height * finest))))
    except Refused:
        return None


def _page_rotation(pdf: pikepdf.Pdf, root: Root) -> int:
    """Quarter turns by which the page is shown."""
    return integer(pdf.pages[root.page].obj.get("/Rotate")) // 90 % 4 if root.kind == "page" else 0


def _upright(root: Root, picture: Image, ctm: Matrix, turn: int) -> UprightImage:
    """The picture turned and mirrored as it is shown."""
    from PIL.Image import Transpose

    a, b, c, d, _, _ = ctm
    for _ in range(turn):  # clockwise
        a, b, c, d = b, -a, d, -c
    width, height = picture.size
    if abs(a) + abs(d) >= abs(b) + abs(c):
        rightward, upward = a >= 0, d >= 0
        to_square = (
            (1 if rightward else -1) / width,
            0.0,
            0.0,
            (-1 if upward else 1) / height,
            0.0 if rightward else 1.0,
            1.0 if upward else 0.0,
        )
        flips = (not rightward, not upward)
    else:
        picture = picture.transpose(Transpose.TRANSPOSE)
        rightward, upward = c >= 0, b >= 0
        to_square = (
            0.0,
            (1 if rightward else -1) / height,
            (-1 if upward else 1) / width,
            0.0,
            1.0 if upward else 0.0,
            0.0 if rightward else 1.0,
        )
        flips = (rightward, upward)
    for flipped, way in zip(flips, (Transpose.FLIP_LEFT_RIGHT, Transpose.FLIP_TOP_BOTTOM), strict=True):
        picture = picture.transpose(way) if flipped else picture
    return UprightImage(root, picture, multiply(to_square, ctm))


def by_root(pictures: Iterable[UprightImage]) -> Iterator[tuple[Root, list[UprightImage]]]:
    """The pictures of each root together."""
    grouped: dict[Root, list[UprightImage]] = defaultdict(list)
    for one in pictures:
        grouped[one.root].append(one)
    yield from grouped.items()
