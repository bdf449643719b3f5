"""Rows of identifiers that only the label right before them tells: registers of professions, custody, serial numbers."""

from __future__ import annotations

from efface.finders.patterns.phones import DIGIT_WORDS, TIMES
from efface.finders.patterns.row import BARE, FAIR, STRONG, Pattern

_FREE = r"(?<![0-9A-Za-z])"
_NO_YEAR = r"(?!(?:19|20)[0-9]{2}(?![0-9A-Za-z]))"
_NO_AMOUNT = r"(?![.,][0-9]|\s?%)"
_THEN = r"(?:\s?[:#]\s?|\s)"
# What may stand between the label and its number: "GMC reg. no: 6138027".
_NUMBER_WORD = (
    r"(?:\s(?i:registration|registered|reg)\.?)?(?:\s(?i:no|number|nr|ref|reference|id|pin)\.?)?" + _THEN
)
_AT_LABEL = ("id label",)

# The registers of British professions: doctors, nurses, dentists, pharmacists, opticians and others.
_REGISTERS = r"(?:GMC|NMC|HCPC|GDC|GPhC|GPHC|GOC|GCC|GOsC|RCVS)"
# The references of a letter: "Our ref:", "Unser Zeichen:", "Nos réf. :", "Uw kenmerk:".
_REFERENCE = (
    r"(?i:(?:our|your|my|their)\sref(?:erence)?(?:\s(?:no|number))?|(?:unser|ihr|mein)e?\s(?:zeichen|az|aktenzeichen)"
    r"|[nv]o(?:s|tre)\sref(?:erences?)?|[nv]/ref|(?:ons|uw)\skenmerk|[nv]s\.?\srif|(?:vuestra|nuestra|su|nossa|vossa)\sreferencia)"
    r"\.?\s?:\s?"
)
_OLD_PLATE = "reg, registration, vrm, plate, plates, index"
_RECORD = (
    "hospital number, hospital no, mrn, medical record, patient number, patient id, chart number, unit number"
)

# Numbers as people say them: "oh one six one, four nine six, oh double three".
_SPOKEN_DIGIT = rf"(?:(?:{'|'.join(TIMES)})[\s-])?(?:{'|'.join(DIGIT_WORDS)})"
_SPOKEN = rf"(?<![0-9A-Za-z-])(?:[Oo]h|[Zz]ero|[Nn]ought|[Nn]aught)[ -](?i:{_SPOKEN_DIGIT}(?:,?[\s-]{_SPOKEN_DIGIT}){{5,12}})"

