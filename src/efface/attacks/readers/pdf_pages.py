"""The pages of a PDF as PDFium reads them, and by the place of their letters where annotations are drawn on them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

from efface.files.pdfium_lock import LOCK
from efface.text.ordinary_words import is_ordinary

SEAMS = ", columns"  # the end of the name of a part that shows what may be one word over the end of a line
_SILENT = (2, 16)  # links and popups draw nothing
_MOST_ANNOTATIONS = 500  # annotations of a page that are looked at
_MOST_LETTERS = 50_000  # letters of a page that are put in order
_LEVEL = 0.3  # em: letters this close are on one line
_GAP = 0.22  # em: a wider gap is a space
# A large first letter on a line of its own, before the word that goes on beside it.
_INITIAL = re.compile(r"^(\W?[^\W\d_])\r?\n(?=[^\W\d_])", re.MULTILINE)

_MOST_BOXES = 300  # lines of a page whose neighbours are looked for: more of them are single letters
_BELOW = 4  # heights of a line that the next of its column is below it, at most
_OF_PROSE = 4  # words of a line that is no cell and no label
_LEAST = 5  # letters of a word that is known by its halves
_AROUND = 3  # words on each side of the end of a line
_APART = "\n\n"  # between two ends of lines
_JOINER = "\u2060"  # between two halves of what may be one word; folding drops it

WordsBox = tuple[float, float, float, float, list[str]]  # left, bottom, right, top, words
Letter = tuple[float, float, float, float, str]  # baseline, left, right, size, what it is


def pages(data: bytes) -> Iterator[tuple[str, str]]:
    """(page, text) of every page that PDFium can read."""
    import pypdfium2

    found: list[tuple[str, str]] = []
    try:
        with LOCK, pypdfium2.PdfDocument(data) as document:
            for number in range(len(document)):
                found.extend((f"page {number + 1}{how}", text) for how, text in _page(document, number))
    except pypdfium2.PdfiumError:
        pass
    yield from found


def _page(document: Any, number: int) -> Iterator[tuple[str, str]]:
    import pypdfium2
    import pypdfium2.raw as raw

    try:
        page = document[number]
        reading = page.get_textpage()
    except pypdfium2.PdfiumError:
        return
    text = str(reading.get_text_range()).replace("\ufffe", "-\n").replace("\u0002", "-\n")
    seams = _APART.join(_seams(_boxes(reading)))
    reading.close()
    yield "", text
    if seams:
        yield SEAMS, seams
    joined = _INITIAL.sub(r"\1", text)
    if joined != text:
        yield ", first letters joined", joined
    if _is_drawn_on(page) and raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS:
        page.close()
        page = document[number]
        yield ", annotations drawn", _by_place(page)
    page.close()


def _boxes(reading: Any) -> list[WordsBox]:
    """The lines of a page as PDFium draws boxes around them, in its order."""
    found: list[WordsBox] = []
    count = reading.count_rects()
    for index in range(count if count <= _MOST_BOXES else 0):
        left, bottom, right, top = reading.get_rect(index)
        words = str(reading.get_text_bounded(left, bottom, right, top)).split()
        if words:
            found.append((left, bottom, right, top, words))
    return found


def _seams(boxes: list[WordsBox]) -> Iterator[str]:
    """What a reader reads over the end of a line where the next is another one in the file's order."""
    for at, one in enumerate(boxes):
        following = boxes[at + 1] if at + 1 < len(boxes) else None
        for other in (_below(one, boxes), _beside(one, boxes)):
            if other is not None and other is not following:
                yield from _over_the_end(one[4], other[4])


def _below(box: WordsBox, boxes: list[WordsBox]) -> WordsBox | None:
    left, bottom, right, top, _ = box
    height = max(top - bottom, 1.0)
    under = [
        other
        for other in boxes
        if 0 < bottom - other[1] <= _BELOW * height
        and other[0] <= right + height
        and left <= other[2] + height
    ]
    return max(under, key=lambda other: (other[1], -other[0]), default=None)


def _beside(box: WordsBox, boxes: list[WordsBox]) -> WordsBox | None:
    _, bottom, right, top, _ = box
    level = [other for other in boxes if other[0] >= right and other[1] < top and bottom < other[3]]
    return min(level, key=lambda other: other[0], default=None)


def _over_the_end(before: list[str], after: list[str]) -> Iterator[str]:
    """Two halves as one word, unless they only meet, and in prose the words on both sides."""
    halves = before[-1], after[0]
    is_by_chance = len("".join(halves)) < _LEAST or all(is_ordinary(half.lower()) for half in halves)
    if not is_by_chance:
        yield _JOINER.join(halves)
    if min(len(before), len(after)) >= _OF_PROSE:
        yield " ".join(before[-_AROUND:]) + "\n" + " ".join(after[:_AROUND])


def runs_over_the_end(seams: str, start: int, end: int) -> bool:
    """Whether a string in a part of `SEAMS` runs from one line into the other.

    Text on only one of the lines is the page's own, with neighbours that it does not have there.
    """
    if _APART in seams[start:end].strip("\n"):
        return False  # two ends that have nothing to do with one another
    low = seams.rfind(_APART, 0, start)
    high = seams.find(_APART, end)
    both = seams[0 if low < 0 else low + len(_APART) : None if high < 0 else high]
    return not _has_end(both) or _has_end(seams[start:end])


def _has_end(text: str) -> bool:
    """Whether an end of a line is within the text, not before or behind it."""
    within = text.strip(f"\n{_JOINER}")
    return "\n" in within or _JOINER in within


def _is_drawn_on(page: Any) -> bool:
    """Whether annotations draw something on the page."""
    import pypdfium2.raw as raw

    for number in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MOST_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, number)
        drawn = raw.FPDFAnnot_GetSubtype(annotation) not in _SILENT and raw.FPDFAnnot_HasKey(
            annotation, b"AP"
        )
        raw.FPDFPage_CloseAnnot(annotation)
        if drawn:
            return True
    return False


def _by_place(page: Any) -> str:
    """The letters of a page, line by line and from left to right. The drawing order does not matter."""
    lines: list[list[Letter]] = []
    for letter in sorted(_letters(page), reverse=True):
        if lines and abs(lines[-1][0][0] - letter[0]) <= _LEVEL * min(letter[3], lines[-1][0][3]):
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return "\n".join(map(_line_text, lines))


def _line_text(line: list[Letter]) -> str:
    text, end = "", None
    for _, left, right, size, char in sorted(line, key=lambda letter: letter[1]):
        text += " " + char if end is not None and left - end > _GAP * size else char
        end = right
    return text


def _letters(page: Any) -> Iterator[Letter]:
    import pypdfium2.raw as raw

    reading = page.get_textpage()
    box = raw.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    for index in range(min(reading.count_chars(), _MOST_LETTERS)):
        char = chr(raw.FPDFText_GetUnicode(reading.raw, index))
        if (
            not char.isspace()
            and raw.FPDFText_GetCharOrigin(reading.raw, index, ctypes.byref(x), ctypes.byref(y))
            and raw.FPDFText_GetLooseCharBox(reading.raw, index, ctypes.byref(box))
        ):
            size = max(raw.FPDFText_GetFontSize(reading.raw, index), 1.0)
            yield y.value, box.left, box.right, size, char
    reading.close()
