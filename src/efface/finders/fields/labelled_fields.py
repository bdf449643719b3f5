"""Names that a label tells: the column "Surname", the key `given_name`, the lines "Next of kin:" and "Town:" of a form.

A reader needs no sentence to know that King is a name there, and a finder that goes by sentences misses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from efface.core import Edit, FinderTraits, Mention
from efface.finders.fields.field_labels import (
    HALVES,
    KIN,
    WRITTEN,
    asks,
    holds_person,
    is_address,
    is_address_line,
    is_bare,
    is_personal,
    is_postcode,
    lists_people,
    type_of,
    whose_part,
)
from efface.finders.fields.field_values import (
    DATE_TIME,
    ID_NUMBER,
    LABELLED,
    LOCATION,
    MASK,
    NEAR,
    ORGANIZATION,
    PARTIES,
    PERSON,
    POSTCODE,
    SCORE,
    WORD,
    address_mention,
    cell_mention,
    name_mention,
    unmasked_mentions,
    with_full_names,
)
from efface.finders.fields.listed_people import listed_people
from efface.finders.fields.markup_fields import names_in_markup
from efface.finders.fields.name_fields import places_of_names
from efface.finders.messages import cards, hl7
from efface.learners.names import is_given_name
from efface.text.folding import fold_term
from efface.text.form_labels import is_label, is_weekday, label_words
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import is_full_name
from efface.text.spans import Span
from efface.text.tables.find import tables
from efface.text.tables.rows import cells_of, is_form_row, is_header

_LABEL = re.compile(rf"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z]))(?:{WRITTEN})(?:\(s\))?(?![^\W_])")
_MARK = re.compile(r'[":=\t]|   ')  # what stands between a label and its value, in the line of the label
_IN_FORM = re.compile(
    rf"[ \t]*(?:[:=][ \t]*(?:\r?\n[ \t]*(?=[^\W\d_]))?|[ ]{{3,}}|\t[\t ]*)(?:(?:{KIN}),[ ](?={CAPITAL}))?"
    r"(?P<value>[^\t\r\n|{}\[\]<>]{1,80}?)"
    r"(?=[ ]{2,}|\t|\r|\n|\||[,;.]?[ ]+[^\W\d_]+(?:[ ][^\W\d_]+)?[ ]?:|\Z)"
)
_IN_JSON = re.compile(r'"\s*:\s*(?:\[\s*)?"(?P<value>[^"\n]{1,80})"')
_NEXT_STRING = re.compile(r'\s*,\s*"(?P<value>[^"\n]{1,80})"(?!\s*:)')
_FORM_CELLS = 2  # cells in a line of a form: the label and its value
_LONGEST_ROW = 2000  # characters of a row of labels. Each label reads its row, and a text may be one line
_KEY = re.compile(r'"(?P<label>[^\W\d][\w -]{1,30})"(?=\s*:\s*")')
_ANY_KEY = re.compile(r'"([^"\n:{}\[\]]{1,40})"\s{0,3}:')
# "**Pupil:** Summer Day": several words with capitals and no sentence.
_ROLE_LINE = re.compile(
    r"(?:^|[ ]{2}|\t)[*_#>|-]{0,3}[ ]?(?P<label>[^\W\d_][^\W\d_]+(?: [^\W\d_]+){0,2})[*_]{0,2}:[*_]{0,2}[ \t]+"
    rf"(?P<value>{CAPITAL}[\w'’.-]*(?: {CAPITAL}[\w'’-]*\.?){{1,3}})(?<![\w][^\W\d_]\.)"
    r"(?=[ ]{2}|[ ]?[\t\r\n|,;(]|\Z)",
    re.MULTILINE,
)
_ADDRESS_LINE = re.compile(
    r"^[ \t|*_]{0,4}(?i:(?:(?:home|postal|billing|delivery|current|previous|permanent|mailing|work|full|street|present)[ ])?"
    r"address(?:[ ](?:line[ ])?[1-5])?|addr[.]?|street)[*_]{0,2}(?:[ ]{0,3}:[*_]{0,2}[ \t]{0,4}|[ ]{3,20}|\t)"
    r"(?P<value>[^\s:][^\t\r\n|]{1,118})",
    re.MULTILINE,
)
_MOST_ADDRESS_WORDS = 14  # of an address in a line; a sentence has more
_TWO_CELLS = re.compile(r"^(?P<label>[^\W\d_][^\t\n]{1,30})\t(?P<value>[^\t\n]{1,80})\t*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LabelledFields:
    """core.Finder of persons, towns and employers by the labels of columns, keys and form fields."""

    types: frozenset[str] = frozenset({PERSON, LOCATION, ORGANIZATION, DATE_TIME, ID_NUMBER, POSTCODE})

    traits: ClassVar[FinderTraits] = FinderTraits(reads_context_words=True)

    def find(self, text: str) -> Iterator[Mention]:
        told = set()
        for find_in in _PLACES_OF_LABELS:
            for mention in find_in(text):
                if mention.type in self.types:
                    told.add(mention.start)
                    yield mention
        for place in (*places_of_names(text), *listed_people(text)):
            named = name_mention(text, place, PERSON, lower=True, may_be_label=False)
            if PERSON in self.types and named is not None and named.start not in told:
                yield named


def is_told_by_label(edit: Edit) -> bool:
    """Whether the label of a field says what the place of an edit holds."""
    return edit.reason == LABELLED


def tells_whole_name(edit: Edit) -> bool:
    """Whether the key of an edit is a whole name of which the place holds a part: the fields beside it gave the rest."""
    return is_told_by_label(edit) and " " in edit.key


def _in_columns(text: str) -> Iterator[Mention]:
    """The names in tables, by the labels of their columns; in a rota whoever is on duty on a day."""
    for table in tables(text, _may_name):
        asked = _asked_columns(table.labels)
        if asked and asked[0][0] == 0 and _is_upright(text, asked[0][1], table.rows):
            asked = asked[1:]
        days = _days_of_rota(table.labels)
        for row in table.rows:
            yield from _on_duty(text, (row[at] for at in days))
            if len(row) == _FORM_CELLS and holds_person(text[row[0].start : row[0].end]):
                continue  # a line of a form: its first cell is a label
            fields = []
            for at, label in asked:
                mention = cell_mention(text, row[at], label)
                if mention is not None:
                    fields.append((label, mention))
            yield from with_full_names(fields)


def _is_upright(text: str, label: str, rows: Sequence[Sequence[Span]]) -> bool:
    """Whether the cells below a role are labels, as in a form with one field a row: "Staff no" below "Employee".

    Below "Surname" stand surnames, and Ward is one.
    """
    if len(rows) < 2 or not holds_person(label) or whose_part(label)[1]:
        return False
    cells = [text[row[0].start : row[0].end].strip() for row in rows]
    return 2 * sum(is_label(cell) or holds_person(cell) for cell in cells) > len(cells)


def _asked_columns(labels: Sequence[str]) -> list[tuple[int, str]]:
    """The columns whose labels ask for a name or an address, by what the other labels say, too."""
    heading = " ".join(labels)
    has_halves = HALVES.issubset(map(label_words, labels))
    asked = []
    for at, label in enumerate(labels):
        is_half = has_halves and label_words(label) in HALVES
        if (
            is_half
            or asks(label)
            or is_postcode(label)
            or is_address_line(label, heading)
            or (is_bare(label) and (is_personal(label, heading) or lists_people(heading)))
        ):
            asked.append((at, label))
    return asked


def _days_of_rota(labels: Sequence[str]) -> list[int]:
    """The columns that are days of the week. One such column alone is no rota."""
    days = [at for at, label in enumerate(labels) if is_weekday(label)]
    return days if len(days) > 1 else []


def _on_duty(text: str, cells: Iterable[Span]) -> Iterator[Mention]:
    """The given names in the cells of a rota. Will is one there, though he is a verb elsewhere."""
    for cell in cells:
        words = text[cell.start : cell.end].split()
        is_name = 0 < len(words) < 3 and words[0][0].isupper() and is_given_name(fold_term(words[0]))
        mention = name_mention(text, cell, PERSON, lower=False, may_be_label=False) if is_name else None
        if mention is not None:
            yield mention


def _may_name(label: str) -> bool:
    return asks(label) or is_bare(label) or is_weekday(label) or label_words(label) in HALVES


def _beside_labels(text: str) -> Iterator[Mention]:
    record: list[tuple[str, Mention]] = []
    for label in _labels(text):
        values = list(_values(text, label))
        written = label.group()
        # A part that was told already begins the next record. The given names of a list are of one.
        is_next = any(whose_part(name) == whose_part(written) for name, _ in record)
        if record and values and (is_next or values[0].start - record[-1][1].end > NEAR):
            yield from with_full_names(record)
            record = []
        record.extend((written, mention) for mention in values)
    yield from with_full_names(record)


def _labels(text: str) -> Iterator[re.Match[str]]:
    """The labels in lines that have a mark: in most lines of prose no value can follow, and labels are slow to look for."""
    position = 0
    while (mark := _MARK.search(text, position)) is not None:
        start = text.rfind("\n", position, mark.start()) + 1 or position
        found = text.find("\n", mark.end())
        end = found if found >= 0 else len(text)
        yield from _LABEL.finditer(text, start, end)
        position = end


def _beside_roles(text: str) -> Iterator[Mention]:
    """The names beside a role or a half of a name that is a key of data, and beside a role in a form of two columns. A
    role before a colon may be who speaks."""
    for key in _KEY.finditer(text):
        value = _IN_JSON.match(text, key.end("label"))
        is_half = label_words(key["label"]) in HALVES and _has_other_half(text, key)
        if value is not None and (is_half or holds_person(key["label"])):
            mention = name_mention(text, Span(*value.span("value")), PERSON, lower=is_half)
            yield from (mention,) if mention is not None else ()
    for line in _TWO_CELLS.finditer(text):
        is_told = holds_person(line["label"]) and not asks(line["value"])
        if is_told and is_form_row(text, Span(*line.span())):
            mention = name_mention(text, Span(*line.span("value")), PERSON, lower=False)
            yield from (mention,) if mention is not None else ()


def _behind_roles(text: str) -> Iterator[Mention]:
    """The full names behind a role and a colon."""
    for line in _ROLE_LINE.finditer(text):
        value = line["value"]
        if not holds_person(line["label"]):
            continue
        is_party = label_words(line["label"])[-1] in PARTIES
        if all(usage(word.lower()) is Usage.ALWAYS for word in WORD.findall(value)):
            continue  # what somebody says, or a department
        if not is_party or is_full_name(value):
            mention = name_mention(text, Span(*line.span("value")), PERSON, lower=False)
            yield from (mention,) if mention is not None else ()


def _beside_addresses(text: str) -> Iterator[Mention]:
    """The addresses behind a key of data or in a line of a form."""
    for key in _KEY.finditer(text):
        value = _IN_JSON.match(text, key.end("label"))
        if value is None:
            continue
        if is_address(key["label"]) or is_address_line(key["label"], _labels_near(text, key)):
            mention = address_mention(text, Span(*value.span("value")))
            yield from (mention,) if mention is not None else ()
    for line in _ADDRESS_LINE.finditer(text):
        if len(WORD.findall(line["value"])) <= _MOST_ADDRESS_WORDS:
            mention = address_mention(text, Span(*line.span("value")))
            yield from (mention,) if mention is not None else ()


def _in_messages(text: str) -> Iterator[Mention]:
    """What the fields of HL7, of calendars and of cards hold. The parts of a name are one person."""
    for parts in (*hl7.person_fields(text), *cards.names(text)):
        written = [fold_term(text[part.start : part.end]) for part in parts]
        key = " ".join((*written[1:2], written[0]))
        named = (part for part in parts if not MASK.fullmatch(text, part.start, part.end))
        yield from (Mention(part.start, part.end, PERSON, key, SCORE, LABELLED) for part in named)
    yield from unmasked_mentions(text, LOCATION, (*hl7.address_fields(text), *cards.places(text)))
    yield from unmasked_mentions(text, ORGANIZATION, (*hl7.facility_fields(text), *cards.firms(text)))
    yield from unmasked_mentions(text, DATE_TIME, (*hl7.time_fields(text), *cards.times(text)))
    yield from unmasked_mentions(text, ID_NUMBER, hl7.number_fields(text))


def _has_other_half(text: str, key: re.Match[str]) -> bool:
    """Whether "last" stands near "first", as a key too."""
    other = '"last"' if key["label"].lower() == "first" else '"first"'
    return other in text[max(0, key.start() - NEAR) : key.end() + NEAR].lower()


def _values(text: str, label: re.Match[str]) -> Iterator[Mention]:
    """The names beside a label: one, or those of a list in JSON."""
    in_json = _IN_JSON.match(text, label.end()) if text[label.end() : label.end() + 1] == '"' else None
    value = in_json or _IN_FORM.match(text, label.end())
    if value is None or (
        is_bare(label.group()) and not is_personal(label.group(), _labels_near(text, label))
    ):
        return
    if in_json is None and _is_in_header(text, label):
        return
    while value is not None:
        type_ = type_of(label.group())
        mention = name_mention(text, Span(*value.span("value")), type_, lower=in_json is not None)
        if mention is not None:
            yield mention
        value = _NEXT_STRING.match(text, value.end()) if in_json and "[" in in_json.group() else None


def _labels_near(text: str, label: re.Match[str]) -> str:
    """What stands near a label; near a key of data the other keys."""
    near = f"{text[max(0, label.start() - NEAR) : label.start()]} {text[label.end() : label.end() + NEAR]}"
    is_key = text[label.end() : label.end() + 1] == '"'
    return " ".join(_ANY_KEY.findall(near)) if is_key else near


def _is_in_header(text: str, label: re.Match[str]) -> bool:
    """Whether the label stands in a row of labels, where the next cell is no value."""
    start = text.rfind("\n", 0, label.start()) + 1
    end = text.find("\n", label.end())
    line = Span(start, end if end >= 0 else len(text))
    if line.end - line.start > _LONGEST_ROW:
        return False
    if text.find("\t", line.start, line.end) < 0 and text.find("|", line.start, line.end) < 0:
        return False
    cells = [text[cell.start : cell.end] for cell in cells_of(text, line.start, line.end)]
    return is_header(cells) and not is_form_row(text, line)


_PLACES_OF_LABELS = (
    _in_columns,
    _beside_labels,
    _beside_roles,
    _behind_roles,
    _beside_addresses,
    names_in_markup,
    _in_messages,
)
