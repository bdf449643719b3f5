"""Fields that are called just "name", "contact" or "staff". They hold people or things, which the values tell, and the fields
beside them: pupils are called Summer and Gift, and so are a shampoo and a file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from efface.finders.fields.login_fields import login_places
from efface.learners.names import is_given_name
from efface.text.calendar_names import ENGLISH_SEASONS, MONTHS, WEEKDAYS
from efface.text.folding import fold_term
from efface.text.form_labels import PERSONAL, label_words
from efface.text.letter_classes import CAPITAL
from efface.text.person_words import PARTICLES, WORD_NAMES
from efface.text.spans import Span
from efface.text.tables.find import tables

_LABELS = frozenset("name names contact contacts staff parent parents child children member members".split())
# Beside one of these a "name" is a person's.
_PEOPLE = PERSONAL | frozenset(
    "pupil carer guardian mother father spouse phone mobile tel telephone email salary wage payroll allergy allergies "
    "diagnosis attendance attended absent signature birthdate hired joined".split()
)
# In a list or an element that is called so it is, too. Beside a teacher it may be the name of a class.
_LISTS_OF_PEOPLE = _PEOPLE | frozenset(
    "student employee staff teacher tutor nurse doctor parent child children resident tenant guest candidate applicant "
    "passenger participant attendee volunteer witness people person user player author friend sibling brother sister "
    "colleague crew customer client contact member".split()
)
# Beside one of these too, if nothing says that it is a thing.
_OF_PEOPLE = frozenset("grade class room ward bed desk seat shift".split())
_THINGS = frozenset(
    "price cost sku ean stock qty quantity size colour color hex rgb brand model manufacturer version license licence "
    "dependency dependencies repository url uri path extension bytes mime type value default enum parameter argument port "
    "formula cas symbol mass density strength dose dosage route ingredient species genus breed latitude longitude lat lon lng "
    "population capital continent timezone currency iso elevation genre isbn publisher horsepower fuel engine font style "
    "alloy hardness".split()
)
# An element or a list that is called so holds things. Beside the name of a customer it is what was ordered, or where to.
_LISTS_OF_THINGS = _THINGS | frozenset(
    "product item supplier category package module library file field column property properties param arg method function "
    "variable option input template resource target task job step stage service host server image container recipe "
    "variety country countries region city cities town river mountain street planet star film movie book song album string "
    "integer element attribute event".split()
)
_CALENDAR = ENGLISH_SEASONS.union(MONTHS["en"][0], WEEKDAYS["en"][0])  # no short forms: Jan is a given name
_ONE_NAME = re.compile(rf"{CAPITAL}[^\W\d_]*(?:['’-][^\W\d_]+){{0,3}}\.?")
_MOST_WORDS = 3  # of a value that may be a name
_SHAPED = 0.75  # the share of the values that have the shape of a name where people stand
_LISTED = 3  # one value in so many is a listed given name, where no label tells
_NEAR = 300  # characters in which an object or an element begins and ends
_KEY = re.compile(r'"(?P<label>[A-Za-z]{4,8})"\s{0,5}:\s{0,5}"(?P<value>[^"\n]{1,80})"')
_ANY_KEY = re.compile(r'"([^"\n:{}\[\]]{1,40})"\s{0,3}:')
_OWNER_KEY = re.compile(r'"([^"\n:{}\[\]]{1,40})"\s{0,5}:\s{0,20}\[?\s{0,20}\Z')
_ATTRIBUTE = re.compile(
    r"\s(?P<label>[A-Za-z]{4,8})=(?:\"(?P<double>[^\"<>]{1,80})\"|'(?P<single>[^'<>]{1,80})')"
)
_ELEMENT = re.compile(r"<(?P<label>[A-Za-z]{4,8})>\s{0,20}(?P<value>[^<>]{1,80})</")
_TAG = re.compile(r"</?([^\W\d][\w.:-]{0,40})")
_ANY_ATTRIBUTE = re.compile(r"\s([^\W\d][\w.:-]{0,40})=")


@dataclass(slots=True)
class _Group:
    """The values that stand under one label, and the labels beside them."""

    places: list[Span] = field(default_factory=list)
    owners: set[str] = field(default_factory=set)
    beside: set[str] = field(default_factory=set)

    def add(self, place: Span, owner: str, beside: Iterable[str]) -> None:
        self.places.append(place)
        self.owners.add(owner)
        self.beside.update(beside)

    def holds_people(self, text: str) -> bool:
        """Whether the labels and the values say that people stand here."""
        values = [text[place.start : place.end].strip() for place in self.places]
        values = [value for value in values if value]
        if sum(map(has_shape, values)) < _SHAPED * max(1, len(values)):
            return False
        owners, beside = _label_words(self.owners), _label_words(self.beside)
        if not _PEOPLE.isdisjoint(beside) or not _LISTS_OF_PEOPLE.isdisjoint(owners):
            return True
        if not _THINGS.isdisjoint(beside) or not _LISTS_OF_THINGS.isdisjoint(owners):
            return False
        return not _OF_PEOPLE.isdisjoint(beside) or _are_given_names(values)


_FieldGroups = defaultdict[tuple[str, ...], _Group]


def places_of_names(text: str) -> Iterator[Span]:
    """The values of fields called "name" and the like, where they are people's, and logins of people."""
    yield from login_places(text)
    yield from _in_columns(text)
    for groups in (_by_keys(text), _by_markup(text)):
        for group in groups.values():
            if group.holds_people(text):
                yield from group.places


