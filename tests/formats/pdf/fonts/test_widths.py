"""The place of a removed name must not tell how wide it was."""

from __future__ import annotations

from math import ceil

import pytest

from efface.core import Edit
from efface.formats.pdf import PDF
from efface.formats.pdf.fonts.encodings import base14_widths
from tests.formats.pdf import build

SIZE = 12
NAMES = ["Jo Hill", "Al Wims", "Bo Mott", "Ann Lee", "Eva Ott", "Tim Orr", "Kit Fox", "Lou Day"]


def width(text: str) -> float:
    widths = base14_widths("Helvetica")
    assert widths is not None
    return sum(widths[char] for char in text)


def _one_string(name: str) -> str:
    return f"40 200 Td (Then {name} went home.) Tj"


def _kerned(name: str) -> str:
    letters = " 12 ".join(f"({char})" for char in name)
    return f"40 200 Td [(Then ) -30 {letters} 25 ( went home.)] TJ"


def _letter_by_letter(name: str) -> str:
    moves = []
    for char in f"Then {name} went home.":
        moves.append(f"({char}) Tj {width(char) * SIZE:.3f} 0 Td")
    return "40 200 Td " + " ".join(moves)


def _word_by_word(name: str) -> str:
    x, parts = 40.0, []
    for word in f"Then|{name}|went|home.".split("|"):
        parts.append(f"1 0 0 1 {x:.3f} 200 Tm ({word}) Tj")
        x += (width(word) + width(" ")) * SIZE
    return " ".join(parts)


def _next_line_after(name: str) -> str:
    return f"14 TL 40 200 Td (Then {name}) Tj T* (went home.) Tj"


def _others(place: str) -> str:
    """Other lines that share the edge of the one with the name."""
    texts = [
        "Some longer line of text that fills",
        "A rather short one here, then more",
        "Yet another line of it all now",
    ]
    parts = []
    for number, text in enumerate(texts):
        x = {"centre": 170 - width(text) * SIZE / 2, "right": 330 - width(text) * SIZE, "justified": 40.0}[
            place
        ]
        spread = (230 - width(text) * SIZE) / text.count(" ") if place == "justified" else 0
        parts.append(f"{spread:.4f} Tw 1 0 0 1 {x:.3f} {150 - 15 * number} Tm ({text}) Tj")
    return " ".join(parts)


def _centred(name: str) -> str:
    x = 170 - width(f"Then {name} went home.") * SIZE / 2
    return f"1 0 0 1 {x:.3f} 200 Tm (Then {name} went home.) Tj {_others('centre')}"


def _centred_on_the_page(name: str) -> str:
    x = 200 - width(f"Then {name} went home.") * SIZE / 2
    return f"1 0 0 1 {x:.3f} 200 Tm (Then {name} went home.) Tj"


def _right_aligned(name: str) -> str:
    x = 330 - width(f"Then {name} went home.") * SIZE
    return f"1 0 0 1 {x:.3f} 200 Tm (Then {name} went home.) Tj {_others('right')}"


def _justified(name: str) -> str:
    text = f"It was there that Then {name} went home."
    spread = (230 - width(text) * SIZE) / text.count(" ")
    return f"{_others('justified')} {spread:.5f} Tw 1 0 0 1 40 60 Tm ({text}) Tj"


STYLES = [
    _one_string,
    _kerned,
    _letter_by_letter,
    _word_by_word,
    _next_line_after,
    _centred,
    _centred_on_the_page,
]
STYLES += [_right_aligned, _justified]


def released(name: str, style: str) -> bytes:
    make = next(one for one in STYLES if one.__name__ == style)
    data = build.save(build.new_pdf(f"BT /F1 {SIZE} Tf {make(name)} ET".encode()))
    document = PDF().read(data, "x.pdf")
    assert f"Then {name} went home." in " ".join(document.text.split())
    return PDF().write(document, build.deny(document, name, label="[NAME]"))


@pytest.mark.parametrize("style", [style.__name__ for style in STYLES])
def test_names_of_one_rounded_width_leave_the_same_bytes(style: str) -> None:
    by_width: dict[int, set[bytes]] = {}
    for name in NAMES:
        name = name.replace(" ", "") if style == "_justified" else name
        extra = 12 * (len(name) - 1) / 1000 if style == "_kerned" else 0.0
        whole = round(width(name)) if style == "_justified" else ceil(width(name) - extra - 1e-6)
        by_width.setdefault(whole, set()).add(released(name, style))
    assert any(len(files) for files in by_width.values())
    assert len(by_width) < len(NAMES), "some names must share a rounded width for this to test anything"
    assert all(len(files) == 1 for files in by_width.values())


def test_the_exact_widths_differ() -> None:
    assert len({round(width(name), 3) for name in NAMES}) > 5


def test_a_justified_line_still_ends_where_it_did() -> None:
    lines, ends = [], []
    for number in range(6):
        text = f"Then came {NAMES[number]} who went home again by night."
        spaces = text.count(" ")
        wide = (310 - width(text) * SIZE) / spaces
        lines.append(f"BT /F1 {SIZE} Tf {wide:.4f} Tw 1 0 0 1 40 {250 - 20 * number} Tm ({text}) Tj ET")
    data = build.save(build.new_pdf("\n".join(lines).encode()))
    document = PDF().read(data, "x.pdf")
    released = PDF().write(document, build.deny(document, NAMES[2]))
    from efface.formats.pdf.reader.document import PdfDocumentReader, draw, look  # the reader's own geometry

    for file in (data, released):
        reader = PdfDocumentReader(file)
        document = reader.document("x.pdf")
        view = look(draw(reader._interpreter, document.origin.blocks[0].root))  # type: ignore[attr-defined]
        ends.append([round(line.pieces[-1].end, 1) for line in view.layout.lines])
    assert ends[0] == ends[1]


def test_an_edit_without_replacement_leaves_a_box() -> None:
    data = build.save(build.new_pdf(build.line("Then Ann went.")))
    document = PDF().read(data, "x.pdf")
    start = document.text.index("Ann")
    released = PDF().write(document, [Edit(start, start + 3, "X", "ann", "test", "")])
    assert PDF().read(released, "x.pdf").text.split() == ["Then", "went."]
    picture = build.pixels(released)
    assert picture.getpixel((2 * (40 + 34), 2 * (build.HEIGHT - 254))) < 40
