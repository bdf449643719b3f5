"""Folders and documents. Whatever a viewer gets is computed from their own view at the moment they ask."""

from __future__ import annotations

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, File, Path, Query, UploadFile
from pydantic import BaseModel, Field
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from efface.service.audit import Event
from efface.service.auth.credentials import Admin, Asking, Reader, Running, Writer
from efface.service.auth.identity import OWNED, Identity, team_of
from efface.service.jobs.threads import leaving
from efface.service.problems import Problem
from efface.service.repository.document_search import SearchRequest
from efface.service.repository.documents import ViewedDocument
from efface.service.repository.file_responses import FILE_CONTENT, attachment, name_of
from efface.service.repository.search_query import SearchQuery as Words
from efface.service.request_bodies import BodyRoute

router = APIRouter(tags=["documents"], route_class=BodyRoute)

FolderName = Annotated[str, Path(pattern=f"^{OWNED.pattern}$")]
DocumentId = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The document in its own format.",
          "content": FILE_CONTENT}
}  # fmt: skip


class Summary(BaseModel):
    """A document as its viewer may see it, from outside."""

    id: str
    folder: str
    name: str
    media_type: str
    bytes: int = Field(description="0 where releases are judged together and the document is not open yet.")
    added: float
    count: int = 0
    snippet: str = ""


class SearchAnswer(BaseModel):
    """A page of what was found; `total` counts what this viewer can find."""

    total: int
    documents: list[Summary]
    complete: bool = Field(
        True,
        description="False while the index of this viewer is made or made anew: more may be found later.",
    )


class AddedDocument(BaseModel):
    """A new document."""

    id: str


class Folder(BaseModel):
    """A folder's policy."""

    policy: str = Field(pattern=f"^{OWNED.pattern}$")


class FolderList(BaseModel):
    """Folders by name."""

    folders: dict[str, str]


@router.get("/v1/documents")
async def search(
    request: Request, service: Running, who: Reader,
    q: Annotated[str, Query(max_length=500, description="Words that the document must hold, or its id.")] = "",
    folder: Annotated[str | None, Query(pattern=f"^{OWNED.pattern}$")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> SearchAnswer:  # fmt: skip
    """Documents that hold these words in the viewer's own view."""
    asked = SearchRequest(Words.parse(q), folder, limit, offset)
    found = await service.workers.asked(request, who.name, service.searches.search, who, asked)
    rows = [Summary(**opened.summary(), count=hit.count, snippet=hit.snippet) for opened, hit in found.page]
    return SearchAnswer(total=found.total, documents=rows, complete=found.complete)


@router.get("/v1/documents/{id}", responses=_FILE, response_class=Response)
async def read(request: Request, service: Running, asked: Asking, id: DocumentId) -> Response:
    """The document as whoever asks may see it now, in its own format."""
    opened = await service.openings.open(asked, id, left=leaving(request.receive))
    service.metrics.verdicts.labels(opened.view.verdict).inc()
    return _sent(opened)


@router.get("/v1/documents/{id}/certificate")
async def certificate(request: Request, service: Running, asked: Asking, id: DocumentId) -> dict[str, Any]:
    """What was promised and checked for the version that the viewer gets; it may be published."""
    opened = await service.openings.open(asked, id, left=leaving(request.receive))
    return await to_thread.run_sync(_certified, service, opened)


def _certified(service: Any, opened: ViewedDocument) -> dict[str, Any]:
    """Signed for the policy that the view was computed under, whatever the store says by now."""
    found: dict[str, Any] = service.certificates.sign(opened.view.certificate, opened.policy.digest)
    return found


@router.get("/v1/documents/{id}/as/{user}", responses=_FILE, response_class=Response)
async def view_as(
    request: Request,
    service: Running,
    asked: Asking,
    id: DocumentId,
    user: Annotated[str, Path(max_length=128)],
) -> Response:
    """The document as another user would see it, for an administrator; the access is recorded."""
    return _sent(await service.openings.open(asked, id, user, leaving(request.receive)))


@router.delete("/v1/documents/{id}", status_code=204)
def delete(service: Running, who: Writer, id: DocumentId) -> None:
    """Take a document out of its folder."""
    with service.changing(who) as record:
        folder = service.repository.delete(id, who)
        record(Event.of(who.on_record, "delete", id, team=team_of(folder)))


@router.get("/v1/folders")
def folders(service: Running, who: Writer) -> FolderList:
    """The folders and their policies."""
    found = service.repository.folders()
    return FolderList(folders={name: found[name] for name in found if who.may_in(team_of(name), "write")})


@router.put("/v1/folders/{name}", status_code=204)
def put_folder(service: Running, who: Admin, name: FolderName, folder: Folder) -> None:
    """Make a folder, or put it under another policy: from then on its documents are seen under that one."""
    _require(who, name, "admin")

    def record(connection: Connection, id: str, team: str) -> None:
        event = Event.of(who.on_record, "set policy", id, team=team, policy=folder.policy)
        service.people.require_still(connection, who)
        service.trail.write_in(connection, event)

    service.repository.put_folder(name, folder.policy, record)


@router.delete("/v1/folders/{name}", status_code=204)
def delete_folder(service: Running, who: Admin, name: FolderName) -> None:
    """Take away an empty folder."""
    _require(who, name, "admin")
    with service.changing(who) as record:
        service.repository.delete_folder(name)
        record(Event.of(who.on_record, "delete folder", name, team=team_of(name)))


@router.post("/v1/folders/{name}/documents", status_code=201)
async def add(
    service: Running, who: Writer, response: Response, name: FolderName,
    file: Annotated[UploadFile, File(description="The document.")],
) -> AddedDocument:  # fmt: skip
    """Put a document into a folder. It is kept once this is answered."""
    _require(who, name, "write")
    data = await file.read()

    def record(connection: Connection, id: str, team: str) -> None:
        service.people.require_still(connection, who)
        service.trail.write_in(connection, Event.of(who.on_record, "add", id, team=team, folder=name))

    id = await to_thread.run_sync(service.repository.add, name, name_of(file.filename), data, record)
    response.headers["Location"] = f"/v1/documents/{id}"
    return AddedDocument(id=id)


def _require(who: Identity, folder: str, scope: str) -> None:
    """A folder of another team is not there."""
    if not who.may_in(team_of(folder), scope):
        raise Problem("not-found", "There is no such folder.")


def _sent(opened: ViewedDocument) -> Response:
    return attachment(opened.data, opened.name, opened.media_type, {"Efface-Verdict": opened.view.verdict})
