"""Signing in with a browser at the company's own page."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from efface.service.audit import Event
from efface.service.auth.credentials import Running, address, refused
from efface.service.auth.sign_in import CompanySignIn, Returned
from efface.service.problems import Problem
from efface.service.request_bodies import BodyRoute

PATH = "/v1/sign-in"
router = APIRouter(tags=["people"], route_class=BodyRoute)
_REDIRECT: dict[int | str, dict[str, Any]] = {303: {"description": "Where the browser goes next."}}


class SignInWays(BaseModel):
    """How people with a browser may sign in, besides with a token."""

    company: str | None = Field(None, description="Where signing in with a company account begins.")
    sign_out: str | None = Field(None, description="Where they sign out of the company account too.")


@router.get(PATH)
async def ways(service: Running) -> SignInWays:
    """Whether there is a company account to sign in with."""
    company: CompanySignIn | None = service.sign_in
    return (
        SignInWays() if company is None else SignInWays(company=f"{PATH}/begin", sign_out=company.sign_out())
    )


@router.get(f"{PATH}/begin", status_code=303, response_class=RedirectResponse, responses=_REDIRECT)
async def begin(
    service: Running,
    to: Annotated[str, Query(max_length=300, description="Where to go afterwards.")] = "/app/",
) -> Response:
    """To the company's own page."""
    where, cookie = _company(service).begin(to)
    return RedirectResponse(where, 303, headers={"Set-Cookie": cookie})


@router.get(f"{PATH}/return", status_code=303, response_class=RedirectResponse, responses=_REDIRECT)
async def come_back(
    request: Request,
    service: Running,
    code: Annotated[str, Query(max_length=4096)] = "",
    state: Annotated[str, Query(max_length=128)] = "",
    iss: Annotated[str | None, Query(max_length=1024)] = None,
) -> Response:
    """Back from there with a code, which is exchanged for who it is: a browser's session begins."""
    company = _company(service)
    try:
        returned = Returned(code, state, iss)
        cookie = request.cookies.get(company.cookie)
        to, session = await company.exchanges.run(_begin_session, service, cookie, returned)
    except Problem as problem:
        if problem.kind == "busy":  # whoever loads the page again may be let in
            return _sign_in_problem(request, problem)
        counted = refused(service, f"sign-in {address(request)}")
        answer = _sign_in_problem(request, counted if counted.kind == "too-many-requests" else problem)
        answer.headers.append("Set-Cookie", company.set_cookie(""))
        return answer
    answer = RedirectResponse(to, 303)
    for each in (company.set_cookie(""), session):
        answer.headers.append("Set-Cookie", each)
    return answer


def _company(service: Any) -> CompanySignIn:
    found: CompanySignIn | None = service.sign_in
    if found is None:
        raise Problem("not-found", "This service knows no company account. Sign in with a token.")
    return found


def _begin_session(service: Any, cookie: str | None, returned: Returned) -> tuple[str, str]:
    """Where they wanted to go, and the header that sets the session's cookie."""
    who, to = _company(service).end(cookie, returned)
    with service.trail.recording() as record:
        value, _ = service.sessions.begin(who)
        record(Event.of(who.on_record, "log in", via="company"))
    return to, service.sessions.set_cookie(value)


def _sign_in_problem(request: Request, problem: Problem) -> Response:
    """Somebody at a browser is shown the page, which says it in words; the address holds nothing of it."""
    if "text/html" in request.headers.get("accept", ""):
        return RedirectResponse("/app/#sign-in-failed", 303)
    return problem.response()
