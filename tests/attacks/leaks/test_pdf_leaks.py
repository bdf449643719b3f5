"""One secret in every place where a PDF can hide it; none may be left, by any reader's account."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String

from efface import Sanitizer
from efface.attacks.leaks import Removed, search
from efface.attacks.readers.pdf import extract
from efface.core import Document, Leakage, Verdict
from efface.errors import EffaceError
from efface.formats.pdf import PDF
from efface.text.alignment import Alignment
from tests.attacks.leaks.office_packages import profile
from tests.formats.pdf import build
from tests.formats.pdf.build import annotate, coded, composite_font, form, image, line, new_pdf, save

SECRET = "Zanzibarov"
VISIBLE = line(f"Report about {SECRET} and others.", y=270)
HIDDEN = SECRET.encode()

BLIND = {
    "composite font without ToUnicode",  # codes without a map are not text to PDFium
}
# What the writer leaves and the search of the release sees: the pipeline then refuses.
STOPPED = {"half on the page, half in an annotation", "colours of a picture"}

Vector = Callable[[], bytes]
VECTORS: dict[str, Vector] = {}


def vector(name: str) -> Callable[[Vector], Vector]:
    def add(build_it: Vector) -> Vector:
        VECTORS[name] = build_it
        return build_it

    return add


def content(name: str, syntax: str | bytes) -> None:
    """A vector that is content of the page."""
    raw = syntax.encode("latin-1") if isinstance(syntax, str) else syntax
    VECTORS[name] = lambda: save(new_pdf(VISIBLE + raw))


def prepared(name: str) -> Callable[[Callable[[pikepdf.Pdf], None]], None]:
    """A vector that is something added to a file with one visible line."""

    def add(change: Callable[[pikepdf.Pdf], None]) -> None:
        def make() -> bytes:
            pdf = new_pdf(VISIBLE)
            change(pdf)
            return save(pdf)

        VECTORS[name] = make

    return add


def draw(pdf: pikepdf.Pdf, syntax: str) -> None:
    pdf.pages[0].obj["/Contents"] = pdf.make_indirect(Stream(pdf, VISIBLE + syntax.encode("latin-1")))


HEX = HIDDEN.hex()
OCTAL = "".join(f"\\{byte:03o}" for byte in HIDDEN)
LETTERS = " ".join(f"({char}) Tj 8 0 Td" for char in SECRET)
MATRICES = " ".join(f"1 0 0 1 {40 + 8 * at} 200 Tm ({char}) Tj" for at, char in enumerate(SECRET))
BACKWARDS = " ".join(
    f"1 0 0 1 {40 + 7.2 * at} 200 Tm ({char}) Tj" for at, char in reversed(list(enumerate(SECRET)))
)

content("string", f"BT /F1 12 Tf 40 200 Td (by {SECRET}.) Tj ET")
content("kerned array", "BT /F1 12 Tf 40 200 Td [(Zan) -20 (zib) 15 (arov)] TJ ET")
content("quote operator", f"BT /F1 12 Tf 14 TL 40 200 Td ({SECRET}) ' ET")
content("double quote operator", f'BT /F1 12 Tf 14 TL 40 200 Td 1 0.5 ({SECRET}) " ET')
content("hexadecimal string", f"BT /F1 12 Tf 40 200 Td <{HEX}> Tj ET")
content("octal escapes", f"BT /F1 12 Tf 40 200 Td ({OCTAL}) Tj ET")
content("control characters", "BT /F1 12 Tf 40 200 Td (Zan\\012zi\\001barov) Tj ET")
content("letter by letter, moved", f"BT /F1 12 Tf 40 200 Td {LETTERS} ET")
content("letter by letter, placed", f"BT /F1 12 Tf {MATRICES} ET")
content("letter by letter, last first", f"BT /F2 12 Tf {BACKWARDS} ET")
content("two strings", "BT /F1 12 Tf 40 200 Td (Zanzi) Tj (barov) Tj ET")
content("two text objects", line("Zanzi", 200, 40, font="F2") + line("barov", 200, 40 + 5 * 7.2, font="F2"))
content("two fonts", "BT /F1 12 Tf 40 200 Td (Zanzi) Tj /F2 12 Tf (barov) Tj ET")
content("hyphenated", "BT /F1 12 Tf 14 TL 300 200 Td (Zanzi-) Tj -260 -14 Td (barov came) Tj ET")
content("letterspaced", f"BT /F1 12 Tf 6 Tc 40 200 Td ({SECRET}) Tj ET")
content(
    "letterspaced by numbers",
    "BT /F1 12 Tf 40 200 Td [" + " -450 ".join(f"({c})" for c in SECRET) + "] TJ ET",
)
content("raised letter", "BT /F1 12 Tf 40 200 Td (Zanzi) Tj 3 Ts /F1 8 Tf (barov) Tj ET")
content("painted twice", line(SECRET, 200) + line(SECRET, 200.3, 40.4))
content("invisible", f"BT /F1 12 Tf 3 Tr 40 200 Td ({SECRET}) Tj ET")
content("clipping text", f"q BT /F1 30 Tf 7 Tr 40 200 Td ({SECRET}) Tj ET 0 0 1 rg 0 0 400 300 re f Q")
content("clipped away", f"q 0 0 1 1 re W n BT /F1 12 Tf 40 200 Td ({SECRET}) Tj ET Q")
content("white on white", f"1 g BT /F1 12 Tf 40 200 Td ({SECRET}) Tj ET 0 g")
content("off the page", f"BT /F1 12 Tf 900 900 Td ({SECRET}) Tj ET")
content("tiny", f"BT /F1 0.2 Tf 40 200 Td ({SECRET}) Tj ET")
content("rotated", f"BT /F1 12 Tf 0 1 -1 0 100 100 Tm ({SECRET}) Tj ET")
content("mirrored", f"BT /F1 12 Tf -1 0 0 1 200 200 Tm ({SECRET}) Tj ET")
content("negative size", f"BT /F1 -12 Tf -1 0 0 -1 40 200 Tm ({SECRET}) Tj ET")
content("under a rectangle", f"BT /F1 12 Tf 40 200 Td ({SECRET}) Tj ET 0 g 30 190 200 30 re f")
content("outside a text object", f"BT /F1 12 Tf ET ({SECRET}) Tj")
content("no font", f"BT 40 200 Td ({SECRET}) Tj ET")
content("missing font", f"BT /F9 12 Tf 40 200 Td ({SECRET}) Tj ET")
content("comment", f"% {SECRET} was here\nBT /F1 12 Tf 40 200 Td (x) Tj ET")
content("ActualText", f"/Span <</ActualText ({SECRET})>> BDC BT /F1 12 Tf 40 200 Td (Z.) Tj ET EMC")
content(
    "ActualText in UTF-16",
    "/Span <</ActualText <feff"
    + SECRET.encode("utf-16-be").hex()
    + ">>> BDC BT /F1 12 Tf 40 200 Td (Z.) Tj ET EMC",
)
content(
    "ActualText of the same",
    f"/Span <</ActualText ({SECRET})>> BDC BT /F1 12 Tf 40 200 Td [(Zan) 5 (zibarov)] TJ ET EMC",
)
content(
    "ActualText cut over two marks",
    "BT /F1 12 Tf 40 200 Td /Span <</ActualText (Zanzi)>> BDC (Q) Tj EMC /Span <</ActualText (barov)>> BDC (.) Tj EMC ET",
)
content(
    "ActualText of the rest of a word",
    "BT /F1 12 Tf 40 200 Td (by Z) Tj /Span <</ActualText (anzibarov)>> BDC (.) Tj EMC ET",
)
content("drop cap", line("Z", 180, 40, size=48) + line("anzibarov came", 205, 71) + line("and went", 191, 71))
content(
    "drop cap of two lines",
    line("Z", 191, 40, size=30) + line("anzibarov came", 205, 59) + line("and went", 191, 59),
)
content(
    "drop cap, painted last",
    line("anzibarov came", 205, 71) + line("and went", 191, 71) + line("Z", 180, 40, size=48),
)
content("drop cap after a quotation mark", line("'Z", 180, 40, size=48) + line("anzibarov came", 205, 80))
content("Alt and E in content", f"/Figure <</Alt (Picture of {SECRET}) /E ({SECRET})>> BDC 0 0 5 5 re f EMC")
content("marked point", f"/Point <</Note ({SECRET})>> DP")
content("tag's name", f"/{SECRET} BMC BT /F1 12 Tf 40 200 Td (x) Tj ET EMC")
content("property's name", f"/Span <</{SECRET} 1>> BDC BT /F1 12 Tf 40 200 Td (x) Tj ET EMC")
content(
    "marked content across blocks", f"BT /P <</MCID 0>> BDC /F1 12 Tf 40 200 Td (I saw {SECRET} go) Tj EMC ET"
)


@vector("split over content streams")
def _() -> bytes:
    pdf = new_pdf(VISIBLE)
    parts = [VISIBLE, b"BT /F2 12 Tf 40 200 Td (Zanzi) Tj", b"(barov) Tj ET"]
    pdf.pages[0].obj["/Contents"] = Array([pdf.make_indirect(Stream(pdf, part)) for part in parts])
    return save(pdf)


@prepared("form")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=form(pdf, line(SECRET, 200)))
    draw(pdf, "q /Fm Do Q")


@prepared("form without resources")
def _(pdf: pikepdf.Pdf) -> None:
    inner = form(pdf, line(SECRET, 200))
    del inner["/Resources"]
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=inner)
    draw(pdf, "q /Fm Do Q")


@prepared("form drawn twice")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=form(pdf, line(SECRET, 200)))
    draw(pdf, "q /Fm Do Q q 1 0 0 1 100 -100 cm /Fm Do Q")


@prepared("form in form in form")
def _(pdf: pikepdf.Pdf) -> None:
    current = form(pdf, line(SECRET, 200))
    for _ in range(3):
        outer = form(pdf, b"q /Inner Do Q")
        outer["/Resources"]["/XObject"] = Dictionary(Inner=current)
        current = outer
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=current)
    draw(pdf, "q /Fm Do Q")


@prepared("form that is never drawn")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=form(pdf, line(SECRET, 200)))


@prepared("resource's name")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary({f"/{SECRET}": form(pdf, line("x", 200))})
    draw(pdf, f"q /{SECRET} Do Q")


@prepared("tiling pattern")
def _(pdf: pikepdf.Pdf) -> None:
    cell = form(pdf, line(SECRET, 20, 5), PatternType=1, PaintType=1, TilingType=1, XStep=150, YStep=40)
    del cell["/Subtype"]
    cell["/Type"] = Name.Pattern
    cell["/BBox"] = Array([0, 0, 150, 40])
    pdf.pages[0].obj["/Resources"]["/Pattern"] = Dictionary(P1=cell)
    draw(pdf, "/Pattern cs /P1 scn 0 0 300 200 re f")


def _type3(pdf: pikepdf.Pdf, procedure: bytes, code: str) -> None:
    proc = pdf.make_indirect(Stream(pdf, b"1000 0 d0 " + procedure))
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 1000, 1000]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
        FirstChar=ord(code),
        LastChar=ord(code),
        Widths=Array([1000]),
        CharProcs=Dictionary(glyph=proc),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array([ord(code), Name("/glyph")])),
        Resources=Dictionary(Font=pdf.pages[0].obj["/Resources"]["/Font"]),
    )
    pdf.pages[0].obj["/Resources"]["/Font"]["/T3"] = pdf.make_indirect(font)


@prepared("Type 3 glyph that shows text")
def _(pdf: pikepdf.Pdf) -> None:
    _type3(pdf, b"BT /F1 200 Tf (" + HIDDEN + b") Tj ET", "a")
    draw(pdf, "BT /T3 12 Tf 40 200 Td (a) Tj ET")


@prepared("Type 3 glyph that means the word")
def _(pdf: pikepdf.Pdf) -> None:
    _type3(pdf, b"0 0 750 750 re f", "a")
    text = SECRET.encode("utf-16-be").hex()
    cmap = f"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <{text}> endbfchar"
    pdf.pages[0].obj["/Resources"]["/Font"]["/T3"]["/ToUnicode"] = pdf.make_indirect(
        Stream(pdf, cmap.encode())
    )
    draw(pdf, "BT /T3 12 Tf 40 200 Td (a) Tj ET")


@prepared("soft mask")
def _(pdf: pikepdf.Pdf) -> None:
    group = form(pdf, line(SECRET, 200), Group=Dictionary(S=Name.Transparency, CS=Name.DeviceGray))
    mask = Dictionary(Type=Name.ExtGState, SMask=Dictionary(Type=Name.Mask, S=Name.Luminosity, G=group))
    pdf.pages[0].obj["/Resources"]["/ExtGState"] = Dictionary(GS=pdf.make_indirect(mask))
    draw(pdf, "q /GS gs 0 0 1 rg 0 0 300 240 re f Q")


@prepared("composite font")
def _(pdf: pikepdf.Pdf) -> None:
    font, codes = composite_font(pdf)
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    draw(pdf, f"BT /C1 12 Tf 40 200 Td <{coded('by ' + SECRET + ' again', codes)}> Tj ET")


@prepared("composite font without ToUnicode")
def _(pdf: pikepdf.Pdf) -> None:
    font, codes = composite_font(pdf, unicode=False)
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    draw(pdf, f"BT /C1 12 Tf 40 200 Td <{coded(SECRET, codes)}> Tj ET")


@prepared("predefined Chinese map")
def _(pdf: pikepdf.Pdf) -> None:
    child = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType0,
        BaseFont=Name("/STSong-Light"),
        CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="GB1", Supplement=4),
    )
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name("/STSong-Light"),
        Encoding=Name("/UniGB-UTF16-H"),
        DescendantFonts=Array([pdf.make_indirect(child)]),
    )
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = pdf.make_indirect(font)
    draw(pdf, f"BT /C1 12 Tf 40 200 Td <{SECRET.encode('utf-16-be').hex()}> Tj ET")


@prepared("vertical writing")
def _(pdf: pikepdf.Pdf) -> None:
    font, codes = composite_font(pdf)
    font["/Encoding"] = Name("/Identity-V")
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    draw(pdf, f"BT /C1 12 Tf 40 200 Td <{coded(SECRET, codes)}> Tj ET")


@prepared("hidden layer")
def _(pdf: pikepdf.Pdf) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("notes")))
    pdf.Root["/OCProperties"] = Dictionary(
        OCGs=Array([layer]), D=Dictionary(OFF=Array([layer]), Order=Array([layer]))
    )
    pdf.pages[0].obj["/Resources"]["/Properties"] = Dictionary(L1=layer)
    draw(
        pdf,
        f"/OC /L1 BDC BT /F1 12 Tf 40 200 Td ({SECRET}) Tj ET EMC BT /OC /L1 BDC /F1 12 Tf 40 180 Td ({SECRET}) Tj EMC ET",
    )


@prepared("layer's name")
def _(pdf: pikepdf.Pdf) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(f"{SECRET} only")))
    pdf.Root["/OCProperties"] = Dictionary(OCGs=Array([layer]), D=Dictionary(Order=Array([layer])))


@prepared("named property list")
def _(pdf: pikepdf.Pdf) -> None:
    listed = pdf.make_indirect(Dictionary(ActualText=String(SECRET), Alt=String(SECRET)))
    pdf.pages[0].obj["/Resources"]["/Properties"] = Dictionary(P1=listed)
    draw(pdf, "/Span /P1 BDC BT /F1 12 Tf 40 200 Td (Z.) Tj ET EMC")


@prepared("structure tree")
def _(pdf: pikepdf.Pdf) -> None:
    element = pdf.make_indirect(
        Dictionary(
            Type=Name.StructElem,
            S=Name.P,
            Alt=String(SECRET),
            ActualText=String(SECRET),
            E=String(SECRET),
            T=String(f"about {SECRET}"),
            ID=String(SECRET),
            A=Dictionary(O=Name.Table, Summary=String(SECRET)),
        )
    )
    pdf.Root["/StructTreeRoot"] = pdf.make_indirect(
        Dictionary(
            Type=Name.StructTreeRoot,
            K=element,
            RoleMap=Dictionary({f"/{SECRET}": Name.P}),
            IDTree=Dictionary(Names=Array([String(SECRET), element])),
        )
    )


@prepared("user properties and unknown attributes")
def _(pdf: pikepdf.Pdf) -> None:
    listed = Dictionary(
        O=Name.UserProperties, P=Array([Dictionary(N=String(SECRET), V=String(SECRET), F=String(SECRET))])
    )
    element = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, A=listed))
    pdf.Root["/StructTreeRoot"] = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=element))


@prepared("comment and its popup")
def _(pdf: pikepdf.Pdf) -> None:
    note = annotate(
        pdf,
        Subtype=Name.Text,
        Contents=String(f"ask {SECRET}"),
        T=String(SECRET),
        Subj=String(SECRET),
        NM=String(SECRET),
        RC=String(f"<body><p>Zanzi<b>barov</b> {SECRET}</p></body>"),
        M=String(SECRET),
    )
    popup = annotate(pdf, Subtype=Name.Popup, Parent=note, Contents=String(SECRET))
    note["/Popup"] = popup


@prepared("reply")
def _(pdf: pikepdf.Pdf) -> None:
    note = annotate(pdf, Subtype=Name.Text, Contents=String("see reply"))
    annotate(pdf, Subtype=Name.Text, IRT=note, State=String(SECRET), StateModel=String("Review"))


@prepared("appearance")
def _(pdf: pikepdf.Pdf) -> None:
    annotate(
        pdf, Subtype=Name.Stamp, AP=Dictionary(N=form(pdf, line(SECRET, 200)), D=form(pdf, line(SECRET, 100)))
    )


@prepared("half on the page, half in an annotation")
def _(pdf: pikepdf.Pdf) -> None:
    half = form(pdf, line("barov", 3, 0, font="F2"))
    half["/BBox"] = Array([0, 0, 100, 20])
    annotate(pdf, Subtype=Name.FreeText, Contents=String("x"), AP=Dictionary(N=half)).Rect = Array(
        [76, 197, 176, 217]
    )
    draw(pdf, "BT /F2 12 Tf 40 200 Td (Zanzi) Tj ET")


@prepared("appearance states")
def _(pdf: pikepdf.Pdf) -> None:
    states = Dictionary({f"/{SECRET}": form(pdf, line(SECRET, 200)), "/Off": form(pdf, line("x", 200))})
    annotate(
        pdf, Subtype=Name.Widget, FT=Name.Btn, T=String("b"), AS=Name(f"/{SECRET}"), AP=Dictionary(N=states)
    )


@prepared("free text")
def _(pdf: pikepdf.Pdf) -> None:
    annotate(
        pdf,
        Subtype=Name.FreeText,
        Contents=String(SECRET),
        DA=String(f"% {SECRET}\n/Helv 12 Tf 0 g"),
        DS=String(f"font: {SECRET}"),
        RC=String(SECRET),
    )


@prepared("link address")
def _(pdf: pikepdf.Pdf) -> None:
    annotate(pdf, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String(f"mailto:{SECRET}@example.org")))


@prepared("link over the word")
def _(pdf: pikepdf.Pdf) -> None:
    annotate(
        pdf, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String(f"https://example.org/{SECRET.lower()}/"))
    )


@prepared("launch and remote actions")
def _(pdf: pikepdf.Pdf) -> None:
    annotate(pdf, Subtype=Name.Link, A=Dictionary(S=Name.Launch, F=String(f"/home/{SECRET}/a.exe")))
    annotate(pdf, Subtype=Name.Link, A=Dictionary(S=Name.GoToR, F=String(f"{SECRET}.pdf"), D=String(SECRET)))
    annotate(pdf, Subtype=Name.Link, A=Dictionary(S=Name.SubmitForm, F=String(f"http://{SECRET}/")))


@prepared("bookmarks")
def _(pdf: pikepdf.Pdf) -> None:
    item = pdf.make_indirect(Dictionary(Title=String(f"On {SECRET}")))
    root = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=item, Last=item, Count=1))
    item["/Parent"] = root
    pdf.Root["/Outlines"] = root


@prepared("named destinations")
def _(pdf: pikepdf.Pdf) -> None:
    place = Array([pdf.pages[0].obj, Name.Fit])
    pdf.Root["/Names"] = Dictionary(Dests=Dictionary(Names=Array([String(SECRET), place])))
    pdf.Root["/Dests"] = Dictionary({f"/{SECRET}": place})
    annotate(pdf, Subtype=Name.Link, Dest=String(SECRET))
    annotate(pdf, Subtype=Name.Link, A=Dictionary(S=Name.GoTo, D=Name(f"/{SECRET}")))


@prepared("page labels")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.Root["/PageLabels"] = Dictionary(Nums=Array([0, Dictionary(P=String(f"{SECRET}-"), S=Name.D)]))


@prepared("form fields")
def _(pdf: pikepdf.Pdf) -> None:
    text = annotate(
        pdf,
        Subtype=Name.Widget,
        FT=Name.Tx,
        T=String(f"name of {SECRET}"),
        TU=String(SECRET),
        TM=String(SECRET),
        V=String(SECRET),
        DV=String(SECRET),
        RV=String(f"<p>{SECRET}</p>"),
        AP=Dictionary(N=form(pdf, line(SECRET, 50))),
        MK=Dictionary(CA=String(SECRET), AC=String(SECRET)),
    )
    choice = annotate(
        pdf,
        Subtype=Name.Widget,
        FT=Name.Ch,
        T=String("c"),
        Opt=Array([String(SECRET), Array([String("a"), String(SECRET)])]),
        V=Array([String(SECRET)]),
    )
    hidden = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("h"), V=String(SECRET)))
    long = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("s"), V=pdf.make_indirect(String(SECRET))))
    pdf.Root["/AcroForm"] = Dictionary(
        Fields=Array([text, choice, hidden, long]),
        DA=String(f"({SECRET}) Tj /Helv 0 Tf"),
        XFA=Array([String("datasets"), pdf.make_indirect(Stream(pdf, f"<x>{SECRET}</x>".encode()))]),
    )


@prepared("field value in a stream")
def _(pdf: pikepdf.Pdf) -> None:
    field = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("s"), V=pdf.make_indirect(Stream(pdf, HIDDEN))))
    pdf.Root["/AcroForm"] = Dictionary(Fields=Array([field]))


@prepared("signature")
def _(pdf: pikepdf.Pdf) -> None:
    value = Dictionary(
        Type=Name.Sig,
        Filter=Name("/Adobe.PPKLite"),
        Name=String(SECRET),
        Reason=String(SECRET),
        ByteRange=Array([0, 1, 2, 3]),
        Contents=String(HIDDEN),
        Location=String(SECRET),
    )
    field = annotate(pdf, Subtype=Name.Widget, FT=Name.Sig, T=String("s"), V=pdf.make_indirect(value))
    pdf.Root["/AcroForm"] = Dictionary(Fields=Array([field]), SigFlags=3)
    pdf.Root["/Perms"] = Dictionary(DocMDP=value)


@prepared("JavaScript")
def _(pdf: pikepdf.Pdf) -> None:
    script = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{SECRET}')"))
    long = Dictionary(S=Name.JavaScript, JS=pdf.make_indirect(Stream(pdf, f"var a='{SECRET}'".encode())))
    pdf.Root["/Names"] = Dictionary(JavaScript=Dictionary(Names=Array([String(SECRET), script])))
    pdf.Root["/OpenAction"] = script
    pdf.Root["/AA"] = Dictionary(WC=long)
    pdf.pages[0].obj["/AA"] = Dictionary(O=script)
    annotate(
        pdf,
        Subtype=Name.Link,
        A=Dictionary(S=Name.URI, URI=String("http://example.org"), Next=Array([script])),
    )


def _file(pdf: pikepdf.Pdf) -> pikepdf.Object:
    stream = pdf.make_indirect(Stream(pdf, f"dear {SECRET}".encode()))
    stream["/Type"] = Name.EmbeddedFile
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Filespec,
            F=String(f"{SECRET}.txt"),
            UF=String(f"{SECRET}.txt"),
            Desc=String(SECRET),
            EF=Dictionary(F=stream),
        )
    )


@prepared("attachments")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.Root["/Names"] = Dictionary(EmbeddedFiles=Dictionary(Names=Array([String(SECRET), _file(pdf)])))
    pdf.Root["/AF"] = Array([_file(pdf)])
    pdf.pages[0].obj["/AF"] = Array([_file(pdf)])
    annotate(pdf, Subtype=Name.FileAttachment, FS=_file(pdf), Contents=String("attached"))


@prepared("sound, movie, screen and rich media")
def _(pdf: pikepdf.Pdf) -> None:
    sound = pdf.make_indirect(Stream(pdf, HIDDEN))
    annotate(pdf, Subtype=Name.Sound, Sound=sound)
    annotate(pdf, Subtype=Name.Movie, Movie=Dictionary(F=_file(pdf)), T=String(SECRET))
    annotate(pdf, Subtype=Name.Screen, A=Dictionary(S=Name.Rendition, R=Dictionary(N=String(SECRET))))
    annotate(
        pdf,
        Subtype=Name.RichMedia,
        RichMediaContent=Dictionary(Assets=Dictionary(Names=Array([String(SECRET), _file(pdf)]))),
    )


@prepared("thumbnail")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj["/Thumb"] = image(pdf, 10, 1, HIDDEN)


@prepared("document information")
def _(pdf: pikepdf.Pdf) -> None:
    keys = ["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "Company", "SourceModified"]
    pdf.trailer["/Info"] = Dictionary(
        {f"/{key}": String(f"by {SECRET}") for key in keys} | {f"/{SECRET}": String("x")}
    )


def _xmp(pdf: pikepdf.Pdf) -> pikepdf.Object:
    stream = pdf.make_indirect(
        Stream(pdf, f"<x:xmpmeta><dc:creator>{SECRET}</dc:creator></x:xmpmeta>".encode())
    )
    stream["/Type"], stream["/Subtype"] = Name.Metadata, Name.XML
    return stream


@prepared("XMP")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.Root["/Metadata"] = _xmp(pdf)
    pdf.pages[0].obj["/Metadata"] = _xmp(pdf)
    picture = image(pdf, 1, 1, b"\0", Metadata=_xmp(pdf))
    inner = form(pdf, line("x", 200), Metadata=_xmp(pdf))
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=picture, Fm=inner)
    draw(pdf, "q 1 0 0 1 0 0 cm /Im Do Q /Fm Do")


@prepared("private data")
def _(pdf: pikepdf.Pdf) -> None:
    private = Dictionary(App=Dictionary(LastModified=String("D:2020"), Private=String(SECRET)))
    pdf.Root["/PieceInfo"] = private
    pdf.pages[0].obj["/PieceInfo"] = private
    pdf.Root["/MyCompany_Data"] = Dictionary(Owner=String(SECRET))
    pdf.pages[0].obj["/Custom"] = pdf.make_indirect(Stream(pdf, HIDDEN))
    pdf.Root["/SpiderInfo"] = Dictionary(V=1, C=Array([Dictionary(U=String(f"http://{SECRET}"))]))
    pdf.Root["/Collection"] = Dictionary(Schema=Dictionary(Field=Dictionary(N=String(SECRET))))
    pdf.Root["/Legal"] = Dictionary(Attestation=String(SECRET))
    pdf.Root["/Extensions"] = Dictionary({f"/{SECRET}": Dictionary(BaseVersion=Name("/1.7"))})


@prepared("article threads")
def _(pdf: pikepdf.Pdf) -> None:
    thread = pdf.make_indirect(Dictionary(I=Dictionary(Title=String(SECRET), Author=String(SECRET))))
    bead = pdf.make_indirect(Dictionary(T=thread, P=pdf.pages[0].obj, R=Array([0, 0, 1, 1])))
    thread["/F"] = bead
    bead["/N"] = bead["/V"] = bead
    pdf.Root["/Threads"] = Array([thread])
    pdf.pages[0].obj["/B"] = Array([bead])


@prepared("language")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.Root["/Lang"] = String(SECRET)


@prepared("output intent")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.Root["/OutputIntents"] = Array(
        [Dictionary(S=Name.GTS_PDFA1, OutputCondition=String(SECRET), Info=String(SECRET))]
    )


@prepared("template pages")
def _(pdf: pikepdf.Pdf) -> None:
    page = pdf.make_indirect(Dictionary(Type=Name.Template, Contents=Stream(pdf, line(SECRET))))
    pdf.Root["/Names"] = Dictionary(Templates=Dictionary(Names=Array([String("t"), page])))


@vector("page that was deleted but is still linked to")
def _() -> bytes:
    pdf = new_pdf(VISIBLE, line(SECRET, 200))
    gone = pdf.pages[1].obj
    annotate(pdf, Subtype=Name.Link, Dest=Array([gone, Name.Fit]))
    del pdf.pages[1]
    return save(pdf)


@vector("previous revision")
def _() -> bytes:
    first = save(new_pdf(VISIBLE + line(SECRET, 100)), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    start = int(re.findall(rb"startxref\s+(\d+)", first)[-1])
    with pikepdf.open(io.BytesIO(first)) as old:
        number, _ = old.pages[0].obj["/Contents"].objgen
        size = int(old.trailer["/Size"])
        root = old.Root.objgen[0]
    body = VISIBLE + b" " * 5
    update = b"%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n" % (number, len(body), body)
    table = (
        b"xref\n%d 1\n%010d 00000 n \ntrailer\n<</Size %d /Root %d 0 R /Prev %d>>\nstartxref\n%d\n%%%%EOF\n"
        % (
            number,
            len(first) + 1,
            size,
            root,
            start,
            len(first) + 1 + len(update),
        )
    )
    return first + b"\n" + update + table


@vector("orphaned objects and bytes between objects")
def _() -> bytes:
    data = save(new_pdf(VISIBLE), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    orphan = b"\n% " + HIDDEN + b"\n900 0 obj (" + HIDDEN + b") endobj\n"
    return data.replace(b"\nxref", orphan + b"\nxref", 1) + b"\n%" + HIDDEN


@vector("encrypted with an empty password")
def _() -> bytes:
    pdf = new_pdf(VISIBLE + line(SECRET, 100))
    pdf.trailer["/Info"] = Dictionary(Title=String(SECRET))
    return save(pdf, encryption=pikepdf.Encryption(user="", owner="owner"))


@prepared("bytes behind a compressed stream")
def _(pdf: pikepdf.Pdf) -> None:
    packed = zlib.compress(VISIBLE) + b"\n(" + HIDDEN + b") Tj"
    stream = pdf.make_indirect(Stream(pdf, b""))
    stream.write(packed, filter=Name.FlateDecode)
    pdf.pages[0].obj["/Contents"] = stream


@prepared("odd filters")
def _(pdf: pikepdf.Pdf) -> None:
    stream = pdf.make_indirect(Stream(pdf, b""))
    stream.write((VISIBLE + line(SECRET, 100)).hex().encode() + b">" + HIDDEN, filter=Name.ASCIIHexDecode)
    pdf.pages[0].obj["/Contents"] = stream


def _jpeg() -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(buffer, "JPEG", comment=HIDDEN, exif=_exif())
    return buffer.getvalue()


def _exif() -> Any:
    from PIL import Image

    exif = Image.Exif()
    exif[0x013B] = SECRET
    return exif


@prepared("metadata inside a JPEG")
def _(pdf: pikepdf.Pdf) -> None:
    picture = image(pdf, 16, 16, b"", ColorSpace=Name.DeviceRGB)
    picture.write(_jpeg(), filter=Name.DCTDecode)
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=picture)
    draw(pdf, "q 16 0 0 16 40 40 cm /Im Do Q")


@prepared("OCR layer over a scan")
def _(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=image(pdf, 400, 300, b"\xff" * 120_000))
    draw(pdf, f"q 400 0 0 300 0 0 cm /Im Do Q BT /F1 12 Tf 3 Tr 40 200 Td (scanned by {SECRET}) Tj ET")


@prepared("alternate image")
def _(pdf: pikepdf.Pdf) -> None:
    other = image(pdf, 10, 1, HIDDEN)
    picture = image(pdf, 1, 1, b"\0", Alternates=Array([Dictionary(Image=other)]))
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=picture)
    draw(pdf, "q 5 0 0 5 0 0 cm /Im Do Q")


@prepared("comments in functions and character maps")
def _(pdf: pikepdf.Pdf) -> None:
    function = Stream(pdf, f"{{ % {SECRET}\n dup }}".encode())
    function["/FunctionType"] = 4
    function["/Domain"], function["/Range"] = Array([0, 1]), Array([0, 1, 0, 1])
    space = Array([Name.Separation, Name.Spot, Name.DeviceGray, pdf.make_indirect(function)])
    pdf.pages[0].obj["/Resources"]["/ColorSpace"] = Dictionary(CS=space)
    font, codes = composite_font(pdf)
    font["/ToUnicode"].write(font["/ToUnicode"].read_bytes() + f"\nbegincmap % {SECRET}\n".encode())
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    draw(pdf, f"/CS cs 1 scn BT /C1 12 Tf 40 200 Td <{coded('abc', codes)}> Tj ET")


@prepared("character set of a font")
def _(pdf: pikepdf.Pdf) -> None:
    font, codes = composite_font(pdf)
    font["/DescendantFonts"][0]["/FontDescriptor"]["/CharSet"] = String(SECRET)
    font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFamily"] = String(SECRET)
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    draw(pdf, f"BT /C1 12 Tf 40 200 Td <{coded('abc', codes)}> Tj ET")


@prepared("names of a TrueType font")
def _(pdf: pikepdf.Pdf) -> None:
    from fontTools.ttLib import TTFont

    font, codes = composite_font(pdf)
    program = TTFont(io.BytesIO(build.vera()))
    program["name"].setName(f"Made for {SECRET}", 0, 1, 0, 0)
    program["name"].setName(f"Made for {SECRET}", 0, 3, 1, 0x409)
    buffer = io.BytesIO()
    program.save(buffer)
    font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFile2"].write(buffer.getvalue())
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    draw(pdf, f"BT /C1 12 Tf 40 200 Td <{coded('abc', codes)}> Tj ET")


@prepared("words in a colour profile")
def _(pdf: pikepdf.Pdf) -> None:
    data = bytearray(profile(f"made by {SECRET} himself".encode()))
    data[36:40] = b"acsp"
    stream = pdf.make_indirect(Stream(pdf, bytes(data)))
    stream["/N"] = 3
    pdf.pages[0].obj["/Resources"]["/ColorSpace"] = Dictionary(CS=Array([Name.ICCBased, stream]))
    draw(pdf, "/CS cs 0 0 1 sc 10 10 20 20 re f")


@prepared("colours of a picture")
def _(pdf: pikepdf.Pdf) -> None:
    colours = String(b"\0\0" + HIDDEN)
    picture = image(pdf, 2, 2, b"\0\1\2\0", ColorSpace=Array([Name.Indexed, Name.DeviceRGB, 3, colours]))
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=picture)
    draw(pdf, "q 50 0 0 50 100 100 cm /Im Do Q")


def _type1(pdf: pikepdf.Pdf, clear_text: str) -> None:
    """Draws with a Type 1 font whose program begins with this text."""
    program = (
        f"%!PS-AdobeFont-1.0: Mine\n{clear_text}\n".encode() + b"currentfile eexec " + bytes(range(256)) * 4
    )
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name.Mine,
        Flags=32,
        FontFile=pdf.make_indirect(Stream(pdf, program)),
    )
    font = pdf.pages[0].obj["/Resources"]["/Font"]["/F2"]
    font["/FontDescriptor"] = pdf.make_indirect(descriptor)
    draw(pdf, "BT /F2 12 Tf 40 200 Td (abc) Tj ET")


@prepared("words in a Type 1 font")
def _(pdf: pikepdf.Pdf) -> None:
    _type1(pdf, f"/FontInfo 2 dict dup begin /Notice (for {SECRET}) readonly def end")


@prepared("comment of a Type 1 font")
def _(pdf: pikepdf.Pdf) -> None:
    _type1(pdf, f"% by {SECRET}\n/FontInfo 2 dict dup begin /Notice (mine) readonly def end")


def sightings(data: bytes) -> tuple[Leakage, ...]:
    """Where the attack sees the secret."""
    return search([Removed(SECRET, "X")], extract(data), Document("x.pdf", "pdf", ""))


def everything(data: bytes) -> bytes:
    """The whole file unpacked, strings and names decoded: nothing may hide in it under any key."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        chunks: list[bytes] = []
        for obj in pdf.objects:
            if isinstance(obj, Stream):
                chunks += [obj.stream_dict.unparse(), obj.read_raw_bytes()]
                if obj.get("/Filter") in (None, Name.FlateDecode):
                    chunks.append(obj.read_bytes())
            elif isinstance(obj, pikepdf.Object):
                chunks.append(obj.unparse(resolved=True))
        whole = b"\n".join(chunks) + data
    utf16 = SECRET.encode("utf-16-be")
    return whole.replace(utf16, HIDDEN).replace(utf16.hex().encode(), HIDDEN).replace(HEX.encode(), HIDDEN)


