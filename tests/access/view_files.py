"""Word files and PDFs that say the values of a row in many places: split over runs, cells, lines, columns, comments."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape

import docx
import pikepdf
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

Row = Mapping[str, str]
Maker = Callable[[Row], bytes]


def _docx(body: str, **parts: str) -> bytes:
    """A Word file whose body is this markup; `parts` replace what a file of python-docx has by a name."""
    made = docx.Document()
    made.add_paragraph("@@")
    for name, text in parts.items():
        if name == "comment":
            made.add_comment(made.paragraphs[0].runs[0], text=text)
        elif name == "header":
            made.sections[0].header.paragraphs[0].text = text
        else:
            setattr(made.core_properties, name, text)
    plain = io.BytesIO()
    made.save(plain)
    written = io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename == "word/document.xml":
                text = data.decode()
                start = text.index("<w:body>") + len("<w:body>")
                data = (text[:start] + body + text[start:].replace("@@", "end of file")).encode()
            new.writestr(item, data)
    return written.getvalue()


def _p(*runs: str) -> str:
    return "<w:p>" + "".join(runs) + "</w:p>"


def _r(text: str, properties: str = "", tag: str = "t") -> str:
    marked = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{marked}<w:{tag} xml:space="preserve">{escape(text)}</w:{tag}></w:r>'


def _table(*rows: tuple[str, ...]) -> str:
    made = []
    for row in rows:
        made.append("<w:tr>" + "".join(f"<w:tc>{_p(_r(cell))}</w:tc>" for cell in row) + "</w:tr>")
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(made)}</w:tbl>"


def _letters(text: str) -> str:
    return "".join(map(_r, text))


def _say(row: Row) -> str:
    return f"{row['first']} {row['last']}, account {row['account']}, has {row['illness']}."


def _bold_odd(text: str) -> str:
    return "".join(_r(letter, "<w:b/>" if at % 2 else "") for at, letter in enumerate(text))


WORD: dict[str, Maker] = {
    "one run": lambda v: _docx(_p(_r(_say(v)))),
    "a run a letter": lambda v: _docx(_p(_letters(_say(v)))),
    "every other letter bold": lambda v: _docx(_p(_bold_odd(_say(v)))),
    "proofing marks inside": lambda v: _docx(
        _p(*(_r(letter) + '<w:proofErr w:type="spellStart"/>' for letter in _say(v)))
    ),
    "a bookmark inside": lambda v: _docx(
        _p(
            _r(f"{v['first']} {v['last'][:3]}"),
            '<w:bookmarkStart w:id="1" w:name="b"/><w:bookmarkEnd w:id="1"/>',
            _r(v["last"][3:]),
        )
    ),
    "a soft hyphen inside": lambda v: _docx(
        _p(
            _r(f"{v['first'][:2]}\u00ad{v['first'][2:]} {v['last'][:3]}"),
            "<w:r><w:softHyphen/></w:r>",
            _r(v["last"][3:]),
        )
    ),
    "a line break between the names": lambda v: _docx(
        _p(_r(v["first"]), "<w:r><w:br/></w:r>", _r(v["last"]))
    ),
    "a tab between the names": lambda v: _docx(_p(_r(v["first"]), "<w:r><w:tab/></w:r>", _r(v["last"]))),
    "two cells": lambda v: _docx(_table(("first", "last", "account"), (v["first"], v["last"], v["account"]))),
    "two rows": lambda v: _docx(
        _table(("first", v["first"]), ("last", v["last"]), ("illness", v["illness"]))
    ),
    "a cell a group of the account": lambda v: _docx(_table(tuple(v["account"].split("-")))),
    "fields, the age between them": lambda v: _docx(
        _p(_r(f"First name: {v['first']}")) + _p(_r("Age: 44")) + _p(_r(f"Last name: {v['last']}"))
    ),
    "columns, another between them": lambda v: _docx(
        _table(("Last", "Born", "First"), (v["last"], "1980", v["first"]), ("Holm", "1981", "Ida"))
    ),
    "the family first": lambda v: _docx(_table(("Surname", v["last"]), ("Forename", v["first"]))),
    "a paragraph a word": lambda v: _docx("".join(_p(_r(word)) for word in _say(v).split())),
    "deleted and inserted": lambda v: _docx(
        _p(
            f'<w:del w:id="1" w:author="x">{_r(_say(v), tag="delText")}</w:del>',
            f'<w:ins w:id="2" w:author="x">{_r(_say(v))}</w:ins>',
        )
    ),
    "hidden text": lambda v: _docx(_p(_r(_say(v), "<w:vanish/>"))),
    "small capitals": lambda v: _docx(_p(_r(_say(v).lower(), "<w:caps/>"))),
    "a field's instruction": lambda v: _docx(
        _p(
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r>',
            _r(f' HYPERLINK "mailto:{v["first"]}.{v["last"]}@example.com" ', tag="instrText"),
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r>',
            _r(_say(v)),
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        )
    ),
    "a content control": lambda v: _docx(
        f'<w:sdt><w:sdtPr><w:alias w:val="{v["last"]}"/><w:tag w:val="{v["account"]}"/></w:sdtPr>'
        f"<w:sdtContent>{_p(_r(_say(v)))}</w:sdtContent></w:sdt>"
    ),
    "a comment": lambda v: _docx(_p(_r("See the comment.")), comment=_say(v)),
    "a header": lambda v: _docx(_p(_r("See above.")), header=_say(v)),
    "the properties": lambda v: _docx(_p(_r("Nothing here.")), title=_say(v), keywords=v["account"]),
    "an account without its hyphens, by groups": lambda v: _docx(
        _p(*(_r(group + " ") for group in v["account"].split("-")))
    ),
    "a name turned round over two runs": lambda v: _docx(_p(_r(v["last"] + ", "), _r(v["first"], "<w:i/>"))),
    "a text box beside a table": lambda v: _docx(
        _p(
            '<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>'
            f"{_p(_letters(_say(v)))}</w:txbxContent></v:textbox></w:pict></w:r>"
        )
        + _table((v["illness"], v["first"]))
    ),
}


def _pdf(draw: Callable[[Canvas], None]) -> bytes:
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=A4, pageCompression=0)
    canvas.setFont("Helvetica", 11)
    draw(canvas)
    canvas.save()
    return made.getvalue()


def _lines(*lines: str, step: int = 16) -> Maker:
    def make(row: Row) -> bytes:
        def draw(canvas: Canvas) -> None:
            for at, text in enumerate(lines):
                canvas.drawString(60, 760 - step * at, text.format(**row))

        return _pdf(draw)

    return make


def _placed(place: Callable[[Canvas, Row], None]) -> Maker:
    return lambda row: _pdf(lambda canvas: place(canvas, row))


def _letter_by_letter(canvas: Canvas, row: Row) -> None:
    left = 60.0
    for letter in _say(row):
        canvas.drawString(left, 700, letter)
        left += canvas.stringWidth(letter, "Helvetica", 11)


def _backwards(canvas: Canvas, row: Row) -> None:
    text = f"{row['first']} {row['last']}"
    right = 300.0
    for letter in reversed(text):
        right -= canvas.stringWidth(letter, "Helvetica", 11)
        canvas.drawString(right, 700, letter)


def _two_columns(canvas: Canvas, row: Row) -> None:
    left = [row["first"], "went to", row["illness"]]
    right = [row["last"], "the ward", row["account"]]
    for at, (one, other) in enumerate(zip(left, right, strict=True)):
        canvas.drawString(60, 700 - 16 * at, one)
        canvas.drawString(330, 700 - 16 * at, other)


def _columns_one_after_another(canvas: Canvas, row: Row) -> None:
    for at, word in enumerate(("First", row["first"])):
        canvas.drawString(60, 700 - 16 * at, word)
    for at, word in enumerate(("Last", row["last"])):
        canvas.drawString(130, 700 - 16 * at, word)
    for at, word in enumerate(("Account", row["account"])):
        canvas.drawString(230, 700 - 16 * at, word)


def _rotated(canvas: Canvas, row: Row) -> None:
    canvas.translate(200, 300)
    canvas.rotate(90)
    canvas.drawString(0, 0, _say(row))


def _invisible(canvas: Canvas, row: Row) -> None:
    text = canvas.beginText(60, 700)
    text.setTextRenderMode(3)
    text.textLine(_say(row))
    canvas.drawText(text)


def _white(canvas: Canvas, row: Row) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(60, 700, _say(row))


def _twice(canvas: Canvas, row: Row) -> None:
    canvas.drawString(60, 700, _say(row))
    canvas.drawString(60.3, 700, _say(row))


def _wide(canvas: Canvas, row: Row) -> None:
    text = canvas.beginText(60, 700)
    text.setCharSpace(4)
    text.textLine(f"{row['first']} {row['last']}")
    canvas.drawText(text)


def _hyphenated(canvas: Canvas, row: Row) -> None:
    canvas.drawString(400, 700, f"the file of {row['first']} {row['last'][:3]}-")
    canvas.drawString(60, 684, f"{row['last'][3:]} was closed, {row['illness'][:4]}-")
    canvas.drawString(60, 668, f"{row['illness'][4:]} is told.")


def _groups_on_lines(canvas: Canvas, row: Row) -> None:
    for at, group in enumerate(row["account"].split("-")):
        canvas.drawString(60, 700 - 14 * at, group)


def _outline(canvas: Canvas, row: Row) -> None:
    canvas.bookmarkPage("p")
    canvas.addOutlineEntry(_say(row), "p")
    canvas.setTitle(f"{row['first']} {row['last']}")
    canvas.setSubject(row["account"])
    canvas.drawString(60, 700, "Nothing here.")


def _field(canvas: Canvas, row: Row) -> None:
    canvas.acroForm.textfield(
        name="n", value=f"{row['first']} {row['last']}", x=60, y=650, width=300, height=20
    )
    canvas.drawString(60, 700, "A form.")


def _note(row: Row) -> bytes:
    with pikepdf.open(io.BytesIO(_lines("A note.")(row))) as pdf:
        note = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Rect=[50, 50, 80, 80], Contents=_say(row)
            )
        )
        pdf.pages[0].Annots = pdf.make_indirect(pikepdf.Array([note]))
        made = io.BytesIO()
        pdf.save(made)
    return made.getvalue()


def _pieces(row: Row) -> bytes:
    """The names shown in pieces, with numbers between them that move the pen."""
    with pikepdf.open(io.BytesIO(_lines("A page.")(row))) as pdf:
        page = pdf.pages[0]
        name = f"{row['first']} {row['last']}"
        shown = " 15 ".join(f"({letter})" for letter in name)
        page.contents_add(f"BT /F1 11 Tf 60 600 Td [{shown}] TJ ET".encode())
        span = f"BT /F1 11 Tf 60 560 Td /Span << /ActualText ({name}) >> BDC (He) Tj EMC ET"
        page.contents_add(span.encode())
        made = io.BytesIO()
        pdf.save(made)
    return made.getvalue()


PDF: dict[str, Maker] = {
    "one line": _lines("{first} {last}, account {account}, has {illness}."),
    "a name over two lines": _lines(
        "the letter is for {first}", "{last}, who has {illness}", "account {account}"
    ),
    "a line a word": _lines("{first}", "{last}", "{account}", "{illness}"),
    "fields of a form": _lines("First name: {first}", "Ward: north", "Last name: {last}"),
    "letter by letter": _placed(_letter_by_letter),
    "drawn from the right": _placed(_backwards),
    "two columns": _placed(_two_columns),
    "columns one after another": _placed(_columns_one_after_another),
    "on its side": _placed(_rotated),
    "invisible": _placed(_invisible),
    "white": _placed(_white),
    "drawn twice": _placed(_twice),
    "spaced wide": _placed(_wide),
    "hyphenated at the ends of lines": _placed(_hyphenated),
    "outline and properties": _placed(_outline),
    "a form's field": _placed(_field),
    "a note": _note,
    "in pieces, and as actual text": _pieces,
    "the groups of an account on lines": _placed(_groups_on_lines),
}
