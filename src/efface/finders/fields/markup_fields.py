"""Names and addresses in the elements and attributes of XML, by what these are called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.core import Mention
from efface.finders.fields.field_labels import HALVES, asks, is_address_line, is_bare, is_personal, whose_part
from efface.finders.fields.field_values import NEAR, cell_mention, with_full_names
from efface.text.form_labels import label_words
from efface.text.spans import Span

_IN_MARKUP = re.compile(
    r"<(?P<element>[^\W\d][\w.:-]{0,40})(?:\s[^<>]{0,200})?>\s{0,20}(?P<text>[^<>]{1,120})</"
    r"|\s(?P<attribute>[^\W\d][\w.:-]{0,40})=(?:\"(?P<double>[^\"<>]{1,120})\"|'(?P<single>[^'<>]{1,120})')"
)
_TAG_NAME = re.compile(r"[^\W\d][\w.:-]{0,40}")
_ANY_TAG = re.compile(r"(?:<|\s)([^\W\d][\w.:-]{0,40})(?=[\s>=/])")
_LONGEST_TAG = 300  # characters before an attribute in which its element is named


def names_in_markup(text: str) -> Iterator[Mention]:
    """The names and addresses in elements and attributes of XML, by what these are called."""
    if "</" not in text and "/>" not in text:
        return
    record: list[tuple[str, Mention]] = []
    for field in _IN_MARKUP.finditer(text):
        label = _label_of(text, field)
        mention = _field_mention(text, field, label)
        if mention is None:
            continue
        # A part that was told already begins the next record, and so does a field that stands far behind the last.
        is_next = any(whose_part(name) == whose_part(label) for name, _ in record)
        if record and (is_next or mention.start - record[-1][1].end > NEAR):
            yield from with_full_names(record)
            record = []
        record.append((label, mention))
    yield from with_full_names(record)


def _label_of(text: str, field: re.Match[str]) -> str:
    """The element's or the attribute's name; of FHIR's <family value="King"/> the element's."""
    label = field["element"] or field["attribute"]
    return _element_of_attribute(text, field.start()) if label == "value" else label


def _field_mention(text: str, field: re.Match[str], label: str) -> Mention | None:
    """The name or the address in a field, if its label asks for one."""
    near = _near_in_markup(text, field)
    is_told = asks(label) or is_bare(label) or label_words(label) in HALVES or is_address_line(label, near)
    if not is_told or (is_bare(label) and not is_personal(label, near)):
        return None
    return cell_mention(text, Span(*field.span(_value_group(field))), label)


def _value_group(field: re.Match[str]) -> str:
    """The group of the pattern that holds the value."""
    if field["element"]:
        return "text"
    return "single" if field["double"] is None else "double"


def _element_of_attribute(text: str, at: int) -> str:
    """The element whose attribute stands at a place."""
    tag = text.rfind("<", max(0, at - _LONGEST_TAG), at)
    name = _TAG_NAME.match(text, tag + 1) if tag >= 0 else None
    return name.group() if name else ""


def _near_in_markup(text: str, field: re.Match[str]) -> str:
    """What elements and attributes near a field are called."""
    near = f"{text[max(0, field.start() - NEAR) : field.start()]} {text[field.end() : field.end() + NEAR]}"
    return " ".join(_ANY_TAG.findall(near))
