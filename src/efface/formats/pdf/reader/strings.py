"""Text outside the pages' content: bookmarks, comments, form values, descriptions, layer names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream, String

from efface.formats.pdf.reader.object_walk import ObjGen, Step, members, serialised, walk
from efface.formats.pdf.scrub.vocabulary import BINARY, PART_NAMES

_HAS_STRING = re.compile(rb"\(|<[0-9a-fA-F]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}\Z")


@dataclass(frozen=True, slots=True)
class StringSlot:
    """Where a string is: an object, and the steps from it inward."""

    objgen: ObjGen
    path: tuple[Step, ...]
    name: str


@dataclass(frozen=True, slots=True)
class StringSurvey:
    """What the pages' content does not say: the strings, and the streams of content that exist at all."""

    slots: tuple[tuple[StringSlot, str], ...]
    forms: tuple[ObjGen, ...]


def survey(pdf: pikepdf.Pdf) -> StringSurvey:
    slots: list[tuple[StringSlot, str]] = []
    forms: list[ObjGen] = []

    def visit(obj: pikepdf.Object, _key: str) -> None:
        if isinstance(obj, Stream) and (obj.get("/Subtype") == "/Form" or obj.get("/PatternType") == 1):
            forms.append(obj.objgen)
        if _HAS_STRING.search(serialised(obj)):
            slots.extend(_strings(obj))

    walk(pdf, visit)
    slots.sort(key=_is_letter)
    return StringSurvey(tuple(slots), tuple(forms))


def _is_letter(found: tuple[StringSlot, str]) -> bool:
    """Whether a string is one letter. A form with a field to each letter reads as a word if its letters stand together."""
    return len(found[1].strip()) == 1


def _strings(obj: pikepdf.Object) -> list[tuple[StringSlot, str]]:
    """The texts inside of one object, each with the path to it. Other objects are visited by themselves."""
    found: list[tuple[StringSlot, str]] = []
    stack: list[tuple[Any, tuple[Step, ...], str]] = [(obj, (), "")]
    while stack:
        value, path, key = stack.pop()
        if isinstance(value, String):
            text = decode(value)
            if text.strip() and key not in BINARY and not (key in ("/Lang", "") and is_language(text)):
                found.append((StringSlot(obj.objgen, path, PART_NAMES.get(key, "string")), text))
        elif isinstance(value, (Dictionary, Stream, Array)) and (not path or not value.is_indirect):
            if isinstance(value, Array) and len(value) and value[0] in ("/Indexed", "/I"):
                continue  # a palette, not text
            for step, child in reversed(members(value)):
                stack.append((child, (*path, step), step if isinstance(step, str) else key))
    return found


def is_language(text: str) -> bool:
    return bool(_LANGUAGE.match(text))


def decode(value: String) -> str:
    try:
        return str(value)
    except (UnicodeError, ValueError):
        return bytes(value).decode("latin-1")


def replace(pdf: pikepdf.Pdf, slot: StringSlot, text: str) -> None:
    """Writes the new string; an emptied caption or description stays as an empty string."""
    holder: Any = pdf.get_object(slot.objgen)
    if not slot.path:
        pdf._replace_object(slot.objgen, String(text))  # the object is the string itself
        return
    for step in slot.path[:-1]:
        holder = holder[step]
    holder[slot.path[-1]] = String(text)
