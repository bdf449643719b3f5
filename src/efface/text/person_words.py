"""Words beside persons' names that are no names: titles, roles, particles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from efface.text.legal_forms import ALL_LEGAL_FORMS
from efface.text.ordinary_words import is_ordinary

# Titles that anybody may have, as they are written in English.
COURTESY_TITLE = "(?:Mr|Mrs|Ms|Miss|Misses|Messrs|Mx|Dr)"
COURTESY_TITLES = frozenset("mr mrs ms miss misses messrs mx dr".split())
FOREIGN_COURTESY_TITLES = frozenset("herr frau monsieur madame mme mlle senor senora signor signora".split())
# All that stands beside a name and is no part of it. Others know fewer: of them "Justice" or "Sister" may be a name.
TITLES = (
    COURTESY_TITLES
    | FOREIGN_COURTESY_TITLES
    | frozenset(
        "doctor prof professor sir sirs madam madams dame lord lady judge justice m nurse sister brother father rev reverend capt captain col colonel lt "
        "lieutenant sgt sergeant gen general major president minister senator inspector officer mayor hon sheikh imam "
        "cllr councillor alderman matron pc wpc pcso dc ds dci insp cpl supt pvt cmdr hhj hv cpn rmn rgn cns ot idva "
        "mstr md phd jr jnr sr snr ii iii iv esq patient pupil the aka fka nka dba cc bcc attn".split()
    )
)
ROLES = frozenset(
    "acting administrator adviser advisor agent ambassador appellant applicant assistant associate attorney author boss brigadier "
    "cabinet chair chairman chairwoman chancellor chief claimant client colleague commander commissioner congressman "
    "congresswoman consul consultant coordinator counsel counsellor dad defendant delegate deputy director editor "
    "emir executive financier foreign founder governor head honorable honourable interim investigator king lawyer "
    "leader manager marshal member mom mother mum officer operative owner parent plaintiff prime prince princess "
    "prosecutor queen registrar representative respondent secretary solicitor son daughter speaker special "
    "spokesman spokesperson spokeswoman staff superintendent supervisor teacher treasurer trustee uncle aunt auntie aunty granny grandma grandpa grandad "
    "cousin nana under "
    "vice wife husband witness".split()
)
PARTICLES = frozenset(
    "van von der den de la le del della di da dos du bin ibn al el ter ten zu y e and or of und et abd ul ud ur".split()
)
# Titles and roles that are family names too.
SURNAMES = frozenset(
    "boss emir head imam justice king lord major marshal nurse parent prince queen sergeant sheikh son speaker".split()
)
_AFTER_GIVEN = SURNAMES | {"judge", "mayor", "chancellor"}  # "Mr Mayor" is no name, "Gene Mayor" is
# Which of several people of one name is meant: Martin Luther King Jr. is not Martin Luther King III.
GENERATIONS = {"jr": "jr", "jnr": "jr", "sr": "sr", "snr": "sr", "ii": "ii", "iii": "iii", "iv": "iv"}
_SUFFIXES = frozenset(GENERATIONS) | frozenset("esq md phd".split())
_COURTESY = COURTESY_TITLES | frozenset("doctor prof professor sir madam dame".split())


# Ordinary words by which people are called and that lists of given names lack: virtues, blessings, what is above us.
WORD_NAMES = frozenset(
    "beauty blessed blessing bounty bright chance comfort courage dear destiny diamond dream emmanuel favor favour felicity "
    "fortune forgive freedom friday future gift glory godsend goodluck goodness goodwill happiness happy harmony heaven honest "
    "honor honour innocent journey joyous justice kindness knowledge legend liberty lovely loveness loyalty lucky marvellous "
    "marvelous memory miracle moment monday moses obedient ocean perseverance pleasure praise precious prince princess "
    "privilege progress promise prosper prosperity providence prudence queen rain reason rejoice river saturday shepherd "
    "silence sky smart star storm success sunday sunny talent temperance testimony thankgod thursday treasure trinity trust "
    "tuesday unity vision victory wednesday welcome wisdom wonder worship".split()
)

_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_MOST_WORDS = 5  # words of a person's full name
# Words of places that English mostly writes with a capital, so that they are not among its ordinary words.
_PLACE_WORDS = frozenset("bay cape dale falls fort glen isle isles mount port saint st".split())
_GENDERS = frozenset({" f", " m"})  # how a line of the list of given names ends


@cache
def _given_names() -> dict[str, str]:
    """Given names of several countries in lower case, with "f", "m" or nothing; `tools/library_tables.py` takes them
    from Faker."""
    lines = (files("efface.text") / "data" / "given_names.txt").read_text("utf-8").splitlines()
    return {
        line.removesuffix(" f").removesuffix(" m"): line[-2:].strip() if line[-2:] in _GENDERS else ""
        for line in lines
    }


@cache
def given_names() -> frozenset[str]:
    """Given names of several countries in lower case."""
    return frozenset(_given_names())


def gender_of(given_name: str) -> str:
    """ "f" or "m" for a given name in lower case that only women or only men have; "" where that is not known."""
    return _given_names().get(given_name, "")


def is_full_name(term: str) -> bool:
    """Whether a term by itself reads as a person's full name: a listed given name or a title, then other words.

    "Project Falcon" does not. Words in lower case do only after a given name that is no ordinary word.
    """
    words = term.split()
    if not 2 <= len(words) <= _MOST_WORDS or not all(map(_NAME_WORD.fullmatch, words)):
        return False
    first = words[0].rstrip(".").lower()
    is_written_as_name = all(word[0].isupper() for word in words if word.lower() not in PARTICLES)
    if first in _COURTESY:
        return is_written_as_name
    return first in given_names() and (is_written_as_name or not is_ordinary(first))


def may_be_full_name(term: str) -> bool:
    """Whether a term that somebody listed may be a person's full name: it reads as one, or none of its words is a word
    of the language ("Farid Benhaddou"). No list has all given names, and what is listed is meant to go."""
    words = term.split()
    if not 2 <= len(words) <= _MOST_WORDS or not all(map(_NAME_WORD.fullmatch, words)):
        return False
    own = [word for word in words if word.lower() not in PARTICLES]
    return is_full_name(term) or (len(own) > 1 and all(map(_may_be_name, own)))


def _may_be_name(word: str) -> bool:
    """Whether a word has a capital and is no word of the language, of places ("Bay") or of firms ("Ltd")."""
    lower = word.rstrip(".").lower()
    return word[0].isupper() and not is_ordinary(lower) and lower not in _PLACE_WORDS | ALL_LEGAL_FORMS


def is_surname(words: Sequence[str], at: int) -> bool:
    """Whether a title among the folded words of a mention is a surname: "Olive King", "Dr Head", "Luther King III"."""
    is_last = all(word in _SUFFIXES for word in words[at + 1 :])
    if words[at] not in _AFTER_GIVEN or not is_last:
        return False
    if not at:  # "King Jr." alone
        return words[at] in SURNAMES and len(words) > 1
    before = words[at - 1]
    if before in _COURTESY:
        return words[at] in SURNAMES
    return len(before) > 1 and before not in TITLES | ROLES | PARTICLES
