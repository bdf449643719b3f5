"""The classifier's own view of a text: its words, in order, with the code points where each is.

A word is a run of letters and digits of at least two characters; apostrophes inside it belong to it, a
possessive 's does not; case, accents and look-alike letters do not count (see `efface.text.folding`). In scripts
written without spaces every character is a word. efface's own placeholders, such as [WORD_1], are no words.
A word cut at the end of a line is whole in another reading (`disguised_words`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from efface.text.entity_types import NAME_TYPES, TYPES
from efface.text.folding import Folded, fold, has_joint

STOP_WORDS = frozenset(
    """
    a about above across after afterwards again against all almost alone along already also although always
    am among an and another any anyhow anyone anything anyway anywhere are aren't around as at away back be
    became because become becomes been before behind being below beside besides between beyond both but by
    can can't cannot could couldn't did didn't do does doesn't doing don't done down during each either else
    elsewhere enough even ever every everyone everything everywhere except few first for former from further
    had hadn't has hasn't have haven't having he he'd he'll hence her here hers herself him himself his how
    however i i'd i'll i'm i've if in indeed instead into is isn't it it'd it'll its itself just last later
    least less like made many may maybe me meanwhile might mine more moreover most mostly much must my
    myself namely neither never nevertheless next no nobody none nor not nothing now nowhere of off often on
    once one only onto or other others otherwise our ours ourselves out over own per perhaps please quite
    rather really same seem seemed seems several shall shan't she she'd she'll should shouldn't since so
    some somehow someone something sometimes somewhere still such than that the their theirs them themselves
    then there therefore these they they'd they'll they're they've this those though three through
    throughout thus to together too toward towards two under until up upon us very via was wasn't we we'd
    we'll we're we've well were weren't what whatever when whenever where whereas wherever whether which
    while who whoever whole whom whose why will with within without won't would wouldn't yes yet you you'd
    you'll you're you've your yours yourself yourselves
    """.split()
)

# What the operators write in the place of a word. Only for these types: were any [NAME_1] no word, a document
# could hide its words in such brackets. `VOID` stands there instead, and no n-gram reaches across it.
_OTHERS = ("WORD", "TERM", "REDACTED", "DENIED", "NAME", "ADDRESS", "DATE", "DOMAIN_NAME")
_PLACEHOLDER = re.compile(
    rf"\[(?:{'|'.join((*TYPES, *NAME_TYPES, *_OTHERS))})(?:_[0-9]{{1,7}}|:#[0-9a-f]{{8,64}}|:efface1\.[A-Za-z0-9_-]{{80,}})\]"
)
VOID = "\ue000"
_SOFT_HYPHEN = "\u00ad"
_APOSTROPHES = "'\u2019"
_LONGEST = 64  # letters: what is longer is no word
# Letters that folding changes, and control characters that it drops.
_UNEVEN = re.compile(r"[^\t-\r -~]")
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\U00020000-\U0003ffff"
_PLAIN_WORD = re.compile(rf"[a-z0-9]+(?:'(?!s\b)[a-z0-9]+)*|{VOID}+")
_LETTER = rf"[^\W_{_UNSPACED}]"
_WORD = re.compile(rf"{_LETTER}+(?:'(?!s\b){_LETTER}+)*|[{_UNSPACED}]|{VOID}+")


class Word(NamedTuple):
    """A word as the classifier counts it, and where it is in the text."""

    key: str
    start: int
    end: int


def blank_placeholders(text: str, filler: str = VOID) -> str:
    """The text with a filler in the place of every placeholder, offsets unchanged."""
    if "[" not in text:
        return text
    return _PLACEHOLDER.sub(lambda match: filler * len(match.group()), text)


def is_feature(key: str) -> bool:
    """Whether a word may be a feature at all: no single Latin letter or digit, nothing endless."""
    return key[0] != VOID and (2 <= len(key) <= _LONGEST or (len(key) == 1 and not key.isascii()))


@dataclass(frozen=True, slots=True)
class Scan:
    """A text made ready to be cut into words. Without `folded` its offsets are the text's own."""

    pattern: re.Pattern[str]
    text: str
    folded: Folded | None

    def place(self, match: re.Match[str]) -> tuple[int, int]:
        if self.folded is None:
            return match.span()
        span = self.folded.span(*match.span())
        return span.start, span.end


def scan(text: str) -> Scan:
    """Plain ASCII needs no folding; that it reads the same either way is tested."""
    if is_plain(text):
        return Scan(_PLAIN_WORD, blank_placeholders(text).lower(), None)
    folded = fold(blank_placeholders(text))
    return Scan(_WORD, folded.text, folded)


def is_plain(text: str) -> bool:
    return not _UNEVEN.search(text)


def cut_words(text: str) -> Iterator[Word]:
    """The words that are hyphenated over a line break, each as one."""
    if not has_joint(text):
        return
    joined = fold(blank_placeholders(text), join_lines=True)
    for match in _WORD.finditer(joined.text):
        span = joined.span(*match.span())
        if "\n" in text[span.start : span.end]:
            yield Word(match.group(), span.start, span.end)


def with_cut_words_joined(text: str, known: Container[str]) -> str:
    """The text with known words whole where a line break cuts them, offsets unchanged.

    Soft hyphens, which are not read, stand for the hyphen, the line break and marks of a reply in front of the line.
    """
    pieces, position = [], 0
    for word in cut_words(text):
        if word.key not in known:
            continue
        letters = [
            char if char.isalnum() or char in _APOSTROPHES else _SOFT_HYPHEN
            for char in text[word.start : word.end]
        ]
        pieces += [text[position : word.start], "".join(letters)]
        position = word.end
    return "".join([*pieces, text[position:]]) if pieces else text


def word_keys(text: str) -> list[str]:
    """The keys of the words in order: what training counts. A run of `VOID` marks a placeholder."""
    ready = scan(text)
    return ready.pattern.findall(ready.text)


def pair_keys(text: str, stop_words: frozenset[str]) -> Iterator[str]:
    """Neighbouring words, stop words left out. No pair reaches across a placeholder."""
    kept = [key for key in word_keys(text) if key not in stop_words and (key[0] == VOID or is_feature(key))]
    for one, two in pairwise(kept):
        if one[0] != VOID and two[0] != VOID:
            yield f"{one} {two}"


def words(text: str) -> Iterator[Word]:
    """The same words as `word_keys`, with their spans in `text`."""
    ready = scan(text)
    for match in ready.pattern.finditer(ready.text):
        yield Word(match.group(), *ready.place(match))


def runs(words: Iterable[Word], stop_words: frozenset[str]) -> list[list[Word]]:
    """The words that may be features, cut where a placeholder is."""
    found: list[list[Word]] = [[]]
    for word in words:
        if word.key[0] == VOID:
            found.append([])
        elif is_feature(word.key) and word.key not in stop_words:
            found[-1].append(word)
    return found


def grams(run: Sequence[Word], longest: int) -> Iterator[tuple[str, Sequence[Word]]]:
    """The n-grams of a run up to `longest` words, each with the words it is made of."""
    for length in range(1, longest + 1):
        for start in range(len(run) - length + 1):
            part = run[start : start + length]
            yield " ".join(word.key for word in part), part
