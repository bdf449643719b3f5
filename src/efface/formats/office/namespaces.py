"""Namespaces and qualified names. `tags("w:p w:t")` gives both dialects: transitional, and strict where it differs."""

from __future__ import annotations

import re
from functools import lru_cache

_OOXML = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_MS = "http://schemas.microsoft.com/office/"

NAMESPACES = {
    "w": _OOXML + "wordprocessingml/2006/main",
    "wp": _OOXML + "drawingml/2006/wordprocessingDrawing",
    "a": _OOXML + "drawingml/2006/main",
    "pic": _OOXML + "drawingml/2006/picture",
    "c": _OOXML + "drawingml/2006/chart",
    "cdr": _OOXML + "drawingml/2006/chartDrawing",
    "dgm": _OOXML + "drawingml/2006/diagram",
    "xdr": _OOXML + "drawingml/2006/spreadsheetDrawing",
    "m": _OOXML + "officeDocument/2006/math",
    "r": _OOXML + "officeDocument/2006/relationships",
    "p": _OOXML + "presentationml/2006/main",
    "x": _OOXML + "spreadsheetml/2006/main",
    "cp": _OOXML + "package/2006/metadata/core-properties",
    "rel": _OOXML + "package/2006/relationships",
    "ct": _OOXML + "package/2006/content-types",
    "mc": _OOXML + "markup-compatibility/2006",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "vx": "urn:schemas-microsoft-com:office:excel",
    "w10": "urn:schemas-microsoft-com:office:word",
    "w14": _MS + "word/2010/wordml",
    "w15": _MS + "word/2012/wordml",
    "w16du": _MS + "word/2023/wordml/word16du",
    "w16cex": _MS + "word/2018/wordml/cex",
    "wps": _MS + "word/2010/wordprocessingShape",
    "wpg": _MS + "word/2010/wordprocessingGroup",
    "wpc": _MS + "word/2010/wordprocessingCanvas",
    "dsp": _MS + "drawing/2008/diagram",
    "cx": _MS + "drawing/2014/chartex",
    "c15": _MS + "drawing/2012/chart",
    "xm": _MS + "excel/2006/main",
    "x14": _MS + "spreadsheetml/2009/9/main",
    "x15ac": _MS + "spreadsheetml/2010/11/ac",
    "tc": _MS + "spreadsheetml/2018/threadedcomments",
    "p14": _MS + "powerpoint/2010/main",
    "p188": _MS + "powerpoint/2018/8/main",
}

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES |= {
    prefix: f"{_ODF}{name}:1.0"
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "meta": "meta",
        "config": "config",
        "script": "script",
        "form": "form",
        "chart": "chart",
        "presentation": "presentation",
        "number": "datastyle",
        "manifest": "manifest",
        "svg": "svg-compatible",
        "fo": "xsl-fo-compatible",
    }.items()
}
NAMESPACES |= {
    "xlink": "http://www.w3.org/1999/xlink",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
    "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
}

# Where the strict dialect moved a namespace to.
_STRICT_NAMESPACES = {
    prefix: uri.replace(_OOXML, _STRICT).replace("/2006/", "/")
    for prefix, uri in NAMESPACES.items()
    if uri.startswith(_OOXML) and "/package/" not in uri and prefix != "mc"
}

_PUBLISHED = (
    _OOXML,
    _STRICT,
    "http://schemas.microsoft.com/",
    "http://purl.org/dc/",
    "http://openoffice.org/",
    "http://schemas.libreoffice.org/",
    "urn:openoffice:names:experimental:",
    "urn:schemas-microsoft-com:",
    "urn:oasis:names:tc:opendocument:",
    "urn:org:documentfoundation:",
)
_PUBLISHED_BY_W3C = frozenset(
    "http://www.w3.org/" + name
    for name in (
        "2000/svg 1999/xlink XML/1998/namespace 1998/Math/MathML 1999/xhtml 2001/XMLSchema 2001/XMLSchema-instance "
        "2001/xml-events 2002/xforms 2003/InkML 2003/g/data-view# TR/css3-text/"
    ).split()
)
_DECLARATION = re.compile(rb"""xmlns(?::[^\s=]+)?\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@lru_cache(maxsize=1024)
def tag(name: str) -> str:
    """`w:p` as the parser writes it."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


@lru_cache(maxsize=1024)
def tags(names: str) -> frozenset[str]:
    """Several names at once, in both dialects."""
    found = set()
    for name in names.split():
        prefix, _, local = name.partition(":")
        found.add(tag(name))
        if prefix in _STRICT_NAMESPACES:
            found.add(f"{{{_STRICT_NAMESPACES[prefix]}}}{local}")
    return frozenset(found)


def local(name: str) -> str:
    """A qualified name without its namespace."""
    return name.rpartition("}")[2]


def published(uri: str) -> bool:
    """Whether a namespace belongs to a published office vocabulary, so that its values can be judged by it."""
    return uri.startswith(_PUBLISHED) or uri in _PUBLISHED_BY_W3C


def has_foreign_names(data: bytes) -> bool:
    """Whether a part declares any namespace outside the published ones, or is in an encoding not looked into."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        return True
    found = {first or second for first, second in _DECLARATION.findall(data)}
    return any(b"&" in uri or not published(uri.decode("utf-8", "replace")) for uri in found)
