"""The rest of a name beside what the readers found of it, in languages other than English.

"Reederei AG" goes on to the left: "Nordlicht Reederei AG". "Beate" goes on to the right: "Beate Kurz".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from efface.finders.names.decoding import DecodedMention
from efface.finders.names.repeats import NOUNS_HAVE_CAPITALS, SUPPORT, ReadText, folded
from efface.finders.names.tokens import MIXED, TITLE, UPPER
from efface.text.function_words import OPENERS
from efface.text.letter_classes import CAPITAL
from efface.text.person_words import TITLES, given_names

Flags = npt.NDArray[np.bool_]

# What stands behind the name of a firm by law, as it is written in each language (`text.legal_forms` has folded words),
# without what English text has as another word.
_FORM = re.compile(
    r"(?<=[ \u00a0])(?:GmbH(?: & Co\. KG)?|AG|KG|KGaA|OHG|UG|e\.\s?V\.|eG|mbH|SARL|S\.A\.R\.L\.|SAS|EURL|SCI|S\.?A\.?S?|S\.?L\.?U?|"
    r"S\.?[rR]\.?[lL]|S\.?[pP]\.?A|S\.?n\.?c|Lda|Ltda|B\.?V|N\.?V|Oyj?|AB|ApS|A/S|ASA?|A\.\s?\u015e|Ltd)(?![\w/-])"
)
# Schools, hospitals and the like that bear somebody's name, with hyphens: "Goethe-Schule".
_INSTITUTION = re.compile(
    rf"(?<![\w-]){CAPITAL}[^\W\d_]{{1,30}}(?:-{CAPITAL}[^\W\d_]{{1,30}}){{0,3}}-(?:Schule|Grundschule|Gymnasium|Realschule|"
    r"Gesamtschule|Klinik|Klinikum|Krankenhaus|Hospital|Stift|Stiftung|Heim|Haus|Kirche|Universit\u00e4t|Institut|Apotheke|"
    r"school|college|ziekenhuis|lyceum)(?![\w-])"
)
# Forms that are other words elsewhere: blood groups, weights.
_ONLY_IN = {
    "AB": "sv fi",
    "AS": "no tr",
    "ASA": "no",
    "KG": "de",
    "AG": "de",
    "UG": "de",
    "BV": "nl",
    "NV": "nl",
}
_HYPHENED = frozenset({"de", "nl"})
_SCORE = 0.6  # the score of a firm that only its legal form tells
_FIRM = "ORGANIZATION"
_MOST_WORDS = 5  # words before a legal form
_WRITTEN = (TITLE, UPPER, MIXED)
_NO_PARTS = frozenset(
    "der die das den dem des ein eine firma the le la les une un el los las una il lo gli una het een de den det en ett os as o a "
    "empresa societe sociedad societa bedrijf virksomheden foretaget".split()
)
_JOINTS = frozenset("&+-")


def with_whole_names(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """The mentions with the firms that a legal form tells, and with surnames behind given names."""
    if not page.foreign:
        return found
    return _with_surnames(page, _with_firms(page, found))


def _with_firms(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """The mentions with each firm as one, from its first word to its legal form."""
    firms = list(_firms(page))
    firm_of = np.full(len(page.starts), -1)
    for number, (first, last) in enumerate(firms):
        firm_of[first:last] = number
    scores = [0.0] * len(firms)
    others = []
    for one in found:
        number = int(firm_of[one.first])
        if one.type == _FIRM and number >= 0 and number == firm_of[one.last - 1]:
            scores[number] = max(scores[number], one.score)
        else:
            others.append(one)
    taken = _words_in_mentions(page, others)
    for (first, last), score in zip(firms, scores, strict=True):
        others += _free_runs(first, last, taken, score or _SCORE)
    return sorted(others, key=lambda one: one.first)


def _firms(page: ReadText) -> Iterator[tuple[int, int]]:
    """The words `[first, last)` of the firms that legal forms tell, none of which touches another."""
    for name in _INSTITUTION.finditer(page.text):
        first, last = (int(place) for place in np.searchsorted(page.starts, name.span()))
        if page.language(first) in _HYPHENED:
            yield first, last
    end = 0
    for form in _FORM.finditer(page.text):
        at, last = (int(place) for place in np.searchsorted(page.starts, form.span()))
        language = page.language(at)
        if not language or language not in _ONLY_IN.get(form.group(), language):
            continue
        first = max(end, _first_word(page, at))
        if first < at:
            yield first, last
            end = last


def _first_word(page: ReadText, at: int) -> int:
    """The first of the words with capitals, and of "&" between them, that stand before a legal form."""
    first = at
    for before in range(at - 1, max(-1, at - 1 - _MOST_WORDS), -1):
        if not _is_near(page, before):
            break
        is_part = page.cases[before] in _WRITTEN and folded(page.word(before)) not in _NO_PARTS
        if is_part:
            first = before
        elif page.word(before) not in _JOINTS:
            break
    return first


def _is_near(page: ReadText, at: int) -> bool:
    """Whether at most a blank is between a word and the next."""
    return page.text[page.ends[at] : page.starts[at + 1]] in ("", " ", "\u00a0")


def _free_runs(first: int, last: int, taken: Flags, score: float) -> Iterator[DecodedMention]:
    """The words of a firm that no other mention has."""
    start = first
    for at in range(first, last + 1):
        if at == last or taken[at]:
            if start < at:
                yield DecodedMention(start, at, _FIRM, score, 0.0)
            start = at + 1


def _with_surnames(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    taken = _words_in_mentions(page, found)
    whole = []
    for one in found:
        if one.type == "PERSON" and page.language(one.first) and _lacks_surname(page, one, taken):
            one = replace(one, last=one.last + 1)
        whole.append(one)
    return whole


def _lacks_surname(page: ReadText, one: DecodedMention, taken: Flags) -> bool:
    """Whether a mention ends with a given name, and a word follows that can be its surname."""
    at = one.last
    if at >= len(page.starts) or taken[at] or page.cases[at] != TITLE or not _is_near(page, at - 1):
        return False
    given, surname = folded(page.word(at - 1)), folded(page.word(at))
    if given not in given_names() or given in TITLES or surname in TITLES or _is_opener(surname):
        return False
    return bool(page.language(at) not in NOUNS_HAVE_CAPITALS or page.person[at] >= SUPPORT)


def _is_opener(word: str) -> bool:
    return any(word in words for words in OPENERS.values())


def _words_in_mentions(page: ReadText, found: list[DecodedMention]) -> Flags:
    taken = np.zeros(len(page.starts), bool)
    for one in found:
        taken[one.first : one.last] = True
    return taken
