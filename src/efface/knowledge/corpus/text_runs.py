"""A text as the corpus counts it: words in normal form, cut into runs by stop words and punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from efface.knowledge.taxonomy.concepts import lexicon as english
from efface.knowledge.taxonomy.words import Lexicon

MAX_PHRASE = 4  # words: longer phrases occur in next to no document

# A word with its possessive or contraction, or a mark that no phrase runs across.
TOKEN = re.compile(r"[^\W_]+(?:[’'](?:s|S|t|re|ve|ll|d|m)\b)?|\n|[^\w\s\-‐‑’'+]")

# Words that no term consists of; in folded form.
STOP_WORDS = frozenset(
    """
    a about above across after again against ago all almost along already also although always am among an
    and another any anyone anything are aren't around as at away be became because become becomes been
    before behind being below beside between both but by can cannot can't could couldn't did didn't do
    does doesn't doing done don't down due during each either else enough especially et etc even ever
    every everyone everything except few for from further furthermore had hadn't has hasn't have haven't
    having he he'd he'll hence her here hers herself he's him himself his how however i i'd if i'll i'm in
    indeed instead into is isn't it it's its itself i've just least less let like likely made mainly make
    makes many may maybe me might mine more moreover most mostly much must my myself near nearly neither
    never nevertheless no nobody none nor not nothing now nowhere of off often on once one ones only onto
    or other others otherwise ought our ours ourselves out over own per perhaps quite rather s same seem
    seemed seems several shall she she's should shouldn't since so some somebody someone something
    sometimes somewhat soon still such t than that that's the their theirs them themselves then there
    thereby therefore these they they'll they're they've this those though three through throughout thus
    to together too toward towards two under unless until up upon us usually various very via was wasn't
    we well we'll were we're weren't we've what whatever when where whereas whether which while who
    whoever whole whom whose why will with within without won't would wouldn't yes yet you you'd you'll
    your you're yours yourself yourselves specifically including include includes included particularly
    respectively
    """.split()
)

BREAK, WEAK, WORD = 0, 1, 2  # what a token is to a phrase: its border, inside it only, any part of it


@dataclass(frozen=True, slots=True)
class CountedToken:
    """A word where it is, its normal form, and what it is to a phrase."""

    start: int
    end: int
    key: str
    kind: int


def kind_of(word: str) -> int:
    """A number or a lone letter is no term of its own, but may stand in one (`type 2 diabetes`, `T cell`)."""
    if not word[0].isalnum() or word.lower().replace("’", "'") in STOP_WORDS:
        return WEAK if word == "T" else BREAK
    return WEAK if len(word) == 1 or word.isdecimal() else WORD


def tokens(text: str, lexicon: Lexicon) -> Iterator[CountedToken]:
    """The words and marks of a text."""
    for match in TOKEN.finditer(text):
        word = match.group()
        kind = kind_of(word)
        yield CountedToken(match.start(), match.end(), lexicon.key(word) if kind else word.lower(), kind)


def term_keys(term: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a term in normal form, stop words left out."""
    return tuple(token.key for token in tokens(term, lexicon) if token.kind != BREAK)


def term_key(term: str) -> str:
    """The same of an English term, as one string."""
    return " ".join(term_keys(term, english()))
