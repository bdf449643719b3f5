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


_ALONE = frozenset("maths mathematics physics chemistry biology geography pshe phonics algebra".split())
_LINE = re.compile(r"(?:^|\A)[ \t#*_>-]{0,4}\Z", re.MULTILINE)
_LINE_END = re.compile(r"[ \t:*_]{0,4}(?:\r?\n|\Z)")


def is_subject(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether a subject is meant, or a language that stands beside another subject, with "Literature" behind it, or as a
    heading."""
    if len(words) == 1 and words[0].lower() in _ALONE:
        return True
    if words[0].lower() not in _LANGUAGES or len(words) > 2 or mention.type == "PERSON":
        return False
    if len(words) == 2:
        return _SUBJECT.fullmatch(words[1]) is not None
    low = max(0, mention.start - _REACH)
    if _LINE.search(text[low : mention.start]) and _LINE_END.match(text, mention.end):
        return True
    around = f"{text[low : mention.start]} {text[mention.end : mention.end + _REACH]}"
    return _SUBJECT.search(around) is not None
