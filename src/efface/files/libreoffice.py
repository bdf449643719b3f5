"""Office files as pages, drawn by LibreOffice where it is installed.

An uploaded file is not trusted. LibreOffice runs in namespaces of its own: without a network, with a folder
in memory that ends with it, without macros, within limits of time and memory. Where the system gives no such
namespaces it does not run at all.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache

from efface.errors import InputError

# The formats that are drawn, and LibreOffice's own reader for each: a file is not opened as something else.
READERS = {
    "docx": "MS Word 2007 XML",
    "xlsx": "Calc MS Excel 2007 XML",
    "pptx": "Impress MS PowerPoint 2007 XML",
    "odt": "writer8",
    "ods": "calc8",
    "odp": "impress8",
}
_PROGRAMS = ("soffice", "libreoffice")
_ALONE = (
    "setpriv", "--pdeathsig", "KILL",
    "unshare", "--user", "--map-root-user", "--net", "--mount", "--ipc", "--pid", "--fork", "--kill-child=KILL",
)  # fmt: skip
_CHECK_SECONDS = 10  # to see whether LibreOffice can be run by itself
_SPARE_SECONDS = 5  # after LibreOffice's own limit


@cache
def office_program() -> str | None:
    """The path of LibreOffice; None where it is not installed or cannot be locked in."""
    program = next((found for name in _PROGRAMS if (found := shutil.which(name))), None)
    if program is None or not all(map(shutil.which, ("setpriv", "unshare"))):
        return None
    try:
        tried = subprocess.run(  # noqa: S603 (fixed words)
            (*_ALONE, "true"), capture_output=True, timeout=_CHECK_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return program if tried.returncode == 0 else None


def as_pdf(data: bytes, format: str, *, seconds: float, memory: int) -> bytes:
    """The file as a PDF, as LibreOffice prints it. `memory` is in MiB."""
    program = office_program()
    if program is None or format not in READERS:
        raise InputError("This file cannot be drawn as pages here.", "Look at its text.")
    limits = (str(int(seconds)), str(memory))
    call = (
        *_ALONE,
        sys.executable,
        "-m",
        "efface.files.libreoffice_run",
        program,
        format,
        READERS[format],
        *limits,
    )
    try:
        done = subprocess.run(  # noqa: S603 (our own module, a program from PATH, and a known format)
            call, input=data, capture_output=True, timeout=seconds + _SPARE_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        raise _undrawn() from None
    if done.returncode != 0 or not done.stdout.startswith(b"%PDF-"):
        raise _undrawn()
    return done.stdout


def _undrawn() -> InputError:
    return InputError("LibreOffice could not draw the file.", "Look at its text.")
