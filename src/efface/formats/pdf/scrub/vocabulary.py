"""Which dictionary entries stay. What is not listed here goes: private data, metadata, scripts, files.

The names are those of ISO 32000. Left out on purpose, so that they are dropped wherever they stand:
AA, AF, Alternates, B, CharSet, CIDSet, Collection, CreationDate, Dests, DS, DSS, EF, Extensions, FontFamily,
FS, IDTree, JS, LastModified, Legal, M, Measure, Metadata, ModDate, Movie, Names, Namespaces, NM, OPI,
OutputIntents, Perms, PieceInfo, RC, Ref, RichMediaContent, RV, SD, SigFlags, Sound, SpiderInfo, Threads,
Thumb, XFA and their like.
"""

from __future__ import annotations

_KEYS = """
Type Subtype S Length Filter DecodeParms DL F Predictor Colors BitsPerComponent Columns EarlyChange K
EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1 DamagedRowsBeforeError JBIG2Globals ColorTransform

Version Pages PageLabels ViewerPreferences PageLayout PageMode Outlines OpenAction URI AcroForm Base
StructTreeRoot MarkInfo Lang OCProperties Marked UserProperties Suspects
HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle NonFullScreenPageMode Direction
ViewArea ViewClip PrintArea PrintClip PrintScaling Duplex PickTrayByPDFSize PrintPageRange NumCopies

Parent Kids Count Resources MediaBox CropBox BleedBox TrimBox ArtBox Rotate Contents Annots Group
StructParents StructParent Tabs UserUnit Dur Trans BoxColorInfo Nums Limits St P

Title First Last Next Prev Dest A SE C D

ProcSet ExtGState ColorSpace Pattern Shading XObject Font Properties

BBox Matrix FormType OC Width Height ImageMask Mask SMask Decode Interpolate Intent Name
SMaskInData Image Matte

PatternType PaintType TilingType XStep YStep ShadingType Background AntiAlias Domain Function Coords
Extend BitsPerCoordinate BitsPerFlag VerticesPerRow
FunctionType Range Size BitsPerSample Order Encode C0 C1 N Functions Bounds
WhitePoint BlackPoint Gamma Alternate Colorants Process MixingHints Solidities DotGain PrintingOrder
Components

LW LC LJ ML RI OP op OPM BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM CA ca AIS TK G BC I CS UseBlackPtComp
HTO HalftoneType HalftoneName Frequency Angle SpotFunction AccurateScreens TransferFunction
Xsquare Ysquare

BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode BaseEncoding Differences
FontName FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight
XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3 Length1 Length2 Length3
FontMatrix CharProcs DescendantFonts CIDSystemInfo Registry Ordering Supplement DW W DW2 W2 CIDToGIDMap
WMode UseCMap CMapName Style Panose FD

Rect AP AS Border BS Popup Subj IRT IT RT CA T Open State StateModel H PA QuadPoints DA Q RD BE CL LE
L Vertices InkList Sy Cap IC LL LLE LLO CP CO MK R BG BC CA AC TP IF SW FB X Y Path FixedPrint HF

Fields NeedAppearances DR FT TU TM Ff V DV MaxLen Opt TI Lock

OCGs OCMDs BaseState ON OFF AS Event Category Usage CreatorInfo ListMode RBGroups Locked VE
Export Zoom Print View User PageElement Language Preferred min max Policy ViewState PrintState ExportState

RoleMap ClassMap ParentTree ParentTreeNextKey Pg Obj MCID Stm StmOwn ID Alt E ActualText
Phoneme PhoneticAlphabet O Role checked
Placement WritingMode BackgroundColor BorderColor BorderStyle BorderThickness Padding Color SpaceBefore
SpaceAfter StartIndent EndIndent TextIndent TextAlign BlockAlign InlineAlign TBorderStyle TPadding
BaselineShift LineHeight TextDecorationColor TextDecorationThickness TextDecorationType TextPosition
RubyAlign RubyPosition GlyphOrientationVertical ColumnCount ColumnGap ColumnWidths ListNumbering
ContinuedList ContinuedFrom RowSpan ColSpan Headers Scope Summary Short Desc Attached Marked
"""

