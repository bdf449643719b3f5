"""The pages of a PDF as they look: their sizes and pictures, and where each word stands."""

from __future__ import annotations

import difflib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from efface.core import Document
from efface.errors import InputError
from efface.files.pdfium_lock import LOCK
from efface.formats import OriginWithReadablePdf
from efface.formats.pdf.fonts.font_decoding import LAYER_FONT
from efface.formats.pdf.reader.opening import LIMITS
from efface.service.review.document_pages.page_alignment import PageBox, SeenWord

_WORD = re.compile(r"\S+")
_MOST_ALIKE = 50  # words that are written alike and tried as the beginning of a stretch
_LONGEST_RUN = 40  # words of a stretch
_DPI_SCALE = 1.6  # pixels for each point
_FINE = 10  # PDFium's device coordinates are whole numbers: tenths of a point are fine enough


def page_sizes(data: bytes) -> list[list[float]]:
    """Width and height of every page, in points."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            sizes = map(pdf.get_page_size, range(len(pdf)))
            return [[round(width, 1), round(height, 1)] for width, height in sizes]
        except pdfium.PdfiumError:
            raise _unseen() from None
        finally:
            pdf.close()


def page_image(data: bytes, number: int, across: int = 0) -> bytes:
    """A page as a PNG picture; with `across`, at most so many pixels wide."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            pdf.init_forms()  # before a page is opened; without it what is filled in is not drawn
            page = pdf[number]
            width, height = page.get_size()
            scale = min(_DPI_SCALE, 2400 / max(width, height, 1))
            scale = min(scale, across / max(width, 1)) if across else scale
            picture = page.render(scale=scale).to_pil()
        except (pdfium.PdfiumError, IndexError):
            raise _unseen() from None
        finally:
            pdf.close()
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def page_texts(data: bytes) -> list[str]:
    """The text of every page as PDFium reads it."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            return [page.get_textpage().get_text_range() for page in pdf]
        except pdfium.PdfiumError:
            raise _unseen() from None
        finally:
            pdf.close()


def readable_pdf(document: Document, data: bytes) -> bytes:
    """The PDF with the words that were read in its pictures laid over them; without such words the file itself."""
    origin = document.origin
    return origin.readable_pdf if isinstance(origin, OriginWithReadablePdf) else data


def page_part(document: Document, number: int) -> tuple[int, str] | None:
    """Where a page begins in the text, and its text; None for a page that there is not."""
    part = next((p for p in document.parts if p.name == f"page {number + 1}"), None)
    return None if part is None else (part.start, document.text[part.start : part.end])


def page_words(data: bytes, number: int, text: str, *, in_parts: bool = False) -> list[list[float]]:
    """Each word of a page: where it is in the page's text, and its box on the page as it is seen, from the top
    left: in points, or with `in_parts` as parts of the page's width and height."""
    ours = [match.span() for match in _WORD.finditer(text)]
    seen, (width, height) = _boxes(data, number)
    across, down = (1 / width, 1 / height) if in_parts else (1.0, 1.0)
    said = [text[start:end] for start, end in ours]
    words: list[list[float]] = []
    for mine, theirs in sorted(_same_words(said, [word for word, _ in seen]).items()):
        left, top, right, bottom = seen[theirs][1]
        words.append([*ours[mine], left * across, top * down, right * across, bottom * down])
    return words


def _same_words(ours: Sequence[str], theirs: Sequence[str]) -> dict[int, int]:
    """Which of their words each of ours is: those in the same order, then stretches that stand in another order, as
    the lines of a page that is turned do."""
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    found: dict[int, int] = {}
    for mine, other, size in matcher.get_matching_blocks():
        for step in range(size):
            found[mine + step] = other + step
    taken = set(found.values())
    free: dict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(theirs):
        if at not in taken:
            free[word].append(at)
    left = Counter(word for at, word in enumerate(ours) if at not in found)
    for mine, word in enumerate(ours):
        if mine in found:
            continue
        best, length = _longest_run(ours, theirs, mine, free[word], found, taken)
        is_one_of_several = left[word] > 1 or len(free[word]) > 1
        # One word alone could be any of those that are written alike.
        if length == 0 or (length == 1 and is_one_of_several):
            continue
        for step in range(length):
            found[mine + step] = best + step
            taken.add(best + step)
    return found


