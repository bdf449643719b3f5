"""Where an XML file has sentences with tags in them, which a reader reads as if the tags were not there."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The type of a document may hold declarations in brackets. It is one piece of markup, whatever stands in them.
_DOCTYPE = (
    r"<!DOCTYPE(?:[^<>\[\"']++|\"[^\"]*+\"|'[^']*+')*+"
    r"\[(?:<!--.*?-->|<\?.*?\?>|[^\]<\"']++|\"[^\"]*+\"|'[^']*+'|<)*+\]\s*+>"
)
MARKUP = re.compile(
    rf"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|{_DOCTYPE}|<(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>",
    re.DOTALL,
)
NAME = re.compile(r"[^\W\d][\w.:-]*+")
# Tags that change how words look, and say nothing of them.
FORMATTING = frozenset(
    "b i u s em strong hi emph emphasis bold italic underline span sub sup small big strike font tt wbr".split()
)
# Tags that end a line.
LINES = frozenset("br div h1 h2 h3 h4 h5 h6 lb li list item ol p para section table td th tr ul".split())


def local_name(name: str) -> str:
    """What an element is called without the prefix of its namespace, in lower case."""
    return name.rpartition(":")[2].lower()


@dataclass(slots=True)
class _XmlElement:
    """An element that has not ended: what it holds so far."""

    start: int
    name: str
    has_text: bool = False
    has_markup: bool = False
    is_formatted: bool = True  # nothing but formatting is in it

    @property
    def is_running(self) -> bool:
        return self.has_markup and (self.has_text or self.is_formatted)


def running_elements(text: str) -> frozenset[int]:
    """The places of elements whose words continue over tags. These have text of their own beside tags or comments,
    or only formatted text."""
    found: set[int] = set()
    around: list[_XmlElement] = [_XmlElement(0, "")]
    position = 0
    for tag in MARKUP.finditer(text):
        element, written = around[-1], tag.group()
        between = text[position : tag.start()]
        element.has_text = element.has_text or bool(between.strip())
        position = tag.end()
        if written.startswith("</"):
            if element.is_running:
                found.add(element.start)
            around.pop()
            around[-1].is_formatted &= element.is_formatted and element.name in FORMATTING
            continue
        element.has_markup = True
        if written.startswith("<![CDATA["):
            element.has_text = element.has_text or bool(written[9:-3].strip())
        name = NAME.match(written, 1)
        if name and written.endswith("/>"):
            element.is_formatted &= local_name(name.group()) in FORMATTING
        elif name:
            around.append(_XmlElement(tag.start(), local_name(name.group())))
    return frozenset(found)
