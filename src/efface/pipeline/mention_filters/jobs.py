"""What people are by trade, where a finder takes it for a name: "Rheumatologist", and "Job title: Head Gardener"."""

from __future__ import annotations

import re

from efface.core import Mention
from efface.text.ordinary_words import is_ordinary

_TRADES = re.compile(
    r"[a-z]{2,}(?:ologist|iatrician|iatrist|opaedist|opedist|esthetist|aesthetist|dontist|metrist|graphist|surgeon|"
    r"practitioner|physician|radiographer|paramedic|phlebotomist|physiotherapist|dietitian|pharmacist|podiatrist|"
    r"chiropodist|osteopath)s?|(?:surgeon|physician|paramedic|dietitian|pharmacist|osteopath|registrar|midwife)s?"
)
_JOB = re.compile(
    r"(?:occupation|profession|job(?: title)?|role|position|post held|trade)[ \t]*[:=\t][ \t]*\Z",
    re.IGNORECASE,
)
_JOB_REACH = 24  # characters before a value in which the label stands


def is_job(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether the mention is the word for a trade, or stands behind a label that asks for somebody's work."""
    if len(words) == 1 and _TRADES.fullmatch(words[0].lower()):
        return True
    return _is_labelled_job(text, mention, words)


def _is_labelled_job(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether words in lower case, or ordinary ones, stand behind a label that asks for somebody's work."""
    if not all(word.islower() or is_ordinary(word.lower()) for word in words):
        return False
    return _JOB.search(text, max(0, mention.start - _JOB_REACH), mention.start) is not None