def _in_columns(text: str) -> Iterator[Span]:
    for table in tables(text, _is_label):
        for at, label in enumerate(table.labels):
            if not _is_label(label):
                continue
            group = _Group()
            others = (*table.labels[:at], *table.labels[at + 1 :])
            for row in table.rows:
                group.add(row[at], "", others)
            if group.holds_people(text):
                yield from group.places


def _by_keys(text: str) -> _FieldGroups:
    """The values of JSON. Objects with the same keys are alike."""
    groups = _FieldGroups(_Group)
    for key in _KEY.finditer(text):
        if not _is_label(key["label"]):
            continue
        low = max(0, key.start() - _NEAR)
        opening = max(low, text.rfind("{", low, key.start()))
        closing = text.find("}", key.end(), key.end() + _NEAR)
        end = closing if closing >= 0 else key.end() + _NEAR
        others = [*_ANY_KEY.findall(text[opening : key.start()]), *_ANY_KEY.findall(text[key.end() : end])]
        owner = _OWNER_KEY.search(text[max(0, opening - _NEAR) : opening])
        group = groups[key["label"], *sorted(others)]
        group.add(Span(*key.span("value")), owner[1] if owner else "", others)
    return groups


def _by_markup(text: str) -> _FieldGroups:
    """The values of XML. Attributes are alike if their elements have one name; elements, if one name stands before them."""
    groups = _FieldGroups(_Group)
    if "</" not in text and "/>" not in text:
        return groups
    for found in _ATTRIBUTE.finditer(text):
        if _is_label(found["label"]):
            opening = text.rfind("<", max(0, found.start() - _NEAR), found.start())
            closing = text.find(">", found.end(), found.end() + _NEAR)
            tag = text[opening : closing if closing >= 0 else found.end()] if opening >= 0 else ""
            owner = _first(_TAG.findall(tag))
            # A class is a style here, and no class of pupils.
            others = [name for name in _ANY_ATTRIBUTE.findall(tag) if name not in (found["label"], "class")]
            place = Span(*found.span("double" if found["double"] is not None else "single"))
            groups["attribute", found["label"], owner].add(place, owner, others)
    for found in _ELEMENT.finditer(text):
        if _is_label(found["label"]):
            before = _TAG.findall(text[max(0, found.start() - _NEAR) : found.start()])
            after = _TAG.findall(text[found.end() : found.end() + _NEAR])
            owner = before[-1] if before else ""
            groups["element", found["label"], owner].add(Span(*found.span("value")), owner, after)
    return groups


def _first(names: Sequence[str]) -> str:
    return names[0] if names else ""


def _is_label(label: str) -> bool:
    words = label_words(label)
    return len(words) == 1 and words[0] in _LABELS


def _label_words(labels: Iterable[str]) -> set[str]:
    """The words of labels, each in the singular too."""
    words = {word for label in labels for word in label_words(label)}
    return words | {word.removesuffix("s") for word in words}


def has_shape(value: str) -> bool:
    """Whether a value is one to three words with capitals and nothing else, as names are."""
    words = [word for word in value.split() if word.lower() not in PARTICLES]
    return 0 < len(words) <= _MOST_WORDS and all(map(_ONE_NAME.fullmatch, words))


def _are_given_names(values: Sequence[str]) -> bool:
    """Whether many of the values begin with a given name, and they are not the seasons or the months."""
    first = [fold_term(value.split()[0]) for value in values]
    if len(set(first)) > 1 and _CALENDAR.issuperset(first):
        return False
    named = [word for word in first if is_given_name(word) or word in WORD_NAMES]
    return len(named) * _LISTED >= len(first) > 0
