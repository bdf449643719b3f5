"""The strings that a cut makes unwelcome wherever else they occur.

A person: the whole mention, every part of it, and the initials. Anything else: the whole string. A string that
means something else in other places (a day of the week, a short number) stays there, for a reason that is reported.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from efface.core import Edit
from efface.finders.fields.labelled_fields import is_told_by_label, tells_whole_name
from efface.pipeline.propagation.other_writings import handles, spellings_of_code
from efface.text.disguises.spaced_letters import reversed_word
from efface.text.disguises.transliteration import transliterated
from efface.text.folding import fold_term, is_unspaced
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import PARTICLES, ROLES, TITLES, is_surname
from efface.text.search.string_search import has_word

PERSON = "PERSON"
NAMES = frozenset({PERSON, "ORGANIZATION", "LOCATION", "NRP"})
FOLLOWED = "cut elsewhere"  # how the reason of an edit made here ends

DENIED = "on the deny list"
REDACTED = "the reviewer redacted it"  # the reason of `guarantees.reviewer_decisions`
# Somebody has named these strings: no finder guessed them, so they go in any disguise, ordinary words or not.
NAMED_OUTRIGHT = frozenset({DENIED, REDACTED})
SHORT = 4  # letters and digits of a string that is known anywhere; names may be shorter
_HYPHENED = re.compile(r"-[^\W\d_]+")  # the second half of a double name
_POSSESSIVE = re.compile(r"['’ʼ][sS]?$")
_ARTICLE = re.compile(r"^(?:[Tt]he|THE|an?)\s+(?=\S)")  # not "An": it is a first name in "An Waters"
_PART = re.compile(r"[^\W\d_]+(?:['’ʼ`´][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]+")
_HANDLE = re.compile(r"[\d@_/]")
_MARK = re.compile(r"[^\w]")
_AROUND = " \t\r\n.,;:()[]\"“”'’"
_INITIALS = re.compile(r"[^\W\d_]\.(?: ?[^\W\d_]\.?)+")
ALONE = "a title or a letter, which means somebody only where a name stands"
BY_PLACE = "a guarantee takes this out only where it must"
ABBREVIATIONS = frozenset(
    "u.s u.k u.n u.a e.u d.c p.m a.m e.g i.e p.o p.s n.y l.a b.c a.d v.s n.a p.a".split()
)

# What a firm or a house is, behind its name.
_KIND_BEHIND = re.compile(
    r"(?:[ \u00a0](?:Academy|Arms|Bakery|Care|Clinic|College|Cottage|Court|Estate|Farm|Group|Guest|Hall|Haulage|Holdings|Home|Hospice|"
    r"Hospital|Hotel|House|Infirmary|Inn|Limited|LLP|Lodge|Logistics|Ltd|Manor|Motors|Nursery|Nursing|Pharmacy|PLC|plc|Practice|Primary|"
    r"Residential|Rest|School|Services|Solicitors|Surgery|Transport)\.?)+\Z"
)
_MOST_INITIALS = 4  # letters of initials
# Two to four letters that are written everywhere and mean nobody: countries, titles, firms, offices, medicine, units.
COMMON_ABBREVIATIONS = frozenset(
    "us uk un eu uae usa ussr dc la ny nyc ca tx fl va md ma ga pa il dr mr mrs ms jr sr lt sgt pc ii iii iv "
    "vi sa ag ab as bv nv co kg lp llp llc ltd plc inc jsc pjsc jv sarl gmbh spa srl pte pty hr it id tv pr "
    "ip cv ceo cfo coo cto vp am pm ad bc ok po ps re cc bcc fyi aka nb eg ie pp vs ref no gp er ed icu bp rr "
    "im sc od bd mri ct ecg ekg mrn nhs dob dna hiv sat temp wt ht bmi mg ml km cm mm pt op hx rx dx sx pmh "
    "fbi cia dea irs nsa dod doj ofac sdn gmt utc est pst edt cet mp mep qc kc "
    "ac ai ap ar ba bi bn bs cd cf ci db dj em ep ex fm ft gb hd hp hq io iq kb lb ld ll mb mc mi mo na nb nd ne ng nm ns "
    "nw oz pe pi pl pv qa ra rd rm rs se si sp st sw tb td th uv wc wi xl xx yr "
    "al ak az ct de hi ia ks ky me mn mt nc nh nj nv oh ok or ri sd tn ut vt wa wv wy".split()
)
# Those of them that are units, and so stand behind a number and hardly ever in capitals.
_UNITS = frozenset("cm ft kb kg km mb mg ml mm oz".split())
# Those of them that act as people do.
_ACTORS = frozenset("us uk un eu dc gp hr it pc dr mr ms la ny sa ag".split())
# Words of two letters. The list of ordinary words has half of all pairs of letters.
_SMALL_WORDS = frozenset(
    "am an as at be by do go he hi if in is it me my no of oh on or ox so to up us we ye".split()
)

# Those of them that follow a name, as legal forms and "Jr" do. Nothing begins with them.
_BEHIND_NAMES = frozenset("jr sr ab ag sa bv nv kg lp".split())


class PropagatedString(NamedTuple):
    """A folded string, and where it counts.

    `stays` says why it stays in other places, if it does. `exact` holds the only spellings that count, if case
    sets it apart from a word. `ordinary`: all of it is ordinary words, so that the place decides. `glues`: it is known
    inside a longer token. `owners` are the whole names that it is a part of. `promised`: a guarantee took it out, not
    the judgement of a finder. `small`: a finder saw the name in lower case.
    """

    string: str
    type: str
    reason: str
    score: float
    stays: str = ""
    exact: frozenset[str] = frozenset()
    ordinary: bool = False
    glues: bool = True
    owners: frozenset[str] = frozenset()
    promised: bool = False
    small: bool = False

    @property
    def is_named_outright(self) -> bool:
        """Whether somebody has named it, so that no finder guessed it."""
        return self.reason in NAMED_OUTRIGHT

    @property
    def initials(self) -> frozenset[str]:
        """The first letters of the other parts of the names that it is a part of."""
        words = (word for owner in self.owners for word in owner.split() if word != self.string)
        return frozenset(word[0] for word in words)


def bare(surface: str) -> str:
    """A mention without its article, its possessive and the marks around it."""
    return _POSSESSIVE.sub("", _ARTICLE.sub("", surface.strip(_AROUND), count=1))


def name_parts(surface: str) -> list[str]:
    """The words of a person's name that are names, as written."""
    if _HANDLE.search(surface):
        return []
    written = [_POSSESSIVE.sub("", match.group()) for match in _PART.finditer(bare(surface))]
    folded = [fold_term(word) for word in written]
    is_all_small = surface.islower()
    found = []
    for at, (word, key) in enumerate(zip(written, folded, strict=True)):
        is_particle = key in PARTICLES and word.isascii()  # "Văn" is a name, "van" is none
        is_short_and_small = len(word) <= 3 and word.islower() and not is_all_small
        is_title = (key in TITLES or key in ROLES) and not is_surname(folded, at)
        if len(key) > 1 and not is_particle and not is_short_and_small and not is_title:
            found.append(word)
    return found


