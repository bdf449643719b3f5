"""One word for illnesses that stand in one sentence: nobody writes that a man has `a condition and a disease`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from efface.core import Edit
from efface.guarantees.semantic.english.wording import article, is_plural, pluralised, with_article
from efface.knowledge.taxonomy.concepts import lexicon

# The widest first: whatever has a narrower name may be called so as well.
_ILLNESSES = ("condition", "illness", "disorder", "disease", "infection")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n\s*\n")
_CLASS = re.compile(r"(?P<article>[Aa]n? )?(?P<noun>[A-Za-z]+)")


def with_one_class(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits in order. Where several classes of illness are put into one sentence, the widest of them stands for all."""
    ends = [match.start() for match in _SENTENCE_END.finditer(text)]
    widest: dict[int, str] = {}
    for edit in edits:
        illness = _illness(text, edit)
        if illness is not None:
            sentence = bisect_right(ends, edit.start)
            widest[sentence] = min(illness, widest.get(sentence, illness), key=_ILLNESSES.index)
    for edit in edits:
        illness = _illness(text, edit)
        wide = widest.get(bisect_right(ends, edit.start), illness)
        yield edit if illness is None or wide is None or illness == wide else _called(text, edit, wide)


def _illness(text: str, edit: Edit) -> str | None:
    """The class of illness that an edit puts into a text; the head of a phrase that stays is none."""
    match = _CLASS.fullmatch(edit.replacement or "")
    if match is None:
        return None
    noun = lexicon().key(match["noun"])
    stays = noun == lexicon().key(text[edit.start : edit.end].rsplit(maxsplit=1)[-1])
    return noun if noun in _ILLNESSES and not stays else None


def _called(text: str, edit: Edit, illness: str) -> Edit:
    match = _CLASS.fullmatch(edit.replacement or "")
    assert match is not None
    noun = pluralised(illness) if is_plural(match["noun"]) else illness
    words = f"{article(noun)} {noun}" if match["article"] else noun
    words = words[0].upper() + words[1:] if match.group()[0].isupper() else words
    if match["article"] or edit.lead:
        return replace(edit, replacement=words)
    start, words = with_article(text, edit.start, words)
    return replace(edit, start=start, lead=edit.start - start, replacement=words)
