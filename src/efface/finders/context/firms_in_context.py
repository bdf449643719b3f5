"""Firms and other organisations that millions know by ordinary words, or that the words beside them tell: "a quote from Happy Wheels"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.core import Mention
from efface.finders.context.known_organisations import ACRONYMS, ONE_WORD_NAMES, WHOLE_NAMES
from efface.learners.names import is_given_name
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import ROLES, TITLES
from efface.text.search.first_letters import apart_from

_FIRM = "ORGANIZATION"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
KNOWN = "an organisation that millions know"
TOLD = "what stands beside it says that it is an organisation"

_WHOLE_NAME = apart_from(r"[\w'’&-]", map(re.escape, sorted(WHOLE_NAMES, reverse=True)))
_KNOWN = re.compile(rf"(?:{_WHOLE_NAME})(?![\w-])")
_BY_WHOM = r"(?:by|from|with|via|through|to|for|at|of|than|and|or|(?:[Cc]all(?:ed)?|[Rr]ang|[Rr]ing|[Pp]hone[d]?|[Ee]mail(?:ed)?|[Cc]ontact(?:ed)?)(?: the)?)"
_ONE = re.compile(
    rf"(?<![\w-]){_BY_WHOM} (?:the |our |your |local )?(?P<name>{'|'.join(map(re.escape, sorted(ONE_WORD_NAMES, reverse=True)))})(?![\w-]| [a-z]+ing\b)"
)
_ANY_ACRONYM = apart_from(r"[\w/&.-]", sorted(ACRONYMS, reverse=True))
_ACRONYM = re.compile(
    rf"(?:{_ANY_ACRONYM})(?![\w/&-]| (?:[Nn]o|[Nn]umber|[Rr]ef|[Rr]eg|[Ff]orm|[Cc]ode)\b|[ ]?[:#]?[ ]?[0-9])"
)
_WORD = rf"{CAPITAL}[^\W\d_]*(?:['’-][^\W\d_]+)*|[A-Z][0-9]"
_RUN = rf"(?:{_WORD})(?: (?:(?:&|and|of|the|for|in|on) )?(?:{_WORD})){{1,3}}"
# What an organisation does or gives, before "by", "from" or "with" and its name.
_DONE = (
    r"(?:quote|quotes|estimate|invoice|bill|grant|cheque|donation|funding|referral|placement|mediation|counselling|training|drying|audit|audited|survey|surveyed|"
    r"insured|covered|claim|claims|claimed|policy|mortgage|loan|overdraft|tenancy|contract|contracted|subcontracted|booked|serviced|supplied|fitted|installed|"
    r"delivered|repaired|catered|managed|represented|instructed|employed|sponsored|funded|founded|hired|rented|bought|ordered|"
    r"volunteer|volunteers|volunteered|volunteering|works?|worked|working|job|shifts?|apprenticeship|internship|temping|rep|adviser|advisor|caseworker|mentor|counsellor|"
    r"plumber|electrician|builder|engineer|surveyor|adjuster|solicitor|contractor|supplier|case|ticket)"
)
_BEHIND = re.compile(rf" (?:by|from|with|at|for|through|via) (?:the )?(?P<name>{_RUN})(?![\w@-])")
_DONE_BEFORE = re.compile(rf"(?<![\w-]){_DONE}(?: (?:is|are|was|were|came|comes))?\Z", re.IGNORECASE)
_REACH = 24  # characters before "by" in which stands what was done
_KIND_BEFORE = re.compile(
    r"(?<![\w-])(?:[Ii]nstructed|[Ee]mployer|[Ii]nsurer|[Cc]ontractor|[Ss]upplier|[Aa]gency|[Cc]harity|[Nn]ursery|"
    r"[Gg]arage|[Ss]alon|[Vv]endor|[Uu]nion|[Bb]roker|[Cc]aterers?|[Jj]eweller|[Ff]lorist|company|firm|called|rang|ring|phoned|emailed),?"
    rf" (?:the )?(?P<name>{_RUN})(?![\w@-])"
)
# "StaffLine", "LifeNet", "Vets4All"; where a word before it tells.
_MIXED = re.compile(
    rf"(?<![\w-]){_BY_WHOM} (?P<name>[A-Z][a-z]{{2,12}}[A-Z][a-z]{{2,12}}|[A-Z][a-z]{{1,12}}[24][A-Z][a-z]{{1,12}})(?![\w./@-])"
)
# A run that ends so names a department, a way to send or to pay, an illness or a rule.
_NO_ENDS = frozenset(
    "act aid appeal appeals board class code committee council court debit delivery department diabetes director directors disability disease "
    "disorder division exam form goods guide head health hearing home hours house level list management manager mail notes office officer order "
    "officers panel plan policy post procedure procedures process programme project protocol recovery report resources room section "
    "services sheet site stage standards statement street support syndrome team teams term test therapy time treatment tribunal unit visitor ward "
    "warning week work year years minutes month partner".split()
)
_NO_STARTS = frozenset(
    "a an the my our his her your their this that he she they we it i type stage grade level class year section part schedule annex appendix item "
    "clause article rule room ward bed bay flat unit day week english french german maths science history first second third special general "
    "acute chronic mild severe".split()
)


def firms_in_context(text: str) -> Iterator[Mention]:
    """Organisations by their own words, or by those before them."""
    for pattern in (_KNOWN, _ACRONYM):
        for found in pattern.finditer(text):
            yield _mention(text, *found.span(), KNOWN)
    for found in _ONE.finditer(text):
        yield _mention(text, *found.span("name"), KNOWN)
    for found in _MIXED.finditer(text):
        if usage(fold_term(found["name"])) is Usage.NEVER:
            yield _mention(text, *found.span("name"), TOLD)
    for found in (*_behind_work(text), *_KIND_BEFORE.finditer(text)):
        if _is_firm(found["name"]):
            yield _mention(text, *found.span("name"), TOLD)


def _behind_work(text: str) -> Iterator[re.Match[str]]:
    """Runs of words with capitals behind what an organisation does: "serviced by Warm Front"."""
    for found in _BEHIND.finditer(text):
        if _DONE_BEFORE.search(text[max(0, found.start() - _REACH) : found.start()]):
            yield found


def _is_firm(run: str) -> bool:
    """Whether words with capitals can be a firm's: no person, no role, no label, no department."""
    words = [fold_term(word) for word in run.split()]
    if run[:2].isupper():  # an acronym, which the model reads
        return False
    if words[0] in _NO_STARTS or words[-1] in _NO_ENDS or _is_person(words):
        return False
    if any(word in CALENDAR_WORDS or word in TITLES for word in words):
        return False
    return not (words[-1] in ROLES or words[0] in ROLES or all(word in LABELS for word in words))


def _is_person(words: list[str]) -> bool:
    """Whether a given name begins the words. Happy is one, too, and Wheels is no surname."""
    is_word = usage(words[0]) is not Usage.NEVER and usage(words[-1]) is Usage.ALWAYS
    return is_given_name(words[0]) and not is_word


def _mention(text: str, start: int, end: int, because: str) -> Mention:
    return Mention(start, end, _FIRM, fold_term(text[start:end]), _SCORE, because)
