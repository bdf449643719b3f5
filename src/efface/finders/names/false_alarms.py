"""False alarms of the names model: bare numbers taken for places, labels of forms, and diseases that bear a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from efface.finders.names.decoding import DecodedMention
from efface.text.folding import fold_term

_PLACES = frozenset({"LOCATION", "ADDRESS"})
_NEXT = re.compile(r"\s*,?\s*")
_POSTCODE = 4  # digits of the shortest
_AFTER_LABEL = re.compile(r"[ \t]{0,3}[:=]")
_LABELS = frozenset(
    "dob mrn nhs nhs no nhs number hospital no hospital number ward town city county country address postcode zip "
    "name surname forename first name last name full name patient patient name patient id date of birth sex gender age "
    "room bed consultant physician attending gp doctor nurse admission discharge diagnosis tel phone mobile fax email "
    "e-mail id ref reference date time subject from to cc bcc account iban bic vat ssn employer occupation next of kin "
    "contact telephone department unit status remarks notes signature signed place".split()
) | {"date of birth", "next of kin", "first name", "last name", "full name", "patient name", "patient id"}

# Physicians after whom diseases, signs and scores are called. With the noun behind it the name tells of no person in
# the text; should a person of this name be cut elsewhere, it goes here too.
_EPONYMS = frozenset(
    "addison adie alport alzheimer angelman apgar asperger baker barrett behcet bell bence jones brugada budd chiari "
    "burkitt charcot marie tooth chagas cheyne stokes conn cowden creutzfeldt jakob crohn cushing down dravet dupuytren "
    "ehlers danlos epley ewing fabry fallot fanconi foley friedreich gaucher gilbert gilles tourette glasgow gleason "
    "goodpasture graves guillain barre hashimoto henoch schonlein heimlich hirschsprung hodgkin huntington hurler "
    "kaposi kawasaki klinefelter korsakoff legg calve perthes lennox gastaut lewy likert lou gehrig lyme lynch marfan "
    "meniere munchausen non osgood schlatter paget parkinson peutz jeghers prader willi raynaud reiter rett reye rinne "
    "rorschach sheehan sjogren stevens johnson still sturge weber takayasu tay sachs tourette trendelenburg turner "
    "usher wallenberg weber wechsler wegener wernicke whipple williams wilms wilson wolff parkinson white zollinger "
    "ellison".split()
)
_EPONYM_NOUN = re.compile(
    r"(?i)(?:['’]s)?[ \u00a0-](?:disease|syndrome|pals(?:y|ies)|chorea|dementia|disorder|lymphoma|sarcoma|tumou?r|contracture|"
    r"thyroiditis|phenomenon|encephalopathy|psychosis|o?esophagus|purpura|aphasia|ataxia|arteritis|catheter|cyst|"
    r"fracture|sign|test|reflex|criteria|classification|scores?|scale|staging|grad(?:e|ing)|man(?:oeuvre|euver)|"
    r"bod(?:y|ies)|coma|an[a]?emia)s?\b"
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
    return _is_label(surface, after) or _is_eponym(surface, after)


def _is_eponym(surface: str, after: str) -> bool:
    """ "Huntington" before "'s disease"."""
    if _EPONYM_NOUN.match(after) is None:
        return False
    words = re.findall(r"[^\W\d_]+", fold_term(surface).removesuffix("'s"))
    return all(word in _EPONYMS for word in words)


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
    """A postcode stands beside its town, a number beside its street, with no word and at most a comma between them."""
    for low, high in ((at - 1, at), (at, at + 1)):
        if low < 0 or high >= len(found):
            continue
        other = low if high == at else high
        apart = between(found[low], found[high])
        # A short number in another line than the place is in another row of a table.
        near = _NEXT.fullmatch(apart) is not None and ("\n" not in apart or is_long)
        if near and found[other].type in _PLACES and not numbers[other]:
            return True
    return False
