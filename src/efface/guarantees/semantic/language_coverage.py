"""Text that the counts cannot read: they were made of English articles, so another language says nothing to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from efface.core import Document, Gap, GapKind
from efface.knowledge.corpus.text_runs import STOP_WORDS
from efface.knowledge.taxonomy.concepts import lexicon
from efface.text.language import LATIN, LanguageStretch, languages
from efface.text.ordinary_words import is_ordinary
from efface.text.uncovered_languages import small_words, uncovered_languages

ENGLISH = "en"
_SENTENCE_END = re.compile(r"(?<=[.!?;:]) ")
_LEAST_WORDS = 2  # small words of another language that are a text in it
# From this share of English function words on, a text is English whatever its spelling looks like.
_ENGLISH_SHARE = 0.5
_SHORT = 3  # letters of words that many languages have
_REASON = "The semantic guarantee counts over English texts and does not read {}."
_NEXT_STEP = "Translate this text, take it out, or write `accept: [language]` if it may stay unread."


def language_gaps(document: Document) -> Iterator[Gap]:
    """One gap for each language other than English that sentences of the document are in."""
    by_sentence = _SENTENCE_END.sub("\n", document.text)  # the same length; a language is told line by line
    stretches = [one for stretch in languages(by_sentence) for one in _sentences(by_sentence, stretch)]
    for one in uncovered_languages(document, stretches, {ENGLISH}, _LEAST_WORDS):
        yield Gap(GapKind.LANGUAGE, one.where, _REASON.format(one.name), _NEXT_STEP, lines=one.lines)


def _sentences(text: str, stretch: LanguageStretch) -> Iterator[LanguageStretch]:
    """The lines of a stretch. One whose words are English is, since lists of drugs and notes in shorthand look like other
    languages; another is asked again by itself, since a sentence may take its language from its neighbours."""
    start = stretch.start
    for line in text[start : stretch.end].splitlines(keepends=True):
        one = LanguageStretch(start, start + len(line), stretch.language)
        start = one.end
        if one.language not in LATIN:
            yield one
        elif _is_english(small_words(text, one)):
            yield replace(one, language=ENGLISH)
        elif one.language == ENGLISH:
            yield replace(one, language=next((told.language for told in languages(line)), ENGLISH))
        else:
            yield one


def _is_english(words: Sequence[str]) -> bool:
    english = sum(map(_is_english_word, words))
    return english >= _ENGLISH_SHARE * len(words) or len(words) - english < _LEAST_WORDS


def _is_english_word(word: str) -> bool:
    """Whether a word is an English one. Short words that others have too (`de`, `la`, `est`) do not count."""
    if word in STOP_WORDS:
        return True
    return len(word) > _SHORT and (is_ordinary(word) or lexicon().key(word) in lexicon().nouns)