LABELLED: tuple[Pattern, ...] = (
    Pattern(  # "GMC 6138027", "NMC PIN 98I1234O", "HCPC PT123456"
        "ID_NUMBER",
        r"(?:[A-Z]{0,3}[0-9]{5,8}|[0-9]{2}[A-Z][0-9]{4}[A-Z])" + _NO_AMOUNT,
        STRONG,
        label=_FREE + _REGISTERS + _NUMBER_WORD,
        at=_AT_LABEL,
    ),
    Pattern(  # "Custody no. 24/3391", "custody record YE/1234/24"
        "ID_NUMBER",
        rf"(?=[A-Z/]{{0,8}}[0-9]){_NO_YEAR}[0-9A-Z]{{2,8}}(?:/[0-9A-Z]{{1,8}}){{0,3}}{_NO_AMOUNT}",
        STRONG,
        label=_FREE + r"(?:[Cc]ustody|CUSTODY)(?:\s(?i:record|number|no|ref|reference)\.?){1,2}" + _THEN,
        at=_AT_LABEL,
    ),
    Pattern(  # "S/N RNH482113G"; a signal-to-noise ratio has fewer digits
        "ID_NUMBER",
        rf"(?=(?:[A-Z-]{{0,8}}[0-9]){{4}})[0-9A-Z]{{2,24}}(?:-[0-9A-Z]{{1,12}}){{0,4}}{_NO_AMOUNT}",
        STRONG,
        label=_FREE + "(?:S/N|S/n|s/n)" + _THEN,
        at=_AT_LABEL,
    ),
    Pattern(  # of the police and of pupils: "URN 01AB0012324"
        "ID_NUMBER",
        r"(?:[0-9]{2}[\s/]{0,3}[0-9A-Z]{2}[\s/]{0,3}[0-9]{5,7}(?:[\s/]{0,3}[0-9]{2})?|[0-9]{5,12})"
        + _NO_AMOUNT,
        STRONG,
        label=_FREE + "URN" + _NUMBER_WORD,
        at=_AT_LABEL,
    ),
    Pattern(  # initials of whoever wrote the letter, a client, a number, in any order: "Our ref: KLM/pw/31877.2"
        "ID_NUMBER",
        r"(?=[A-Za-z._-]{0,24}[0-9/])[0-9A-Za-z](?:[0-9A-Za-z._/-]{0,38}[0-9A-Za-z])",
        STRONG,
        label=_FREE + _REFERENCE,
        at=("reference",),
    ),
    Pattern(  # one whose check digit is wrong is as telling: "UTR 1234567890"
        "UK_UTR",
        r"[0-9]{5}\s?[0-9]{5}",
        STRONG,
        label=_FREE + "UTR" + _NUMBER_WORD,
        at=_AT_LABEL,
    ),
    Pattern(  # a sort code and its account: "309634 / 01234567"
        "ID_NUMBER",
        r"(?:[0-9]{6}|[0-9]{2}-[0-9]{2}-[0-9]{2})\s?/?\s?[0-9]{8}",
        BARE,
        context="bacs, sort, account, acc, acct, bank, payee, chaps",
        at=("long",),
    ),
    Pattern(  # a sort code by itself: "sort 20-45-77"
        "ID_NUMBER", r"[0-9]{2}-[0-9]{2}-[0-9]{2}", BARE, context="sort, sortcode, bacs, chaps", at=("long",)
    ),
    Pattern(  # "Hospital number: X 123 456"
        "MEDICAL_RECORD",
        r"[A-Z]{1,3}\s[0-9]{2,4}(?:[\s-][0-9]{2,4}){1,3}",
        BARE,
        context=_RECORD,
        at=("code",),
    ),
    Pattern(
        "MEDICAL_RECORD", r"[0-9]{2,4}(?:\s[0-9]{2,4}){1,3}", BARE, context=_RECORD, at=("number", "long")
    ),
    # British plates before 2001, whose letter of the year stands first or last: "M4 TEL", "ABC 123D".
    Pattern(
        "VEHICLE_ID",
        r"(?:[A-HJ-NPR-Y][0-9]{1,3}\s?[A-HJ-PR-Z]{3}|[A-HJ-PR-Z]{3}\s?[0-9]{1,3}[A-HJ-NPR-Y])",
        BARE,
        context=_OLD_PLATE,
        at=("code",),
    ),
    # An extension written with an x. "(x400)" tells how much a picture is enlarged, so a name stands before it.
    Pattern(
        "PHONE_NUMBER",
        r"[0-9]{4,5}(?<!00)",
        STRONG,
        label=r"[A-Z][a-z]{1,20}(?:,\s|\s\()x",
        at=("extension",),
    ),
    Pattern("PHONE_NUMBER", r"[0-9]{3,6}", STRONG, label=r"(?i:extn?)\.?", at=("code",)),
    Pattern(
        "PHONE_NUMBER", r"[0-9]{3,5}", BARE, context="call, phone, tel, ring, dial", label="x", at=("code",)
    ),
    Pattern(
        "PHONE_NUMBER", r"[0-9]{3,6}", STRONG, label=_FREE + r"(?:ext|Ext|EXT|extn|Extn):\s?", at=("ext",)
    ),
    Pattern("PHONE_NUMBER", _SPOKEN, STRONG, at=("spoken",)),
    # "password Hunter2!": a blank is enough before what is no word.
    Pattern(
        "SECRET",
        r"(?!(?i:sha|md5|base64|aes|rsa)|\[)(?=[A-Za-z]{1,24}[0-9@#$%&*^+~]|[0-9@#$%&*^+~][0-9@#$%&*^+~-]{0,8}[A-Za-z])"
        r"[^\s\"'`,;<>()\x1f]{5,63}(?<![.?:])",
        FAIR,
        label=_FREE + r"(?i:password|passcode|passphrase|pwd)\s",
        at=("password",),
    ),
    Pattern(
        "SECRET",
        _NO_YEAR + r"[0-9]{4,12}" + _NO_AMOUNT,
        FAIR,
        label=_FREE + r"(?i:password|passcode|pwd)\s",
        at=("password",),
    ),
)