def unwelcome(
    text: str, edits: Iterable[Edit], placed: Collection[Edit] = (), *, initials: bool = True
) -> dict[str, PropagatedString]:
    """What the edits make unwelcome, by its folded string. If two ask for one string, the stricter counts.

    A guarantee takes out the `placed` ones only where it must; a person goes everywhere all the same. No `initials` are
    known inside a longer token, so whoever asks for what `glues` need not look for them.
    """
    found: dict[str, PropagatedString] = {}
    for wish, edit in _wishes(text, edits, placed).items():
        for one in _of(text, wish.surface, edit, by_place=wish.is_placed, initials=initials):
            one = one._replace(promised=True) if wish.is_placed else one
            known = found.get(one.string)
            found[one.string] = one if known is None else _stricter_of(known, one)
    return found


class _Wish(NamedTuple):
    """What an edit asks for, whatever its score. Edits with the same wish ask for the same strings."""

    surface: str
    type: str
    reason: str
    whole_name: str  # where a label tells it
    is_placed: bool


def _wishes(text: str, edits: Iterable[Edit], placed: Collection[Edit]) -> dict[_Wish, Edit]:
    """The wishes, each with its surest edit. A name may occur in a text a hundred times, seldom with the same score."""
    surest: dict[_Wish, Edit] = {}
    for edit in edits:
        if edit.reason.endswith(FOLLOWED):
            continue
        surface = text[edit.start + edit.lead : edit.end]
        whole_name = edit.key if tells_whole_name(edit) else ""
        wish = _Wish(surface, edit.type, edit.reason, whole_name, edit in placed)
        known = surest.get(wish)
        if known is None or known.score < edit.score:
            surest[wish] = edit
    return surest


