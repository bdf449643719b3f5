"""Areas and pages that a reviewer takes out of a PDF, as places in its text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from efface.core import Document
from efface.service.review.decisions import AreaBox, Decision
from efface.service.review.document_pages import pdf_pages
from efface.text.spans import Place

_LINE = re.compile(r"\S[^\n]*")


def boxes_of(made: Iterable[Decision]) -> dict[int, list[AreaBox]]:
    """The areas by page."""
    boxes: dict[int, list[AreaBox]] = defaultdict(list)
    for each in made:
        if each.page is not None and each.box is not None:
            boxes[each.page].append(each.box)
    return dict(boxes)


def pages_of(made: Iterable[Decision]) -> frozenset[int]:
    """The pages that are taken out whole."""
    return frozenset(each.page for each in made if each.kind == "page" and each.page is not None)


def area_places(data: bytes, document: Document, made: Sequence[Decision]) -> Iterator[Place]:
    """The places of the words that the areas and pages take out. The text is judged without them."""
    if document.format != "pdf":
        return
    pages = pages_of(made)
    readable = pdf_pages.readable_pdf(document, data)
    for number in pages:
        part = pdf_pages.page_part(document, number)
        if part is not None:
            start, text = part
            for line in _LINE.finditer(text):
                yield start + line.start(), start + line.start() + len(line.group().rstrip())
    for number, boxes in boxes_of(made).items():
        part = pdf_pages.page_part(document, number)
        if part is not None and number not in pages:
            start, text = part
            words = pdf_pages.page_words(readable, number, text, in_parts=True)
            touched = [word for word in words if _touches_any(word[2:], boxes)]
            for first, last in _joined_words(text, touched):
                yield start + first, start + last


def _joined_words(text: str, words: Sequence[Sequence[float]]) -> Iterator[Place]:
    """Words that follow each other on a line as one place. Alone, "of" or "Name" is no secret, and the search for what
    was taken out would find it everywhere."""
    began, ended = -1, -1
    for first, last in sorted((int(word[0]), int(word[1])) for word in words):
        between = text[ended:first]
        if began >= 0 and not between.strip() and "\n" not in between:
            ended = max(ended, last)
            continue
        if began >= 0:
            yield began, ended
        began, ended = first, last
    if began >= 0:
        yield began, ended


def _touches_any(word: Sequence[float], areas: Iterable[AreaBox]) -> bool:
    left, top, right, bottom = word
    return any(left < area[2] and right > area[0] and top < area[3] and bottom > area[1] for area in areas)