@pytest.mark.parametrize("name", VECTORS)
def test_nothing_is_left(name: str) -> None:
    data = VECTORS[name]()
    document = PDF().read(data, "x.pdf")
    edits = build.deny(document, SECRET)
    released = PDF().write(document, edits)
    planned = Alignment(tuple(edits)).planned(document)
    leaks = search([Removed(SECRET, "X")], extract(released), planned)
    if name in STOPPED:
        assert leaks, "nothing stops the release"
        return
    assert leaks == ()
    assert HIDDEN.lower() not in everything(released).lower()
    again = PDF().read(released, "x.pdf")
    assert SECRET.casefold() not in again.text.casefold()
    assert "Report about [X] and others." in again.text


@pytest.mark.parametrize("name", VECTORS)
def test_the_secret_is_there_to_begin_with(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each vector alone, without the visible line, shows the secret to the attack or to the eye below."""
    monkeypatch.setitem(globals(), "VISIBLE", line("Report about nobody.", y=270))
    data = VECTORS[name]()
    seen = sightings(data) or SECRET in PDF().read(data, "x.pdf").text
    assert seen or HIDDEN.lower() in everything(data).lower()


def test_the_attack_sees_most_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "VISIBLE", line("Report about nobody.", y=270))
    blind = {name for name in VECTORS if not sightings(VECTORS[name]())}
    assert blind == BLIND


def test_number_of_vectors(record_property: Callable[[str, object], None]) -> None:
    record_property("count", f"PDF: {len(VECTORS)} vectors, {len(STOPPED)} refused, the rest clean")
    assert len(VECTORS) >= 80


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler's pdftotext is not installed")
def test_poppler_finds_nothing(tmp_path: Path) -> None:
    for name, make in VECTORS.items():
        if name in STOPPED:
            continue
        document = PDF().read(make(), "x.pdf")
        target = tmp_path / "out.pdf"
        target.write_bytes(PDF().write(document, build.deny(document, SECRET)))
        text = subprocess.run(["pdftotext", str(target), "-"], capture_output=True, check=True).stdout
        assert SECRET.encode() not in text, name


def test_refusals_are_errors_of_ours() -> None:
    with pytest.raises(EffaceError):
        PDF().read(b"%PDF-1.7 nothing", "x.pdf")


@pytest.mark.parametrize("shown", ["x", f"{SECRET}Whitcombe"])
def test_a_name_of_several_words_goes_with_the_denied_one(
    shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kinds of paragraphs that a producer names: "ZanzibarovPara", "OfZanzibarov1"."""
    monkeypatch.setitem(
        globals(), "VISIBLE", line("Report about nobody.", y=270) if SECRET in shown else VISIBLE
    )
    pdf = new_pdf(VISIBLE)
    kind = Name(f"/{SECRET}Para")
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, RoleMap=Dictionary({str(kind): Name.P})))
    element = Dictionary(Type=Name.StructElem, S=kind, P=root, Pg=pdf.pages[0].obj, K=0)
    root["/K"] = pdf.make_indirect(element)
    pdf.Root["/StructTreeRoot"] = root
    draw(pdf, f"{kind} <</MCID 0>> BDC BT /F1 12 Tf 40 200 Td ({shown}) Tj ET EMC /Of{SECRET}1 MP")
    policy = f"efface: 1\nfind: {{names: none, deny: [{SECRET}]}}\n"
    report = Sanitizer.from_text(policy).sanitize(save(pdf), name="x.pdf")
    assert report.verdict is Verdict.HELD and report.released is not None
    assert HIDDEN.lower() not in everything(report.released).lower()


