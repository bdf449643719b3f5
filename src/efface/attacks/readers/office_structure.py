"""Values of an office file that only describe its structure, as an attacker would judge them.

Kept apart from the writer's own vocabulary on purpose: where the two disagree, a test or a refusal shows it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

# Ends the name of a part that no program shows: a salary read as a date.
NUMBERS_AS_DATES = " numbers as dates"

# What scrubbed authors are called.
NEUTRAL_AUTHOR = re.compile(r"Author \d+|A")

# Attributes that hold words whatever they look like, by their own name or by element and name.
_WORDS_IN = frozenset(
    """
    descr alt string tooltip Target instr display prompt promptTitle error errorTitle
    displayText fullDate string-value value date-value time-value current-value label href v c
    location title comment text codeName caption statusBar help description listItem/value
    alias/val tag/val listItem/val default/val helpText/val statusText/val listEntry/val
    tblCaption/val tblDescription/val filter/val customFilter/val sheetName/val
    bookmarkStart/name hyperlink/anchor sheet/name definedName/name table/name tableColumn/name
    section/name docVar/val docVar/name property/name
    """.split()
)
_STYLES_IN = frozenset(
    """
    name/val style/styleId basedOn/val next/val link/val pStyle/val rStyle/val tblStyle/val
    aliases/val lsdException/name cSld/name theme/name clrScheme/name fontScheme/name
    fmtScheme/name docPr/name cNvPr/name cellStyle/name docPart/val docPartGallery/val
    themeFamily/name styleLink/val numStyleLink/val formatCode id spid defaultTableStyle
    defaultPivotStyle tableStyle/name tableStyleInfo/name style-name display-name
    parent-style-name
    """.split()
)
_TOKEN = re.compile(
    r"""
    [\W\d_]+ | [A-Za-z] | [a-z]+[A-Za-z0-9]* | [\d.,+-]+[A-Za-z%]{1,3}
    | \#[0-9A-Fa-f]{3,8} | (?=\w*\d)[0-9A-Fa-f]{2,32}
    | [A-F]{2} | [A-F]{6} | [A-F]{8}
    | \{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?
    | \#?_x0000_\w+ | R[0-9a-f]{8,} | \$?[A-Z]{1,3}\$?\d{1,7} | [a-z]{2,3}(-[A-Z][a-z]{3})?-[A-Z]{2}
    | [a-z]+([.-][a-z0-9A-Z]+)+ | True | False | External
    | Embed | Content | Icon | Link
    """,
    re.VERBOSE,
)
# The words in the addresses of published schemas, of relationships and in types of content.
_SCHEMA_WORDS = frozenset(
    """
    a ac action actions active add aink am animation annotations application attached attributes audio author
    authors avi base basis bibliography binary bitmap bmp bwg bytes c cache calc calcext calculation callout camel
    canvas cdr cells certificate cex chain change changes changesinfo chart chartcolorstyle chartex charts chartshapes
    chartsheet chartstyle chartusershapes chunk cid classificationlabels client cloud color colorscheme colors com
    command comment commentauthors comments comments compatibility compatible component compound config connection
    connections content contents contenttype contenttypes control controlproperties controls core cover cp cryptography
    css ct ctrl custom customizations customui customxml cx d dashboard data database datamashup datastore datastyle
    date dc dcmitype dcterms dd decorative definition definitions design designer diagram dialog dialogsheet digital
    digsig distributed doc docprops document documentfoundation documentsettings documenttasks dr draw drawing
    drawingml drm drop dsp dtd du dynamicarray effects elements emf emz enabled encryption endnotes enhanced event
    events excel experimental extended extensibility extensible extension external extlst f feature featurepropertybag
    field fields flash fo font fontdata fonttable footer footnotes form format formatlock forms formula formx function
    functions g generic gif glossary graph graphics group h handout hdphoto header headers history html http hyperlink
    hyperlinks icon id ids image info infopath ink inkml insert instance internal intl item items java javascript jpeg
    jpg key keymap label labelinfo language layout legacy lexicon library light line link list live local locked
    loext log lst m mac macro macroenabled macros mail main management manifest map maps markup mashup master math mathml
    mc media merge message meta metadata microsoft mif ml model modern mp mpeg ms mso msvideo msword mswrite mxp name named
    names namespace notes ns number numbering o oasis obd obfuscated object ocx odf odma of office officedocument
    oel office ole online ooo ooxml open opendocument openoffice openxmlformats org origin other override p package
    page paint pane part partner path people person persons photo pic pict picture pivot pivotcache pixel placeable
    plain png powerpivot powerpoint pres presentation presentationml presence print printer privacy project propert
    properties property props protected provenance purl query queryable quick quicktime r rdrichvalue
    rdrichvaluestructure rdrichvaluetypes reactions recipient recipients record records rel relationship relationships
    report result revision revisions rich richdata richvaluerel roaming s schema schemas script sdt sdtdatahash
    sdtformatlock section sections sensitivity set setting settings shape shapes share shared sharepoint sheet sheets
    shockwave show signature single sketchyshapes slicer slicers slide slides slideshow smart smarttags smil sort
    source spark spreadsheet spreadsheetml stencil stream strict string strings style styles subject sun supporting svg
    symex tab table tables tag tags task taskpanes tasks tc tcid template templates term terms text theme thememl
    themes thm threaded threadedcomment threadedcomments thumbnail tif tiff timeline timelines tr transform transition
    transitional true ttf type types ui uml unknown update uri urn user usernames usershapes v value values vba video
    view views vml vmldrawing vnd volatile w wav wave wdp web webextension webextensions webp webview wetp windows wma wmf
    wmv wmz wne wopi word wordml wordprocessing wordprocessingml workbook worksheet wp wpc wpg wps writer www x xbrl xdr
    xforms xhtml xl xlink xls xlsx xm xml xmlns xmlschema xmlsignature xmlsignatures xr xsd xsi xsl xslt z zip oclc
    clr cn sst lo qs cs dm tbl rtf officeart prog progid wordart activex
    array bag ctrl dependencies dictionary ex frame graphic interop libreoffice long pivot power rd structure sub supporting
    prop toolbars url with ws
    """.split()
)
_CAPITALS = (
    "urn:schemas-microsoft-com:",
    "/package/2006/",
    "/threadedcomments",
    "-properties",
    "/markup-compatibility/",
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d")
_SCRUBBED_DATE = "2000-01-01T00:00:00.000"
_LONG_NUMBER = re.compile(r"\d{7}")
# Attributes of the layout where a long number is no measure.
_NUMBERED_IN = frozenset("lvlText/val permStart/ed cfvo/val id/val".split())
_SEPARATORS = re.compile(r"[\s:;,()=\[\]]+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_GIVEN = re.compile(r"[0-9A-F]{32}|_x0000_\w+")
_ID = re.compile(rf"[\W\d_]+|{_GIVEN.pattern}")
_SCHEMA = re.compile(
    r"https?://(schemas\.openxmlformats|schemas\.microsoft|www\.w3|purl\.(oclc|org))[\w./:-]*"
    r"|urn:(schemas-microsoft-com|oasis:names)[\w.:/-]*|(application|image|text|audio|video)/[\w.+-]+"
)
_STYLE_WORDS = frozenset(
    """
    general normal heading title subtitle strong emphasis intense subtle quote reference book
    list paragraph bullet number continue body text indent first hanging block table grid light
    medium dark colorful shading accent simple classic columns elegant professional contemporary
    web theme effects plain toc index annotation footnote endnote footer header caption macro
    balloon document map page line hyperlink followed html acronym address cite code definition
    keyboard preformatted sample typewriter variable default font char no spacing revision
    outline bibliography placeholder mention smart unresolved hashtag message salutation
    signature closing date e mail email envelope return of figures authorities subject comment
    top bottom form a z office slide two content comparison blank only section picture with
    vertical and custom layout internet link good bad neutral calculation check cell linked
    explanatory input output note notes total warning percent comma currency style master design
    standard contents drawing effect image shape box rectangle straight connector group chart
    diagram object oval arrow textbox wordart freeform autoshape area frame graphic pivot slicer
    timeline toa d current bibliographies cover pages libreoffice
    """.split()
)
_FONTS_IN = frozenset(
    """
    ascii hAnsi cs eastAsia typeface font mathFont/val font/name rFont/val name/val altName/val font-name
    font-family font-face/name font-name-asian font-name-complex font-family-asian font-family-complex
    """.split()
)
_FONTS = frozenset(
    """
    aptos arial bahnschrift batang book antiqua bookman calibri cambria candara century comic
    consolas constantia corbel courier cordia angsana dejavu ebrima franklin futura gadugi
    garamond georgia gill gothic goudy gulim helvetica impact latha leelawadee liberation linux
    lucida malgun mangal meiryo microsoft mincho monaco mongolian noto nirmala nyala open
    opensymbol palatino pmingliu plantagenet raavi roboto rockwell sans schoolbook script segoe
    serif shruti simhei simsun source starsymbol sylfaen symbol tahoma times trebuchet tunga
    verdana vrinda webdings wingdings yahei yu new roman old style light black display narrow
    mono ui ms mt math print console unicode linotype neue emoji arabic cjk sc tc jp kr
    devanagari lohit carlito caladea grande text medium bold daunpenh dokchampa estrangelo
    edessa euphemia gautami iskoola pota javanese kalinga kartika mv boli himalaya jhenghei tai
    lue le uighur yi baiti moolboran myanmar phagspa cherokee mn mj lt ea cs itc moolboran
    dokchampa zapf dingbats extra 明朝 ゴシック p明朝 pゴシック
    游ゴシック 游明朝 宋体 新細明體 等线 黑体 맑은 고딕 微软雅黑 仿宋 楷体
    """.split()
)
OFFICIAL = (
    "http://schemas.openxmlformats.org/",
    "http://schemas.microsoft.com/",
    "http://purl.",
    "http://www.w3.org/",
    "http://openoffice.org/",
    "http://schemas.libreoffice.org/",
    "urn:openoffice:names:experimental:",
    "urn:schemas-microsoft-com:",
    "urn:oasis:names:tc:opendocument:",
    "urn:org:documentfoundation:",
)


# Kinds of value that programs count up, but never that far.
_NEVER_LONG = frozenset(("numbered", "style", "style or font"))


@lru_cache(maxsize=4096)
def position(element: str, name: str) -> str:
    """What kind of value an attribute of a published vocabulary holds, by its element and name."""
    both = f"{element}/{name}"
    if both in _NUMBERED_IN:
        return "numbered"
    if name in ("author", "initials", "displayName", "userId") or both in ("author/name", "cmAuthor/name"):
        return "author"
    if both in ("Override/PartName", "Default/Extension", "Relationship/Target"):
        return "part"
    if name in _WORDS_IN or both in _WORDS_IN:
        return "words"
    if both == "font/script":
        return "script"
    is_style, is_font = name in _STYLES_IN or both in _STYLES_IN, name in _FONTS_IN or both in _FONTS_IN
    if is_style:
        return "id" if name == "id" else "style or font" if is_font else "style"
    return "font" if is_font else "layout"


def says_nothing(kind: str, value: str) -> bool:
    """Whether a value at such a position only describes the structure of the file, and no content."""
    if kind == "layout":
        return is_layout(value)
    if kind == "words" or (kind in _NEVER_LONG and _is_long(value)):
        return False
    if kind in _TESTS:
        return _TESTS[kind](value)
    if "font" in kind and _is_font(value):
        return True
    if kind == "font":
        return is_layout(value)
    return _is_style(value) or (kind == "id" and is_layout(value))


def _is_font(value: str) -> bool:
    """Whether a value is made of words that fonts are called by."""
    words = [word.lower() for word in _WORDS.findall(value)]
    whole = unicodedata.normalize("NFKC", value).lower().split()
    return _FONTS.issuperset(words) or _FONTS.issuperset(whole)


def _is_style(value: str) -> bool:
    """Whether a value is a name that programs give to styles, or an id that says nothing."""
    words = [word.lower() for word in _WORDS.findall(value)]
    return all(word in _STYLE_WORDS for word in words) or _ID.fullmatch(value) is not None


def _is_long(value: str) -> bool:
    return _LONG_NUMBER.search(value) is not None and _GIVEN.fullmatch(value) is None


def is_usual_tag(uri: str, local: str) -> bool:
    """Whether a published vocabulary may contain such a name. Its names begin with a small letter, with few
    exceptions."""
    return _TOKEN.fullmatch(local) is not None or any(word in uri for word in _CAPITALS)


def is_usual_uri(uri: str) -> bool:
    """Whether a namespace is a published one."""
    if not uri.startswith((*OFFICIAL, "http://www.wps.cn/officeDocument/")):
        return False
    return _is_schema(uri)


def _is_schema(address: str) -> bool:
    return all(word.lower() in _SCHEMA_WORDS for word in _WORDS.findall(address))


def is_layout(value: str) -> bool:
    """Whether a value is made of numbers, tokens and addresses of schemas."""
    if value == _SCRUBBED_DATE:
        return True
    if len(value) > 4000:
        return not re.search(r"[A-Za-z]{4}", value)
    if _TOKEN.fullmatch(value):
        return True
    if all(_TOKEN.fullmatch(part) or _is_path(part) for part in _SEPARATORS.split(value) if part):
        return True
    return _SCHEMA.fullmatch(value) is not None and _is_schema(value)


def _is_path(part: str) -> bool:
    """Part of a drawn line: numbers between commands of one or two letters."""
    is_line = re.search(r"\d", part) is not None and re.search(r"[A-Za-z]{3}", part) is None
    return is_line and _MOMENT.match(part) is None


_FOLDERS = """
    word xl ppt docProps media embeddings charts diagrams drawings theme themes worksheets
    chartsheets slides slideLayouts slideMasters notesSlides notesMasters handoutMasters
    comments threadedComments persons tables pivotTables pivotCache externalLinks queryTables
    slicers slicerCaches timelines timelineCaches ctrlProps glossary fonts ink richData parts
    _rels META-INF Pictures
    """.split()
_FILES = """
    document styles settings webSettings fontTable numbering header footer footnotes endnotes
    comments commentsExtended commentsIds commentsExtensible theme themeOverride image hdphoto
    chart chartEx colors style drawing vmlDrawing data layout quickStyle workbook sheet
    sharedStrings table pivotTable pivotCacheDefinition externalLink connections queryTable
    metadata person threadedComment presentation slide slideLayout slideMaster notesSlide
    notesMaster handoutMaster presProps viewProps tableStyles commentAuthors authors font
    fontdata core part ctrlProp xmlMaps content meta manifest mimetype
    Microsoft_Excel_Worksheet Microsoft_Excel_Sheet Microsoft_Word_Document
    Microsoft_PowerPoint_Presentation
    """.split()
_ENDINGS = """
    xml rels vml png jpeg jpg gif emf wmf emz wmz bmp tif tiff svg wdp ico webp xlsx docx pptx
    odttf ttf fntdata bin img
    """.split()
_USUAL_NAMES = re.compile(
    rf"(?:(?:\.\./)*|/)?(?:(?:{'|'.join(_FOLDERS)}|Object \d+)/)*"
    rf"(?:(?:{'|'.join(_FILES)})?\d{{0,5}}|modernComment_[0-9A-F]+_[0-9A-F]+|[0-9A-F]{{16,40}}|\[Content_Types\])"
    rf"(?:\.(?:{'|'.join(_ENDINGS)})){{0,2}}"
)


def is_usual_name(name: str) -> bool:
    """Whether a part or an ending is named as office programs name theirs."""
    return _USUAL_NAMES.fullmatch(name) is not None or name in _ENDINGS


# What says nothing in a position of one kind, whatever else it says elsewhere.
_TESTS: Mapping[str, Callable[[str], bool]] = {
    "numbered": is_layout,
    "author": lambda value: NEUTRAL_AUTHOR.fullmatch(value) is not None,
    "part": lambda value: is_usual_name(value) or value in ("about:blank", "external.xlsx"),
    "script": lambda value: len(value) == 4,  # the codes of ISO 15924
}
