"""Words of letters, notes and prescriptions that a finder takes for names: "Kind regards", "Rheumatologist", "Ramipril"."""

from __future__ import annotations

import re

from efface.core import Mention
from efface.text.ordinary_words import is_ordinary

# How letters begin and end, with what follows there.
_FORMULAS = {
    "kind": re.compile(r"(?:est)?[ \u00a0]+(?:regards|wishes)", re.IGNORECASE),
    "warm": re.compile(r"(?:est)?[ \u00a0]+(?:regards|wishes)", re.IGNORECASE),
    "best": re.compile(r"[ \u00a0]+(?:regards|wishes)|,", re.IGNORECASE),
    "many": re.compile(r"[ \u00a0]+thanks", re.IGNORECASE),
    "yours": re.compile(r"[ \u00a0]+(?:sincerely|faithfully|truly|ever)|,", re.IGNORECASE),
    "hi": re.compile(r"[ \u00a0]+[^\W\d_a-z\[]|[ \u00a0]+\[|[ \u00a0]+(?:all|both|there|team|again)\b|[,!]"),
    "bill": re.compile(r"(?:ed|ing)?[ \u00a0]+(?:to|from)[ \u00a0]*:", re.IGNORECASE),
    "grant": re.compile(r"[ \u00a0]+(?:no\.?|number|ref|reference|agreement)\b", re.IGNORECASE),
}
_TRADES = re.compile(
    r"[a-z]{2,}(?:ologist|iatrician|iatrist|opaedist|opedist|esthetist|aesthetist|dontist|metrist|graphist|surgeon|"
    r"practitioner|physician|radiographer|paramedic|phlebotomist|physiotherapist|dietitian|pharmacist|podiatrist|"
    r"chiropodist|osteopath)s?|(?:surgeon|physician|paramedic|dietitian|pharmacist|osteopath|registrar|midwife)s?"
)
# How the names of drugs end. Three letters stand before each, so that April is none.
_DRUGS = re.compile(
    r"[a-z]{3,}(?:pril|sartan|prazole|conazole|azepam|azolam|oxetine|triptan|gliptin|formin|floxacin|cycline|"
    r"cillin|mycin|vastatin|dipine|olol|tegravir|ciclovir|cyclovir|buvir|navir|tinib|zumab|ximab|lukast|setron|coxib|"
    r"parin|gabalin|gliflozin|codone|morphone|codeine|cortisone|nisolone|thiazide|semide|statin|profen|caine|pidogrel|"
    r"tidine|zapine|idone|triptyline|traline|lamine|mabalin|afil|bactam|penem|thyroxine|cetamol|minophen)e?"
)
# Short forms of notes and degrees that name nobody.
_CODES = frozenset(
    "rx dx hx tx sx cx apols mgm mgf pgm pgf bsc beng msc mphil hons hr dt ba llb pgce btec gcse asap fao nb tbc rsvp "
    "debug info warn warning error fatal dunno nuffin ta nbm biba mdt pnc dob guarantor perp marac idva anaes".split()
)
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")  # of HL7: a line begins with it
_JOB = re.compile(
    r"(?:occupation|profession|job(?: title)?|role|position|post held|trade)[ \t]*[:=\t][ \t]*\Z",
    re.IGNORECASE,
)
_JOB_REACH = 24  # characters before a value in which the label stands


def is_trade_word(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether the mention, which consists of these words, is a formula, a trade, a drug or a code of notes."""
    if len(words) != 1:
        return _is_job(text, mention, words)
    word = words[0].lower()
    formula = _FORMULAS.get(word)
    if formula is not None and formula.match(text, mention.end) is not None:
        return True
    if word in _CODES and (mention.type == "PERSON" or word != "mgm"):
        return True
    if _TRADES.fullmatch(word) or _DRUGS.fullmatch(word):
        return True
    return _is_segment(text, mention) or _is_job(text, mention, words)


def _is_segment(text: str, mention: Mention) -> bool:
    begins = mention.start == 0 or text[mention.start - 1] in "\r\n"
    is_code = _SEGMENT.fullmatch(text, mention.start, mention.end) is not None
    return begins and is_code and text[mention.end : mention.end + 1] == "|"


def _is_job(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether words in lower case, or ordinary ones, stand behind a label that asks for somebody's work."""
    if not all(word.islower() or is_ordinary(word.lower()) for word in words):
        return False
    return _JOB.search(text, max(0, mention.start - _JOB_REACH), mention.start) is not None