def _longest_run(
    ours: Sequence[str],
    theirs: Sequence[str],
    mine: int,
    places: Sequence[int],
    found: Mapping[int, int],
    taken: Collection[int],
) -> tuple[int, int]:
    """Where the longest stretch of the same words begins among theirs, and its length; 0 if there is none."""
    best, longest = 0, 0
    for at in places[:_MOST_ALIKE]:
        if at in taken:
            continue
        length = _run(ours, theirs, mine, at, found.keys(), taken)
        if length > longest:
            best, longest = at, length
    return best, longest


def _run(
    ours: Sequence[str],
    theirs: Sequence[str],
    mine: int,
    other: int,
    found: Container[int],
    taken: Container[int],
) -> int:
    """How many words from here on are the same and free on both sides."""
    size = 0
    for one, two in zip(ours[mine : mine + _LONGEST_RUN], theirs[other : other + _LONGEST_RUN], strict=False):
        if one != two or mine + size in found or other + size in taken:
            break
        size += 1
    return size


def all_words(data: bytes) -> list[SeenWord]:
    """The words of every page, with their boxes, in tenths of a point."""
    found: list[SeenWord] = []
    for number in range(len(page_sizes(data))):
        for word, (left, top, right, bottom) in _boxes(data, number)[0]:
            box = (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
            found.append(SeenWord(number, word, box))
    return found


def _boxes(data: bytes, number: int) -> tuple[list[tuple[str, PageBox]], tuple[float, float]]:
    """Words as PDFium sees them, with their boxes; and the size of the page."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            page = pdf[number]
            text = page.get_textpage()
            found = []
            for match in _WORD.finditer(text.get_text_range()):
                found.append((match[0], _as_seen(page, _word_box(text, *match.span()))))
            return found, page.get_size()
        except (pdfium.PdfiumError, IndexError):
            raise _unseen() from None
        finally:
            pdf.close()


def _word_box(text: Any, start: int, end: int) -> PageBox:
    """The box of a word in the page's own coordinates. What OCR laid over a picture takes the picture's word with the
    space after it."""
    boxes = [text.get_charbox(at) for at in range(start, end)]
    if _is_laid_over(text, start):
        boxes += [text.get_charbox(at, loose=True) for at in range(start, min(end + 1, text.count_chars()))]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _is_laid_over(text: Any, at: int) -> bool:
    import ctypes

    import pypdfium2.raw as raw

    name = ctypes.create_string_buffer(len(LAYER_FONT) + 1)
    raw.FPDFText_GetFontInfo(text, at, name, len(name), ctypes.byref(ctypes.c_int()))
    return name.value == LAYER_FONT.removeprefix("/").encode()


def _as_seen(page: Any, box: PageBox) -> PageBox:
    """A box of the page's own coordinates on the page as it is drawn: turned and cropped as the page says."""
    import ctypes

    import pypdfium2.raw as raw

    width, height = page.get_size()
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, down in ((box[0], box[1]), (box[2], box[3])):
        size = (round(width * _FINE), round(height * _FINE))
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, across, down, ctypes.byref(x), ctypes.byref(y))
        corners.append((x.value / _FINE, y.value / _FINE))
    (one, above), (other, below) = corners
    return min(one, other), min(above, below), max(one, other), max(above, below)


def _opened(data: bytes) -> Any:
    """The PDF, unless it has more pages than a person would look through: each costs time and memory. PDFium may count
    others than whoever read the text."""
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        raise _unseen() from None
    try:
        LIMITS.require(len(pdf))
    except InputError:
        pdf.close()
        raise
    return pdf


def _unseen() -> InputError:
    return InputError("The page cannot be shown.", "Open the file in another program.")
