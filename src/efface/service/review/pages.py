"""The page itself: files of the package, under a policy that lets it load nothing but them."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from efface.service.problems import Problem

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PLACES = ("", "review", "read", "compare")  # each is the one page; its script looks at the address


def install(app: FastAPI) -> None:
    """Put the page where a browser looks for it. None of these are part of the API."""
    app.router.routes.append(Route("/", _home, include_in_schema=False))
    app.router.routes.append(Route("/app/{path:path}", _file, include_in_schema=False))


async def _home(_request: Request) -> Response:
    return RedirectResponse("/app/")


async def _file(request: Request) -> Response:
    path = request.path_params["path"]
    name = "index.html" if path.partition("/")[0] in _PLACES and "." not in path else path
    ending = name[name.rfind(".") :]
    if ending not in _TYPES or "/" in name or name.startswith("."):
        return Problem("not-found").response()
    found = files("efface.service.page").joinpath(name)
    if not found.is_file():
        return Problem("not-found").response()
    data = found.read_bytes()
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=_TYPES[ending])