_VALUES = """
Page Catalog Annot Form Widget Link Text Popup FreeText Highlight Underline Stamp StrikeOut Squiggly Ink
Line Square Circle Polygon PolyLine Caret TrueType Type0 Type1 Type3 MMType1 CIDFontType0 CIDFontType2
CIDFontType0C Type1C OpenType Identity-H Identity-V Identity WinAnsiEncoding MacRomanEncoding
StandardEncoding MacExpertEncoding FlateDecode DCTDecode LZWDecode ASCII85Decode ASCIIHexDecode
RunLengthDecode CCITTFaxDecode JBIG2Decode JPXDecode DeviceRGB DeviceGray DeviceCMYK ICCBased CalRGB
CalGray Lab Indexed Separation DeviceN PDF ImageB ImageC ImageI Transparency Luminosity Alpha Normal
StructElem StructTreeRoot OBJR MCR Span Document Part Sect Div H1 H2 H3 H4 H5 H6 LI Lbl LBody Table TH
TD THead TBody TFoot Figure Formula TOC TOCI Art BlockQuote Caption Index NonStruct Private Quote Note
Reference BibEntry Code Ruby Warichu RB WT WP Aside Em Strong Layout List
Tx Btn Ch GoTo XYZ Fit FitH FitV FitR FitB FitBH FitBV UseNone UseOutlines SinglePage OneColumn
Row Column Start End Center Justify Block Inline OCG OCMD All AllPages Encoding FontDescriptor
Off Yes Helvetica
"""

KEYS = frozenset(f"/{name}" for name in _KEYS.split())
HARMLESS = KEYS | frozenset(f"/{name}" for name in _VALUES.split())

# Dictionaries whose keys are chosen by the producer, by the key that leads to them.
FREE = frozenset(
    f"/{name}"
    for name in "Font XObject Pattern ExtGState ColorSpace Shading Properties CharProcs RoleMap ClassMap "
    "Colorants Solidities DotGain BoxColorInfo".split()
)
STATES = frozenset(["/N", "/R", "/D"])  # appearances by state: free when every value is a stream

# Keys whose value may be a stream, beside the dictionaries above; and those where it is only a long string.
STREAMS = frozenset(
    f"/{name}"
    for name in "N R D G SMask Mask ToUnicode FontFile FontFile2 FontFile3 CIDToGIDMap Encoding UseCMap Function "
    "JBIG2Globals HT TR TR2 BG BG2 UCR UCR2 SpotFunction TransferFunction Shading Pattern ColorSpace ICCBased".split()
)
# Entries that say what a stream is for.
STREAM_MARKS = ("/FunctionType", "/ShadingType", "/PatternType", "/HalftoneType", "/CMapName", "/Length1")
TEXT_STREAMS = frozenset(["/V", "/DV"])

# Categories of a resource dictionary that are cut down to what its content uses.
PRUNED = ("/Font", "/XObject", "/Pattern", "/ExtGState", "/Properties")

ACTIONS = frozenset(["/GoTo", "/URI", "/Named", "/ResetForm", "/SetOCGState", "/Hide"])
ACTION_KEYS = frozenset(["/A", "/OpenAction", "/Next", "/PA"])

INFO = frozenset(["/Title", "/Subject", "/Keywords"])

# Strings that are not text, by their key.
BINARY = frozenset(["/Registry", "/Ordering", "/Panose", "/DA"])

# Annotations that carry media or files: what they look like stays, what they hold goes.
HOLDERS = frozenset(
    [
        "/FileAttachment",
        "/Sound",
        "/Movie",
        "/Screen",
        "/3D",
        "/RichMedia",
        "/PrinterMark",
        "/TrapNet",
        "/Projection",
    ]
)

# What the reader sees as a part's name, by the key of the string.
PART_NAMES = {
    "/Contents": "annotation text",
    "/T": "annotation author or field name",
    "/Subj": "annotation subject",
    "/URI": "link address",
    "/Title": "bookmark or title",
    "/V": "field value",
    "/DV": "field default",
    "/Opt": "field option",
    "/TU": "field description",
    "/TM": "field mapping name",
    "/Alt": "alternate description",
    "/ActualText": "actual text",
    "/E": "expansion",
    "/Name": "layer name",
    "/P": "page label",
    "/CA": "caption",
    "/AC": "caption",
}

# Annotations whose /T is the author's name; of a form field it is the field's.
AUTHORED = frozenset(
    f"/{name}"
    for name in (
        "Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink "
        "Popup FileAttachment Sound Redact Projection Watermark"
    ).split()
)