BROKEN_OVER_LINES = {
    "column painted row by row": "20 200 Td (a man Zanzi) Tj 200 0 Td (other) Tj -200 -14 Td (barov went) Tj",
    "last line painted first": "20 186 Td (barov went) Tj 0 -50 Td (footer) Tj 0 64 Td (a man Zanzi) Tj",
    "another box between": "20 200 Td (Zanzi) Tj 0 -30 Td (other words) Tj 80 30 Td (barov) Tj",
    "in capitals": "20 200 Td (ZANZI) Tj 200 0 Td (other) Tj -200 -14 Td (BAROV) Tj",
    "turned": "0 1 -1 0 80 20 Tm (Zanzi) Tj 0 1 -1 0 80 150 Tm (other) Tj 0 1 -1 0 94 20 Tm (barov) Tj",
    "centred": "60 200 Td (a long line that has Zanzi) Tj 230 0 Td (other) Tj -130 -14 Td (barov went) Tj",
}


@pytest.mark.parametrize("name", BROKEN_OVER_LINES)
def test_a_word_broken_over_lines_goes_in_whatever_order_they_are_painted(name: str) -> None:
    data = save(new_pdf(f"BT /F1 12 Tf {BROKEN_OVER_LINES[name]} ET".encode()))
    assert search([Removed(SECRET, "X")], extract(data), Document("x.pdf", "pdf", ""))
    policy = f"efface: 1\nfind: {{deny: [{SECRET}], names: none, patterns: none}}\n"
    report = Sanitizer.from_text(policy).sanitize(data, name="x.pdf")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    shown = PDF().read(report.released, "x.pdf").text.casefold()
    assert "zanzi" not in shown
    assert "barov" not in shown