def _of(text: str, surface: str, edit: Edit, *, by_place: bool, initials: bool) -> Iterator[PropagatedString]:
    """What one edit makes unwelcome: the whole string, and of a person the parts and the initials of the name."""
    whole = bare(surface)
    string = fold_term(whole)
    if not any(map(str.isalnum, string)):
        return
    if edit.type == PERSON:
        yield from _of_person(text, surface, edit, initials=initials)
        return
    yield _whole_string(whole, string, edit, by_place=by_place)
    if not by_place:
        yield from _short_form(surface.strip(), edit)
        for other in spellings_of_code(edit.type, string):
            yield _whole_string(other, other, edit, by_place=by_place)


def _of_person(text: str, surface: str, edit: Edit, *, initials: bool) -> Iterator[PropagatedString]:
    """The name, its parts in every spelling, its initials, and the names of accounts that are made of it."""
    whole = bare(surface)
    string = fold_term(whole)
    parts = name_parts(surface)
    if not parts and is_told_by_label(edit) and len(string) > SHORT - 2 and string.isalpha():
        parts = [whole]  # the King of a column of surnames holds no office
    words = [fold_term(part) for part in parts]
    owner = frozenset({edit.key if tells_whole_name(edit) else " ".join(words)})
    if parts or _HANDLE.search(whole):
        yield _name(whole, string, edit, owner)
    else:
        yield _no_whole_name(whole, string, edit)
    for word, part in zip(words, parts, strict=True):
        if word != string:
            yield _name(part, word, edit, owner)
        yield from _other_spellings(part, word, edit, owner)
    if initials:
        yield from _initials(text, surface, words, edit)
    written = [transliterated(part) or word for part, word in zip(parts, words, strict=True)]
    for handle in dict.fromkeys((*handles(words), *handles(written))):
        yield PropagatedString(handle, PERSON, edit.reason, edit.score, owners=owner)


def _no_whole_name(whole: str, string: str, edit: Edit) -> PropagatedString:
    """What was found as a person and has no part that could be a name. Initials count only as they are written."""
    exact = frozenset({whole}) if _INITIALS.fullmatch(whole) else frozenset[str]()
    reading = "" if exact else ALONE
    return PropagatedString(string, PERSON, edit.reason, edit.score, reading, exact, glues=False)


def _other_spellings(part: str, word: str, edit: Edit, owner: frozenset[str]) -> Iterator[PropagatedString]:
    """A part of a name in the plural, without its marks, in Latin letters, and backwards."""
    if len(word) == 2 and not is_unspaced(word):  # "the Sus": too short to be known in a longer word
        plural = f"{word}s"
        exact = frozenset({f"{part}s", f"{part.upper()}s"})
        yield PropagatedString(
            plural, PERSON, edit.reason, edit.score, "", exact, is_ordinary(plural), glues=False
        )
    for other in (_MARK.sub("", word), transliterated(part), reversed_word(word)):
        if other != word and len(other) > 2:
            yield _name(part, other, edit, owner)


def _name(surface: str, string: str, edit: Edit, owner: frozenset[str]) -> PropagatedString:
    """A person's name or a part of one. Two letters count only as they are written, and those that everybody writes
    only where they stand: the "IT" of a column of initials is no department."""
    exact = frozenset({surface, surface.upper()}) if len(string) <= 2 else frozenset[str]()
    ordinary = all(is_ordinary(word) for word in _WORD.findall(string))
    stays = ALONE if surface.isupper() and len(string) < SHORT and string in COMMON_ABBREVIATIONS else ""
    glues = not exact and not stays
    small = surface.islower()
    return PropagatedString(
        string, PERSON, edit.reason, edit.score, stays, exact, ordinary, glues, owner, small=small
    )


