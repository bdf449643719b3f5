"""A replacement that reads well: number, article, possessive, capital and verb agree with what is around it.

Plurals and articles are inflect's. Whether a word is a plural is looked up in WordNet's words, because inflect takes
`virus` for the plural of `viru`; and an acronym is read letter by letter, because inflect writes `a HIV test`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from efface.core import Edit
from efface.guarantees.semantic.english.class_words import is_class_head
from efface.knowledge.taxonomy.concepts import lexicon, wordnet
from efface.knowledge.taxonomy.countability import countability

if TYPE_CHECKING:
    from inflect import engine

_ARTICLE = re.compile(r"\b([Aa])(n?)(\s+)$")
_DETERMINERS = frozenset(
    "a an the this that these those his her its their my our your whose each every either neither no some any "
    "another one such what which more less much little enough most all both other".split()
)
_OWNERS = frozenset("my your his her its our their whose".split())
_PLURAL_BEFORE = frozenset(
    "these those many few several both various numerous two three four five six seven eight nine ten".split()
)
_SINGULAR_BEFORE = frozenset("a an this each every another one either neither".split())
_PLURAL_AFTER = frozenset(("are", "were", "have"))
# A determiner that the words before `and` share with the word after it, but for `a`, which each has its own.
_SHARED = re.compile(
    r"(?:\b(?:the|this|that|these|those|his|her|its|their|my|our|your|whose|no|some|any|each|every)|['’]s)\s+"
    r"(?:[\w'’-]+\s+){1,3}(?:and|or|nor)\s+$",
    re.IGNORECASE,
)
# No article follows: `loss of blood`, `a bottle of liquid`.
_MASSES = re.compile(
    r"(?:\b(?:loss|lack|absence|want|(?:bottle|glass|cup|pint|litre|liter|gallon|gram|ounce|pound|kilo|kilogram|ton|tonne|piece|"
    r"packet|box|bag|dose|amount|quantity|supply|level|unit|kind|sort|type|form)(?:s|es)?)\s+of|\d)\s+$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or|nor)?|\b(?:and|or|nor))\s+(?:an?\s+)?|\s?/\s?", re.IGNORECASE)
_AFTER_ANOTHER = re.compile(r"(?:,|\b(?:and|or|nor))\s+$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\s*\(\s*")
# An adverb before an adjective that goes has nothing left to say: `very high blood pressure`, `a more clinical usage`.
_DEGREE = re.compile(
    r"\b(?:(?:very|quite|nearly|almost|particularly)|(?<=\ba )more|(?<=\bthe )most)\s+$", re.IGNORECASE
)
# The same where it cannot go with the adjective: `the world's most valuable companies`, `third-most prevalent`.
_LEANING_DEGREE = re.compile(r"(?:\b(?:more|less|least|most|well|so|too|as|highly)|-most)\s+$", re.IGNORECASE)
_ADJECTIVE_AND = re.compile(r"\b([a-z]+)\s+(?:and|or)\s+$")
_WORD_AND = re.compile(r"\b[a-z]+(?:\s+(?:and|or)\s+|/)$")
_BEFORE_THAT = re.compile(r"([^\W_]+)\s+that\s*$", re.IGNORECASE)
_PREPOSITIONS = frozenset(
    "of in on at by for from with to into after before during against under over and or but".split()
)
_THE = re.compile(r"\b(?:the|this|that|these|those)\s+$", re.IGNORECASE)
_SINGULAR_VERBS = frozenset(("is", "was", "has", "does"))
_ARTICLES = re.compile(r"^(?:an?|the|another|other)\s+")
INDEFINITE = re.compile(r"^[Aa]n? ")
_LAST_WORD = re.compile(r"([^\W_]+(?:['’]s?)?)[^\S\n]*\n?[^\S\n]*$")
_NEXT_WORD = re.compile(r"[^\S\n]*\n?[^\S\n]*([^\W_]+)")
_POSSESSIVE = re.compile(r"['’]s?$")
_BEFORE_NUMBER = re.compile(
    r"\b(?:the|this|that|these|those|his|her|its|their|my|our|your|whose|no|any|some|all|other)\s+$",
    re.IGNORECASE,
)
_ONE_OTHER = re.compile(r"\b(?:the|any|no|every|each|some|an)\s+other\s+$", re.IGNORECASE)
_SEVERAL_BEFORE = frozenset(("enough", "most", "all", "other"))  # a counted word after them is a plural
# Illnesses are one thing each, however their names end: yaws, rabies, delirium tremens.
_ILLNESSES = frozenset("condition disease illness disorder infection symptom".split())
_NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NEAR = 80  # characters before a mention that are looked at


def _inflect() -> engine:
    from efface.guarantees.semantic.english.plurals import ENGINE  # most documents need no plural

    return ENGINE


def agreeing(label: str, head: str, before: str = "", after: str = "") -> str:
    """The label in the number of the word it replaces; the determiner before and the verb after it overrule."""
    words = label.split(" ")
    last = _LAST_WORD.search(before[-_NEAR:])
    determiner = last.group(1).lower() if last else ""
    following = _NEXT_WORD.match(after)
    verb = following.group(1).lower() if following else ""
    plural = (
        (_is_several(head) and not _is_one_illness(label, head))
        or determiner in _PLURAL_BEFORE
        or (determiner in _SEVERAL_BEFORE and not _ONE_OTHER.search(before))
        or (verb in _PLURAL_AFTER and head.endswith("s"))
    )
    if plural and determiner not in _SINGULAR_BEFORE and not _is_mass(words[-1]):
        words[-1] = pluralised(words[-1])
    return " ".join(words)


def _is_one_illness(label: str, head: str) -> bool:
    """Whether a name in -s is that of one illness, not a plural: `yaws`, but not `sores`."""
    word, nouns = head.lower(), lexicon().nouns
    is_one = word in nouns or lexicon().key(word) not in nouns
    return is_one and label.rsplit(" ", maxsplit=1)[-1] in _ILLNESSES


def _is_several(head: str) -> bool:
    """Whether a word is a plural; a name is not (`Gates`, `Wales`)."""
    name = head[0].isupper() and not (head.endswith("s") and head[:-1].isupper())  # `Gates`; STDs are several
    # Genetics is one science and a word of its own; antibiotics and diuretics are many.
    science = head.endswith("ics") and head.lower() in lexicon().nouns
    science = science and not countability().is_counted(head[:-1])
    return is_plural(head) and not name and not science


def _is_mass(word: str) -> bool:
    return countability().is_mass(word)


def needing_article(text: str, start: int, end: int, label: str, head: str | None = None) -> str:
    """The label, with an article when it can be counted and what it replaces stood without one (`HIV`). `head` is the last
    word of what it replaces, without a capital that only begins a sentence."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + 2]
    inside = before[-1:] in ("-", "/", "(", "‐", "‑") or after[:1] in ("-", "/", "‐", "‑")
    head = head or text[start:end].rsplit(maxsplit=1)[-1]
    word = label.rsplit(" ", maxsplit=1)[-1]
    several = _is_several(head) and not _is_one_illness(label, head)
    owned = _POSSESSIVE.search(label.split(" ", maxsplit=1)[0]) is not None
    is_name = text[start].isupper() and not begins_sentence(text, start) and not head.isupper()
    if (
        owned
        or _has_determiner(before, is_name=is_name)
        or inside
        or several
        or is_plural(word)
        or _is_mass(word)
    ):
        return label
    return f"{article(label)} {label}"


