"""Rows of numbers that an office gives: collar and badge numbers, references of the police, policies."""

from __future__ import annotations

from efface.finders.patterns.checks import standard
from efface.finders.patterns.row import BARE, STRONG, Pattern

# The number of an officer or a guard is short, so the word right before it must tell.
_WEARERS = ("badge", "collar", "warrant card", "agente", "matricule", "dienstnummer")
_SERVICES = ("shoulder", "epaulette", "force", "service", "staff", "payroll")
_NUMBER_WORDS = tuple(rf"\s(?i:{word}){mark}" for word in ("no", "number", "id") for mark in ("", "[.:]"))
_COLLAR_WORDS = "|".join(
    rf"(?<=(?i:{word}){number}\s)"
    for word in (*_WEARERS, *_SERVICES)
    for number in (*_NUMBER_WORDS, *(("", "[:#]") if word in _WEARERS else ()))
)
_BEHIND_WORD = r"(?:(?<=[A-Za-z.:#]\s)|(?<=[A-Za-z]\s#))"  # looked at first, because most numbers of a table have no word before them
_BEFORE_COLLAR = rf"{_BEHIND_WORD}(?:{_COLLAR_WORDS})"

# What an office numbers. The word stands right before the number: "your claim 4471-2209", "Policy HM-20931-77".
_NUMBERED = (
    *"account application appeal booking case claim client complaint contract customer docket emp employee enquiry incident".split(),
    *"inmate matter member membership payroll personnel petition policy prisoner referral reservation student subscriber".split(),
    *(
        "tenancy",
        "ticket",
        "warrant",
        "job card",
        "job sheet",
        "work order",
        "consignment",
        "shipment",
        "provider no",
    ),
    *"asset certificate container device laptop receipt seal serial slip supplier transcript vendor voucher".split(),
)
# In a column the label has a colon: "ticket: INC004412".
_NUMBERED_WORDS = "|".join(rf"(?<=\b(?i:{word}){mark}\s)" for word in _NUMBERED for mark in ("", "[:#]"))
_NUMBERED_WORDS += "|" + "|".join(rf"(?<=\b(?i:{word})\s#)" for word in _NUMBERED)  # "ticket #88123"
_AFTER_NUMBERED = rf"{_BEHIND_WORD}(?:{_NUMBERED_WORDS})"
_ENDING = "|".join(
    rf"(?<=\b(?i:{what} ending{joint})\s)"
    for what in ("account", "card", "account,", "card,")
    for joint in ("", " in", " with")
)
_ENDED_ABROAD = (
    *(
        f"{ended} {joint}"
        for ended in ("terminada", "terminado", "acabada", "acabado")
        for joint in ("en", "em")
    ),
    *("finissant par", "terminant par", "finisce con", "finisce per", "eindigend op", "eindigt op"),
    *("endend auf", "endet auf", "endziffer", "endziffern"),
)
_ENDING_ABROAD = "|".join(rf"(?<=\b(?i:{words})\s)" for words in _ENDED_ABROAD)
_LAST_FOUR = "|".join(
    rf"(?<=\b(?i:last {four}{then})\s)"
    for four in ("four", "4", "four digits", "4 digits")
    for then in ("", ":", r"\)", r"\):", " of")
)
# "SSN: 4423", "social security number ending in 4423", "last 4 digits of the card 4423".
_SSN_ENDS = "|".join(
    rf"(?<=\b(?i:{what}{then})\s)"
    for what in ("ssn", "social security number", "social security no", "social security")
    for then in ("", ":", "#", " is", " ends in", " ends with", " ending", " ending in", " ending with")
)
_ENDS_OF = "|".join(
    rf"(?<=\b(?i:{four} of {whose} {what}){then}\s)"
    for four in ("last four", "last 4", "last four digits", "last 4 digits")
    for whose in ("the", "my", "your", "his", "her", "their")
    for what in ("card", "account", "social")
    for then in ("", ":", " is", " are")
)
# The mask that hides the rest of a number: "xxx-xx-4423", "**** 4423". Two stars alone are Markdown's.
_MASK_SIGN = r"[xX*•●]"  # looked for first, because most numbers have no mask before them
_BEHIND_MASK = "|".join(rf"(?<={_MASK_SIGN}{then})" for then in ("", "-", r"\s", r"-\s", r"\s-\s"))
_MASKED = "|".join(
    rf"(?<={mask}{then})"
    for mask in ("-[xX]{2}", "-\\s[xX]{2}", "[xX]{4}", r"\*{4}", r"-\*{2}", "[•●]{4}")
    for then in ("-", r"\s", r"-\s", r"\s-\s")
)
_MASKED += r"|(?<=\*{4})|(?<=[•●]{4})"
_OPENING = "|".join(
    rf"(?<=\b(?i:{what}){then}\s)"
    for what in ("key safe", "keysafe", "alarm code", "door code", "entry code", "gate code", "safe code")
    for then in ("", ":", r"\sis")
)
_FOUR_DIGITS = r"(?=(?:[A-Z/-]{0,8}[0-9]){4})"
_NO_YEARS = r"(?!(?:1[5-9]|20)[0-9]{2}(?:[-/](?:[0-9]{2}|(?:1[5-9]|20)[0-9]{2}))?(?![0-9A-Za-z/-]))"  # "2019", "2019/20"
_NO_DATE = r"(?![0-9]{1,2}[-/][0-9]{1,2}[-/](?:[0-9]{4}|[0-9]{2})(?![0-9]))"
_NO_AMOUNT = r"(?![.,][0-9]|\s?%)"
_SEVEN_DIGITS = r"(?=[0-9](?: ?[0-9]){6})"

