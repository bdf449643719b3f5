"""False alarms of the names model: bare numbers taken for places, and the labels of forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from efface.finders.names.decoding import DecodedMention
from efface.text.folding import fold_term

_PLACES = frozenset({"LOCATION", "ADDRESS"})
_NEXT = re.compile(r"\s*,?\s*")
_AFTER_LABEL = re.compile(r"[ \t]{0,3}[:=]")
_LABELS = frozenset(
    "dob mrn nhs nhs no nhs number hospital no hospital number ward town city county country address postcode zip "
    "name surname forename first name last name full name patient patient name patient id date of birth sex gender age "
    "room bed consultant physician attending gp doctor nurse admission discharge diagnosis tel phone mobile fax email "
    "e-mail id ref reference date time subject from to cc bcc account iban bic vat ssn employer occupation next of kin "
    "contact telephone department unit status remarks notes signature signed place".split()
) | {"date of birth", "next of kin", "first name", "last name", "full name", "patient name", "patient id"}


def without_false_alarms(
    found: Sequence[DecodedMention],
    surface: Callable[[DecodedMention], str],
    after: Callable[[DecodedMention], str],
    between: Callable[[DecodedMention, DecodedMention], str],
) -> list[DecodedMention]:
    """The mentions without numbers that stand by themselves and without labels. `after` is the text that follows a
    mention, `between` that which is between two."""
    kept = [one for one in found if not _is_label(surface(one), after(one))]
    numbers = [one.type in _PLACES and not any(map(str.isalpha, surface(one))) for one in kept]
    return [
        one for at, one in enumerate(kept) if not numbers[at] or _beside_a_place(kept, numbers, at, between)
    ]


def _is_label(surface: str, after: str) -> bool:
    """ "DOB:", "Ward:": all of its words are of labels, and a colon follows."""
    if _AFTER_LABEL.match(after) is None:
        return False
    return all(word in _LABELS for word in fold_term(surface).split())


def _beside_a_place(
    found: Sequence[DecodedMention],
    numbers: Sequence[bool],
    at: int,
    between: Callable[[DecodedMention, DecodedMention], str],
) -> bool:
    """A postcode stands beside its town, a number beside its street, with no word and at most a comma between them."""
    for low, high in ((at - 1, at), (at, at + 1)):
        if low < 0 or high >= len(found):
            continue
        other = low if high == at else high
        near = _NEXT.fullmatch(between(found[low], found[high])) is not None
        if near and found[other].type in _PLACES and not numbers[other]:
            return True
    return False
