"""Versions of policies over HTTP: what changed, and the second person's word. Policies are written by whoever runs the
service (`efface policy push`), since they name databases, files and keys."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from efface.service.audit import Event
from efface.service.auth.credentials import Admin, Running
from efface.service.auth.identity import OWNED, Identity, team_of
from efface.service.problems import Problem
from efface.service.request_bodies import BodyRoute

router = APIRouter(tags=["policies"], route_class=BodyRoute)
PolicyName = Annotated[str, Path(pattern=f"^{OWNED.pattern}$")]


@router.get("/v1/policies/{name}")
def versions(service: Running, who: Admin, name: PolicyName) -> dict[str, list[dict[str, Any]]]:
    """Every version with its text, who wrote it, when and why; the newest first."""
    found = service.policies.stored.versions(name) if _is_theirs(who, name) else []
    if not found:
        raise Problem("not-found", "The store has no policy of this name.")
    return {"versions": [{**each.data(), "text": each.text} for each in found]}


@router.post("/v1/policies/{name}/versions/{version}/approval", status_code=204)
def approve(
    service: Running, who: Admin, name: PolicyName, version: Annotated[int, Path(ge=1, le=2**31)]
) -> None:
    """Let a version that waits take effect; its author cannot."""
    if not _is_theirs(who, name):
        raise Problem("not-found", "There is no such version that waits.")
    with service.changing(who) as record:
        service.policies.stored.approve(name, version, who)
        record(Event.of(who.on_record, "approve policy", name, team=team_of(name), version=str(version)))


def _is_theirs(who: Identity, name: str) -> bool:
    return who.may_in(team_of(name), "admin")
