"""Pictures: metadata goes, pixels stay, metafiles say what they draw."""

from __future__ import annotations

import gzip
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.formats.pictures import cleaning, metafiles
from tests.attacks.leaks.office_packages import emf, gif, jpeg, png, profile

SECRET = b"Zanzibar"


def _wmf(text: bytes) -> bytes:
    padded = text + b"\0" * (len(text) % 2)
    record = (
        struct.pack("<IH", 3 + 1 + len(padded) // 2 + 2, 0x0521)
        + struct.pack("<H", len(text))
        + padded
        + bytes(4)
    )
    end = struct.pack("<IH", 3, 0)
    header = struct.pack("<HHHIHIH", 1, 9, 0x300, (18 + len(record) + 6) // 2, 0, len(record) // 2, 0)
    return header + record + end


CLEANED = {
    "png": (png((b"tEXt", SECRET), (b"eXIf", SECRET), after=SECRET), png()),
    "png profile": (png((b"gAMA", b"\0\0\0\1")), png((b"gAMA", b"\0\0\0\1"))),
    "jpeg": (jpeg(0xE1, SECRET, after=SECRET), None),
    "jpeg JFIF": (jpeg(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"), jpeg(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")),
    "jpeg thumbnail": (jpeg(0xE0, b"JFIF\0\1\1\0\0\1\0\1\1\1" + SECRET), None),
    "jpeg profile": (
        jpeg(0xE2, b"ICC_PROFILE\0\1\1" + profile(SECRET)),
        jpeg(0xE2, b"ICC_PROFILE\0\1\1" + profile(bytes(8))),
    ),
    "png profile with words": (png((b"iCCP", b"p\0\0" + zlib.compress(profile(SECRET)))), None),
    "gif": (gif(SECRET), None),
    "metafile": (emf("x") + SECRET, emf("x")),
    "compressed metafile": (gzip.compress(emf("x") + SECRET), gzip.compress(emf("x"), mtime=0)),
    "nothing known": (SECRET, cleaning.BLANK),
    "cut short": (png()[:20], cleaning.BLANK),
    "half a jpeg": (jpeg(0xE1, SECRET)[:10], cleaning.BLANK),
    "half a metafile": (emf("x")[:60], cleaning.BLANK),
    "compressed something": (gzip.compress(SECRET), cleaning.BLANK),
}


@pytest.mark.parametrize("name", CLEANED)
def test_cleaning(name: str) -> None:
    data, expected = CLEANED[name]
    cleaned = cleaning.cleaned(data)
    assert SECRET not in cleaned
    assert cleaning.cleaned(cleaned) == cleaned
    if expected is not None:
        assert cleaned == expected


def test_scan_data_of_a_jpeg_stays() -> None:
    cleaned = cleaning.cleaned(jpeg(0xFE, SECRET))
    assert b"\x12\x34\xff\0\x56\xff\xd9" in cleaned
    assert cleaned.startswith(b"\xff\xd8\xff\xdb")


WORDS = {
    "emf": (emf("see Zanzibar"), "see Zanzibar"),
    "emf in two records": (emf("Zanzibar", split=3), "Zanzibar"),
    "compressed emf": (gzip.compress(emf("Zanzibar")), "Zanzibar"),
    "wmf": (_wmf(SECRET), "Zanzibar"),
    "tiff": (b"II*\0" + bytes(8) + b"Artist Zanzibar" + bytes(4), "Artist Zanzibar"),
    "tiff in wide letters": (b"II*\0" + bytes(8) + "Zanzibar".encode("utf-16-le"), "Zanzibar"),
    "png": (png((b"tEXt", SECRET)), ""),
}


@pytest.mark.parametrize("name", WORDS)
def test_words(name: str) -> None:
    data, expected = WORDS[name]
    assert cleaning.words(cleaning.cleaned(data)).partition("\n")[0] == expected


@pytest.mark.parametrize(
    "data", [emf("Zanzibar"), gzip.compress(emf("Zanzibar")), _wmf(SECRET)], ids=["emf", "emz", "wmf"]
)
def test_a_blank_metafile_is_one_of_its_kind_and_size(data: bytes) -> None:
    blank = metafiles.blanked(data)
    assert metafiles.is_metafile(blank)
    assert cleaning.words(blank) == ""
    assert cleaning.cleaned(blank) == blank
    if data[40:44] == b" EMF":
        assert blank[8:40] == data[8:40]


@given(
    st.sampled_from([png((b"tEXt", b"x")), jpeg(0xE1, b"Exif"), gif(b"c"), emf("text"), _wmf(b"text")]),
    st.data(),
)
def test_damage_never_crashes(sample: bytes, data: st.DataObject) -> None:
    broken = bytearray(sample)
    for _ in range(data.draw(st.integers(1, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(broken)))
    cleaned = cleaning.cleaned(bytes(broken[:cut]))
    if metafiles.is_metafile(cleaned):
        assert metafiles.is_metafile(metafiles.blanked(cleaned))
    elif not cleaning.is_opaque(cleaned):
        assert cleaning.words(cleaned) == ""
    assert isinstance(cleaning.words(cleaned), str)


def test_the_blank_picture_is_one() -> None:
    image = pytest.importorskip("PIL.Image")
    import io

    assert image.open(io.BytesIO(cleaning.BLANK)).convert("RGBA").getpixel((0, 0))[3] == 0