def _has_determiner(before: str, *, is_name: bool = False) -> bool:
    """Whether a determiner, a possessive or an adjective of the same phrase precedes. A name shares no determiner with another
    (`the bridges between Europe and Asia`)."""
    last = _LAST_WORD.search(before)
    if last is not None:
        word = last.group(1).lower()
        if word == "that":
            return _is_pointing(before)
        if word in _DETERMINERS or word in _PLURAL_BEFORE or _POSSESSIVE.search(word):
            return True
        is_tied = before[: last.start()][-1:] in ("-", "‐", "‑")  # `a pimple-like rash`
        if is_tied or lexicon().word_classes(word) == "a":  # `a long-term condition`
            # `a CT confirmed emphysema`.
            return not word.endswith("ed") or _has_determiner(before[: last.start()])
    return (not is_name and _SHARED.search(before) is not None) or _MASSES.search(before) is not None


def _is_pointing(before: str) -> bool:
    """Whether `that` points at something (`of that disease`) or begins a clause (`teaches that religion is …`)."""
    match = _BEFORE_THAT.search(before)
    return match is None or match.group(1).lower() in _PREPOSITIONS


def degree_start(text: str, start: int) -> int:
    """Where an adverb begins that belongs to the first word of a phrase, else where the phrase does."""
    match = _DEGREE.search(text, max(0, start - 20), start)
    return start if match is None else match.start()


def is_superlative(text: str, degree: int, start: int) -> bool:
    """Whether the adverb that begins a phrase says which one is meant: `the most populous city` is not `the city`."""
    return text[degree:start].strip().lower() == "most"


def has_definite_article(text: str, start: int) -> bool:
    """Whether `the` is before a phrase, whose words then say which one is meant: `the kola tree` is not `the tree`."""
    return _THE.search(text, max(0, start - _NEAR), start) is not None


