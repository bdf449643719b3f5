"""Pictures and drawings that several pages of a PDF share.

Two pages may show different parts of one picture: halves of a scanned spread, cropped, or pieces of one sheet,
clipped or painted over. What is taken out of one page must not stay in the picture of the other.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

_Box = tuple[float, float, float, float]
_Id = tuple[int, int]

_CATEGORIES = ("/XObject", "/Pattern", "/ExtGState")  # the categories of resources that draw pictures
# The keys under which a picture, a mask or a graphics state refers to further pictures.
_INSIDE = ("/SMask", "/Mask", "/G", "/Alternates", "/Image")
_SLACK = 0.5  # points by which a drawing may exceed what is seen of it
_RECTANGLE = 5  # most points of a rectangle's path: it may return to where it began
_DENSEST = 600  # pixels for each inch: a picture with more holds details that cannot be seen at a usual size
_DEEPEST = 50  # levels of the page tree


@dataclass(frozen=True)
class SharedDrawings:
    """Pages that draw what a page that was taken out draws too."""

    unclear: frozenset[int]  # pages that share more than plain pictures: what they show of it is unknown
    pictures: frozenset[int]  # pages that share plain pictures only, and draw them


def shared_with(source: Any, taken: Collection[int]) -> SharedDrawings:
    """The pages that have a drawing in common with a page of `taken`."""
    drawn = {number: frozenset(_drawings(page.obj)) for number, page in enumerate(source.pages)}
    gone = frozenset[_Id]().union(*(drawn[number] for number in taken))
    unclear: set[int] = set()
    pictures: set[int] = set()
    for number, page in enumerate(source.pages):
        common = drawn[number] & gone
        if common and number not in taken:
            (pictures if common <= _plain_pictures(page) else unclear).add(number)
    return SharedDrawings(frozenset(unclear), frozenset(pictures))


def shows_all(page: Any) -> bool:
    """Whether every picture that a page of PDFium draws is seen whole. The caller holds the lock.

    Pictures inside of forms and patterns count as hidden: who knows what is seen of them."""
    import pypdfium2.raw as raw

    seen = page.get_cropbox()
    drawn = list(page.get_objects(max_depth=1))
    if any(each.type in (raw.FPDF_PAGEOBJ_FORM, raw.FPDF_PAGEOBJ_SHADING) for each in drawn):
        return False
    over = _annotations(page)
    for each in reversed(drawn):
        if each.type == raw.FPDF_PAGEOBJ_IMAGE:
            box = _bounds(each)
            is_covered = any(_overlap(box, other) for other in over)
            if (
                is_covered
                or not _is_box_within(box, seen)
                or _is_clipped(each, box)
                or not _is_opaque_and_large(each, box)
            ):
                return False
        if not _is_invisible(each):
            over.append(_bounds(each))
    return True


def _is_opaque_and_large(picture: Any, box: _Box) -> bool:
    """Whether a picture is drawn opaque and at a size at which its pixels can be seen."""
    import pypdfium2.raw as raw

    if raw.FPDFPageObj_HasTransparency(picture):
        return False
    pixels = picture.get_px_size()
    inches = (max(box[2] - box[0], 0) / 72, max(box[3] - box[1], 0) / 72)
    return bool(min(pixels) <= _DENSEST * min(inches) and max(pixels) <= _DENSEST * max(inches))


def _is_invisible(drawn: Any) -> bool:
    """Whether it is text that is not painted, as a scanner's own reading of a page is."""
    import pypdfium2.raw as raw

    if drawn.type != raw.FPDF_PAGEOBJ_TEXT:
        return False
    return bool(raw.FPDFTextObj_GetTextRenderMode(drawn) == raw.FPDF_TEXTRENDERMODE_INVISIBLE)


def _annotations(page: Any) -> list[_Box]:
    """The places of annotations, which are drawn over the page. Links draw nothing."""
    import pypdfium2.raw as raw

    found: list[_Box] = []
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        place = raw.FS_RECTF()
        is_link = raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_LINK
        has_place = raw.FPDFAnnot_GetRect(annotation, place)
        raw.FPDFPage_CloseAnnot(annotation)
        if not has_place:
            found.append((-math.inf, -math.inf, math.inf, math.inf))
        elif not is_link:
            found.append((place.left, place.bottom, place.right, place.top))
    return found


def _overlap(one: _Box, other: _Box) -> bool:
    return (
        one[0] < other[2] - _SLACK
        and other[0] < one[2] - _SLACK
        and one[1] < other[3] - _SLACK
        and other[1] < one[3] - _SLACK
    )


