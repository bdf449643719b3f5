"""What the label of a column, a key or a form line asks for: a person, a part of a name, a town, an employer, an address."""

from __future__ import annotations

import re

from efface.text import foreign_labels
from efface.text.calendar_names import ENGLISH_WEEKDAYS
from efface.text.form_labels import PERSONAL, label_words
from efface.text.search.first_letters import in_any_case

PERSON, LOCATION, ORGANIZATION = "PERSON", "LOCATION", "ORGANIZATION"
_KINDS = "first last family given middle maiden full birth preferred previous former christian legal"
_ROLES = (
    "patient client customer employee member staff student pupil witness defendant claimant plaintiff applicant "
    "respondent doctor physician carer mother father parent guardian spouse husband wife child contact donor tenant "
    "beneficiary insured consultant gp manager referrer nurse surgeon clinician therapist solicitor barrister judge "
    "teacher tutor supervisor assignee attendee participant resident landlord cardholder requester reporter interviewer "
    "interviewee officer midwife victim suspect complainant deponent deceased passenger guest candidate referee mentor "
    "caller approver signatory informant occupant sibling"
)
_PHRASES = (
    "next of kin",
    "nok",
    "known as",
    "also known as",
    "aka",
    "alias",
    "aliases",
    "nickname",
    "nicknames",
)
# A column or a key that is called after a role holds names by itself. "Parent" and "contact" may be anything.
_HOLDERS = frozenset(_ROLES.split()) - frozenset("parent child contact member insured staff".split())
_HOLDER_PHRASES = frozenset(
    "staff member|team member|emergency contact|key worker|social worker|support worker|note taker|minute taker|assigned to|referred by|requested by|reported by|seen by|"
    "approved by|authorised by|authorized by|signed by|created by|updated by|modified by|reviewed by|completed by|"
    "prepared by|entered by|checked by|recorded by|submitted by|posted by|logged by|interviewed by|examined by|"
    "taken by|witnessed by|dictated by|hausarzt|hausarztin|medecin traitant|medico".split("|")
) | foreign_labels.folded(foreign_labels.PERSON_LABELS)
# "Fixed by", "written by": who did something. These are said of things.
_BY_THINGS = frozenset(
    "sorted ordered grouped powered caused affected blocked replaced followed indexed limited secured protected multiplied "
    "divided produced manufactured published distributed encrypted triggered generated surrounded bounded linked need".split()
)
_DONE = re.compile(r"[a-z]{3,20}(?:ed|en|ought|one|ade|ept|ent|ound|aken)")
_BEFORE_HOLDER = frozenset(
    "line responsible named assigned referring attending lead staff primary our the".split()
)
_IN_HOLDER = _HOLDERS | _BEFORE_HOLDER
_WORDS = (
    "initials surname surnames forename forenames firstname lastname lname fname familyname givenname fullname "
    "nachname familienname vorname vornamen geburtsname apellido apellidos prenom prenoms cognome achternaam voornaam "
    "voornamen efternamn fornamn etternavn fornavn efternavn sobrenome sukunimi etunimi nazwisko prijmeni soyadi"
)
_NAME_WORDS = frozenset(_WORDS.split()) | foreign_labels.folded(
    foreign_labels.SURNAME_LABELS + foreign_labels.GIVEN_NAME_LABELS
)
_BEFORE_NAME = frozenset(f"{_KINDS} {_ROLES}".split())
_SURNAMES = frozenset(
    "surname surnames last lastname lname family familyname nachname familienname apellido apellidos cognome achternaam "
    "efternamn etternavn efternavn sobrenome sukunimi nazwisko prijmeni soyadi".split()
) | foreign_labels.folded(foreign_labels.SURNAME_LABELS)
_GIVEN = frozenset(
    "forename forenames first firstname fname given givenname christian vorname vornamen prenom prenoms voornaam "
    "voornamen fornamn fornavn etunimi".split()
) | foreign_labels.folded(foreign_labels.GIVEN_NAME_LABELS)
_PLACES = frozenset(
    "town city village hometown birthplace wohnort stadt ort ville ciudad localidad poblacion citta comune localita".split()
) | foreign_labels.folded(foreign_labels.PLACE_LABELS)
_ADDRESSES = frozenset("address addresses street".split()) | foreign_labels.folded(
    foreign_labels.ADDRESS_LABELS
)
# "line1" is one of an address where a town, a postcode or an address is asked for too.
_ADDRESS_LINE = re.compile(r"(?i:(?:address|addr|street)[ _-]?(?:line)?|line)[ _-]?[1-5]|(?i:lines?)")
_POSTCODES = frozenset("cap cp plz postcode postal postleitzahl postnummer postnr zip zipcode".split())
KIN = (  # what a form says of somebody before the name: "Next of kin: mother, Ngozi"
    "mother|mum|father|dad|wife|husband|partner|son|daughter|sister|brother|aunt|uncle|niece|nephew|grandmother|"
    "grandfather|friend|neighbour|carer"
)
POSTCODE_SHAPE = re.compile(r"(?:[A-Z]{1,3}-?)?[0-9][0-9A-Z -]{2,8}", re.IGNORECASE)
_NO_PLACE = frozenset("email mail ip mac web url internet site memory wallet network link".split())
_FIRMS = frozenset(
    "employer company organisation organization firm arbeitgeber employeur empleador werkgever".split()
) | foreign_labels.folded(foreign_labels.FIRM_LABELS)
# After such a word a label asks for something about the name.
_ABOUT = frozenset("length count id code type verified changed match index column initial order".split())
_BARE = frozenset("aka alias aliases nickname nicknames name names family given nom nombre nome naam".split())
_OF_PEOPLE = frozenset("signature shift attended absent salary payroll mobile email manager".split())
_DISPLAYED = ("display", "name")  # of an account, or of anything else that a program shows
_ACCOUNTS = frozenset("email mail login username".split())
HALVES = frozenset({("first",), ("last",)})  # the halves of a name, where both are there
_NAMES_OF_KINDS = tuple(f"{kind}[ _-]?names?" for kind in _KINDS.split())
WRITTEN = in_any_case(
    (
        *_WORDS.replace("fornamn", "f[oö]rnamn").replace("prenom", "pr[eé]nom").split(),
        *_NAMES_OF_KINDS,
        *(f"{role}(?:['’]?s)?[ _-]?names?" for role in _ROLES.split()),
        rf"names? of (?:the )?(?:{'|'.join(_ROLES.split())})",
        *(
            "next[ _-]of[ _-]kin",
            "nok",
            "also known[ _-]?as",
            "known[ _-]?as",
            "aka",
            "alias(?:es)?",
            "nicknames?",
        ),
        *("display[ _-]?name", "f(?<!font[ _-]f)amily", "given", "names?", "nom", "nombre", "nome", "naam"),
        *sorted(_PLACES | _FIRMS),
        *foreign_labels.NAMING_LABELS,
    )
)


