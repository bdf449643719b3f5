"""Transfer encodings of the parts of a message: base64 and quoted-printable, read and written again."""

from __future__ import annotations

import base64
import binascii
import re

from efface.errors import InputError

_SPACE = b" \t\r\n"


def decoded(raw: bytes, transfer: str) -> bytes:
    """The content of a part whose head names this transfer encoding."""
    if transfer == "quoted-printable":
        return binascii.a2b_qp(raw)
    if transfer != "base64":
        return raw
    compact = raw.translate(None, delete=_SPACE)
    try:
        return base64.b64decode(compact + b"=" * (-len(compact) % 4), validate=True)
    except binascii.Error:
        raise InputError("A part of the message is not the base64 it says it is.", "Get it again.") from None


def encoded(content: bytes, raw: bytes, transfer: str) -> bytes:
    """The content in its transfer encoding, laid out like what stood there before."""
    eol = b"\r\n" if b"\r\n" in raw or b"\n" not in raw else b"\n"
    if transfer == "quoted-printable":
        return _quoted_printable(content, eol)
    if transfer != "base64":
        return content
    lines = raw.strip(_SPACE).split(None, 1)
    width = max(len(lines[0]) // 4 * 4, 4) if len(lines) > 1 else 76
    code = base64.b64encode(content)
    body = eol.join(code[at : at + width] for at in range(0, len(code), width))
    before, after = len(raw) - len(raw.lstrip(_SPACE)), len(raw.rstrip(_SPACE))
    return raw[:before] + body + raw[max(after, before) :]


def _quoted_printable(content: bytes, eol: bytes) -> bytes:
    code = binascii.b2a_qp(content, istext=True)
    if binascii.a2b_qp(code) != content:
        code = binascii.b2a_qp(content, istext=False)
    if eol == b"\r\n" and b"\r\n" not in code:
        code = code.replace(b"=\n", b"=\r\n")
    return re.sub(rb"(?m)^--", b"=2D-", code)  # no line may look like a delimiter