def _plain_pictures(page: Any) -> frozenset[_Id]:
    """The pictures that a page's own content draws, with their masks. Alternates are not among them."""
    from pikepdf import PdfError, Stream, parse_content_stream

    try:
        names = {str(each.operands[0]) for each in parse_content_stream(page, "Do") if each.operands}
    except PdfError:
        return frozenset()
    resources = _resources_of(page.obj)
    entries: Any = resources.get("/XObject") if _is_mapping(resources) else None
    found: set[_Id] = set()
    for name, picture in entries.items() if _is_mapping(entries) else ():
        is_picture = isinstance(picture, Stream) and str(picture.get("/Subtype")) == "/Image"
        if name in names and is_picture and not {"/Alternates", "/ImageMask"} & set(picture.keys()):
            masks = (picture.get("/SMask"), picture.get("/Mask"))
            found |= {each.objgen for each in (picture, *masks) if isinstance(each, Stream)}
    return frozenset(found)


def _drawings(page: Any) -> Iterator[_Id]:
    """The object numbers of what a page draws: pictures, forms, patterns, masks, and its own content."""
    from pikepdf import Array, Stream

    seen: set[_Id] = set()
    waiting = [page.get("/Contents"), *_entries(_resources_of(page)), *_appearances(page)]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Array):
            waiting += list(found)
        elif _is_mapping(found) and found.objgen not in seen:
            if found.is_indirect:
                seen.add(found.objgen)
            if isinstance(found, Stream):
                yield found.objgen
            waiting += [*_entries(found.get("/Resources")), *(found.get(key) for key in _INSIDE)]


def _resources_of(page: Any) -> Any:
    """The resources of a page, its own or those of the tree above it."""
    for _ in range(_DEEPEST):
        if not _is_mapping(page) or "/Resources" in page:
            break
        page = page.get("/Parent")
    return page.get("/Resources") if _is_mapping(page) else None


def _entries(resources: Any) -> Iterator[Any]:
    """What the resources of a page or a form hold, whatever its names."""
    for category in _CATEGORIES if _is_mapping(resources) else ():
        entries = resources.get(category)
        if _is_mapping(entries):
            yield from (value for _, value in entries.items())


def _appearances(page: Any) -> Iterator[Any]:
    """The appearances of annotations, in every state."""
    for annotation in page.get("/Annots", ()):
        looks: Any = annotation.get("/AP") if _is_mapping(annotation) else None
        for _, look in looks.items() if _is_mapping(looks) else ():
            yield look
            yield from (state for _, state in look.items()) if _is_mapping(look) else ()


def _is_mapping(found: Any) -> bool:
    from pikepdf import Dictionary, Stream

    return isinstance(found, (Dictionary, Stream))


def _is_box_within(inner: _Box, outer: _Box) -> bool:
    return (
        inner[0] >= outer[0] - _SLACK
        and inner[1] >= outer[1] - _SLACK
        and inner[2] <= outer[2] + _SLACK
        and inner[3] <= outer[3] + _SLACK
    )


def _bounds(drawn: Any) -> _Box:
    import ctypes

    import pypdfium2.raw as raw

    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(drawn, *(ctypes.byref(edge) for edge in edges)):
        return -math.inf, -math.inf, math.inf, math.inf  # unknown: nothing is around it
    left, bottom, right, top = (edge.value for edge in edges)
    return left, bottom, right, top


def _is_clipped(drawn: Any, box: _Box) -> bool:
    """Whether a clip path hides some of a drawing, or may do so: only rectangles around it surely do not."""
    import pypdfium2.raw as raw

    clip = raw.FPDFPageObj_GetClipPath(drawn)
    for path in range(max(0, raw.FPDFClipPath_CountPaths(clip))):
        points = list(_points(clip, path))
        across = {x for x, _ in points}
        down = {y for _, y in points}
        if len(points) > _RECTANGLE or len(across) != 2 or len(down) != 2:
            return True
        if not _is_box_within(box, (min(across), min(down), max(across), max(down))):
            return True
    return False


def _points(clip: Any, path: int) -> Iterator[tuple[float, float]]:
    import ctypes

    import pypdfium2.raw as raw

    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(raw.FPDFClipPath_CountPathSegments(clip, path)):
        segment = raw.FPDFClipPath_GetPathSegment(clip, path, number)
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        yield round(x.value, 2), round(y.value, 2)
