"""Names of files that leave: a file's own name may disclose what was taken out of it.

A name leaves as it is only where the policy finds nothing in it and no removed word is part of it. Otherwise the
file is called `document`, with the ending of its format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from efface.core import Document, Report
from efface.errors import EffaceError
from efface.formats import FORMATS
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.service.repository.file_responses import name_of
from efface.service.review.decisions import EffectiveDecisions
from efface.service.review.run_with_decisions import ReviewInput
from efface.text.folding import fold_term

PLAIN = "document"
CERTIFICATE = "certificate.json"  # stands beside each file of an archive
_WORD = re.compile(r"[^\W_]+")
_JOINER = re.compile(r"[\W_]+")
_SHORTEST_WORD = 3  # letters of a part of a removed term that counts alone
_SHORTEST_INSIDE = 4  # characters of a removed term that counts inside a longer word


def released_name(name: str, prepared: ReviewInput, decided: EffectiveDecisions, report: Report) -> str:
    """The name under which the file may leave."""
    gone = (prepared.document.text[edit.start : edit.end] for edit in report.edits)
    return _checked(name, prepared, {*gone, *_redacted(decided)})


def waiting_name(name: str, prepared: ReviewInput, decided: EffectiveDecisions) -> str:
    """The name under which a file that stays may be spoken of."""
    return _checked(name, prepared, _redacted(decided))


def _redacted(decided: EffectiveDecisions) -> Iterator[str]:
    return (made.term for made in decided.terms.values() if made.kind != "keep")


def _checked(name: str, prepared: ReviewInput, gone: Iterable[str]) -> str:
    bare = name_of(name)
    stem, ending = _divided(bare)
    if not ending:
        ending = FORMATS[prepared.document.format].endings[0]
    if bare.casefold() == CERTIFICATE or any(holds(stem, term) for term in gone):
        return f"{PLAIN}{ending}"
    return f"{PLAIN}{ending}" if _finds(stem, prepared.bound) else bare


def _divided(name: str) -> tuple[str, str]:
    """The stem and the ending; what is no ending of a known format belongs to the stem."""
    ending = PurePath(name).suffix
    known = any(ending.lower() in kind.endings for kind in FORMATS.values())
    return (name[: -len(ending)], ending) if known else (name, "")


def holds(stem: str, term: str) -> bool:
    """Whether a removed term, or a word of it that could be a name or a number, is part of the name."""
    folded, wanted = fold_term(_JOINER.sub(" ", stem)), fold_term(term)
    joined = _JOINER.sub("", wanted)
    if len(joined) >= _SHORTEST_INSIDE and joined in _JOINER.sub("", folded):
        return True
    parts = {part for part in _WORD.findall(wanted) if len(part) >= _SHORTEST_WORD}
    return not parts.isdisjoint(_WORD.findall(folded))


def _finds(stem: str, bound: BoundPolicy) -> bool:
    """Whether a guarantee of the policy would take something out of the name, read as it is or as words."""
    for text in (stem, _JOINER.sub(" ", stem)):
        reading = find(Document(PLAIN, "text", text), bound)
        try:
            if any(guarantee.assess(reading) for guarantee in bound.guarantees):
                return True
        except EffaceError:
            return True
    return False
