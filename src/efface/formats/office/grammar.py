"""What the OOXML vocabularies mean for a reader of text, as tables. Word, sheet and slide share them."""

from __future__ import annotations

from collections.abc import Mapping

from efface.formats.office.namespaces import NAMESPACES, tag, tags

# Elements whose text belongs to the paragraph they stand in.
RUN_TEXT = tags("w:t w:delText a:t m:t")
# Elements whose text is a line of its own, in reading order.
LINE_TEXT = tags("c:v cx:pt cx:v")
PARAGRAPHS = tags("w:p a:p")
# Elements that show a character; an edit of the character removes them.
CHARACTERS = {
    name: char
    for names, char in (
        ("w:tab w:ptab", "\t"),
        ("w:br w:cr a:br", "\n"),
        ("w:noBreakHyphen", "\u2011"),
        ("w:softHyphen", "\u00ad"),
    )
    for name in tags(names)
}
SYMBOLS = tags("w:sym")
FIELD_CODES = tags("w:instrText w:delInstrText")
FIELD_MARKS = tags("w:fldChar")
# Content that is inside a paragraph without being read there, and the stream that shows it.
ASIDES = {
    name: stream for names, stream in (("mc:Fallback", "fallback"), ("w:rt", "ruby")) for name in tags(names)
}
# Content of tracked changes. The same names as empty marks in a paragraph's properties concern its end.
INSERTED = tags("w:ins w:moveTo")
DELETED = tags("w:del w:moveFrom")
HIDING = tags("w:vanish w:specVanish w:webHidden")
FAINT = tags("w:color w:sz")  # properties that can make a run invisible: white, or too small to be read
PARAGRAPH_PROPERTIES = tags("w:pPr")
STYLED = tags("w:rStyle w:pStyle")
FRAMES = tags("w:framePr")
TABLE_CELLS = tags("w:tc a:tc")
TABLE_ROWS = tags("w:tr a:tr")

# Without one of these a part has nothing to be read in order.
SPOKEN = RUN_TEXT | LINE_TEXT | FIELD_CODES | SYMBOLS
FLOW = frozenset().union(
    RUN_TEXT, LINE_TEXT, PARAGRAPHS, CHARACTERS, SYMBOLS, FIELD_CODES, FIELD_MARKS, ASIDES, INSERTED, DELETED,
    HIDING, FRAMES, TABLE_CELLS, TABLE_ROWS,
)  # fmt: skip

# Elements whose text is a formula: an edit of it leaves no formula.
FORMULAS = tags(
    "c:f cx:f xm:f x:f x:formula x:formula1 x:formula2 x:definedName "
    "x:calculatedColumnFormula x:totalsRowFormula c15:f c15:sqref"
)

# Elements whose text is a position or a setting, unless it looks otherwise.
MEASURES = frozenset(
    "posOffset align pctWidth pctHeight pctPosHOffset pctPosVOffset col row colOff rowOff x y formatCode".split()
)
MEASURING = frozenset((NAMESPACES["vx"],))

# Elements that name fonts, and kinds of parts that hold nothing but themes, fonts and styles.
FONTS = tags(
    "a:font a:latin a:ea a:cs a:sym a:buFont w:rFonts w:font w:altName w:sym x:rFont x:name x:font "
    "style:font-face style:text-properties"
)
STYLE_PARTS = (
    "theme",
    "themeoverride",
    "fonttable",
    "styles",
    "tablestyles",
    "chartstyle",
    "chartcolorstyle",
)


def names_style(attribute: str) -> bool:
    """Whether an OpenDocument attribute names a style or a font."""
    return attribute.endswith(("style-name", "font-name", "font-family")) or attribute == tag("style:name")


