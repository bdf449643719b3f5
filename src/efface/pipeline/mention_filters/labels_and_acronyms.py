"""Mentions that name nothing by what stands around them: a legal form behind its firm, the kind of a list, a rule of
procedure, the label of a figure, and an acronym that the text itself spells out in common words.
"""

from __future__ import annotations

import re
from functools import cached_property

from efface.core import Mention
from efface.learners.names import dictionary
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import is_ordinary

# By themselves these name no firm: they stand behind its name.
_FORMS = frozenset(
    "ag bhd bv coltd corp dmcc fzc fzco fze fzllc kg limited llp nv pte pteltd sa sab sal sapi sarl sas sdnbhd spa srl".split()
)
_BEFORE_FORM = re.compile(rf"(?:\b{CAPITAL}[\w.&'’-]*|[\])\"”])[ \u00a0]*,?[ \u00a0]*\Z")
_LONGEST_FORM = 40  # characters before a form that are looked at
# Kinds of those who are under sanctions, and what a text that means them says somewhere.
_KINDS = {
    "foreign terrorist organization": "fto",
    "specially designated": "sdn sdgt sdnt sdntk sdnlist globalterrorist speciallydesignatedglobalterrorist",
    "transnational criminal organization": "tco",
}
_PRACTICES = frozenset("aml cft kyc cdd wmd".split())  # what banks do against crime
_CURRENCIES = frozenset("aed cad chf cny eur gbp inr jpy krw mxn rmb rub try usd".split())
# Of procedure, as American courts cite them: "Fed. R. Evid. 608".
_RULES = frozenset("evid civ crim bankr".split())
_CITED = _RULES | frozenset("fed r app p proc".split())
# What a number refers to. IMO stands before the number of a ship.
_REFERENCES = frozenset("fig figs figure figures tab table tables chart imo".split())
_NUMBERED = re.compile(r"(?:\.|:|\s(?:No\.?|Number):?)?\s{0,2}\d")
# The word before a number says what it is: "Passport 533380006", "DDI 020 7946 0813".
_LONG_NUMBER = re.compile(r"[.:]?[ \u00a0](?:(?i:no|number|ref)[.:]?[ \u00a0])?[+(]?[0-9](?: ?[0-9]){4}")
# What an office numbers, where a code follows: "Case GR-0318". Case and Booker are surnames, too.
_FILES = frozenset(
    "appeal application booking case claim complaint docket file incident invoice job log matter order policy ref ticket".split()
)
_CODE = re.compile(
    r"[.:]?[ \u00a0](?:(?i:no|number|ref)[.:]?[ \u00a0])?[#(]?(?=[A-Z/-]{0,8}[0-9])[A-Z0-9/-]{3,}"
)
_TELEPHONES = frozenset("tel mob fax ext ph".split())
_LONGEST_CODE = 4  # letters of a short form
_EXPLAINED = re.compile(r"\(\s?([A-Z]{2,8}(?:/[A-Z]{2,6})?)s?\s?\)")
_LOWER_WORDS = re.compile(r"(?:\b[a-z]+[ \u00a0\n/-]+)+\Z")
_LAW = re.compile(
    r"\b(?:Act|Code|Regulations)(?: of \d{4})?[ \u00a0]\Z"
)  # "Syria Nonproliferation Act (INKSNA)"
_LONGEST_LAW = 30  # characters that are looked at
_LOWER_WORD = re.compile("[a-z]+")
_LONGEST_EXPANSION = 90  # characters
_SMALL = frozenset("of and the for in to on".split())


class NonNames:
    """Knows the mentions of one text that name nothing. What the whole text says is looked up once."""

    def __init__(self, text: str) -> None:
        self._text = text

    def holds(self, mention: Mention, words: list[str]) -> bool:
        """Whether the mention, which consists of these words, names nothing where it stands."""
        folded = list(map(fold_term, words))
        text, joined = self._text, "".join(folded)
        if _PRACTICES.issuperset(folded):
            return True
        if _CITED.issuperset(folded) and not _RULES.isdisjoint(folded):
            return True
        in_capitals = all(word.isupper() for word in words)
        is_person = mention.type == "PERSON"
        if joined in _FORMS and (not is_person or (in_capitals and len(joined) > 2)):
            return _is_behind_firm(text, mention)
        if joined in _REFERENCES and not is_person:
            return _NUMBERED.match(text, mention.end) is not None
        if len(words) == 1 and _is_label_of_number(text, mention, words[0]):
            return True
        if in_capitals and joined in _CURRENCIES:
            return True
        return joined.removesuffix("s") in self._kinds or self._are_explained(words)

    def _are_explained(self, words: list[str]) -> bool:
        """Whether these are acronyms that the text spells out: "EDDs" of enhanced due diligence."""
        if not words or not all(word[:2].isupper() for word in words):
            return False
        return all(word.removesuffix("s") in self._explained for word in words)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The kinds of those under sanctions that the text speaks of, and their acronyms."""
        said = " ".join(self._text.lower().replace("-", " ").split())
        known = [f"{phrase.replace(' ', '')} {names}" for phrase, names in _KINDS.items() if phrase in said]
        return frozenset(" ".join(known).split())

    @cached_property
    def _explained(self) -> frozenset[str]:
        """The acronyms of laws, and those that the text spells out in common words: "weapons of mass destruction (WMD)".

        An office or a firm is spelled with capitals.
        """
        acronyms: set[str] = set()
        for found in _EXPLAINED.finditer(self._text):
            low = max(0, found.start() - _LONGEST_EXPANSION)
            before = _LOWER_WORDS.search(self._text, low, found.start())
            letters = found[1].lower().replace("/", "")
            is_spelled = before is not None and _spells(_LOWER_WORD.findall(before.group()), letters)
            if is_spelled or _LAW.search(self._text, max(0, found.start() - _LONGEST_LAW), found.start()):
                acronyms.update(found[1].split("/"))
        return frozenset(acronyms)


def _is_behind_firm(text: str, mention: Mention) -> bool:
    """Whether the name of a firm stands before a legal form."""
    low = max(0, mention.start - _LONGEST_FORM)
    return _BEFORE_FORM.search(text, low, mention.start) is not None


def _is_label_of_number(text: str, mention: Mention, word: str) -> bool:
    """Whether one word, a short form in capitals or an ordinary word that is on no list of names, stands before a number."""
    folded = fold_term(word)
    if folded in _FILES and _CODE.match(text, mention.end):
        return True
    is_code = word.isupper() and len(word) <= _LONGEST_CODE
    if folded in dictionary() or not (is_code or is_ordinary(folded) or folded in _TELEPHONES):
        return False
    return _LONG_NUMBER.match(text, mention.end) is not None


def _spells(words: list[str], acronym: str) -> bool:
    """Whether the last of the words begin with the letters of the acronym and are common ones."""
    left = acronym
    for word in reversed(words):
        if not left:
            return True
        if word.startswith(left[-1]) and is_ordinary(word):
            left = left[:-1]
        elif word not in _SMALL:
            return False
    return not left
