"""Draws the mark of a removal: a black box with the replacement's text in white."""

from __future__ import annotations

import unicodedata

import pikepdf
from pikepdf import Dictionary, Name

from efface.formats.pdf.fonts.encodings import base14_widths
from efface.formats.pdf.reader.drawing import LABEL_FONT, Show
from efface.formats.pdf.reader.matrix import Matrix, invert, multiply, numbers, sane
from efface.formats.pdf.writer.removal import DrawnBox

FONT_NAME = LABEL_FONT
_TOP, _BOTTOM = 0.8, -0.22  # em above and below the baseline
_PAD = 0.04  # of the letters' height, left empty at each end of a box
_SIZE, _SMALLEST = 0.72, 0.4  # em of the label


def label_font(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    )


def draw_box(box: DrawnBox, show: Show) -> bytes:
    """Content syntax for one box, to stand outside a text object; empty where the box would have no size."""
    matrix = _em_matrix(box, show)
    if matrix is None:
        return b""
    middle = -0.3 if show.font.vertical else 0.0
    body = [b"q", f"{numbers(*matrix)} cm".encode()]
    if box.visible:
        body.append(f"0 g {numbers(0, _BOTTOM + middle, box.width, _TOP - _BOTTOM)} re f 1 g".encode())
    if label := _encode(box.label):
        body.append(_label(label, box.width, middle, visible=box.visible))
    body.append(b"Q")
    return b"\n".join(body) if box.visible or label else b""


def _em_matrix(box: DrawnBox, show: Show) -> Matrix | None:
    """One unit is one em, x runs along the line from the box's start, y = 0 is the baseline."""
    high = show.size * show.font.height
    if show.font.vertical:
        own: Matrix = (0.0, -high, high, 0.0, show.rise, box.offset)
    else:
        own = (high * show.scale, 0.0, 0.0, high, box.offset, show.rise)
    matrix = multiply(own, show.matrix)
    if show.ctm != show.block_ctm:
        back = invert(show.block_ctm)
        matrix = multiply(multiply(matrix, show.ctm), back) if back else matrix
    return matrix if sane(matrix) and invert(matrix) else None


def _label(text: bytes, width: float, middle: float, *, visible: bool) -> bytes:
    """The label in the middle of its box; the pen crosses the whole box, so that text reads on."""
    widths = base14_widths("Helvetica") or {}
    natural = sum(widths.get(char, 0.5) for char in text.decode("cp1252", "replace"))
    room = max(width - 2 * _PAD, 0.1)
    size = max(_SMALLEST, min(_SIZE, _SIZE * (room / (natural * _SIZE)) ** 0.5))
    stretch = max(0.01, min(1.0, room / (natural * size)))
    margin = 500 * (width - natural * size * stretch) / (size * stretch)
    mode = 0 if visible else 3
    return (
        f"BT {FONT_NAME} {numbers(size)} Tf 0 Tc 0 Tw {numbers(100 * stretch)} Tz 0 Ts {mode} Tr "
        f"1 0 0 1 0 {numbers(middle)} Tm [{numbers(-margin)} <{text.hex()}> {numbers(-margin)}] TJ ET"
    ).encode()


def _encode(label: str) -> bytes:
    """In the label font's encoding; what it lacks loses its accents, or becomes a question mark."""
    encoded = bytearray()
    for char in " ".join(label.split()):
        try:
            encoded += char.encode("cp1252")
        except UnicodeEncodeError:
            plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore")
            encoded += plain or b"?"
    return bytes(encoded)