def leaves_degree(text: str, start: int, words: Sequence[str]) -> bool:
    """Whether an adverb of degree would be left without the adjective that it belongs to."""
    first = words[0].lower() if words else ""
    is_adjective = lexicon().word_classes(first).startswith("a") or first.endswith(("ed", "ing"))
    return is_adjective and _LEANING_DEGREE.search(text, max(0, start - _NEAR), start) is not None


def lacks_article(text: str, start: int, head: str) -> bool:
    """Whether a head that stays needs an article that its phrase had not (`and chronic kidney disease` → `and disease`), or
    says little by itself (`and improved control`)."""
    if is_plural(head) or _has_determiner(text[max(0, start - _NEAR) : start]):
        return False
    return countability().is_counted(head) or not is_class_head(lexicon().key(head))


def shares_determiner(text: str, start: int, head: str) -> bool:
    """Whether a singular leans on a determiner further left (`her lungs, kidneys and liver`), so that no article goes before
    what replaces it, and none can be left out."""
    is_one = countability().is_counted(head) or wordnet().is_kind_of(head, "body part")
    if not is_one or is_plural(head):
        return False
    return _AFTER_ANOTHER.search(text, max(0, start - _NEAR), start) is not None


def shares_head(text: str, start: int, words: Sequence[str]) -> bool:
    """Whether an adjective before `and` leans on the same noun: of `physical and mental illness` neither word nor phrase
    can be put for the second half."""
    match = _ADJECTIVE_AND.search(text, max(0, start - _NEAR), start)
    if match is None or len(words) < 2:
        return False
    classes = (lexicon().word_classes(match.group(1)), lexicon().word_classes(words[0]))
    return all(each.startswith("a") for each in classes)


def follows_conjunct(text: str, start: int) -> bool:
    """Whether a word before `and` or `or` may lean on the head of a phrase: of `hearing or vision problems` neither half can
    lose its first word unseen."""
    return _WORD_AND.search(text, max(0, start - _NEAR), start) is not None


def is_owned(text: str, start: int) -> bool:
    """Whether a possessive is before this place: `his partner`, `Anna's partner`."""
    last = _LAST_WORD.search(text, max(0, start - _NEAR), start)
    word = last.group(1).lower() if last else ""
    return word in _OWNERS or _POSSESSIVE.search(word) is not None


def begins_sentence(text: str, start: int) -> bool:
    """Whether a sentence begins here; a line that a page wrapped begins none."""
    before = text[max(0, start - 40) : start].rstrip(" \t\"'([“‘")
    if not before:
        return start < 40 or not text[:start].strip()
    wrapped = before.endswith("\n") and before[-2:] != "\n\n"
    if wrapped and before.rstrip()[-1:] not in ("", ".", "!", "?", ":"):
        return False
    return before[-1] in ".!?:\n"


def capitalised(replacement: str, text: str, start: int) -> str:
    """The replacement with a capital where a sentence begins."""
    opens = text[start].isupper() and begins_sentence(text, start)
    return replacement[0].upper() + replacement[1:] if opens else replacement


def with_possessive(replacement: str, surface: str) -> str:
    """The replacement with the possessive that what it replaces had."""
    ending = _POSSESSIVE.search(surface)
    if ending is None or _POSSESSIVE.search(replacement):
        return replacement
    mark = ending.group()[0]
    return replacement + (mark if is_plural(replacement.rsplit(" ", maxsplit=1)[-1]) else f"{mark}s")


def is_plural(word: str) -> bool:
    """`cells`, `STDs`, `children`; not `virus`, `AIDS`."""
    word = _POSSESSIVE.sub("", word)
    if word.isupper():
        return False
    return word[:-1].isupper() or lexicon().key(word).lower() != word.lower()


def pluralised(word: str) -> str:
    """The plural of a label's last word."""
    return word if not word else str(_inflect().plural_noun(word))


def article(label: str) -> str:
    """`a` or `an`, as the label sounds."""
    first = re.split(r"[\s-]", label, maxsplit=1)[0]
    if first.isupper():  # read letter by letter
        return "an" if first[0] in "AEFHILMNORSX" else "a"
    return str(_inflect().a(first)).split(" ", maxsplit=1)[0]


def with_article(text: str, start: int, replacement: str) -> tuple[int, str]:
    """Where the edit begins and what it puts there: an article before it that no longer fits is taken in."""
    match = _ARTICLE.search(text, max(0, start - 8), start)
    if match is None:
        return start, replacement
    if _is_mass(replacement.rsplit(" ", maxsplit=1)[-1]):  # `a pneumonia`, `equipment`
        capital = match.group(1) == "A"
        return match.start(), replacement[0].upper() + replacement[1:] if capital else replacement
    wanted = "n" if article(replacement) == "an" else ""
    if match.group(2) == wanted:
        return start, replacement
    return match.start(), f"{match.group(1)}{wanted}{match.group(3)}{replacement}"


