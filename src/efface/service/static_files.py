"""The page itself: files of the package, under a policy that lets it load nothing but them.

Word's pane is another matter: Office wants its own script from its own address, and shows the pane in a frame.
It has no session, so a page that frames it has nothing to click on in a user's name.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
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
_OFFICE = "https://appsforoffice.microsoft.com"
_FRAMES = "live.com office.com sharepoint.com microsoft365.com cloud.microsoft".split()
PANE_POLICY = (
    f"default-src 'none'; script-src 'self' {_OFFICE}; style-src 'self'; img-src 'self' data:; "
    f"connect-src 'self' {_OFFICE}; form-action 'none'; base-uri 'none'; "
    f"frame-ancestors 'self' {' '.join(f'https://*.{name}' for name in _FRAMES)}"
)
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".xml": "text/xml; charset=utf-8",
    ".json": "application/json",
    ".zip": "application/zip",
}
LOOK = "look.css"  # shared with the reports
# All of these addresses serve the one page, whose script looks at the address.
_PLACES = ("", "review", "read", "compare", "game", "keys")
_FOLDERS = ("review",)  # folders of the page's own scripts
_WORD = "word/"
_ADDRESS = b"efface.example"  # stands in the manifests where the service's own address goes
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?")


def install(app: FastAPI) -> None:
    """Put the page where a browser looks for it. None of these are part of the API."""
    for path in ("/", "/app"):
        app.router.routes.append(Route(path, _home, include_in_schema=False))
    app.router.routes.append(Route("/app/{path:path}", _file, include_in_schema=False))


async def _home(_request: Request) -> Response:
    return RedirectResponse("/app/")


async def _file(request: Request) -> Response:
    """A file of the page or of the task pane in Word, by its address. Only known endings and folders are served."""
    path: str = request.path_params["path"]
    pane = path.startswith(_WORD)
    name = path.removeprefix(_WORD)
    if not pane and path.partition("/")[0] in _PLACES and "." not in path:
        name = "index.html"
    ending = name[name.rfind(".") :]
    folder, _, file = name.rpartition("/")
    if ending not in _TYPES or file.startswith(".") or (folder and (pane or folder not in _FOLDERS)):
        return Problem("not-found").response()
    data = _word(name, _own_host(request)) if pane else _read(name)
    if data is None:
        return Problem("not-found").response()
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    rules = PANE_POLICY if pane and ending == ".html" else POLICY
    headers = {"Content-Security-Policy": rules, "Cache-Control": "no-cache", "ETag": tag}
    if pane and ending == ".png":
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # Word draws the button
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=_TYPES[ending])


def _read(name: str, package: str = "efface.service.page") -> bytes | None:
    found = files("efface.report" if name == LOOK else package).joinpath(name)
    try:
        return found.read_bytes() if found.is_file() else None
    except OSError:  # a name that no file can have
        return None


def _own_host(request: Request) -> str | None:
    """The name under which the service was asked, if it is one of its own. A manifest with another would make Word load
    its pane from there."""
    host = request.headers.get("host", "")
    own = request.app.state.service.settings.is_own_host(host)
    return host if own and _HOST.fullmatch(host) else None


def _word(name: str, host: str | None) -> bytes | None:
    """A file of the pane; the manifests hold the address under which the service was asked for them."""
    if name.startswith("manifest.") or name == "efface.zip":
        if host is None:
            return None
        own = host.encode()
        if name == "efface.zip":
            return _package(own)
        found = _read(name, "efface.service.office_addin")
        return None if found is None else found.replace(_ADDRESS, own)
    return _read(name, "efface.service.office_addin")


def _package(host: bytes) -> bytes:
    """The newer manifest with its icons, as Microsoft 365 takes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("manifest.json", "icon-color.png", "icon-outline.png"):
            data = _read(name, "efface.service.office_addin") or b""
            if name == "manifest.json":
                data = data.replace(_ADDRESS, host)
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()
