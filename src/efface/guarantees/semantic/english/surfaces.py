"""How a text spells a term: its mentions, the longest first, without the capitals that only begin a sentence."""

from __future__ import annotations

from efface.core import Term
from efface.guarantees.semantic.english.wording import begins_sentence
from efface.knowledge.taxonomy.concepts import lexicon
from efface.text.ordinary_words import is_ordinary


def surfaces_of(term: Term, text: str) -> list[str]:
    """A term as its mentions spell it, white space as one blank, the longest first.

    A capital that only begins a sentence says nothing: such a mention counts when there is no other, and then as a
    common word if it is one.
    """
    spelled: dict[str, bool] = {}
    for mention in term.mentions:
        surface = " ".join(text[mention.start : mention.end].split())
        opens = begins_sentence(text, mention.start) and not surface.split()[0].isupper()
        spelled[surface] = spelled.get(surface, True) and opens
    inside = [surface for surface, opens in spelled.items() if not opens]
    found = inside or [_uncapitalised(surface) for surface in spelled]
    return sorted(set(found), key=lambda each: (-len(each), each))


def _uncapitalised(surface: str) -> str:
    """A phrase that begins a sentence, with a small letter unless its first word is a name (`Sam's doctor`)."""
    lower = surface[:1].lower() + surface[1:]
    words = lower.split()
    listed = lexicon().key(words[-1]) in lexicon().nouns
    if len(words) > 1:
        first = lexicon().key(words[0])
        listed &= (first.islower() and first in lexicon().nouns) or is_ordinary(words[0])
    return lower if listed else surface
