"""Languages that are subjects of a school, which a finder takes for peoples: "Maths and French", "English Literature"."""

from __future__ import annotations

import re

from efface.core import Mention

_LANGUAGES = frozenset(
    "english french german spanish italian latin greek welsh irish gaelic russian mandarin chinese japanese arabic urdu "
    "polish portuguese punjabi".split()
)
_SUBJECT = re.compile(
    r"(?<![^\W_])(?:Maths?|Mathematics|Physics|Chemistry|Biology|Sciences?|Geography|History|Drama|Music|GCSEs?|A[ -][Ll]evels?|Highers|"
    r"Computing|Religious Studies|Food Tech|Art|PE|RE|ICT|PSHE|Lit|Literature|Language|Lang)(?![^\W_])"
)
_REACH = 40  # characters on each side of a language


def is_subject(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether a language stands beside another subject, or with "Literature" behind it."""
    if words[0].lower() not in _LANGUAGES or len(words) > 2 or mention.type == "PERSON":
        return False
    if len(words) == 2:
        return _SUBJECT.fullmatch(words[1]) is not None
    low = max(0, mention.start - _REACH)
    around = f"{text[low : mention.start]} {text[mention.end : mention.end + _REACH]}"
    return _SUBJECT.search(around) is not None