_ALT_TEXT = "descr title"
# Attributes that hold words whatever their value looks like, by element, with the stream that shows them.
_FREE_TEXT = (
    ("alt text", "wp:docPr pic:cNvPr a:cNvPr p:cNvPr xdr:cNvPr wps:cNvPr wpg:cNvPr dsp:cNvPr cdr:cNvPr", _ALT_TEXT),
    ("alt text", "w:tblCaption w:tblDescription", "w:val"),
    ("alt text", "v:shape v:rect v:oval v:line v:group v:image v:roundrect v:polyline", "alt title href"),
    ("alt text", "v:imagedata v:fill", "o:title title o:href src"),
    ("word art", "v:textpath", "string"),
    ("content control", "w:alias w:tag w:listItem", "w:val w:displayText w:value"),
    ("form field", "w:default w:helpText w:statusText w:listEntry w:entryMacro w:exitMacro", "w:val"),
    ("bookmark", "w:bookmarkStart", "w:name"),
    ("link", "w:hyperlink", "w:anchor w:tooltip w:docLocation w:tgtFrame"),
    ("link", "a:hlinkClick a:hlinkHover a:hlinkMouseOver", "tooltip action tgtFrame"),
    ("field code", "w:fldSimple", "w:instr"),
    ("caption", "w:caption w:category w:description", "w:name w:val"),
    ("name", "p14:section p:custShow p:tag", "name val"),
    ("name", "x:sheetPr x:workbookPr", "codeName"),
    ("name", "x:cacheField x:pivotField x:dataField x:cacheHierarchy x:pivotHierarchy", "name caption formula"),
    ("name", "x:pivotTableDefinition", "name dataCaption rowHeaderCaption colHeaderCaption grandTotalCaption tag"),
    ("name", "x:customSheetView x:protectedRange x:scenario x:xmlColumnPr", "name comment user xpath"),
    ("name", "x:sheetName", "val"),
    ("link", "x:hyperlink", "tooltip display"),
    ("validation", "x:dataValidation x14:dataValidation", "prompt promptTitle error errorTitle"),
    ("filter", "x:filter x:customFilter x:inputCells x:cfRule", "val text"),
    ("pivot cache", "x:s x:e", "v c"),
    ("pivot item", "x:item", "n"),
    ("property", "x:definedName", "comment description help statusBar customMenu shortcutKey"),
)  # fmt: skip
# Names that are shown unless an office program gave them; the same name everywhere is one line of the text.
NAMED = "names"
_NAMES = (
    (NAMED, "w:style", "w:styleId"),
    (NAMED, "w:name w:aliases w:basedOn w:next w:link w:pStyle w:rStyle w:tblStyle", "w:val"),
    (NAMED, "w:numStyleLink w:styleLink w:docPart w:docPartGallery", "w:val"),
    (NAMED, "w:lsdException", "w:name"),
    (
        NAMED,
        "x:cellStyle p:cSld x:tableStyle x:tableStyleInfo a:theme a:clrScheme a:fontScheme a:fmtScheme",
        "name",
    ),
)
# Names and the like that are shown when they hold a long number, or something else that is no structure.
NUMBERED = "numbered"
_NUMBERED = (
    (
        NUMBERED,
        "wp:docPr pic:cNvPr a:cNvPr p:cNvPr xdr:cNvPr wps:cNvPr wpg:cNvPr dsp:cNvPr cdr:cNvPr",
        "name",
    ),
    (NUMBERED, "w:lvlText x:cfvo", "w:val val"),
    (NUMBERED, "w:permStart", "w:ed"),
)
_MOMENTS = (("content control", "w:date", "w:fullDate"), ("pivot cache", "x:d", "v c"))
_NUMBERS = (("pivot cache", "x:n", "v c"),)
# Numbers kept beside the data, which go when they are edited: nothing needs them.
_DISCARDED = (
    ("pivot cache", "x:sharedItems", "minValue maxValue minDate maxDate"),
)  # fmt: skip


def _attribute(name: str) -> frozenset[str]:
    return tags(name) if ":" in name else frozenset((name,))


def free_text(rows: tuple[tuple[str, str, str], ...], codec: str) -> dict[str, dict[str, tuple[str, str]]]:
    """{element: {attribute: (stream, codec)}} of a table of rows."""
    table: dict[str, dict[str, tuple[str, str]]] = {}
    for stream, elements, attributes in rows:
        for element in tags(elements):
            for attribute in attributes.split():
                for name in _attribute(attribute):
                    kind = {"link": "url", "field code": "code"}.get(stream, codec)
                    table.setdefault(element, {})[name] = (stream, kind)
    return table


FreeTextTable = Mapping[str, Mapping[str, tuple[str, str]]]


def merged(*tables: FreeTextTable) -> FreeTextTable:
    """Tables of free text joined, attribute by attribute; the later ones win."""
    result: dict[str, dict[str, tuple[str, str]]] = {}
    for table in tables:
        for element, attributes in table.items():
            result.setdefault(element, {}).update(attributes)
    return result


FREE_TEXT = merged(
    free_text(_FREE_TEXT, "plain"),
    free_text(_DISCARDED, "discard"),
    free_text((*_NAMES, *_NUMBERED), "plain"),
    free_text(_MOMENTS, "moment"),
    free_text(_NUMBERS, "number"),
)
RELATIONSHIP = tag("rel:Relationship")
# Not text: attributes written again for every file, and those that another reader shows or that are neutral.
REWRITTEN, ELSEWHERE = "rewritten", "elsewhere"
NAMES_OF_PARTS = free_text(
    (
        (REWRITTEN, "ct:Override", "PartName"),
        (REWRITTEN, "ct:Default", "Extension"),
        (REWRITTEN, "rel:Relationship", "Target"),
    ),
    "plain",
)
# Attributes that are neutral once scrubbed.
NEUTRAL = tags("w:author w:initials")
