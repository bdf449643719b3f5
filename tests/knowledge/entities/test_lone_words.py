"""One word beside nothing that tells a family name is a variant of a name only if it is the whole name run together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.fuzzy import variants
from efface.knowledge.entities.name_windows import NameWindow, edit_distance
from efface.knowledge.entities.passage import Passage
from efface.text.folding import fold

_PIECE = st.sampled_from(["mano", "mani", "patel", "o", "brien", "li", "müller", "mueller", "garcias", "ana"])
_KEY = st.lists(_PIECE, min_size=2, max_size=4).flatmap(
    lambda parts: st.sampled_from([" ", "-", "'", ", "]).map(lambda mark: mark.join(parts))
)
_WORD = st.lists(_PIECE, min_size=1, max_size=3).map("".join)


@settings(max_examples=300)
@given(key=_KEY, word=_WORD, edits=st.integers(0, 1), dropped=st.integers(0, 12))
def test_a_lone_word_is_judged_as_by_all_variants(key: str, word: str, edits: int, dropped: int) -> None:
    written = (word[:dropped] + word[dropped + 1 :] if edits else word) or "x"
    passage = Passage.of(f"saw {written} today", fold(f"saw {written} today"))
    assert NameWindow(passage, 1, 2).is_variant(key, edits) == _is_variant(passage, key, edits)


def _is_variant(passage: Passage, key: str, edits: int) -> bool:
    """Every form of the name against every reading of the word."""
    own = word_texts(key)
    whole = "".join(own)
    read = (passage.texts[1], *passage.others.get(1, ()))
    longest = max(map(len, read)) + edits
    may_be = whole in read if not edits else longest >= min(len(whole), min(map(len, own)) + 2)
    forms = [" ".join(form) for form in variants(key, own, is_name=True)]
    return may_be and any(edit_distance()(word, form) <= edits for word in read for form in forms)
