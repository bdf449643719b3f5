"""Opening a document, past the framework: the request made most often takes the shortest way to its route.

The route itself, its checks and its errors are those of `routes_documents.read`; only finding it and solving its
dependencies, which cost more than a view that was kept, are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from efface.service.auth.credentials import asking
from efface.service.repository import routes_documents

if TYPE_CHECKING:
    from efface.service.app import Service

_PATH = re.compile(r"/v1/documents/([0-9a-f]{24})")
_ROUTE = next(
    route
    for route in routes_documents.router.routes
    if isinstance(route, APIRoute) and route.endpoint is routes_documents.read
)


def shortcut(app: FastAPI, service: Service) -> ASGIApp:
    """The application, with a shorter way to one of its routes."""

    async def shorter(scope: Scope, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope.get("method") == "GET" else None
        if found is None:
            await app(scope, receive, send)
            return
        scope["app"], scope["route"] = app, _ROUTE  # the second is how the request is counted
        request = Request(scope, receive)
        response = await routes_documents.read(request, service, await asking(request), found[1])
        await response(scope, receive, send)

    return shorter
