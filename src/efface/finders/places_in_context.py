"""Places that what stands beside them tells: the town behind a street with its number, and pubs ("outside the Dog & Duck"),
old houses, and where somebody works ("our Daventry site") or lives ("lives w husband in Frome")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from efface.core import Mention
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import is_label
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import ROLES

_PLACE = "LOCATION"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
TOLD = "what stands beside it says that it is a place"

_WORD = rf"{CAPITAL}{SMALL}+(?:['’][^\W\d_]+)?\.?"
_STREETS = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Crescent|Cres|Terrace|Drive|Dr|Close|Court|Ct|Place|Pl|Square|Sq|Gardens|Gdns|Grove|Gr|"
    r"Mews|Boulevard|Blvd|Parade|Quay|Wharf|Villas|Cottages|Way|Walk|Row|Hill|Rise|View|Park|Green|Croft|Yard)"
)
_TOWN = (
    rf"{CAPITAL}{SMALL}+(?:(?:[ -]|-(?:on|upon|le|in|under|by|super|next|de|la)-){CAPITAL}{SMALL}+){{0,2}}"
)
# "8 Vine Terrace, Frome." An abbreviated kind may have a full stop.
_BEHIND_STREET = re.compile(
    rf"(?<![\w.,])[0-9]{{1,4}}[a-zA-Z]?,? (?:{_WORD} ){{1,3}}{_STREETS}\.?,(?: |\r?\n)(?P<town>{_TOWN})"
    r"(?=[.,;)]|[ ]?\r?\n|\Z| [A-Z]{1,2}[0-9]| [0-9]{5})"
)
_BEASTS = (
    "Lion|Lions|Hart|Horse|Horses|Swan|Swans|Bull|Bear|Boar|Dragon|Fox|Hound|Hounds|Hare|Ram|Lamb|Stag|Eagle|Griffin|Unicorn|Cock|"
    "Cat|Dog|Duck|Goose|Pheasant|Partridge|Pig|Frog|Peacock|Falcon|Greyhound|Badger|Otter|Trout|Salmon|Bird|Slug|Ox|Cow"
)
_THINGS = (
    "Crown|Anchor|Plough|Wheatsheaf|Feathers|Compasses|Horseshoe|Horseshoes|Tun|Tuns|Bell|Bells|Barley Mow|Coach|Mitre|Whistle|"
    "Rose|Thistle|Windmill|Barrel|Cask|Hop|Hops"
)
_LOOKS = (
    "Red|White|Black|Golden|Green|Blue|Brown|Grey|Old|Royal|Three|Two|Five|Flying|Running|Spotted|Dun|Crooked"
)
_NOUN = rf"(?:{_BEASTS}|{_THINGS})"
_ONE = rf"{CAPITAL}{SMALL}+"
_PUB = (
    rf"(?:(?:{_LOOKS}) {_NOUN}|{_NOUN} (?:and|&|&amp;|n) {_ONE}|{_ONE} (?:and|&|&amp;|n) {_NOUN}"
    rf"|{_ONE}['’]?s?['’]? (?:Arms|Head|Tavern|Inn))"
)
_AT_PUB = re.compile(
    r"(?<=he )(?:(?<=\bat [Tt]he )|(?<=\bin [Tt]he )|(?<=\boutside [Tt]he )|(?<=\binside [Tt]he )|(?<=\bfrom [Tt]he )|(?<=\bto [Tt]he )"
    r"|(?<=\bnear [Tt]he )|(?<=\bbehind [Tt]he )|(?<=\bopposite [Tt]he )|(?<=\bby [Tt]he )|(?<=\bdown [Tt]he )|(?<=\bof [Tt]he )"
    rf"|(?<=\bpub [Tt]he )|(?<=\bpub, [Tt]he ))(?P<pub>{_PUB})(?![\w-]|['’]\w| {CAPITAL}{SMALL})"
)


# Houses that are called after what they were. The capital of the article, or of what follows "Old", tells a name.
_OLD_HOUSE = re.compile(
    r"(?<!\w)(?:[Tt]he )?(?P<house>Old (?:Vicarage|Rectory|Parsonage|Manse|School ?[Hh]ouse|School|Forge|Smithy|Mill|Bakery|Bakehouse|"
    r"Chapel|Post Office|Barn|Stables?|Dairy|Coach House|Granary|Station House|Brewery|Maltings?|Tannery|Farmhouse|Cottage|Manor|Hall))"
    rf"(?![\w-]|['’]\w| {CAPITAL})"
)
# "our Daventry site": the word must be no other.
_OWN_SITE = re.compile(
    rf"(?<![\w-])(?:our|their|its|your|my|his|her) (?P<town>{CAPITAL}{SMALL}{{3,}})(?: [a-z]+)? "
    r"(?:site|office|offices|branch|depot|plant|store|factory|warehouse|campus|hub|premises|yard|showroom|shop)(?![\w-])"
)
# "54F, lives w husband Clive in Frome": in notes there is no sentence to read. The word must be no other.
_HOME = re.compile(
    rf"(?<![\w-])(?:[Ll]ives?|[Ll]ived|[Ll]iving|[Rr]esides?|[Rr]esiding|[Ll]odges|[Ll]odging)(?= )[^.;:!?()\n]{{0,40}}? in (?P<town>{_TOWN})"
    r"(?=[ ]?[.,;:()\n]|[ ](?:and|with|since|but|near)[ ]|\s*\Z)"
)


def places_in_context(text: str) -> Iterator[Mention]:
    """Towns behind streets, pubs, towns of offices and homes, and houses that are called after what they were."""
    for found in _BEHIND_STREET.finditer(text):
        if not is_label(found["town"]):
            yield _mention(text, *found.span("town"))
    for found in _AT_PUB.finditer(text):
        yield _mention(text, *found.span("pub"))
    for found in chain(_OWN_SITE.finditer(text), _HOME.finditer(text)):
        word = fold_term(found["town"])
        is_other = is_label(word) or word in ROLES or word in CALENDAR_WORDS
        if usage(word) is Usage.NEVER and not is_other:
            yield _mention(text, *found.span("town"))
    for found in _OLD_HOUSE.finditer(text):
        yield _mention(text, *found.span("house"))


def _mention(text: str, start: int, end: int) -> Mention:
    return Mention(start, end, _PLACE, fold_term(text[start:end]), _SCORE, TOLD)
