"""False alarms of the names model: bare numbers taken for places, labels of forms, and diseases that bear a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from efface.finders.names.decoding import DecodedMention
from efface.text.clinical_words import is_clinical_word
from efface.text.folding import fold_term

_PLACES = frozenset({"LOCATION", "ADDRESS"})
_NEXT = re.compile(r"\s*,?\s*")
_POSTCODE = 4  # digits of the shortest
_AFTER_LABEL = re.compile(r"[ \t]{0,3}[:=]")
# Words of labels on forms. A label of several words is one if each of its words is here.
_LABELS = frozenset(
    "dob mrn nhs no number hospital ward town city county country address postcode zip name surname forename first last "
    "full patient id date of birth sex gender age room bed consultant physician attending gp doctor nurse admission "
    "discharge diagnosis tel phone mobile fax email e-mail ref reference time subject from to cc bcc account iban bic vat "
    "ssn employer occupation next kin contact telephone department unit status remarks notes signature signed place".split()
)


def without_false_alarms(
    found: Sequence[DecodedMention],
    surface: Callable[[DecodedMention], str],
    after: Callable[[DecodedMention], str],
    between: Callable[[DecodedMention, DecodedMention], str],
) -> list[DecodedMention]:
    """The mentions without numbers that stand by themselves and without labels. `after` is the text that follows a
    mention, `between` that which is between two."""
    kept = [one for one in found if not _names_nobody(surface(one), after(one))]
    numbers = [one.type in _PLACES and not any(map(str.isalpha, surface(one))) for one in kept]
    left = []
    for at, one in enumerate(kept):
        is_long = len(surface(one)) >= _POSTCODE
        if not numbers[at] or _beside_a_place(kept, numbers, at, between, is_long=is_long):
            left.append(one)
    return left


def _names_nobody(surface: str, after: str) -> bool:
    return _is_label(surface, after) or is_clinical_word(surface, after)


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
    *,
    is_long: bool,
) -> bool:
    """Whether only blanks or a comma separate a postcode from its town, or a number from its street."""
    for low, high in ((at - 1, at), (at, at + 1)):
        if low < 0 or high >= len(found):
            continue
        other = low if high == at else high
        apart = between(found[low], found[high])
        # A short number in another line than the place is in another row of a table.
        near = _NEXT.fullmatch(apart) is not None and ("\n" not in apart or is_long)
        # Nor is one behind a place and a comma its house: "212 at Wisbech, 88 at Long Sutton".
        near = near and (is_long or other == high or "," not in apart)
        if near and found[other].type in _PLACES and not numbers[other]:
            return True
    return False
