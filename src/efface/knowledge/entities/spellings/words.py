"""Ways to write a word of a value, as one table. Dates and numbers are in `values`, names in `fuzzy.variants`.

| way | in a text | the value's word |
|---|---|---|
| plural, possessive without its mark | plumbers, cities, Patels | plumber, city, patel |
| umlaut or ring written out | Mueller, Goethe, Jaeger, Aarhus | muller, gothe, jager, arhus (as Müller, Århus fold) |
| umlaut in the text, written out in the value | Müller | mueller |
| ligature | Aethelred, Æthelred | æthelred, aethelred |
| a case of Russian, Ukrainian or Greek | Ивановой, Казани, Αθήνας | иванова, казань, αθήνα |
| a case of Polish, Czech or Finnish, in text of that language (`cases`) | Kowalskiemu, Novákovou, Virtasella | kowalski, novakova, virtanen |
| "in", "and", "to" of Arabic or Hebrew, written with it | بالرياض | الرياض |
| a word shortened, or not | Saint Louis, Acme Corporation, 12 High St, Hauptstr. | st louis, acme corp., 12 high street, hauptstrasse |

Names have ways of their own: after a title (Mr Patel), before kin (Patel brothers), in the plural after "the".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from efface.knowledge.entities.spellings.cases import TITLES as TITLES_IN_CASES
from efface.knowledge.entities.spellings.other_scripts import TITLES as OTHER_TITLES
from efface.knowledge.entities.spellings.other_scripts import nominatives, without_prefix
from efface.text.legal_forms import ALL_LEGAL_FORMS
from efface.text.person_words import COURTESY_TITLES, FOREIGN_COURTESY_TITLES

# A name is read behind each of them, so they are titles and nothing else; `text.person_words` has other words, too.
TITLES = (
    COURTESY_TITLES
    | FOREIGN_COURTESY_TITLES
    | OTHER_TITLES
    | TITLES_IN_CASES
    | frozenset(
        "doctor prof professor sir dame lord lady madam don dona shri smt kumari sheikh judge justice captain capt colonel col major "
        "sergeant sgt lieutenant lt general gen officer nurse sister brother father rev reverend familie famille "
        "messrs hon honourable hr frl dra family sra srta herrn dhr mevr mevrouw cllr councillor senator governor ambassador inspector "
        "detective constable rabbi imam bishop pastor".split()
    )
)
# After a name, and no part of it: John Smith Jr.
SUFFIXES = frozenset("jr junior sr senior ii iii iv".split())
# Words of organisations, and little words: a name with one of them is not shortened to initials or a family name.
NOT_PERSONAL = ALL_LEGAL_FORMS | frozenset(
    "the of and for to in at on by with from de la del das do los las el company corporation group holding holdings bank trading traders industries industry "
    "industrial department ministry office branch international national state general central republic security "
    "services service shipping lines line foundation organization organisation association institute university "
    "college school hospital society party council committee union federation league front army brigade movement "
    "cartel network agency authority center centre enterprise enterprises factory mines mining oil gas petroleum "
    "energy engineering construction investment investments finance financial exchange insurance import export "
    "headquarters transport logistics travel tourism trust force air airlines aviation marine maritime technology technologies systems solutions".split()
)
# Little words that belong to a family name: Mr van der Berg.
PARTICLES = frozenset("van von der den zu zur ter ten di da al ibn bin ben mac".split())
# Words after a family name: the Patel family.
KIN = frozenset("family families household brothers sisters siblings twins couple children kids clan".split())
# Letters in capitals that are a word of their own more often than somebody's initials.
NO_INITIALS = frozenset("us uk eu un it id ok tv am pm ad bc ce pc dc".split())
_SHORTENED = {"st": "saint", "corp": "corporation", "inc": "incorporated", "ltd": "limited", "co": "company",
              "bros": "brothers", "univ": "university", "hosp": "hospital", "dept": "department", "intl": "international"}  # fmt: skip
_STREETS = {
    "st": "street",
    "rd": "road",
    "ave": "avenue",
    "blvd": "boulevard",
    "ln": "lane",
    "sq": "square",
    "pl": "place",
}


def _either() -> dict[str, tuple[str, ...]]:
    """What a word may be written for: St. Louis, Acme Corp., 12 High St."""
    found: dict[str, tuple[str, ...]] = {}
    for short, whole in (*_SHORTENED.items(), *_STREETS.items()):
        found[short] = (*found.get(short, ()), whole)
        found[whole] = (short,)
    return found


_EITHER = _either()
SHORT_WORDS = frozenset(word for word in _EITHER if len(word) < 4)  # that may be written for others, too
_WRITTEN_OUT = {"ae": "a", "oe": "o", "ue": "u", "aa": "a"}
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe"}


def _singular(word: str, _written: str) -> Iterator[str]:
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]


def _without_written_out(word: str, _written: str) -> Iterator[str]:
    shorter = word
    for pair, vowel in _WRITTEN_OUT.items():
        shorter = shorter.replace(pair, vowel)
    if shorter != word:
        yield shorter


def _written_out(_word: str, written: str) -> Iterator[str]:
    if written.isascii():
        return
    longer = "".join(_UMLAUTS.get(letter, letter) for letter in written)
    if longer != written and longer.isascii():
        yield longer


def _ligature(word: str, _written: str) -> Iterator[str]:
    if "ae" in word or "oe" in word:
        yield word.replace("ae", "æ").replace("oe", "œ")


def _shortened(word: str, _written: str) -> Iterator[str]:
    yield from _EITHER.get(word, ())
    if word.endswith("str"):
        yield f"{word}asse"  # Hauptstr. 5
    elif word.endswith("strasse"):
        yield word.removesuffix("asse")


WAYS: dict[str, Callable[[str, str], Iterator[str]]] = {
    "plural or possessive": _singular,
    "umlaut written out": _without_written_out,
    "umlaut in the text": _written_out,
    "ligature in the value": _ligature,
    "Saint and St, Corp. and Corporation, Street and St": _shortened,
    "a case of Russian, Ukrainian or Greek": nominatives,
    "in, and, to of Arabic or Hebrew": without_prefix,
}


@lru_cache(maxsize=1 << 16)
def other_words(word: str, written: str) -> tuple[str, ...]:
    """The words that a folded word may mean. `written` is the word as the text has it, in lower case."""
    if (
        written == word
        and word.isascii()
        and word[-1] != "s"
        and "e" not in word
        and "aa" not in word
        and word not in _EITHER
        and not word.endswith("str")
    ):
        return ()
    return tuple(
        dict.fromkeys(other for way in WAYS.values() for other in way(word, written) if other != word)
    )
