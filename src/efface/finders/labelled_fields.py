"""Names that a label tells: the column "Surname", the key `given_name`, the lines "Next of kin:" and "Town:" of a form.

A reader needs no sentence to know that King is a name there, and a finder that goes by sentences misses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from efface.core import Edit, FinderTraits, Mention
from efface.text.folding import fold_term
from efface.text.form_labels import PERSONAL, is_label, label_words
from efface.text.spans import Span
from efface.text.tables import cells_of, is_form_row, is_header, tables

PERSON, LOCATION, ORGANIZATION = "PERSON", "LOCATION", "ORGANIZATION"
_SCORE = 0.95
LABELLED = "the label of the field says that it is a name"
_KINDS = "first last family given middle maiden full birth preferred previous former christian legal"
_ROLES = (
    "patient client customer employee member staff student pupil witness defendant claimant plaintiff applicant "
    "respondent doctor physician carer mother father parent guardian spouse husband wife child contact donor tenant "
    "beneficiary insured"
)
_PHRASES = ("next of kin", "nok", "known as")
_WORDS = (
    "surname surnames forename forenames firstname lastname lname fname familyname givenname fullname "
    "nachname familienname vorname vornamen geburtsname apellido apellidos prenom prenoms cognome achternaam voornaam "
    "voornamen efternamn fornamn etternavn fornavn efternavn sobrenome sukunimi etunimi nazwisko prijmeni soyadi"
)
_NAME_WORDS = frozenset(_WORDS.split())
_BEFORE_NAME = frozenset(f"{_KINDS} {_ROLES}".split())
_SURNAMES = frozenset(
    "surname surnames last lastname lname family familyname nachname familienname apellido apellidos cognome achternaam "
    "efternamn etternavn efternavn sobrenome sukunimi nazwisko prijmeni soyadi".split()
)
_GIVEN = frozenset(
    "forename forenames first firstname fname given givenname christian vorname vornamen prenom prenoms voornaam "
    "voornamen fornamn fornavn etunimi".split()
)
_PLACES = frozenset(
    "town city village hometown birthplace wohnort geburtsort stadt ville ciudad citta woonplaats geboorteplaats".split()
)
_FIRMS = frozenset("employer arbeitgeber employeur empleador werkgever".split())
# After such a word a label asks for something about the name.
_ABOUT = frozenset("length count id code type verified changed match index column initial order".split())
_EMPTY = frozenset(
    "n/a na none nil unknown not known tbc tba tbd null undefined anonymous withheld redacted string text varchar "
    "required optional missing blank same as above see true false yes no x".split()
)
_WRITTEN = "|".join(
    (
        *_WORDS.replace("fornamn", "f[oö]rnamn").replace("prenom", "pr[eé]nom").split(),
        rf"(?:{'|'.join(_KINDS.split())})[ _-]?names?",
        rf"(?:{'|'.join(_ROLES.split())})(?:['’]?s)?[ _-]?names?",
        rf"names? of (?:the )?(?:{'|'.join(_ROLES.split())})",
        "next[ _-]of[ _-]kin|nok|known as|family|given|names?",
        *sorted(_PLACES | _FIRMS),
    )
)
_LABEL = re.compile(rf"(?:(?<![^\W_])|(?<=[a-z])(?=[A-Z]))(?i:{_WRITTEN})(?:\(s\))?(?![^\W_])")
_IN_FORM = re.compile(
    r"[ \t]*(?:[:=][ \t]*(?:\r?\n[ \t]*(?=[^\W\d_]))?|[ ]{3,}|\t[\t ]*)(?P<value>[^\t\r\n|{}\[\]<>]{1,80}?)"
    r"(?=[ ]{2,}|\t|\r|\n|\||[,;.]?[ ]+[^\W\d_]+(?:[ ][^\W\d_]+)?[ ]?:|\Z)"
)
_IN_JSON = re.compile(r'"\s*:\s*(?:\[\s*)?"(?P<value>[^"\n]{1,80})"')
_NEXT_STRING = re.compile(r'\s*,\s*"(?P<value>[^"\n]{1,80})"(?!\s*:)')
_NEAR = 300  # characters in which another label tells whose "Name" is meant
_WORD = re.compile(r"[^\W\d_]+")
_REMARK = re.compile(r"\s*[(\[,;–-]\s*[a-zà-ÿ0-9].*$", re.DOTALL)  # "(wife)"
_EMPHASIS = re.compile(r"(?P<mark>[*_`]{1,3})(?P<name>[^*_`]+)(?P=mark)")  # of Markdown
_NO_NAME = re.compile(r"@|://|\*\*|##|XX+$")  # addresses, and what a mask left
_MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class LabelledFields:
    """core.Finder of persons, towns and employers by the labels of columns, keys and form fields."""

    types: frozenset[str] = frozenset({PERSON, LOCATION, ORGANIZATION})

    traits: ClassVar[FinderTraits] = FinderTraits(reads_context_words=True)

    def find(self, text: str) -> Iterator[Mention]:
        for mention in (*_in_columns(text), *_beside_labels(text)):
            if mention.type in self.types:
                yield mention


def tells_whole_name(edit: Edit) -> bool:
    """Whether the key of an edit is a whole name of which the place holds a part: the fields beside it gave the rest."""
    return edit.reason == LABELLED and " " in edit.key


def names_person(label: str) -> bool:
    """Whether a label asks for a person's name, whatever stands beside it."""
    words = label_words(label)
    if not words or len(words) > 5 or not _ABOUT.isdisjoint(words):
        return False
    if not _NAME_WORDS.isdisjoint(words) or " ".join(words) in _PHRASES:
        return True
    last_is_name = words[-1] in ("name", "names", "s")
    return ("name" in words or "names" in words) and last_is_name and not _BEFORE_NAME.isdisjoint(words)


