"""Names of which only initials are told, or that stand with initials where no sentence is: "Mrs. M", "Stan L.", "Vet: H. Lime",
"TFR TO MISS O LONG". And the numbers that officers are known by: "PC 4417 Hollis".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.core import Mention
from efface.finders.fields.field_labels import holds_person
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, is_ordinary, usage
from efface.text.person_words import COURTESY_TITLE, WORD_NAMES, given_names
from efface.text.search.first_letters import apart_from

_PERSON, _NUMBER = "PERSON", "ID_NUMBER"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
_INITIAL = "an initial behind a title or a given name"
_INITIALLED = "initials before a name in a field"
_COLLAR = "a number behind an officer's rank"

_CAPITAL = rf"{CAPITAL}(?:[\w'’-]{{0,30}}\w)?"
_ONE_LETTER = re.compile(
    rf"(?<![\w.])(?:{COURTESY_TITLE}|Master|Auntie|Aunt|Uncle)\.?[ \u00a0](?P<letter>[A-Z])(?!\.?[\w&/+-])(?!['’](?!s\b))"
)
_SURNAME = re.compile(rf"\.?[ \u00a0](?:[A-Z]\.?[ \u00a0]?)*(?P<word>{CAPITAL}[^\W\d_]+)")
_GIVEN = re.compile(
    rf"(?<![\w.'’-])(?P<given>{CAPITAL}[^\W\d_]{{2,15}})[ \u00a0](?P<letter>[B-HJ-Z])(?![\w&/+'’-])\.?"
)
_FULL_STOP = re.compile(r"\.(?:[ ]?[,;)\r\n]|[ ][a-z]|\Z)")
# "One lad, D., was excluded".
_BY_LETTER = re.compile(r"(?<=[a-z], )(?P<letter>[A-Z])\.?(?=,| (?:who|was|is|said|says|has|had)\b)")
_SOMEBODY = re.compile(
    r"(?<![\w-])(?:lad|lass|boy|girl|man|woman|child|baby|pupil|student|patient|client|resident|youth|teenager|son|daughter|brother|sister), \Z",
    re.IGNORECASE,
)
_LONGEST_SOMEBODY = 12  # characters
# A field begins with initials and a surname: "Vet: H. Lime". "Answer: B. Paris is right" has a sentence behind it.
_IN_FIELD = re.compile(
    r"[A-Z](?:(?<=[^\W\d_]: .)|(?<=[^\W\d_]:\t.)|(?<= by .)|(?<=\|[ ].))\.[ \u00a0]?(?:[A-Z]\.[ \u00a0]?){0,2}(?![A-Z]\.)"
    rf"(?P<surname>(?:Mc|Mac|O['’])?{_CAPITAL})(?=[ ]{{2}}|[ ]?[\t\r\n|,;.()]|[ ][A-Z]{{2}}|\Z)"
)
_LABEL_BEFORE = re.compile(r"([^\W\d_]+(?: [^\W\d_]+){0,2}):[ \t]\Z")
_LONGEST_LABEL = 40  # characters before a number in which its label stands
# Statements of banks are in capitals.
_IN_CAPITALS = re.compile(
    r"(?<![\w.])(?:(?P<title>(?:MR|MRS|MISS)\.?[ ](?:[A-Z]\.?[ ]){0,3}|(?:MS|DR)\.?[ ](?:[A-Z]\.?[ ]){1,3})"
    r"|(?:PAYMENT|TFR|TRANSFER|SALARY|CREDIT|BGC|FPI|FPO|STO)[ ](?:TO[ ]|FROM[ ])?(?P<initials>(?:[A-Z][ ]){1,3}))"
    r"(?P<surname>[A-Z]{2}[A-Z'-]{1,25})(?![\w])"
)
# "J-P" signs a letter, or is who sends it.
_HYPHENATED = re.compile(
    r"(?P<initials>[A-Z](?:(?<=^.)|(?<=From: .)|(?<=To: .)|(?<=Hi .)|(?<=Dear .))\.?-[A-Z]\.?)(?=[ ]*(?:$|[,<(\r]))",
    re.MULTILINE,
)
# Who proposes, checks or signs: "seconded PM", "checked 2300 SB/LK", "Init: TB".
_SIGNED = re.compile(
    r"(?<![\w-])(?:(?i:proposed|seconded|countersigned|initialled|init|initials)(?::| by|: by)?[ \u00a0]"
    r"(?P<one>[A-Z]{2,3})(?=[ ]?[,;.)\r\n]|[ ]{2}|\Z)"
    r"|(?i:checked|signed|given|witnessed)(?: by)?(?: [0-9]{4}| [0-9]{1,2}:[0-9]{2})?[ \u00a0](?P<first>[A-Z]{2,3})/(?P<second>[A-Z]{2,3})(?!\w))"
)
_ANY_RANK = apart_from(
    r"[\w.]",
    r"PC WPC PCSO PS WPS DC WDC DS DI DCI Constable Officer Trooper Deputy Sgt\.? Insp\.? Dep\.? Ofc\.? Det\.? Cpl\.? Lt\.?".split(),
)
_RANK = rf"(?:{_ANY_RANK})[ \u00a0]"
_OFFICER = re.compile(
    rf"{_RANK}(?:(?P<before>[0-9]{{2,5}})(?=[ \u00a0]{_CAPITAL})|{_CAPITAL}(?:[ \u00a0]{_CAPITAL})?[ \u00a0][(#]?(?P<behind>[0-9]{{3,5}})(?![\w:/%]|[.,][0-9]))"
)
# Of officers in Spain and Italy: "agente 118.204".
_AGENT = re.compile(
    r"(?<![\w-])(?:[Aa]gentes?|AGENTES?|[Gg]uardia [Cc]ivil|[Ff]uncionari[oa]|TIP)[ \u00a0](?:n\.?[ºo]?\.?[ \u00a0])?(?P<number>[0-9]{2,3}\.?[0-9]{3})(?![\w]|[.,][0-9])"
)


def initialled_names(text: str) -> Iterator[Mention]:
    """The people of whom initials tell, and the collar numbers of officers."""
    yield from _behind_titles(text)
    yield from _behind_given_names(text)
    for found in _IN_FIELD.finditer(text):
        is_word = usage(found["surname"].lower()) is Usage.ALWAYS
        if not is_word or _asks_who(text, found.start()):
            yield _mention(text, found.start(), found.end(), _INITIALLED)
    for found in _IN_CAPITALS.finditer(text):
        start = found.start("title" if found["title"] else "initials")
        yield _mention(text, start, found.end(), _INITIALLED)
    for found in _BY_LETTER.finditer(text):
        if _SOMEBODY.search(text[max(0, found.start() - _LONGEST_SOMEBODY) : found.start()]):
            yield _mention(text, *found.span("letter"), _INITIAL)
    for found in _HYPHENATED.finditer(text):
        yield _mention(text, *found.span("initials"), _INITIAL)
    for found in _SIGNED.finditer(text):
        for group in ("one",) if found["one"] else ("first", "second"):
            yield _mention(text, *found.span(group), _INITIAL)
    for found in _AGENT.finditer(text):
        yield Mention(*found.span("number"), _NUMBER, found["number"], _SCORE, _COLLAR)
    for found in _OFFICER.finditer(text):
        start, end = found.span("before" if found["before"] else "behind")
        yield Mention(start, end, _NUMBER, text[start:end], _SCORE, _COLLAR)


def _asks_who(text: str, start: int) -> bool:
    """Whether the label before a place asks for somebody: "Approved: V. Power". "Answer: B. Power" does not."""
    label = _LABEL_BEFORE.search(text[max(0, start - _LONGEST_LABEL) : start])
    return label is not None and (holds_person(label[1]) or holds_person(f"{label[1]} by"))


def _behind_titles(text: str) -> Iterator[Mention]:
    """ "Mrs. M", unless a surname follows the initial."""
    for found in _ONE_LETTER.finditer(text):
        surname = _SURNAME.match(text, found.end())
        if surname is None or usage(surname["word"].lower()) is Usage.ALWAYS:
            yield _mention(text, found.start(), found.end(), _INITIAL)


def _behind_given_names(text: str) -> Iterator[Mention]:
    """ "Stan L.", if the given name is no ordinary word and no surname follows."""
    for found in _GIVEN.finditer(text):
        given = fold_term(found["given"])
        is_name = given in given_names() and not is_ordinary(given)
        if not is_name and not _is_word_name(text, found, given):
            continue
        surname = _SURNAME.match(text, found.end("letter"))
        if surname is None or usage(surname["word"].lower()) is Usage.ALWAYS:
            yield _mention(text, found.start(), found.end("letter"), _INITIAL)


def _is_word_name(text: str, found: re.Match[str], given: str) -> bool:
    """Whether an ordinary word by which people are called has the initial and the full stop of a surname: "Precious N."."""
    is_called_so = given in WORD_NAMES or given in given_names()
    return is_called_so and _FULL_STOP.match(text, found.end("letter")) is not None


def _mention(text: str, start: int, end: int, because: str) -> Mention:
    return Mention(start, end, _PERSON, fold_term(text[start:end]), _SCORE, because)
