"""Pages over HTTP: of the original and of the file as it would leave, as pictures with their words."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from efface.service.audit import Event
from efface.service.auth.credentials import Running
from efface.service.auth.identity import Identity
from efface.service.jobs.processes import RequestContext
from efface.service.problems import Problem
from efface.service.request_bodies import BodyRoute
from efface.service.review.review_standing import ReviewStanding
from efface.service.review.routes_review import ReviewId, as_json, json_of, look_at_original, looked
from efface.service.review.team_access import OfReview

router = APIRouter(tags=["review"], route_class=BodyRoute)

PageNumber = Annotated[int, Path(ge=0, le=100_000)]
_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A picture.", "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
}  # fmt: skip


@router.get("/v1/reviews/{id}/pages", response_model=dict[str, Any])
async def pages(request: Request, service: Running, who: OfReview, id: ReviewId) -> Response:
    """The sizes of a PDF's pages, to be painted before the document is read; null for other formats. `drawable` says
    whether `/rendered` would draw it."""
    return as_json(
        await service.workers.recorded(request, who.name, look_at_original, service, who, id, _sizes)
    )


@router.get("/v1/reviews/{id}/rendered", response_model=dict[str, Any])
async def rendered(request: Request, service: Running, who: OfReview, id: ReviewId) -> Response:
    """An office file as pages, where LibreOffice is installed: their sizes, and each word that could be placed as page,
    start, end and box. Recorded as a look at the original."""
    return as_json(await service.workers.recorded(request, who.name, _rendered, service, who, id))


@router.get("/v1/reviews/{id}/pages/{number}", response_model=dict[str, Any])
async def page(
    request: Request, service: Running, who: OfReview, id: ReviewId, number: PageNumber
) -> Response:
    """The words of a page and where they stand. Recorded as a look at the original."""
    return as_json(await service.workers.recorded(request, who.name, _page_words, service, who, id, number))


@router.get("/v1/reviews/{id}/pages/{number}/image", responses=_PICTURE, response_class=Response)
async def picture(
    request: Request,
    service: Running,
    who: OfReview,
    id: ReviewId,
    number: PageNumber,
    width: Annotated[int, Query(ge=0, le=2400)] = 0,
) -> Response:
    """A page as a picture, at most so many pixels wide. Recorded as a look at the original."""
    image = await service.workers.recorded(request, who.name, _picture, service, who, id, number, width)
    return Response(image, media_type="image/png")


@router.get("/v1/reviews/{id}/released", response_model=dict[str, Any])
async def released(
    request: Request, service: Running, who: OfReview, id: ReviewId, pages: Annotated[bool, Query()] = False
) -> Response:
    """The file as it would leave now: the sizes and texts of its pages, or its text read again from the released bytes, with its shape. With
    `pages` an office file is drawn as pages, where LibreOffice is installed."""
    return as_json(await service.workers.recorded(request, who.name, _released, service, who, id, pages))


@router.get("/v1/reviews/{id}/released/{number}/image", responses=_PICTURE, response_class=Response)
async def released_picture(
    request: Request, service: Running, who: OfReview, id: ReviewId, number: PageNumber, release: Annotated[str, Query(max_length=128)] = "",
) -> Response:  # fmt: skip
    """A page of the file as it would leave. `release` names the bytes; others answer 409."""
    image = await service.workers.recorded(
        request, who.name, _released_picture, service, who, id, number, release
    )
    return Response(image, media_type="image/png")


def _page_words(
    service: Any, who: Identity, id: str, number: int, asker: RequestContext
) -> tuple[bytes, Event]:
    found = json_of({"words": service.review_store.words_of_page(id, number, asker)})
    return found, looked(service.review_store, who, id, f"words of page {number + 1}")


def _pdf(service: Any, asker: RequestContext, format: str, data: bytes) -> bytes:
    """A file as a PDF: itself, or as LibreOffice draws it."""
    if format != "pdf" and not service.renditions.can_draw(format):
        raise Problem("not-found")
    found: bytes = service.renditions.pdf(asker, format, data)
    return found


def _rendered(service: Any, who: Identity, id: str, asker: RequestContext) -> tuple[bytes, Event]:
    drawn = _pdf(service, asker, *service.review_store.original(id))
    words = service.review_store.words_on_pages(id, drawn, asker)
    found = json_of({"pages": page_sizes(service, asker, drawn), "words": words})
    return found, looked(service.review_store, who, id, "rendered pages")


def _picture(
    service: Any, who: Identity, id: str, number: int, width: int, asker: RequestContext
) -> tuple[bytes, Event]:
    pdf = _pdf(service, asker, *service.review_store.original(id))
    drawn = service.review_work.once("page_image", asker, (pdf,), number=number, across=width)
    image: bytes = drawn.files[0]
    return image, looked(service.review_store, who, id, f"page {number + 1}")


def _release_to_show(service: Any, id: str, asker: RequestContext) -> tuple[ReviewStanding, bytes]:
    """What would leave now, and the bytes. Nothing is shown that may not leave."""
    now: ReviewStanding = service.review_store.result(id, asker)
    if now.outcome.released is None:
        raise Problem(
            "refused",
            now.outcome.problem or f"The verdict is {now.outcome.verdict.value}: nothing would leave.",
        )
    return now, now.outcome.released


def _released(
    service: Any, who: Identity, id: str, pages: bool, asker: RequestContext
) -> tuple[bytes, Event]:
    now, data = _release_to_show(service, id, asker)
    format = now.outcome.format
    shown: dict[str, Any] = {
        "version": now.decided.version,
        "release": now.state.release,
        "verdict": now.outcome.verdict.value,
        "pages": None,
        "page_texts": [],
        "document": None,
    }
    if format == "pdf" or (pages and service.renditions.can_draw(format)):
        drawn = _pdf(service, asker, format, data)
        shown["pages"] = page_sizes(service, asker, drawn)
        shown["page_texts"] = json.loads(service.review_work.once("page_texts", asker, (drawn,)).files[0])
    else:
        given = {"name": now.file.name, "format": format}
        shown["document"] = json.loads(
            service.review_work.once("released_text", asker, (data,), **given).files[0]
        )
    return json_of(shown), looked(service.review_store, who, id, "release", release=now.state.release)


def _released_picture(
    service: Any, who: Identity, id: str, number: int, release: str, asker: RequestContext
) -> tuple[bytes, Event]:
    now, data = _release_to_show(service, id, asker)
    if release and release != now.state.release:
        raise Problem("conflict", "The file has changed since.")
    pdf = _pdf(service, asker, now.outcome.format, data)
    image: bytes = service.review_work.once("page_image", asker, (pdf,), number=number).files[0]
    return image, looked(service.review_store, who, id, f"page {number + 1} of the release")


def _sizes(service: Any, _who: Identity, id: str, asker: RequestContext) -> bytes:
    format, data = service.review_store.original(id)
    found = page_sizes(service, asker, data) if format == "pdf" else None
    return json.dumps({"pages": found, "drawable": service.renditions.can_draw(format)}).encode()


def page_sizes(service: Any, asker: RequestContext, data: bytes) -> list[list[float]]:
    found: list[list[float]] = service.review_work.once("page_sizes", asker, (data,)).values["pages"]
    return found
