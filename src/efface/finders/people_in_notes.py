"""People whom notes tell by one word: "HCA Patience", "her ex Art", "Handover to Gift and Sunday", "0113 496 0512 (Jolyon)".

The word is often an ordinary one, and a note is no sentence. What stands beside it says that somebody is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.core import Mention
from efface.learners.names import is_given_name
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import COURTESY_TITLE, ROLES, SURNAMES, TITLES, WORD_NAMES
from efface.text.search.first_letters import apart_from

_PERSON = "PERSON"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
BESIDE = "what stands beside it says that somebody is meant"

_ONE = rf"{CAPITAL}{SMALL}+(?:['’-](?!s(?!\w))[^\W\d_]+)?"
# A word that goes on with another capital is part of a longer name, which the model reads.
_ENDS = rf"(?![\w@]|['’-]\w\w|[ \u00a0]{CAPITAL}[^\W\d_])"
_POST = apart_from(
    r"[\w.-]",
    "HCA HCSW RN RMN RGN SN CPN AMHP ANP SpR SHO FY[12] TA LSA HLTA SENCO SW OT PT Cllr Bro".split(),
)
_STAFF = re.compile(rf"(?:{_POST})\.?[ \u00a0](?P<name>{_ONE}){_ENDS}")
# "Tam to cover the rota"
_TASKED = re.compile(
    rf"(?:^|[.;,:][ \u00a0])[ \t*•-]{{0,4}}(?P<name>{_ONE})[ \u00a0]to[ \u00a0](?:arrange|ask|book|call|chase|check|circulate|confirm|contact|cover|"
    r"do|draft|email|finish|follow|look|phone|prepare|provide|report|review|ring|run|send|speak|update|visit|write)(?!\w)",
    re.MULTILINE,
)
# "Bed 3 Sunny - comfortable"
_BED = apart_from(r"[\w-]", ("Bed", "Room", "Rm", "Bay", "Cell"))
_IN_BED = re.compile(
    rf"(?:{_BED})[ \u00a0]?[0-9]{{1,3}}[A-Za-z]?[:.,-]?[ \u00a0](?P<name>{_ONE}){_ENDS}(?![ \u00a0][A-Z](?!\w))"
)
# A title makes any word a name, also one that finders know as a score or a trade: "Dr Apgar", "Cllr Priest".
_TITLED = re.compile(
    rf"(?<![\w.-])(?:{COURTESY_TITLE}|Cllr|Prof)\.?[ \u00a0](?P<name>{_ONE})(?![\w@]|[ \u00a0]{CAPITAL}[^\W\d_])"
)
# What follows a title without being a surname: "Dr Who", "Miss World".
_NO_SURNAMES = frozenset("who no pepper martens world universe right big speaker".split())
_WHOSE = rf"(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Yy]our|[Oo]ur|{CAPITAL}[^\W\d_]{{1,20}}['’]s)"
_HOW = r"(?:late|younger|older|elder|eldest|youngest|oldest|big|little|baby|step|best|new|twin|half|then|former|line|social|support|key|union|old)"
_WHO = (
    r"(?:ex|ex-husband|ex-wife|ex-partner|husband|wife|hubby|fianc[eé]e?|boyfriend|girlfriend|mother|mum|mom|mam|father|dad|son|"
    r"daughter|brother|sister|stepson|stepdaughter|stepdad|stepmum|nan|nana|gran|grandma|grandad|grandson|granddaughter|aunt|"
    r"auntie|uncle|cousin|niece|nephew|mate|friend|pal|flatmate|housemate|roommate|neighbour|neighbor|boss|manager|supervisor|"
    r"colleague|worker|keyworker|carer|childminder|nanny|teacher|tutor|coach|landlord|landlady|godson|goddaughter|"
    r"plumber|builder|electrician|cleaner|gardener|driver|lodger|babysitter|midwife|physio|dentist|solicitor|barrister|accountant|rep|"
    r"therapist|counsellor|interpreter|registrar|assistant|apprentice|coworker|co-worker|partner|nurse|dietitian|pharmacist|"
    r"paramedic|chaplain|porter|receptionist|secretary|clerk|caretaker|janitor|concierge|superintendent|warden|foreman|handyman|mechanic)"
)
# "his sister, Hope", and as notes write it, without whose: "lives w/ wife Hope", "d/w dtr Marigold".
_RELATED = re.compile(
    rf"(?<![\w-])(?:{_WHOSE}[ \u00a0](?:{_HOW}[ -]){{0,2}}{_WHO},?|{_WHO}|(?:dtr|dau|gdtr|granddtr|bro|sis|missus|bf|gf)\.?)"
    rf"[ \u00a0](?P<name>{_ONE}(?:[ \u00a0](?P<surname>{_ONE}))?){_ENDS}"
)
# "the physio (Hope)", "the caretaker, Art,". Software has drivers and managers, too, and firms are partners.
_IN_OFFICE = re.compile(
    rf"(?<![\w-])(?:(?!driver|manager|assistant|supervisor|worker|partner){_WHO}[ \u00a0]\((?P<within>{_ONE})\)"
    rf"|[Tt]he[ \u00a0](?:{_HOW}[ -]){{0,2}}{_WHO},[ \u00a0](?P<apart>{_ONE})(?=[,.;:)]|$))",
    re.MULTILINE,
)
_FIELD_OF_WORK = re.compile(r"(?:ology|ics|iatry|otomy|graphy|ery|ing)\Z")  # "the registrar (Cardiology)"
# "Summer, who will be two", "Dawn, aged 9", "Ty, her ex,".
_TOLD_BEHIND = re.compile(
    rf"(?<![\w.'’-])(?P<name>{_ONE})(?:, (?:who|whose|whom)(?!\w)|,? aged [0-9]|, (?:my|his|her|their|your|our) (?:{_HOW}[ -]){{0,2}}{_WHO}(?=[,.;)]))"
)
_TIME_BEFORE = re.compile(r"(?<!\w)(?:in|on|since|until|till|by|last|next|this|of|from) \Z", re.IGNORECASE)
# Who sends a message: "[12/02/2026, 18:02] Mo 🚲: anyone there?"
_SENDER = re.compile(
    r"^\[?[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4},? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[ \u202f][AaPp][Mm])?(?:\] | - )(?:~[ \u00a0\u202f]?)?"
    r"(?P<name>[^\W\d_][\w'’.-]{0,20}(?: [\w'’.-]{1,20}){0,3})[^\w:\r\n]{0,8}:(?= )",
    re.MULTILINE,
)
# As airlines write passengers: "LAU/OSCAR MSTR".
_PASSENGER = re.compile(
    r"(?<![\w/])(?P<name>[A-Z]{2,20}/[A-Z]{3,20}(?: [A-Z]{3,20})?)[ ]?(?:MRS?|MS|MSTR|MISS|CHD|INF|DR)(?=[ ]?(?:[,;.)|\r\n]|[ ]{2}|\Z))"
)
_DOUBLE_GIVEN = re.compile(
    rf"(?<![\w'’.-])(?P<first>{CAPITAL}{SMALL}+)-(?P<second>{CAPITAL}{SMALL}+)(?![\w-])"
)
_NO_SENDERS = frozenset("you system admin bot note error warning info debug".split())
_IT_IS = re.compile(
    r"(?<!\w)(?:(?P<greeting>(?i:hi|hey|hiya|hello)),? )?(?:its|it['’]s|this is) (?P<name>[a-z]{2,15})(?= \(| here\b|[,!]|$)",
    re.MULTILINE,
)
_SHORTEST_TOLD = 4  # letters
# "Mum, Charity, volunteers", "Dad (Christian)".
_KIN = apart_from(
    r"[\w-]",
    "Mum Mom Mother Dad Father Nan Gran Sister Brother Wife Husband Partner Daughter Son Aunt Uncle Carer".split(),
)
_BESIDE_KIN = re.compile(
    rf"(?:{_KIN})(?:,[ \u00a0](?P<apart>{_ONE})(?=,[ ][a-z])|[ \u00a0]\((?P<within>{_ONE})\))"
)
# Work that is handed from one to another. Several names may follow.
_HANDED = re.compile(
    r"(?<![\w-])(?i:hand(?:ed)?[ -]?over(?: given)? (?:to|from)|(?:accompanied|assisted|escorted|relieved|covered|"
    r"chaperoned|witnessed|countersigned|collected|dropped off|picked up) by|(?:on shift|on duty|shift|on nights|on earlies|"
    rf"on lates|doubled up|swapped|swap) with|shadowing)[ \u00a0](?P<names>{_ONE}(?:(?:,| and| &|, and)[ \u00a0]{_ONE}){{0,4}}){_ENDS}"
)
# "their children Loveday, Denzil and Grace"
_KINDS = re.compile(
    r"(?<![\w-])(?i:(?:grand|step|god)?(?:children|sons|daughters)|kids|brothers|sisters|siblings|twins|boys|girls|parents|grandparents|"
    r"cousins|nephews|nieces|uncles|aunts|friends|mates|colleagues|neighbours|neighbors|flatmates|housemates|carers),?:?[ \u00a0]"
    rf"(?P<names>{_ONE}(?:(?:,| and| &|, and)[ \u00a0]{_ONE}){{1,6}})"
)
_NAME = re.compile(_ONE)
# Messages write names small. Behind such a word stands one, if it is a given name and no ordinary word.
_SMALL = re.compile(
    r"(?<![\w'’-])(?:baby|(?P<kin>uncle|auntie|aunty|aunt|cousin)|nurse|sister|brother|father|little|big|young|old|poor|mr|mrs|ms|miss|dr) "
    r"(?P<name>(?:(?:el|al)-)?[a-z]{3,15})(?![\w'’-])"
)
_TELEPHONE = r"\(?\+?[0-9](?:[ ()-]{0,2}[0-9]){8,13}"
_DIGITS = re.compile(r"[0-9](?:[ ()-]{0,2}[0-9]){8}")  # what every number has, and is fast to look for
_BEFORE_TELEPHONE = re.compile(
    rf"(?<![\w.'’-])(?P<name>{_ONE})(?:[ \u00a0]?[,:(–-])?[ \u00a0]?(?:(?:on|tel|mob|ph|phone|mobile)\.?:?[ \u00a0])?"
    rf"(?<![\w])(?={_TELEPHONE}(?![0-9]))"
)
_BEHIND_TELEPHONE = re.compile(rf"(?<=[0-9])[ \u00a0]\((?P<name>{_ONE})\)")
_DIGITS_BEFORE = re.compile(r"[0-9][0-9 ()-]{8,18}\Z")
_LONGEST_NUMBER = 24  # characters
_LINES = frozenset(
    "page pager switchboard voicemail freephone landline textphone whatsapp minicom answerphone".split()
)


def people_in_notes(text: str) -> Iterator[Mention]:
    """Finds people who are named by a single word, by what stands beside it."""
    yield from _by_role(text)
    yield from _by_relation(text)
    yield from _titled(text)
    yield from _beside_kin(text)
    yield from _in_lists(text)
    yield from _with_telephones(text)
    yield from _in_small_letters(text)
    yield from _in_messages(text)
    yield from _double_given_names(text)


def _by_role(text: str) -> Iterator[Mention]:
    """Finds people by what they do: staff, the patient in a bed, the owner of a task."""
    for pattern in (_STAFF, _IN_BED):
        for found in pattern.finditer(text):
            if _is_name(found["name"]):
                yield _mention(text, *found.span("name"))
    for found in _TASKED.finditer(text):
        if _is_name(found["name"]) or _is_no_word(found["name"]):
            yield _mention(text, *found.span("name"))


def _by_relation(text: str) -> Iterator[Mention]:
    """Finds people by their relation to somebody, such as a son or a colleague, and those who were told something."""
    for found in _RELATED.finditer(text):
        if _is_related(found["name"], found["surname"]):
            yield _mention(text, *found.span("name"))
    for found in _IN_OFFICE.finditer(text):
        group = "apart" if found["apart"] else "within"
        if _is_in_office(found[group]):
            yield _mention(text, *found.span(group))
    for found in _TOLD_BEHIND.finditer(text):
        if _is_name(found["name"]) and not _is_time(text, *found.span("name")):
            yield _mention(text, *found.span("name"))


def _beside_kin(text: str) -> Iterator[Mention]:
    for found in _BESIDE_KIN.finditer(text):
        group = "apart" if found["apart"] else "within"
        if _is_name(found[group]):
            yield _mention(text, *found.span(group))


def _in_lists(text: str) -> Iterator[Mention]:
    """The people to whom something was handed, and those of a kind."""
    for pattern in (_HANDED, _KINDS):
        for found in pattern.finditer(text):
            for name in _NAME.finditer(text, *found.span("names")):
                if _is_name(name.group()) or usage(fold_term(name.group())) is Usage.NEVER:
                    yield _mention(text, *name.span())


def _in_small_letters(text: str) -> Iterator[Mention]:
    """Given names, names with a hyphen and kin in small letters, unless the word is one of English."""
    for found in _SMALL.finditer(text):
        _, hyphen, last = found["name"].rpartition("-")
        if (is_given_name(last) or hyphen or found["kin"]) and usage(last) is Usage.NEVER:
            yield _mention(text, *found.span("name"))


def _double_given_names(text: str) -> Iterator[Mention]:
    for found in _DOUBLE_GIVEN.finditer(text):
        parts = {fold_term(found["first"]), fold_term(found["second"])}
        if all(map(is_given_name, parts)) and parts.isdisjoint(CALENDAR_WORDS):
            yield _mention(text, *found.span())


def _in_messages(text: str) -> Iterator[Mention]:
    """Who sends a message, who says who it is ("hi its will (new number)"), and who is booked on a flight."""
    for found in _SENDER.finditer(text):
        if fold_term(found["name"].partition(" ")[0]) not in _NO_SENDERS:
            yield _mention(text, *found.span("name"))
    for found in _PASSENGER.finditer(text):
        yield _mention(text, *found.span("name"))
    for found in _IT_IS.finditer(text):
        if is_given_name(found["name"]) and (found["greeting"] or _is_told(found["name"])):
            yield _mention(text, *found.span("name"))


def _is_no_word(name: str) -> bool:
    """Whether a word with a capital is no word of the language, no label and no role, and so a name."""
    folded = fold_term(name)
    return usage(folded) is Usage.NEVER and not (folded in LABELS or folded in TITLES or folded in ROLES)


def _is_told(name: str) -> bool:
    """Whether "it's" is enough before a name in small letters: it is no word and no piece of one."""
    return len(name) >= _SHORTEST_TOLD and usage(name) is Usage.NEVER


def _is_related(name: str, surname: str | None) -> bool:
    """Whether a word behind a relation is a name. With a surname it is only asked for where that is an ordinary word, and
    a finder may have read a sentence: "Will Power"."""
    if surname is None:
        return _is_name(name) or usage(fold_term(name)) is Usage.NEVER
    word = fold_term(surname)
    is_surname = word not in CALENDAR_WORDS and word not in LABELS and usage(word) is not Usage.NEVER
    return is_surname and _is_name(name.split(maxsplit=1)[0])


def _is_in_office(name: str) -> bool:
    """Whether a word beside an office names its holder. A day or a field of work does not."""
    folded = fold_term(name)
    if folded in CALENDAR_WORDS or folded in LABELS:
        return False
    is_unlisted_name = usage(folded) is Usage.NEVER and _FIELD_OF_WORK.search(folded) is None
    return _is_name(name) or is_unlisted_name


def _is_time(text: str, start: int, end: int) -> bool:
    """Whether a month or a weekday is meant: "in May, who came?"."""
    before = text[max(0, start - 8) : start]
    return fold_term(text[start:end]) in CALENDAR_WORDS and _TIME_BEFORE.search(before) is not None


def _titled(text: str) -> Iterator[Mention]:
    for found in _TITLED.finditer(text):
        word = fold_term(found["name"])
        is_address = word in ROLES and word not in SURNAMES  # "Mr Chairman"
        if not is_address and word not in TITLES - SURNAMES and word not in _NO_SURNAMES:
            yield _mention(text, *found.span("name"))


def _with_telephones(text: str) -> Iterator[Mention]:
    """Who is reached under a number: "SW: Chi 01753 960 005", "0113 496 0512 (Jolyon)"."""
    for found in _BEFORE_TELEPHONE.finditer(text) if _DIGITS.search(text) else ():
        if _is_name(found["name"]):
            yield _mention(text, *found.span("name"))
    for found in _BEHIND_TELEPHONE.finditer(text):
        number = _DIGITS_BEFORE.search(text, max(0, found.start() - _LONGEST_NUMBER), found.start())
        folded = fold_term(found["name"])
        is_word = folded in _LINES or usage(folded) is not Usage.NEVER
        if number is not None and (_is_name(found["name"]) or not is_word):
            yield _mention(text, *found.span("name"))


def _is_name(word: str) -> bool:
    """Whether a word is listed as a given name, or is a word by which people are called."""
    folded = fold_term(word)
    if folded in LABELS or folded in TITLES or folded in ROLES or folded in _LINES:
        return False
    return is_given_name(folded) or folded in WORD_NAMES


def _mention(text: str, start: int, end: int) -> Mention:
    return Mention(start, end, _PERSON, fold_term(text[start:end]), _SCORE, BESIDE)
