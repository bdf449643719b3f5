"""A zip of documents over HTTP: each document in it is put into the queue by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile
from pydantic import BaseModel
from starlette.requests import Request

from efface.service.auth.credentials import Reviewer, Running
from efface.service.jobs.processes import Call, RequestContext
from efface.service.problems import Problem
from efface.service.repository.file_responses import name_of
from efface.service.request_bodies import BodyRoute
from efface.service.review.matters import name_of_matter
from efface.service.review.routes_review import Review, add_review, look_later

router = APIRouter(tags=["review"], route_class=BodyRoute)

_LONGEST_MATTER = 120  # characters


class LeftOut(BaseModel):
    """A file of the archive that was not taken."""

    name: str
    why: str


class Archived(BaseModel):
    """What became of the files of an archive."""

    reviews: list[Review]
    left_out: list[LeftOut]


@router.post("/v1/archives", status_code=201)
async def add(
    request: Request, service: Running, who: Reviewer,
    file: Annotated[UploadFile, File(description="A zip.")],
    policy: Annotated[str, Form(max_length=129, description="A policy that the service has.")] = "",
    matter: Annotated[str, Form(max_length=_LONGEST_MATTER, description="Without one, the archive's name.")] = "",
    team: Annotated[str, Form(max_length=64, description="Whose queue, under the default policy.")] = "",
) -> Archived:  # fmt: skip
    """Put the documents of a zip into the queue, as one matter. Archives in it are not opened."""
    of = name_of_matter(matter) or _named_after(name_of(file.filename))
    data = await file.read()
    found: tuple[Sequence[str], Sequence[bytes], Sequence[Sequence[str]]] = await service.workers.asked(
        request, who.name, _members, service, who.name, data
    )
    names, documents, left_out = found
    left = [LeftOut(name=name, why=why) for name, why in left_out]
    added: list[Review] = []
    for name, document in zip(names, documents, strict=True):
        given = who, policy, name, document, of, team
        try:
            review: Review = await service.workers.asked(request, who.name, add_review, service, *given)
        except Problem as problem:
            if not added:
                raise
            # Those before are in the queue. Whoever is told of a failure would send them again.
            left.append(LeftOut(name=name, why=problem.detail or problem.document()["title"]))
            continue
        look_later(service, review.id, len(document))
        added.append(review)
    return Archived(reviews=added, left_out=left)


def _named_after(archive: str) -> str:
    """The matter of an archive for which none is named."""
    return name_of_matter(name_of(PurePath(archive).stem)[:_LONGEST_MATTER])


def _members(
    service: Any, user: str, data: bytes, asker: RequestContext
) -> tuple[Sequence[str], Sequence[bytes], Sequence[Sequence[str]]]:
    settings = service.settings
    given = {"most": settings.max_upload << 20}
    done = service.processes.run(
        Call("archive_members", user, settings.request_seconds, given, (data,), asker.gone)
    )
    return done.values["names"], done.files, done.values["left_out"]
