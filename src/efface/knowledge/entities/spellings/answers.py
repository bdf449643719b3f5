"""What a form says for true and false: "smoker: yes"."""

from __future__ import annotations

import re
from collections.abc import Iterator

# The answer of a field or a cell. The word "no" elsewhere in a text answers nothing.
_ANSWER = re.compile(r"(?<=[:=|?]) ?(?P<word>yes|y|ja|oui|si|no|n|nein|non)(?!\w)")
_TRUE = frozenset({"yes", "y", "ja", "oui", "si"})


def answers(text: str) -> Iterator[tuple[int, int, str]]:
    """The answers in a folded text: where each is, and the boolean that it says."""
    for match in _ANSWER.finditer(text):
        yield *match.span("word"), "true" if match["word"] in _TRUE else "false"