def merged(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """Edits in order, where neighbours in a list that say the same become one: `a condition and a condition` is
    `two conditions`, `fevers, chills and rashes` is `symptoms`."""
    done: list[Edit] = []
    for run in _equal_neighbours(text, _without_repetitions(text, edits)):
        done += _as_one(run, text) if len(run) > 1 and _is_list(text, run) else run
    return done


def _without_repetitions(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Edits without what a removed neighbour makes odd: a second determiner (`a [TERM] a condition`), and the same words
    again in brackets (`a graph (graph)`)."""
    before: Edit | None = None
    for edit in edits:
        if before is not None and edit.replacement:
            between = text[before.end : edit.start]
            if before.replacement is None and not between.strip() and edit.lead == 0:
                edit = _without_second_determiner(text, before, edit)
                if INDEFINITE.match(edit.replacement or "") and _is_name_inside(text, edit.start):
                    edit = replace(edit, replacement=None)  # `20th-century Europe`
            elif before.replacement and _IN_BRACKETS.fullmatch(between):
                same = bare(before.replacement) == bare(edit.replacement or "")
                edit = replace(edit, replacement=None) if same else edit
        yield edit
        before = edit


def _is_name_inside(text: str, start: int) -> bool:
    return text[start].isupper() and not begins_sentence(text, start)


def _without_second_determiner(text: str, before: Edit, edit: Edit) -> Edit:
    if not _has_determiner(text[max(0, before.start - _NEAR) : before.start]):
        return edit
    return replace(edit, replacement=_ARTICLES.sub("", edit.replacement or ""))


def _equal_neighbours(text: str, edits: Iterable[Edit]) -> Iterator[list[Edit]]:
    """Neighbours in a list with equal replacements."""
    run: list[Edit] = []
    for edit in edits:
        if run and not _continues(text, run[-1], edit):
            yield run
            run = []
        run.append(edit)
    if run:
        yield run


def _continues(text: str, before: Edit, edit: Edit) -> bool:
    if before.replacement is None or edit.replacement is None:
        return False
    between = text[before.end : edit.start]
    return bare(edit.replacement) == bare(before.replacement) and bool(_LISTED.fullmatch(between))


def _is_list(text: str, run: Sequence[Edit]) -> bool:
    """Whether neighbours are members of a list: a comma alone may part two clauses (`along with Bratislava, Vienna is`)."""
    one_thing = len({edit.key for edit in run}) == 1
    joints = [text[before.end : after.start] for before, after in pairwise(run)]
    goes_on = _LISTED.match(text, run[-1].end) is not None
    return one_thing or len(run) > 2 or goes_on or any(joint.strip() != "," for joint in joints)


def _as_one(run: Sequence[Edit], text: str) -> list[Edit]:
    """The first edit keeps its label. Each of the others removes itself with the comma or `and` before it."""
    first = run[0]
    assert first.replacement is not None
    label = bare(first.replacement)
    last = label.rsplit(" ", maxsplit=1)[-1]
    things = len({edit.key for edit in run})
    following = _NEXT_WORD.match(text, run[-1].end)
    is_singular = following is not None and following.group(1).lower() in _SINGULAR_VERBS
    if _is_mass(last) or is_plural(last) or things == 1 or is_singular:
        words = first.replacement
    else:
        number = _NUMBERS[things] if things < len(_NUMBERS) else "several"
        number = "" if _BEFORE_NUMBER.search(text, max(0, first.start - _NEAR), first.start) else f"{number} "
        words = f"{number}{label.removesuffix(last)}{pluralised(last)}"
        words = words[0].upper() + words[1:] if first.replacement[0].isupper() else words
        first, words = _without_article_before(text, first, words)
    joined = [replace(first, replacement=words)]
    for before, edit in pairwise(run):
        taken = edit.start + edit.lead - before.end
        joined.append(replace(edit, start=before.end, lead=taken, replacement=""))
    return joined


def _without_article_before(text: str, edit: Edit, several: str) -> tuple[Edit, str]:
    """An edit that puts several things there, and its words; an article before it is taken in: `a tulip and a rose`."""
    match = _ARTICLE.search(text, max(0, edit.start - 8), edit.start)
    if match is None:
        return edit, several
    words = several[0].upper() + several[1:] if match.group(1) == "A" else several
    return replace(edit, start=match.start(), lead=edit.lead + edit.start - match.start()), words


def bare(replacement: str) -> str:
    return _ARTICLES.sub("", replacement.lower())
