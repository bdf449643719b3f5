"""Logins of people in columns and keys that are called after those who stand there: `reporter`, "Fixed by", `"agent"`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.finders.fields.field_labels import holds_person
from efface.text.form_labels import label_words
from efface.text.ordinary_words import Usage, usage
from efface.text.spans import Span
from efface.text.tables.find import tables

# Under these labels a program may stand as well, so that only a given name or an initial with a dot tells somebody.
_OF_ACCOUNTS = frozenset(
    "agent operator handler owner author editor assignee requester reporter approver".split()
)
_DOTTED = re.compile(r"[a-z]{1,20}[._][a-z]{1,20}[0-9]{0,3}")
_ONE_WORD = re.compile(r"[a-z]{4,20}[0-9]{0,3}")
_ENDINGS = frozenset(  # of files and hosts
    "com org net io dev app uk de fr eu gov edu local lan internal py js ts go rs rb sh exe dll jar xml yml csv txt log md html "
    "service timer example".split()
)
_KEY = re.compile(r'"(?P<label>[^\W\d][\w -]{1,30})"\s{0,5}:\s{0,5}"(?P<value>[a-z][a-z._]{1,40}[0-9]{0,3})"')


def login_places(text: str) -> Iterator[Span]:
    """Where logins stand that are told by the label of a column or by a key."""
    for table in tables(text, _is_asked):
        for at, label in enumerate(table.labels):
            if not _is_asked(label):
                continue
            for row in table.rows:
                if _is_login(label, text[row[at].start : row[at].end]):
                    yield row[at]
    for key in _KEY.finditer(text):
        if _is_asked(key["label"]) and _is_login(key["label"], key["value"]):
            yield Span(*key.span("value"))


def _is_asked(label: str) -> bool:
    words = label_words(label)
    return (len(words) == 1 and words[0] in _OF_ACCOUNTS) or holds_person(label)


def _is_login(label: str, value: str) -> bool:
    """Whether a value in small letters is somebody's login. A single word is one where only people stand."""
    if _DOTTED.fullmatch(value):
        return re.split("[._]", value.rstrip("0123456789"))[-1] not in _ENDINGS
    is_alone = holds_person(label) and _ONE_WORD.fullmatch(value) is not None
    return is_alone and usage(value.rstrip("0123456789")) is Usage.NEVER
