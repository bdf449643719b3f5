"""Pages over HTTP: of the original and of the file as it would leave, as pictures with their words."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from efface.core import Report
from efface.formats import get_format
from efface.service.audit import Event
from efface.service.auth.credentials import Running
from efface.service.auth.identity import Identity
from efface.service.problems import Problem
from efface.service.request_bodies import BodyRoute
from efface.service.review import preview
from efface.service.review.review_store import ReviewStanding
from efface.service.review.routes_review import ReviewId, clean, look_at_original, looked
from efface.service.review.team_access import OfReview

router = APIRouter(tags=["review"], route_class=BodyRoute)

_MOST = 2_000_000  # characters of a text that is read on the page
PageNumber = Annotated[int, Path(ge=0, le=100_000)]
_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A picture.", "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
}  # fmt: skip


@router.get("/v1/reviews/{id}/pages")
async def pages(service: Running, who: OfReview, id: ReviewId) -> dict[str, Any]:
    """The sizes of a PDF's pages, to be painted before the document is read; null for other formats. `drawable` says
    whether `/rendered` would draw it."""
    found: dict[str, Any] = await service.workers.recorded(look_at_original, service, who, id, _sizes)
    return found


@router.get("/v1/reviews/{id}/rendered")
async def rendered(service: Running, who: OfReview, id: ReviewId) -> dict[str, Any]:
    """An office file as pages, where LibreOffice is installed: their sizes, and each word that could be placed as page,
    start, end and box. Recorded as a look at the original."""
    found: dict[str, Any] = await service.workers.recorded(_rendered, service, who, id)
    return found


@router.get("/v1/reviews/{id}/pages/{number}")
async def page(service: Running, who: OfReview, id: ReviewId, number: PageNumber) -> dict[str, Any]:
    """The words of a page and where they stand. Recorded as a look at the original."""
    words = await service.workers.recorded(_words, service, who, id, number)
    return {"words": words}


@router.get("/v1/reviews/{id}/pages/{number}/image", responses=_PICTURE, response_class=Response)
async def picture(
    service: Running,
    who: OfReview,
    id: ReviewId,
    number: PageNumber,
    width: Annotated[int, Query(ge=0, le=2400)] = 0,
) -> Response:
    """A page as a picture, at most so many pixels wide. Recorded as a look at the original."""
    image = await service.workers.recorded(_picture, service, who, id, number, width)
    return Response(image, media_type="image/png")


@router.get("/v1/reviews/{id}/released")
async def released(
    service: Running, who: OfReview, id: ReviewId, pages: Annotated[bool, Query()] = False
) -> dict[str, Any]:
    """The file as it would leave now: the sizes of its pages, or its text read again from the released bytes. With
    `pages` an office file is drawn as pages, where LibreOffice is installed."""
    found: dict[str, Any] = await service.workers.recorded(_released, service, who, id, pages)
    return found


@router.get("/v1/reviews/{id}/released/{number}/image", responses=_PICTURE, response_class=Response)
async def released_picture(
    service: Running, who: OfReview, id: ReviewId, number: PageNumber, release: Annotated[str, Query(max_length=128)] = "",
) -> Response:  # fmt: skip
    """A page of the file as it would leave. `release` names the bytes; others answer 409."""
    image = await service.workers.recorded(_released_picture, service, who, id, number, release)
    return Response(image, media_type="image/png")


def _words(service: Any, who: Identity, id: str, number: int) -> tuple[list[list[float]], Event]:
    prepared = service.review_store.prepared(id)
    if prepared.document.format != "pdf":
        raise Problem("not-found")
    part = preview.page_part(prepared.document, number)
    look = looked(service.review_store, who, id, f"words of page {number + 1}")
    if part is None:
        return [], look
    start, text = part
    pdf = preview.readable_pdf(prepared.document, prepared.data)
    files = (pdf, text.encode("utf-8", "surrogatepass"))
    found = service.examiner.pages("page_words", who.name, files, number=number).values["words"]
    return [[word[0] + start, word[1] + start, *word[2:]] for word in found], look


def _pdf(service: Any, who: Identity, format: str, data: bytes) -> bytes:
    """A file as a PDF: itself, or as LibreOffice draws it."""
    if format != "pdf" and not service.renditions.can_draw(format):
        raise Problem("not-found")
    found: bytes = service.renditions.pdf(who.name, format, data)
    return found


def _rendered(service: Any, who: Identity, id: str) -> tuple[dict[str, Any], Event]:
    drawn = _pdf(service, who, *service.review_store.original(id))
    words = service.renditions.words(who.name, service.review_store.prepared(id).document, drawn)
    found = {"pages": page_sizes(service, who, drawn), "words": words}
    return found, looked(service.review_store, who, id, "rendered pages")


def _picture(service: Any, who: Identity, id: str, number: int, width: int) -> tuple[bytes, Event]:
    pdf = _pdf(service, who, *service.review_store.original(id))
    drawn = service.examiner.pages("page_image", who.name, (pdf,), number=number, across=width)
    image: bytes = drawn.files[0]
    return image, looked(service.review_store, who, id, f"page {number + 1}")


def _leaving(service: Any, id: str) -> tuple[ReviewStanding, Report, bytes]:
    """What would leave now, and the bytes. Nothing is shown that may not leave."""
    now: ReviewStanding = service.review_store.result(id)
    report = now.result.report
    if report is None or report.released is None:
        raise Problem(
            "refused",
            now.result.problem or f"The verdict is {now.result.verdict.value}: nothing would leave.",
        )
    return now, report, report.released


def _released(service: Any, who: Identity, id: str, pages: bool) -> tuple[dict[str, Any], Event]:
    now, report, data = _leaving(service, id)
    shown: dict[str, Any] = {
        "version": now.result.version,
        "release": now.state.release,
        "verdict": now.result.verdict.value,
        "pages": None,
        "text": "",
    }
    format = report.document.format
    if format == "pdf" or (pages and service.renditions.can_draw(format)):
        shown["pages"] = page_sizes(service, who, _pdf(service, who, format, data))
    if format != "pdf":
        shown["text"] = get_format(report.document.format).read(data, report.document.name).text[:_MOST]
    return clean(shown), looked(service.review_store, who, id, "release", release=now.state.release)


def _released_picture(service: Any, who: Identity, id: str, number: int, release: str) -> tuple[bytes, Event]:
    now, report, data = _leaving(service, id)
    if release and release != now.state.release:
        raise Problem("conflict", "The file has changed since.")
    pdf = _pdf(service, who, report.document.format, data)
    image: bytes = service.examiner.pages("page_image", who.name, (pdf,), number=number).files[0]
    return image, looked(service.review_store, who, id, f"page {number + 1} of the release")


def _sizes(service: Any, who: Identity, id: str) -> dict[str, Any]:
    format, data = service.review_store.original(id)
    found = page_sizes(service, who, data) if format == "pdf" else None
    return {"pages": found, "drawable": service.renditions.can_draw(format)}


def page_sizes(service: Any, who: Identity, data: bytes) -> list[list[float]]:
    found: list[list[float]] = service.examiner.pages("page_sizes", who.name, (data,)).values["pages"]
    return found
