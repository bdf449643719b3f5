"""Words of notes, prescriptions and logs that a finder takes for names: "Ramipril", "Hx", "PID|"."""

from __future__ import annotations

import re

from efface.core import Mention

# How the names of drugs end. Three letters stand before each, so that April is none.
_DRUGS = re.compile(
    r"[a-z]{3,}(?:pril|sartan|prazole|conazole|azepam|azolam|oxetine|triptan|gliptin|formin|floxacin|cycline|"
    r"cillin|mycin|vastatin|dipine|olol|tegravir|ciclovir|cyclovir|buvir|navir|tinib|zumab|ximab|lukast|setron|coxib|"
    r"parin|gabalin|gliflozin|codone|morphone|codeine|cortisone|nisolone|thiazide|semide|statin|profen|oxicam|pentin|caine|pidogrel|"
    r"tidine|zapine|idone|triptyline|traline|lamine|mabalin|afil|bactam|penem|thyroxine|cetamol|minophen)e?"
)
_OF_CLINICIANS = "rx dx hx tx sx cx nbm biba mdt anaes dob nok guarantor hosp camhs crp gerd nkda eol hpi pcp dispo tdap opa t2dm cabg edd svd pph gtt"
_OF_WARDS = (
    "afib bmp cbc ckd copd cxr dnacpr dni dnr dsn ecg ekg fbc hfpef hfref ivi lft emt mri nad obs pmh pmhx psh tds qds tto ttos ues usg "
    "uti wob"
)
_OF_OFFICES = (
    "capex ceo cfo cio cmo coo cpd cto ebitda eod eta fte ftes gdpr hrbp kpi kpis okr ops opex ppt qbr rca rfp roi sku skus sla "
    "sop sow sso treas ytd"
)
_OF_SHIPPING = "bol cbm cif cntr etd fob hbl incoterms mbl pod swift teu"
_OF_COURTS = "cps drr oasys ogrs psr rar"
_HONOURS = "bvetmed frcp frcs frics llm mbbs mbchb meng mrcgp mrcp mrcs mrcvs mrics mcsp pgcert pgdip"
_RELATIVES = "mgm mgf pgm pgf"  # relatives of a patient: maternal grandmother, paternal grandfather
# These may be names unless they are in capitals.
_IN_CAPITALS = frozenset("BIL DIL FIL MIL SIL NP PA PH POL WR HS TP".split())
_OF_POLICE = "pnc perp susp marac idva vps ptph crn"
_DEGREES = "bsc beng msc mphil hons ba llb pgce btec gcse"
_OF_MAIL = "aob apols appt asap btw fao nb pls tbc thx rsvp hr dt"
_OF_LOGS = "debug info warn warning error fatal"
_OF_CHATS = "dunno lol nuffin omg ta tbh xmas"
_OF_SCHOOLS = "senco ewo cpoms lado"
_OF_INTERVIEWS = "int resp signed"
_OF_FORMS = "bacs vat acct addr amt cust desc qty veh"
# Short forms that name nobody.
_CODES = frozenset(
    " ".join(
        (
            _OF_CLINICIANS,
            _OF_WARDS,
            _OF_OFFICES,
            _OF_SHIPPING,
            _OF_COURTS,
            _HONOURS,
            _RELATIVES,
            _OF_POLICE,
            _DEGREES,
            _OF_MAIL,
            _OF_LOGS,
            _OF_CHATS,
            _OF_FORMS,
            _OF_SCHOOLS,
            _OF_INTERVIEWS,
        )
    ).split()
)
_DOTTED = frozenset({"dob", "dod", "doa", "nok", "asap"})  # "D.O.B."
_FILM_STUDIO = "mgm"  # a firm, unless a person is meant
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")  # the name of a segment, with which a line of HL7 begins


def is_note_word(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether the mention is one word: a drug, a short form, or the name of a segment of HL7."""
    if len(words) != 1 and all(word.lower() in _CODES for word in words):
        return True  # "MSc MCSP"
    if len(words) != 1:
        following = text[mention.end : mention.end + 1]  # a finder may have read "d.o." of "d.o.b."
        letters = "".join(words).lower()
        return all(len(word) == 1 for word in words) and not _DOTTED.isdisjoint(
            (letters, letters + following)
        )
    word = words[0].lower()
    if words[0] in _IN_CAPITALS and text[mention.end : mention.end + 1] != ".":
        return True
    if word in _CODES and (mention.type == "PERSON" or word != _FILM_STUDIO):
        return True
    return _DRUGS.fullmatch(word) is not None or _is_segment(text, mention)


def _is_segment(text: str, mention: Mention) -> bool:
    begins = mention.start == 0 or text[mention.start - 1] in "\r\n"
    is_code = _SEGMENT.fullmatch(text, mention.start, mention.end) is not None
    return begins and is_code and text[mention.end : mention.end + 1] == "|"