def without_kind(surface: str) -> str:
    """The name of a firm or a house without the word for what it is; "" if it has none."""
    kind = _KIND_BEHIND.search(surface)
    return surface[: kind.start()] if kind else ""


def _short_form(surface: str, edit: Edit) -> Iterator[PropagatedString]:
    """A firm or a house without the word for its kind: "Brightwater" of Brightwater Logistics, and "The Willows" of
    The Willows Residential Home. Ordinary words need the article, with its capital."""
    head = without_kind(surface)
    if not head or edit.type not in NAMES or edit.reason in NAMED_OUTRIGHT:
        return
    told = _ARTICLE.sub("", head, count=1)
    words = _WORD.findall(fold_term(told))
    if sum(map(len, words)) < SHORT or not told[0].isupper():
        return
    if all(is_ordinary(word) for word in words):
        told = head if head.startswith("The ") else ""
    if told:
        exact = frozenset({told, told.upper()})
        yield PropagatedString(fold_term(told), edit.type, edit.reason, edit.score, "", exact, glues=False)


def _initials(text: str, surface: str, words: list[str], edit: Edit) -> Iterator[PropagatedString]:
    """ "J.W.", "J. W." and "JW" of Jonathan Whitcombe; "J.R.W." as well of Jonathan R. Whitcombe."""
    for letters in _initial_letters(surface, words):
        if not 2 <= len(letters) <= _MOST_INITIALS or ".".join(letters) in ABBREVIATIONS:
            continue
        dotted = ".".join(letters) + "."
        strings = [dotted, ". ".join(letters) + ".", "-".join(letters), ".-".join(letters) + "."]
        # "DR" is a doctor unless somebody is "D.R."
        if dotted.upper() in text or not _means_something_else(text, surface, letters):
            strings.append(letters)
        for string in strings:
            exact = frozenset({string.upper()})
            yield PropagatedString(string, PERSON, edit.reason, edit.score, exact=exact, glues=False)


def _initial_letters(surface: str, words: list[str]) -> Iterable[str]:
    """The letters by which a name may be shortened, each once."""
    name = bare(surface)
    written = [fold_term(word) for word in _WORD.findall(name) if word.isupper() or len(word) > 1]
    with_middle = [word for word in written if word in words or len(word) == 1]
    unhyphened = fold_term(_HYPHENED.sub("", name))
    first_halves = [word for word in words if word in unhyphened]  # "DA" of David Adeyemi-Ross
    readings = (words, with_middle, _from_first_initial(written), first_halves)
    return dict.fromkeys(map(_first_letters, readings))


def _from_first_initial(written: list[str]) -> list[str]:
    """The words behind a role: "DF" of "SW D Frost"."""
    for at, word in enumerate(written):
        if len(word) == 1:
            return written[at:]
    return []


def _first_letters(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words)


def _means_something_else(text: str, surface: str, letters: str) -> bool:
    """Whether letters without points are rather a word or a common abbreviation than this person's initials."""
    if letters in _BEHIND_NAMES and _begins_line(text, letters.upper()):
        return False  # "JR" below the name of Jack Rush
    is_word = letters in _SMALL_WORDS if len(letters) == 2 else is_ordinary(letters)
    if not is_word and letters not in COMMON_ABBREVIATIONS:
        return False  # most are neither: the text is not searched for them
    if letters in _UNITS and re.search(rf"(?<!\w){letters.upper()}(?!\w)", text):
        return re.search(rf"[0-9][ \u00a0]?{letters.upper()}(?!\w)", text) is not None
    return not _says_whose(text, bare(surface), letters.upper()) and not _acts(text, letters)


