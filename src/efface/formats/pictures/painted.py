"""Pictures whose bytes say more than they paint become what they paint.

So it is with a palette of equal colours, a second byte of every colour, rows below the last, and with kinds of
picture whose metadata are not taken out piece by piece (TIFF, BMP, icons, WebP).
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from efface.formats.pictures import cleaning

if TYPE_CHECKING:
    from PIL.Image import Image

_OPTIONS: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 92},
    "TIFF": {"compression": "tiff_deflate"},
    "WEBP": {"lossless": True, "exact": True},
}
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # channels by the colour type of PNG
_CHUNK = 1 << 20  # bytes that are unpacked at once
# Where each pass over an interlaced picture starts and how far it steps: across, down.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def hides(data: bytes) -> bool:
    """Whether a cleaned picture that can be opened may hold more than it paints."""
    if cleaning.is_opaque(data):
        return True
    if data.startswith(cleaning.PNG):
        deep = data[24] == 16
        return deep or _has_equal_colours(data) or _has_more_rows(data)
    if data.startswith(b"GIF8"):
        return any(map(_has_equal_colours, cleaning.gif_images(data)))
    return False


def stored(data: bytes, images: Sequence[Image]) -> bytes:
    """Images in a file of the same kind, without anything but pixels; PNG where that kind cannot be written."""
    from PIL import Image as PillowImage

    with PillowImage.open(io.BytesIO(data)) as opened:
        kind = opened.format or "PNG"
    buffer = io.BytesIO()
    first, *rest = [
        _without_metadata(image.convert("RGB") if kind in ("JPEG", "BMP") else image) for image in images
    ]
    options = _OPTIONS.get(kind, {})
    if kind in ("GIF", "TIFF", "WEBP") and rest:
        first.save(buffer, kind, save_all=True, append_images=rest, **options)
    elif kind in ("BMP", "GIF", "JPEG", "TIFF", "WEBP"):
        first.save(buffer, kind, **options)
    else:
        first.save(buffer, "PNG")
    return cleaning.cleaned(buffer.getvalue())


def _without_metadata(image: Image) -> Image:
    """The image without its metadata. How long each frame is shown stays."""
    copy = image.copy()
    copy.info = {key: value for key, value in image.info.items() if key in ("duration", "loop")}
    return copy


def _has_equal_colours(data: bytes) -> bool:
    """Whether two numbers that the picture uses mean the same colour of its palette."""
    from PIL import Image as PillowImage

    with PillowImage.open(io.BytesIO(data)) as opened:
        if opened.mode != "P":
            return False
        palette = opened.getpalette("RGB") or []
        clear = opened.info.get("transparency", b"")
        used = [int(str(number)) for _, number in opened.getcolors(256) or ()]
    seen = {(*palette[3 * number : 3 * number + 3], _opacity(clear, number)) for number in used}
    return len(seen) < len(used)


def _opacity(clear: bytes | int, number: int) -> int:
    if isinstance(clear, int):
        return 0 if number == clear else 255
    return clear[number] if number < len(clear) else 255


def _has_more_rows(data: bytes) -> bool:
    """Whether the pixels of a PNG go on after its last row."""
    left = _size(data)
    engine = zlib.decompressobj()
    for content in cleaning.png_pixels(data):
        if engine.eof:
            return bool(content)
        rest = content
        while rest and left >= 0 and not engine.eof:
            left -= len(engine.decompress(rest, _CHUNK))
            rest = engine.unconsumed_tail
        if left < 0:
            return True
    return bool(engine.unused_data) or len(engine.flush()) > left


def _size(data: bytes) -> int:
    """The bytes of all rows of a PNG, each with the number of its filter."""
    width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
    bits = depth * _CHANNELS[colour]
    return sum(tall * (1 + (wide * bits + 7) // 8) for wide, tall in _grids(width, height, interlaced))


def _grids(width: int, height: int, interlaced: int) -> Iterator[tuple[int, int]]:
    if not interlaced:
        yield width, height
        return
    for left, top, across, down in _PASSES:
        wide, tall = -(-(width - left) // across), -(-(height - top) // down)
        if wide > 0 and tall > 0:
            yield wide, tall
