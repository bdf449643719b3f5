"""Images whose samples say more than they paint: a palette of equal colours, a range of one value, a colour key.

A reader who unpacks the samples sees what no page shows. Such an image is replaced by what it paints.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pikepdf
from pikepdf import Array, Name, Stream

from efface.errors import Refused
from efface.formats.pdf.object_values import integer, real
from efface.formats.pdf.reader.object_walk import ObjGen
from efface.formats.pdf.reader.opening import open_pdf
from efface.formats.pdf.writer import images

if TYPE_CHECKING:
    from PIL.Image import Image

_PLAIN = {1: Name.DeviceGray, 3: Name.DeviceRGB, 4: Name.DeviceCMYK}
_COMPONENTS = {"/DeviceRGB": 3, "/CalRGB": 3, "/Lab": 3, "/DeviceCMYK": 4}
_INKS = ("/Separation", "/DeviceN")
_TABLES = ("/Indexed", "/I")
_OF_SAMPLES = ("/Width", "/Height", "/BitsPerComponent", "/Filter", "/DecodeParms")


def hides_samples(image: Stream) -> bool:
    """Whether different samples of the image, or of its mask, are painted alike."""
    mask = image.get("/SMask")
    if isinstance(mask, Stream) and hides_samples(mask):
        return True
    space = _space(image)
    keyed = isinstance(image.get("/Mask"), Array)
    if image.get("/ImageMask") or not (keyed or _is_ranged(image) or space in (*_INKS, *_TABLES)):
        return False
    plain = _PLAIN.get(_components(image))
    try:
        painted = _colours(_without_clear(images.render(image, images.size(image))))
        samples = _sample_count(image, plain) if plain is not None else 2
    except Refused:
        return False  # it counts as unread
    if space in _INKS:  # inks that are mixed to a screen's colours lose a few of them
        return painted * 2 < samples
    return painted < samples


def painted_only(data: bytes, hiding: Iterable[ObjGen]) -> bytes:
    """The file in which these images hold what they paint and nothing else."""
    pdf = open_pdf(data)
    for objgen in hiding:
        image = pdf.get_object(objgen)
        if isinstance(image, Stream):
            picture = _without_clear(images.render(image, images.size(image)))
            _become(image, images.stored(pdf, picture))
    buffer = io.BytesIO()
    pdf.save(buffer, encryption=False, deterministic_id=True)
    return buffer.getvalue()


def _become(image: Stream, new: Stream) -> None:
    """Replace the image in place, so that every reference to it shows the new one."""
    for key in list(image.keys()):
        if key != "/Length":
            del image[key]
    image.write(bytes(new.get_raw_stream_buffer()))
    for key, value in new.items():
        if key != "/Length":
            image[key] = value


def _space(image: Stream) -> str:
    space = image.get("/ColorSpace")
    first = space[0] if isinstance(space, Array) and len(space) else space
    return str(first) if isinstance(first, Name) else ""


def _components(image: Stream) -> int:
    space = image.get("/ColorSpace")
    if isinstance(space, Array) and len(space) > 1 and space[0] == "/DeviceN":
        return len(space[1]) if isinstance(space[1], Array) else 0
    if isinstance(space, Array) and len(space) > 1 and space[0] == "/ICCBased":
        return integer(space[1].get("/N")) if isinstance(space[1], Stream) else 0
    return _COMPONENTS.get(_space(image), 1)


def _is_ranged(image: Stream) -> bool:
    """Whether the samples are mapped to less than the whole range of colours."""
    decode = image.get("/Decode")
    if not isinstance(decode, Array):
        return False
    values = [real(value) for value in decode]
    return any({low, high} != {0.0, 1.0} for low, high in zip(values[::2], values[1::2], strict=False))


def _sample_count(image: Stream, space: Name) -> int:
    """How many different samples the image has, by painting them as plain colours."""
    with pikepdf.new() as owner:
        plain = Stream(owner, bytes(image.get_raw_stream_buffer()))
        foreign = owner.copy_foreign(image)
        for key in _OF_SAMPLES:
            if key in foreign:
                plain[key] = foreign[key]
        plain["/Type"], plain["/Subtype"], plain["/ColorSpace"] = Name.XObject, Name.Image, space
        shown = owner.make_indirect(plain)
        assert isinstance(shown, Stream)
        return _colours(images.render(shown, images.size(image)))


def _without_clear(picture: Image) -> Image:
    """The picture with nothing where nothing is painted."""
    from PIL import Image as PillowImage

    alpha = picture.getchannel("A")
    if alpha.getextrema()[0] != 0:
        return picture
    empty = PillowImage.new("RGBA", picture.size, (0, 0, 0, 0))
    empty.paste(picture, mask=alpha.point(lambda level: 255 if level else 0))
    return empty


def _colours(picture: Image) -> int:
    return len(picture.getcolors(picture.width * picture.height) or ())