def _says_whose(text: str, name: str, letters: str) -> bool:
    """Whether the text explains the letters: "Raoul Entwhistle (hereafter "RE")", "HD = Sir Humbert Dray"."""
    if name not in text or not has_word(text, letters):
        return False
    name = re.escape(name)
    behind = rf"{name}[ \t]*(?:[=|\t]|[-–—](?=[ ])|[(\[](?:[^()\n]{{0,30}}[ ])?)[ \t]*[\"“'‘]?{letters}(?!\w|[ ]?\d)"
    before = rf"(?<!\w){letters}[\"”'’]?[ \t]*(?:[=|\t]|[-–—](?=[ ]))[ \t]*(?:[A-Z][\w.]{{0,9}}[ ])?{name}"
    return re.search(f"{behind}|{before}", text) is not None


def _acts(text: str, letters: str) -> bool:
    """Whether the letters begin a line or a sentence and do what people do in minutes: "SP referred to the policy"."""
    if len(letters) != 2 or letters in _ACTORS or not has_word(text, letters.upper()):
        return False
    verbs = r"[a-z]{2,12}ed|said|says|told|thought|felt|gave|took|will|to [a-z]{2,12}"
    doing = rf"(?:^|[.!?][ ])[ \t]*(?:[0-9]{{1,3}}[.)][ \t]*)?{letters.upper()}[ ](?:{verbs})(?!\w)"
    return re.search(doing, text, re.MULTILINE) is not None


def _begins_line(text: str, letters: str) -> bool:
    """Whether the letters begin a line or a sentence, or are a line of their own."""
    if not has_word(text, letters):
        return False
    opening = rf"(?:^|[.!?][ ])[ \t]*(?:[0-9]{{1,3}}[.)][ \t]*)?{letters}(?=[ \t]*$|[ ][a-z])"
    return re.search(opening, text, re.MULTILINE) is not None


def _whole_string(surface: str, string: str, edit: Edit, *, by_place: bool) -> PropagatedString:
    """Anything but a person: the whole string, if it means the same elsewhere."""
    words = _WORD.findall(string)
    ordinary = bool(words) and all(is_ordinary(word) for word in words)
    exact: frozenset[str] = frozenset()
    if (surface.isupper() and edit.reason not in NAMED_OUTRIGHT) or (ordinary and surface != surface.lower()):
        exact = frozenset({surface, surface.upper()})
    stays = BY_PLACE if by_place else _stays(surface, string, edit, ordinary=ordinary)
    glues = not stays and (edit.reason in NAMED_OUTRIGHT or not ordinary)
    return PropagatedString(string, edit.type, edit.reason, edit.score, stays, exact, ordinary, glues)


def _stays(surface: str, string: str, edit: Edit, *, ordinary: bool) -> str:
    """Why a string that is no name may stay where nothing marks it; "" if it may not."""
    told = sum(map(str.isalnum, string))
    if edit.reason in NAMED_OUTRIGHT and told >= SHORT:
        return ""
    if edit.type in NAMES:
        if told < 2 or (told == 2 and not surface.isupper() and not is_unspaced(surface)):
            return "too short to be a name by itself"
        return "ordinary words in lower case" if ordinary and surface == surface.lower() else ""
    if told < SHORT:
        return "a short number or word that means something else elsewhere"
    if ordinary and not any(map(str.isdigit, string)):
        return "ordinary words that mean something else elsewhere"
    return ""


def _stricter_of(one: PropagatedString, other: PropagatedString) -> PropagatedString:
    """The stricter of two. A string is a name if one of the two edits calls it a name."""
    first, second = (one, other) if _rank(one) <= _rank(other) else (other, one)
    exact = first.exact | second.exact if first.exact and second.exact else first.exact
    score, owners = max(one.score, other.score), one.owners | other.owners
    promised, small = one.promised or other.promised, one.small or other.small
    known = (first.exact, first.score, first.owners, first.promised, first.small)
    if (exact, score, owners, promised, small) == known:
        return first
    return first._replace(exact=exact, score=score, owners=owners, promised=promised, small=small)


def _rank(one: PropagatedString) -> tuple[bool, bool, bool, float, str]:
    return bool(one.stays), bool(one.exact), one.type != PERSON, -one.score, one.type
