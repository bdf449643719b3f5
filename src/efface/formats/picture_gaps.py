"""What a report says of pictures that were not read, one sentence for every format."""

from __future__ import annotations

from efface.core import Gap, GapKind
from efface.files import ocr

_INSTALL = "Install the `ocr` extra (pip install 'efface[ocr]')"
_CHOOSE = "set `pictures: remove` or `pictures: keep` in the policy"


def unread(count: int, where: str = "") -> tuple[Gap, ...]:
    """Pictures that may show words and that could not be read."""
    if not count:
        return ()
    reason = "they cannot be opened" if ocr.available() else "reading them takes the `ocr` extra"
    step = f"Convert them to PNG, or {_CHOOSE}." if ocr.available() else f"{_INSTALL}, or {_CHOOSE}."
    return (Gap(GapKind.PICTURE, _counted(count, where), f"Not read: {reason}.", step),)


def doubtful(count: int) -> tuple[Gap, ...]:
    """Pictures that were read, and in which something looks like writing that could not be read."""
    if not count:
        return ()
    reason = "Not read whole: something looks like writing."
    return (Gap(GapKind.PICTURE, _counted(count, ""), reason, f"Look at them, then {_CHOOSE}."),)


def kept(count: int, where: str = "") -> tuple[Gap, ...]:
    """Pictures that stay unread because the policy says so."""
    if not count:
        return ()
    reason = "Not read and kept, as the policy says."
    return (Gap(GapKind.PICTURE, _counted(count, where), reason, allowed=True),)


def removed(count: int, where: str = "") -> tuple[Gap, ...]:
    """Pictures that went unread because the policy says so."""
    if not count:
        return ()
    reason = "Not read and removed, as the policy says."
    return (Gap(GapKind.PICTURE, _counted(count, where), reason, allowed=True),)


def sentence(gap: Gap) -> str:
    """The gap as a note."""
    return f"{gap.where[:1].upper()}{gap.where[1:]}: {gap.reason[:1].lower()}{gap.reason[1:]}"


def _counted(count: int, where: str) -> str:
    return f"{count} {'picture' if count == 1 else 'pictures'}{where and ' of '}{where}"