def names_person(label: str) -> bool:
    """Whether a label asks for a person's name, regardless of the labels beside it."""
    words = label_words(label)
    if not words or len(words) > 5 or not _ABOUT.isdisjoint(words):
        return False
    if not _NAME_WORDS.isdisjoint(words) or " ".join(words) in _PHRASES:
        return True
    last_is_name = words[-1] in ("name", "names", "s")
    return ("name" in words or "names" in words) and last_is_name and not _BEFORE_NAME.isdisjoint(words)


def holds_person(label: str) -> bool:
    """Whether a column or a key is called after those who stand there: "Patient", "Line manager", "Seen by"."""
    words = label_words(label)
    if " ".join(words) in _HOLDER_PHRASES or _names_who_did(words):
        return True
    return bool(words) and words[-1] in _HOLDERS and _IN_HOLDER.issuperset(words)


def _names_who_did(words: tuple[str, ...]) -> bool:
    """Whether a label asks by whom something was done: "fixed by", "signed off by"."""
    if not 1 < len(words) < 4 or words[-1] != "by" or words[0] in _BY_THINGS:
        return False
    return any(map(_DONE.fullmatch, words[:-1]))


def is_address(label: str) -> bool:
    words = label_words(label)
    return len(words) < 4 and not _ADDRESSES.isdisjoint(words) and (_NO_PLACE | _ABOUT).isdisjoint(words)


def is_address_line(label: str, others: str) -> bool:
    """Whether a label asks for a line of an address, by the labels beside it."""
    if not _ADDRESS_LINE.fullmatch(label):
        return False
    return not (_PLACES | _POSTCODES | _ADDRESSES | {"county"}).isdisjoint(label_words(others))


def is_postcode(label: str) -> bool:
    """Whether a column holds postcodes. It counts only in a table that asks for names or addresses."""
    words = label_words(label)
    return len(words) < 4 and not _POSTCODES.isdisjoint(words)


def lists_people(heading: str) -> bool:
    """Whether the columns of a table are those of a rota or of a list of people."""
    words = label_words(heading)
    return len(ENGLISH_WEEKDAYS.intersection(words)) > 1 or not _OF_PEOPLE.isdisjoint(words)


def type_of(label: str) -> str:
    """What a label asks for by itself: a person, a town or an employer."""
    if names_person(label):
        return PERSON
    words = label_words(label)
    if not words or len(words) > 3:
        return ""
    asked = (words[-1], " ".join(words))
    return LOCATION if not _PLACES.isdisjoint(asked) else "" if _FIRMS.isdisjoint(asked) else ORGANIZATION


def is_bare(label: str) -> bool:
    """ "Name" tells a person only beside "DOB" or the like: drugs have names too."""
    words = label_words(label)
    return (len(words) == 1 and words[0] in _BARE) or words == _DISPLAYED


def is_personal(label: str, others: str) -> bool:
    """Whether a bare "Name" is a person's, by the labels beside it."""
    words = set(label_words(others))
    if label.lower() in ("family", "given"):
        return not words.isdisjoint({"family", "given", "surname", "surnames", "forename", "forenames"})
    beside = PERSONAL | _ACCOUNTS if label_words(label) == _DISPLAYED else PERSONAL
    return not beside.isdisjoint(words)


def whose_part(label: str) -> tuple[frozenset[str], str]:
    """Whom a label asks for ("mother", or nobody said), and for which part of the name."""
    words = frozenset(label_words(label))
    part = "surname" if words & _SURNAMES else "given" if words & _GIVEN else ""
    return words - _SURNAMES - _GIVEN - {"name", "names", "s"}, part


def asks(label: str) -> bool:
    """Whether a column's label says what the column holds, whatever the other columns are."""
    return bool(type_of(label)) or holds_person(label) or is_address(label)
