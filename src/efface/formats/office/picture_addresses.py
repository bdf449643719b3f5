"""Pictures that are written into the addresses of a drawing: data:image/png;base64,…"""

from __future__ import annotations

import base64
import binascii
import contextlib
from urllib.parse import unquote

from efface.formats.office.xmltext import Element
from efface.formats.pictures.cleaning import BLANK, PNG, cleaned

BLANK_ADDRESS = f"data:image/png;base64,{base64.b64encode(BLANK).decode()}"
_WEB_KINDS = {PNG: "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}


def clean_addresses(root: Element) -> bool:
    """Pictures written into the addresses of a drawing (data:image/png;base64,…), each cleaned or blanked; whether
    there was one."""
    found = False
    for element in root.iter():
        for name, value in element.items():
            if value[:32].lstrip()[:5].lower() == "data:":
                element.set(name, _clean_address(value))
                found = True
    return found


def addressed(address: str) -> bytes | None:
    """The picture that a cleaned address holds, or None when it leads somewhere else."""
    if not address.startswith("data:image/"):
        return None
    return base64.b64decode(address.partition(",")[2])


def _clean_address(address: str) -> str:
    head, _, content = address.partition(",")
    picture = BLANK
    if head.lower().rstrip().endswith("base64"):
        with contextlib.suppress(binascii.Error, ValueError):
            picture = cleaned(base64.b64decode("".join(unquote(content).split())))
    kind = next((kind for start, kind in _WEB_KINDS.items() if picture.startswith(start)), "")
    if not kind:
        picture, kind = BLANK, "png"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