REFERENCES: tuple[Pattern, ...] = (
    Pattern(  # "claim 4471-2209", "case 17/4482", "incident 20931"
        "ID_NUMBER",
        rf"{_AFTER_NUMBERED}{_FOUR_DIGITS}{_NO_YEARS}{_NO_DATE}"
        rf"(?:{_SEVEN_DIGITS}[0-9]{{3,6}}(?: [0-9]{{2,6}}){{1,4}}|[0-9]{{1,8}}(?:[-/][0-9A-Z]{{1,8}}){{1,4}}"
        rf"|[0-9]{{2,6}}[A-Z]{{1,3}}[0-9]{{2,10}}|[0-9]{{5,12}}[A-Z]?){_NO_AMOUNT}",
        BARE,
        context=", ".join(_NUMBERED),
        at=("number", "long"),
    ),
    Pattern(  # "Policy HM-20931-77", "ticket TCK22917"
        "ID_NUMBER",
        rf"{_AFTER_NUMBERED}{_FOUR_DIGITS}[A-Z]{{1,6}}(?:[-/][A-Z]{{1,6}}){{0,2}}[-/]?[0-9]{{2,10}}(?:[A-Z]{{1,2}}|(?:[-/][0-9A-Z]{{1,10}}){{0,4}})",
        BARE,
        context=", ".join(_NUMBERED),
        at=("code",),
    ),
    Pattern(
        "ID_NUMBER",
        rf"{_BEFORE_COLLAR}[0-9]{{2,8}}(?![.,][0-9])",
        BARE,
        context=", ".join((*_WEARERS, *_SERVICES)),
        at=("number", "long"),
    ),
    Pattern(  # initials of an officer and a number
        "ID_NUMBER",
        r"(?<=\b(?i:exhibit)\s)[A-Z]{2,4}/[0-9]{1,3}",
        BARE,
        context="exhibit",
        at=("code",),
    ),
    Pattern(  # "the account ending 4471"
        "ID_NUMBER",
        rf"{_BEHIND_WORD}(?:{_ENDING})[0-9]{{3,4}}",
        BARE,
        context="account ending, card ending",
        at=("number", "long"),
    ),
    Pattern(  # of an emergency call, in two groups: "CAD 4471 0982"
        "ID_NUMBER",
        r"(?<=\b(?i:cad)\s)[0-9]{3,6} [0-9]{3,6}",
        BARE,
        context="cad",
        at=("number", "long"),
    ),
    Pattern(  # "xxx-xx-4423", "**** 4423"
        "ID_NUMBER",
        rf"(?:{_BEHIND_MASK})(?:{_MASKED})[0-9]{{4}}",
        STRONG,
        at=("number",),
    ),
    Pattern(  # "SSN: 4423", "last 4 digits of my card: 4423"
        "ID_NUMBER",
        rf"{_BEHIND_WORD}(?:{_SSN_ENDS}|{_ENDS_OF})[0-9]{{4}}",
        STRONG,
        at=("number",),
    ),
    Pattern(  # "SSN (last four) 4471"
        "ID_NUMBER",
        rf"(?<![0-9A-Za-z])(?:{_LAST_FOUR})[0-9]{{4}}",
        BARE,
        context="last four, ssn, sin, card, account, number, phone, mobile, digits",
        at=("number", "long"),
    ),
    Pattern(  # what opens a house: "key safe 4410C", "alarm code: 2580"
        "ID_NUMBER",
        rf"(?:{_OPENING})[0-9]{{3,6}}[A-Z]?",
        BARE,
        context="key safe, keysafe, alarm code, door code, entry code, gate code, safe code",
        at=("number", "long"),
    ),
    Pattern(  # of which somebody left the ends: "4929 XXXX XXXX 7715"
        "ID_NUMBER",
        r"[0-9]{2,6}(?:[ -]?[Xx*]{2,6}){1,4}[ -]?[0-9]{2,4}",
        STRONG,
    ),
    Pattern(  # of a shipping container: "CSNU 718332 4"
        "ID_NUMBER",
        r"[A-Z]{3}[UJZ]\s?[0-9]{6}[\s/-]?[0-9]",
        BARE,
        context="container, containers, cntr, seal, vessel, voyage, shipping",
        at=("code",),
    ),
    Pattern(  # plates with hyphens, as in the Netherlands, Portugal, France and Italy: "84-BDF-2"
        "VEHICLE_ID",
        r"(?:[0-9]{1,3}-[A-Z]{2,3}-[0-9]{1,2}|[A-Z]{1,2}-[0-9]{2,3}-[A-Z]{1,2})",
        BARE,
        context="vehicle, vehicles, lorry, truck, van, car, trailer, hgv, reg, registration, plate, plates, index",
        at=("number", "long", "code"),
    ),
    Pattern(  # of British custody and crimes: "06CC/4418/25"
        "ID_NUMBER",
        r"[0-9]{2}[A-Z]{1,2}/[0-9]{1,6}/[0-9]{2}",
        BARE,
        context="crime, custody, record, ref, reference, number, no, log",
        at=("number", "long"),
    ),
    Pattern(  # "42/118834/24"
        "ID_NUMBER",
        r"[0-9]{2,4}/[0-9]{4,8}/[0-9]{2,4}",
        BARE,
        context="crime, no, number, ref, reference, log",
        at=("long",),
    ),
    Pattern(  # of an application to a council: "24/01877/FULH", "EN/2023/0456"
        "ID_NUMBER",
        r"(?:[0-9]{2,4}/[0-9]{3,6}/[A-Z]{2,5}[0-9]?|[A-Z]{2,5}/[0-9]{2,4}/[0-9]{3,6})(?![/\w])",
        STRONG,
        at=("number", "long", "code"),
    ),
    Pattern(  # "la tarjeta terminada en 0092", "Karte mit den Endziffern 0092"
        "ID_NUMBER",
        rf"{_BEHIND_WORD}(?:{_ENDING_ABROAD})[0-9]{{3,4}}",
        BARE,
        context=", ".join(_ENDED_ABROAD),
        at=("number", "long"),
    ),
    Pattern(  # "Ref 8841-ZK"
        "ID_NUMBER",
        r"(?<=\b(?i:ref)\s)[0-9]{3,8}[-/][A-Z]{1,4}|(?<=\b(?i:ref)[.:]\s)[0-9]{3,8}[-/][A-Z]{1,4}",
        BARE,
        context="ref",
        at=("number", "long"),
    ),
    Pattern(  # "HX 4421 9908 T"
        "ID_NUMBER",
        r"[A-Z]{1,3}[ -]?[0-9]{3,5}(?:[ -][0-9]{2,5}){1,3}(?:[ -]?[A-Z])?",
        BARE,
        context="policy, claim, ref, reference, membership, deposit, id",
        at=("code",),
    ),
    Pattern(  # of an English prison: "HMP Altcourse (A4471CK)"
        "ID_NUMBER",
        r"[A-Z][0-9]{4}[A-Z]{2}",
        BARE,
        context="hmp, hmyoi, yoi, prison, prisoner, noms, inmate, custody",
        at=("code",),
    ),
    Pattern(  # of a researcher (ORCID, and ISNI without its first ranges): "0000-0002-1825-0097"
        "ID_NUMBER",
        r"000[0-9]-000[0-9]-[0-9]{4}-[0-9]{3}[0-9X]",
        STRONG,
        standard("isni"),
        "orcid, isni, researcher, author",
        at=("number", "long"),
    ),
    # Of the British police: "PNC ID 01/0123456X", "CRO 12345/01A".
    Pattern("ID_NUMBER", r"[0-9]{2,4}/[0-9]{6,7}[A-Z]", BARE, context="pnc, pncid", at=("long",)),
    Pattern("ID_NUMBER", r"[0-9]{1,6}/[0-9]{2}[A-Z]", BARE, context="cro", at=("number", "long")),
    Pattern("ID_NUMBER", r"[0-9]{3}(?:\s?[0-9]{3}){4}", BARE, context="chip, microchip", at=("long",)),
)
