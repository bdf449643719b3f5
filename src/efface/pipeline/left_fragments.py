"""Parts of removed strings that were written although the plan removes them.

The attackers search for what was removed as a whole. A writer that takes out half of a name leaves a word that is in no plan:
of `Zanzi` and `barov` with a tab between them the second. Here the words of the release are compared with those of the plan.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from efface.core import Document, Leakage, PartKind
from efface.text.alignment import Alignment
from efface.text.folding import fold_text

_WORD = re.compile(r"[\w\u0900-\u0dff]+")  # vowels of Indian scripts are marks, not letters
_FEWEST = 3  # letters of a fragment; a shorter one is also what is left of any word that is read otherwise
_MOST = 64  # letters of a removed string of which fragments are looked for at each end


def left_fragments(document: Document, alignment: Alignment, released: Document) -> Iterator[Leakage]:
    """The beginnings, endings and words of removed strings that the release has more often than the plan.

    Code is left out: an element of XML that is called `mark` keeps its name, though a Mark is removed.
    """
    planned = alignment.planned(document).text
    unplanned = _words(_without_code(released)) - _words(planned)
    if not unplanned:
        return
    told: set[str] = set()
    # Most removed strings are removed in many places: each is looked at once.
    removed = {document.text[edit.start : edit.end]: edit.type for edit in alignment.edits}
    for surface, kind in removed.items():
        for fragment in _fragments(surface):
            if fragment in unplanned and fragment not in told:
                told.add(fragment)
                yield Leakage("text", "a part of a removed string", kind, fragment)


def _without_code(document: Document) -> str:
    code = sorted((part.start, part.end) for part in document.parts if part.kind is PartKind.CODE)
    pieces, at = [], 0
    for start, end in code:
        pieces.append(document.text[at:start])
        at = max(at, end)
    return " ".join((*pieces, document.text[at:]))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(fold_text(text)))


def _fragments(surface: str) -> Iterator[str]:
    """Whole words of the string, and what its letters together begin and end with."""
    words = _WORD.findall(fold_text(surface))
    yield from (word for word in words if len(word) >= _FEWEST)
    letters = "".join(words)
    for length in range(_FEWEST, min(len(letters), _MOST)):
        yield letters[:length]
        yield letters[-length:]
