"""Noun phrases and other content words of a text, by word classes from the lexicon and a few rules of order.

No model: a word's likeliest class, its neighbours, and the shape of an English noun phrase (adverb, adjective
or participle, noun) decide. An acronym in brackets is tied to its long form: both get one key, the two normal
forms with a bar between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from efface.core import Mention
from efface.knowledge.corpus_text import BREAK, WEAK, Token, tokens
from efface.knowledge.taxonomy import lexicon
from efface.knowledge.taxonomy_words import Lexicon

TYPE = "TERM"
ALTERNATIVE = "|"
_BEFORE_NOUN = frozenset(
    "a an the this that these those his her its their my our your each every no some any "
    "of in by with for from at on or and as into between among during via per than".split()
)
_BEFORE_VERB = frozenset(
    "to can could may might must shall should will would i you he she it we they who which not cannot "
    "do does did".split()
)
_JOINING = frozenset(
    "according causing concerning containing following having including involving leading regarding resulting using".split()
)
_BE = frozenset("am is are was were be been being has have had".split())
_SENTENCE_ENDS = ("", ".", "!", "?", ":", "\n")
_MAX_PHRASE = 6  # words; a longer run is read as several phrases
_LONG_FORM = 10  # words before a bracket among which the long form is looked for


@dataclass(frozen=True, slots=True)
class _Word:
    """A token with its spelling, its class in this place, and whether a hyphen ties it to the one before."""

    token: Token
    spelled: str
    tag: str
    tied: bool


@dataclass(frozen=True, slots=True)
class PhraseFinder:
    """Finds noun phrases, and content words outside of them. Mentions do not overlap."""

    lexicon: Lexicon = field(default_factory=lexicon, repr=False)

    def find(self, text: str) -> Iterator[Mention]:
        aliases: dict[str, str] = {}
        for acronym, long_form in _acronyms(text):
            pair = (_key(acronym, self.lexicon), _key(long_form, self.lexicon))
            aliases.update(dict.fromkeys(pair, ALTERNATIVE.join(sorted(pair))))
        for run in _runs(text, self.lexicon):
            for whole, why in _chunks(run):
                for words in _split(whole, aliases):
                    start, end = words[0].token.start, words[-1].token.end
                    key = _joined(words)
                    yield Mention(start, end, TYPE, aliases.get(key, key), 1.0, why)


def _split(words: Sequence[_Word], aliases: Mapping[str, str]) -> Iterator[Sequence[_Word]]:
    """A phrase that ends in a long form is cut before it, so that the long form gets its acronym's key."""
    for at in range(1, len(words) - 1):
        if _joined(words[at:]) in aliases:
            yield words[:at]
            yield words[at:]
            return
    yield words


def _joined(words: Sequence[_Word]) -> str:
    return " ".join(word.token.key for word in words)


def _key(term: str, lexicon: Lexicon) -> str:
    return " ".join(token.key for token in tokens(term, lexicon) if token.kind != BREAK)


def _runs(text: str, lexicon: Lexicon) -> Iterator[list[_Word]]:
    """Words between stop words and punctuation, each with its class."""
    run: list[_Word] = []
    before = ""
    end = 0
    for token in tokens(text, lexicon):
        spelled = text[token.start : token.end]
        if spelled == "\n" and _is_wrap(text, token.start):
            continue
        if token.kind == BREAK:
            if run:
                yield run
            run = []
        else:
            tied = bool(run) and text[end : token.start] in ("-", "‐", "‑")
            tag = _tag(spelled, token, lexicon, before, run, tied=tied)
            run.append(_Word(token, spelled, tag, tied))
        before, end = spelled.lower(), token.end
    if run:
        yield run


def _is_wrap(text: str, at: int) -> bool:
    """Whether a line ends here only because the page does: it goes on with a small letter."""
    following = text[at + 1 : at + 2]
    return following.islower() and text[at - 1 : at] not in ("", "\n")


