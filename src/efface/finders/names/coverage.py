"""Which languages the names finder covers. Text in another one was not looked at, and a report must say so.

A language is covered when its persons are found with a recall of at least .90 at a precision of at least .70, measured on at
least 100 words of persons in sentences that nothing was learned from and no setting chosen by. German and Dutch are covered in clean
text only: in newspapers as they were scanned, in traffic reports and in decisions full of signs they are below the bar.
`docs/results/names` has the figures. Text in small letters, as people type it in chats, is below the bar in every language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from efface.core import Document, Gap, GapKind
from efface.finders.small_letters import lines_in_small_letters
from efface.text.language import UNKNOWN, LanguageStretch, languages, uncovered
from efface.text.mistaken_languages import mistaken_lines
from efface.text.uncovered_languages import LANGUAGE_NAMES, lines_in_words, prose_of, uncovered_languages

LEAST_RECALL, LEAST_PRECISION = 0.90, 0.70  # of persons, by token
COVERED = frozenset({"en", "fr", "es", "pt", "it", "da", "de", "nl", "no", "sv", "fi", "tr"})
CLEAN_ONLY = frozenset({"de", "nl"})  # covered, but not in text that looks like a scan with errors

# A word with a digit or a capital among its small letters, a sign within it, a consonant alone. Of the
# words of news and articles hardly any is odd; of scanned newspapers one in a hundred, of court decisions one in fifty. What was cut
# is blank here, so signs between words say nothing.
_ODD = re.compile(
    r"[^\W\d_][0-9][^\W\d_]|[a-z\u00df-\u00ff][A-Z\u00c0-\u00de][a-z\u00df-\u00ff]"
    r"|[^\W\d_][^\w\s'’.\-–—/&@:(),;!?\"„“”»«*+…][^\W\d_]|[■¬^|~\\{}<>•°§#]|(?<=[a-zà-ÿ])[,;:!?](?=[a-zà-ÿ])"
    r"|^[b-df-hj-np-xzB-DF-HJ-NP-Z]$"
)
# The share of odd words from which text looks scanned, and the least number of them.
_MOST_ODD, _FEW_ODD = 0.008, 2
_TOKEN = re.compile(r"\S+")
# The code of a part or a size: "M8x40", "24/6".
_CODE = re.compile(r"\W*[A-Z]{0,3}[0-9]+(?:[.,/xX×-][0-9]+)*[A-Za-z]{0,3}\W*")
_IN_BRACKETS = re.compile(r"<[^<>\n]{0,80}>")  # an address of a mail, cut or not
_QUOTED = re.compile(r"^[ \t]{0,3}(?:[>|][ \t]?){1,9}", re.MULTILINE)  # the lines of a mail that is answered
_CELLS = re.compile(r"[ \t]\|[ \t\n]")  # the bars of a table

# spaCy pipelines on PyPI or in spaCy's own index, for the adapter (`find.names: {spacy: …}`).
_PIPELINES = {
    "ca": "ca_core_news_md",
    "el": "el_core_news_md",
    "da": "da_core_news_md",
    "de": "de_core_news_md",
    "fi": "fi_core_news_md",
    "hr": "hr_core_news_md",
    "it": "it_core_news_md",
    "ja": "ja_core_news_md",
    "ko": "ko_core_news_md",
    "lt": "lt_core_news_md",
    "mk": "mk_core_news_md",
    "nl": "nl_core_news_md",
    "no": "nb_core_news_md",
    "pl": "pl_core_news_md",
    "ro": "ro_core_news_md",
    "ru": "ru_core_news_md",
    "sl": "sl_core_news_md",
    "sv": "sv_core_news_md",
    "uk": "uk_core_news_md",
    "zh": "zh_core_web_md",
}


def uncovered_parts(text: str, covered: Collection[str] = COVERED) -> list[LanguageStretch]:
    """The stretches of a text in a language that the names finder does not know."""
    return uncovered(text, covered)


def language_gaps(
    document: Document, covered: Collection[str] = COVERED, known: Collection[str] = ()
) -> Iterator[Gap]:
    """What was not looked at, one gap for each language. `known`: the only languages that the policy expects."""
    stretches = languages(document.text, known)
    yield from _scanned(document.text, stretches, covered)
    for one in uncovered_languages(document, stretches, covered):
        reason = f"The names finder does not cover {one.name}."
        yield Gap(GapKind.LANGUAGE, one.where, reason, next_step(one.language), lines=one.lines)
    if not known:
        yield from _mistaken(document, stretches, covered)
    yield from _small_letters(prose_of(document))


def _mistaken(
    document: Document, stretches: Sequence[LanguageStretch], covered: Collection[str]
) -> Iterator[Gap]:
    """A gap where the words are not those of the language that they look like."""
    own = [one for one in stretches if one.language in covered]
    lines = mistaken_lines(prose_of(document), own)
    if lines:
        reason = f"The names finder does not cover {LANGUAGE_NAMES[UNKNOWN]}."
        yield Gap(GapKind.LANGUAGE, lines_in_words(lines), reason, next_step(UNKNOWN), lines=tuple(lines))


def _small_letters(prose: str) -> Iterator[Gap]:
    """A gap for text without capitals, where the finder leaves one fact in five: a name then looks like any word."""
    lines = lines_in_small_letters(prose)
    if lines:
        reason = "The names finder does not cover text in small letters."
        step = "Read the text, list the names that are left in `find.deny`, and write `accept: [language]`."
        yield Gap(GapKind.LANGUAGE, lines_in_words(lines), reason, step, lines=tuple(lines))


def _scanned(text: str, stretches: Sequence[LanguageStretch], covered: Collection[str]) -> Iterator[Gap]:
    """A gap for each language that is covered in clean text only, where its text looks like a scan with errors."""
    for language in sorted(CLEAN_ONLY.intersection(covered)):
        own = [one for one in stretches if one.language == language]
        if _looks_scanned(text[one.start : one.end] for one in own):
            lines = [text.count("\n", 0, one.start) + 1 for one in own]
            reason = f"The names finder does not cover {LANGUAGE_NAMES[language]} that looks like a scan with errors."
            step = next_step(language)
            yield Gap(GapKind.LANGUAGE, lines_in_words(lines), reason, step, lines=tuple(lines))


def _looks_scanned(stretches: Iterable[str]) -> bool:
    """Whether so many words are odd as in text that was recognised with errors."""
    tokens: list[str] = []
    for stretch in stretches:
        tokens += _TOKEN.findall(_without_marks(stretch))
    words = [token for token in tokens if not _CODE.fullmatch(token)]
    odd = sum(_ODD.search(word) is not None for word in words)
    return odd >= max(_FEW_ODD, _MOST_ODD * len(words))


def _without_marks(stretch: str) -> str:
    """A stretch without the signs that mails and tables put between words."""
    return _CELLS.sub(" ", _QUOTED.sub("", _IN_BRACKETS.sub(" ", stretch)))


def next_step(language: str) -> str:
    """What to do about text in a language that is not covered."""
    pipeline = _PIPELINES.get(language)
    if pipeline:
        return f"Install the spaCy pipeline {pipeline} and set `find.names: {{spacy: {pipeline}}}`."
    return "Name a finder for this language in `find.names` (spacy, presidio or gliner), or list the names in `find.deny`."