def _in_columns(text: str) -> Iterator[Mention]:
    for table in tables(text, _may_name):
        is_personal = any(not PERSONAL.isdisjoint(label_words(label)) for label in table.labels)
        asked = [
            (at, label)
            for at, label in enumerate(table.labels)
            if _type_of(label) or (is_personal and _is_bare(label))
        ]
        for row in table.rows:
            cells = ((label, _mention(text, row[at], _type_of(label), lower=True)) for at, label in asked)
            yield from _whole([(label, mention) for label, mention in cells if mention is not None])


def _whole(fields: Sequence[tuple[str, Mention]]) -> Iterator[Mention]:
    """The names of one row or record. A surname and the given names beside it are one person, and no other."""
    for label, mention in fields:
        whose, part = _whose(label)
        others = [other for name, other in fields if part and _whose(name) == (whose, _OTHER_PART[part])]
        if len(others) == 1 and " " not in others[0].key:
            pair = (others[0].key, mention.key) if part == "surname" else (mention.key, others[0].key)
            yield replace(mention, key=" ".join(pair))
        else:
            yield mention


_OTHER_PART = {"surname": "given", "given": "surname"}


def _whose(label: str) -> tuple[frozenset[str], str]:
    """Whom a label asks for ("mother", or nobody said), and for which part of the name."""
    words = frozenset(label_words(label))
    part = "surname" if words & _SURNAMES else "given" if words & _GIVEN else ""
    return words - _SURNAMES - _GIVEN - {"name", "names", "s"}, part


def _may_name(label: str) -> bool:
    return bool(_type_of(label)) or _is_bare(label)


def _type_of(label: str) -> str:
    """What a label asks for by itself: a person, a town or an employer."""
    if names_person(label):
        return PERSON
    words = label_words(label)
    if not words or len(words) > 3:
        return ""
    return LOCATION if words[-1] in _PLACES else ORGANIZATION if words[-1] in _FIRMS else ""


def _is_bare(label: str) -> bool:
    """ "Name" tells a person only beside "DOB" or the like: drugs have names too."""
    return label_words(label) in (("name",), ("names",), ("family",), ("given",))


def _beside_labels(text: str) -> Iterator[Mention]:
    record: list[tuple[str, Mention]] = []
    for label in _LABEL.finditer(text):
        for mention in _values(text, label):
            written = label.group()
            # A part that was told already begins the next record.
            is_next = any(_whose(name) == _whose(written) for name, _ in record)
            if record and (is_next or mention.start - record[-1][1].end > _NEAR):
                yield from _whole(record)
                record = []
            record.append((written, mention))
    yield from _whole(record)


def _values(text: str, label: re.Match[str]) -> Iterator[Mention]:
    """The names beside a label: one, or those of a list in JSON."""
    in_json = _IN_JSON.match(text, label.end()) if text[label.end() : label.end() + 1] == '"' else None
    value = in_json or _IN_FORM.match(text, label.end())
    if value is None or (_is_bare(label.group()) and not _is_personal(text, label)):
        return
    if in_json is None and _is_in_header(text, label):
        return
    while value is not None:
        type_ = _type_of(label.group())
        mention = _mention(text, Span(*value.span("value")), type_, lower=in_json is not None)
        if mention is not None:
            yield mention
        value = _NEXT_STRING.match(text, value.end()) if in_json and "[" in in_json.group() else None


def _is_personal(text: str, label: re.Match[str]) -> bool:
    """Whether another label near it is one of a person."""
    around = text[max(0, label.start() - _NEAR) : label.start()], text[label.end() : label.end() + _NEAR]
    words = {word for stretch in around for word in label_words(stretch)}
    if label.group().lower() in ("family", "given"):
        return not words.isdisjoint({"family", "given"})
    return not PERSONAL.isdisjoint(words)


def _is_in_header(text: str, label: re.Match[str]) -> bool:
    """Whether the label stands in a row of labels, where the next cell is no value."""
    start = text.rfind("\n", 0, label.start()) + 1
    end = text.find("\n", label.end())
    line = Span(start, end if end >= 0 else len(text))
    if text.find("\t", line.start, line.end) < 0 and text.find("|", line.start, line.end) < 0:
        return False
    cells = [text[cell.start : cell.end] for cell in cells_of(text, line.start, line.end)]
    return is_header(cells) and not is_form_row(text, line)


def _mention(text: str, place: Span, type_: str, *, lower: bool) -> Mention | None:
    """The name in a field, if there is one. Only tables and data write names in lower case."""
    start = place.start
    value = _REMARK.sub("", text[start : place.end].rstrip())
    if (bold := _EMPHASIS.fullmatch(value)) is not None:
        start, value = start + bold.start("name"), bold["name"]
    words = _WORD.findall(value)
    if not words or len(words) > _MOST_WORDS or is_label(value) or _NO_NAME.search(value):
        return None
    if _EMPTY.issuperset(map(fold_term, words)) or not (value[:1].isalpha() or value[:1] in "'’\"“(["):
        return None
    if value == value.lower() != value.upper() and not (lower and len(words) < 3):
        return None
    return Mention(start, start + len(value), type_ or PERSON, fold_term(value), _SCORE, LABELLED)