def _tag(
    spelled: str, token: Token, lexicon: Lexicon, before: str, run: Sequence[_Word], *, tied: bool
) -> str:
    """n, v, a, p (participle before a noun), r, or d (digits)."""
    if token.kind == WEAK:
        return "d" if spelled.isdecimal() else "n"
    if token.key.isupper() or (spelled[0].isupper() and before not in _SENTENCE_ENDS):
        return "n"
    classes = lexicon.word_classes(spelled)
    after_noun = bool(run) and run[-1].tag == "n" and not tied and run[-1].spelled.isalnum()
    free = before not in _BEFORE_VERB and not after_noun
    first = "a" if classes[0] in "rv" and "a" in classes and free else classes[0]
    passive = before in _BE and spelled.endswith(("ed", "en"))
    active = after_noun and (first == "p" or (first == "a" and spelled.endswith("ing")))
    if passive or active or spelled in _JOINING:
        return "v"
    if first in "nv" and "v" in classes:
        if run and f"{run[-1].token.key} {token.key}" in lexicon.nouns:  # `blood tests`
            return "n"
        third_person = before == "that" and _ends_in_s(spelled)
        predicate = after_noun and _is_plural(run[-1]) != _ends_in_s(spelled)
        if before in _BEFORE_VERB or third_person or predicate:
            return "v"
        modified = bool(run) and run[-1].tag != "r" and not (after_noun and first == "v")
        if "n" in classes and (before in _BEFORE_NOUN or modified):
            return "n"
    return first


def _is_plural(word: _Word) -> bool:
    return _ends_in_s(word.spelled) and word.token.key != word.spelled.lower()


def _ends_in_s(spelled: str) -> bool:
    return spelled.endswith("s") and not spelled.endswith(("ss", "us", "is"))


def _chunks(run: Sequence[_Word]) -> Iterator[tuple[Sequence[_Word], str]]:
    """Noun phrases of a run, and what is left of it word by word."""
    at = 0
    while at < len(run):
        end = _phrase_end(run, at)
        if end > at:
            yield run[at:end], "noun phrase"
            at = end
        else:
            if run[at].tag != "d" and len(run[at].spelled) > 1:
                yield run[at : at + 1], "content word"
            at += 1


def _phrase_end(run: Sequence[_Word], start: int) -> int:
    """Where the noun phrase that begins here ends, or `start` if none does."""
    end = start
    for at in range(start, min(len(run), start + _MAX_PHRASE)):
        tag = run[at].tag
        following = run[at + 1].tag if at + 1 < len(run) else ""
        if tag == "v" or (tag == "d" and at == start) or (tag == "r" and following not in ("a", "p")):
            break
        if end > start and tag in "ar" and not run[at].tied and following != "n":
            break
        gerund = tag == "p" and run[at].spelled.endswith("ing") and end == start < at
        if tag == "n" or gerund:
            end = at + 1
    return end


_BRACKET = re.compile(r"\(\s*([A-Za-z][A-Za-z0-9]{1,9})\s*\)")


def _acronyms(text: str) -> Iterator[tuple[str, str]]:
    """Acronyms in brackets and the words before them that they stand for (Schwartz and Hearst, 2003)."""
    for match in _BRACKET.finditer(text):
        short = match.group(1)
        if sum(letter.isupper() for letter in short) < 2:
            continue
        window = text[max(0, match.start() - 200) : match.start()].rstrip()
        words = list(re.finditer(r"[^\W_]+(?:-[^\W_]+)*", window))[-_LONG_FORM:]
        start = _long_form(short.removesuffix("s").lower(), window.lower(), [word.start() for word in words])
        if start is not None:
            yield short, window[start:]


def _long_form(short: str, window: str, starts: Sequence[int]) -> int | None:
    """Where the long form begins: each letter of the acronym from right to left, the first at a word."""
    at = len(window) - 1
    for index in range(len(short) - 1, -1, -1):
        while at >= 0 and (window[at] != short[index] or (index == 0 and at not in starts)):
            at -= 1
        if at < 0:
            return None
        at -= 1
    start = at + 1
    crossed = re.search(r"[.;:!?()\n]", window[start:])
    return start if not crossed and sum(begin >= start for begin in starts) <= len(short) + 3 else None
