"""What people are by trade, where a finder takes it for a name: "Rheumatologist", "Job title: Head Gardener", and behind a
name "DeShawn Pruitt, Line Cook", "Ottoline Faircloth | Senior Case Handler", "Head of Collections"."""

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
WORK = (
    "accountant administrator adviser advisor agent analyst apprentice architect assistant associate auditor baker barista bookkeeper "
    "bursar buyer caretaker cashier chaplain chef clerk coach companion conductor cook coordinator counsellor crew decorator designer developer "
    "director driver editor electrician engineer executive facilitator fitter foreman gardener guard handler head housekeeper inspector "
    "instructor interpreter investigator joiner keyholder labourer lead leader lecturer librarian lifeguard machinist manager mechanic "
    "mentor midwife nurse officer operative operator organiser owner painter partner planner plumber porter practitioner "
    "president principal producer programmer programmer receptionist recruiter registrar representative researcher reviewer roofer scaffolder "
    "scientist secretary specialist steward supervisor surveyor teacher technician technologist therapist trainee trainer translator "
    "treasurer tutor volunteer warden welder worker"
).split()
# Words with capitals up to the end of a line, a bracket or a comma, of which the last is somebody's work.
_BEHIND_NAME = re.compile(
    rf"[ ]?(?:[,|(–-][ ]?|\n)(?P<job>(?:[A-Z][A-Za-z&-]+[ ]){{0,3}}(?i:{'|'.join(WORK)})s?)(?=[ ]?(?:[,|);.\r\n]|\Z))"
)
_OF_DEPARTMENT = re.compile(
    r"(?<!\w)(?:Head|Director|Manager|Chief|VP|President|Lead|Team)(?: of)?(?: the)?[ ]\Z"
)
_LINE_REACH = 60  # characters before a mention in which its line or bracket begins
_JOB_REACH = 24  # characters before a value in which the label stands


def is_job(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether the mention is the word for a trade, or stands behind a label that asks for somebody's work."""
    if len(words) == 1 and _TRADES.fullmatch(words[0].lower()):
        return True
    return _is_labelled_job(text, mention, words) or _is_told_job(text, mention, words)


def _is_told_job(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether ordinary words are somebody's work or department, as a signature or a list of those present tells it."""
    if not all(is_ordinary(word.lower()) for word in words):
        return False
    low = max(0, mention.start - _LINE_REACH)
    if (
        mention.type != "PERSON"
        and text[: mention.start].endswith(" of ")
        and _OF_DEPARTMENT.search(text, low, mention.start)
    ):
        return True
    jobs = _BEHIND_NAME.finditer(text, low, mention.end + _LINE_REACH)
    return any(job.start("job") <= mention.start and mention.end <= job.end("job") for job in jobs)


def _is_labelled_job(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether words in lower case, or ordinary ones, stand behind a label that asks for somebody's work."""
    if not all(word.islower() or is_ordinary(word.lower()) for word in words):
        return False
    return _JOB.search(text, max(0, mention.start - _JOB_REACH), mention.start) is not None
