"""LibreOffice on one file, inside the namespaces that `libreoffice.py` makes: bytes in, the bytes of a PDF out.

`/tmp` becomes a folder in memory that only this process and its children see. It is gone with the last of them.
"""

from __future__ import annotations

import ctypes
import resource
import subprocess
import sys
from pathlib import Path

_ROOM = Path("/tmp")  # noqa: S108 (mounted again: nobody else sees what is in it)
_MOUNT_FLAGS = 0x2 | 0x4  # MS_NOSUID, MS_NODEV
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
</item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>0</value></prop>
</item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>1</value></prop>
</item>
</oor:items>
"""


def main() -> int:
    """`python -m efface.files.libreoffice_run PROGRAM FORMAT READER SECONDS MEMORY_MIB`."""
    program, format, reader, *limits = sys.argv[1:]
    seconds, memory = map(int, limits)
    if not _mounted(memory):
        return 1
    source, profile = _ROOM / f"file.{format}", _ROOM / "profile"
    source.write_bytes(sys.stdin.buffer.read())
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_SETTINGS, "utf-8")
    _limit(seconds, memory)
    call = [
        program, f"-env:UserInstallation=file://{profile}", "--headless", "--norestore", "--nolockcheck",
        "--nodefault", "--nofirststartwizard", f"--infilter={reader}", "--convert-to", "pdf", "--outdir", str(_ROOM), str(source),
    ]  # fmt: skip
    environment = {
        "HOME": str(_ROOM),
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
    }
    quiet = subprocess.DEVNULL
    subprocess.run(  # noqa: S603 (the caller's program, on a file of our own naming)
        call,
        timeout=seconds,
        check=False,
        env=environment,
        cwd=_ROOM,
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
    )
    made = source.with_suffix(".pdf")
    if not made.is_file():
        return 1
    sys.stdout.buffer.write(made.read_bytes())
    return 0


def _mounted(memory: int) -> bool:
    """Whether a folder in memory lies over `/tmp`: without it nothing is written."""
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"size={memory}m,mode=0700".encode()
    return bool(libc.mount(b"none", bytes(_ROOM), b"tmpfs", _MOUNT_FLAGS, options) == 0)


def _limit(seconds: int, memory: int) -> None:
    wanted = {
        resource.RLIMIT_DATA: memory << 20,
        resource.RLIMIT_CPU: 2 * seconds,  # of all its threads
        resource.RLIMIT_FSIZE: memory << 20,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in wanted.items():
        _, hard = resource.getrlimit(kind)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    sys.exit(main())
