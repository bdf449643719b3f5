"""Types, stages and grades: type 2 diabetes is also type II and type two diabetes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.knowledge.entities.spellings.number_words import in_words

ROMAN = dict(zip("i ii iii iv v vi vii viii ix x xi xii".split(), range(1, 13), strict=True))
_IN_ROMAN = {number: roman.upper() for roman, number in ROMAN.items()}
_LONGEST = 100  # characters: a longer text tells a story
_GRADE = re.compile(
    r"\b(?:types?|stages?|grades?|phases?|class|levels?|groups?|category|factor|typ|stadium|grad|stufe|klasse)[ -]"
    r"(?P<figure>\d\d?|[ivx]{1,4})(?=\W|$)",
    re.IGNORECASE,
)


def other_grades(text: str) -> Iterator[str]:
    """The text with its figure in Roman, Arabic or written out; nothing for a text without a type, stage or grade."""
    for match in _GRADE.finditer(text) if len(text) <= _LONGEST else ():
        written = match["figure"].lower()
        number = int(written) if written.isdigit() else ROMAN.get(written, 0)
        for other in (str(number), _IN_ROMAN.get(number, ""), in_words(number)) if number else ():
            if other and other.lower() != written:
                yield f"{text[: match.start('figure')]}{other}{text[match.end('figure') :]}"
