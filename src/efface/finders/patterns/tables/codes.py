"""Rows of codes that tell by their shape alone that somebody gave them to one thing: a file, an order, a vehicle.

Letters and digits that change places again and again, or long numbers behind letters, spell nothing and count nothing, so no
word beside them is needed: "WDL8X22K91B", "AR-BRX-2025-00087", "E-558213".
"""

from __future__ import annotations

from efface.finders.patterns.row import BARE, STRONG, Pattern

# Norms, weaknesses of software, drafts of the internet and papers, which everybody may look up.
_PUBLIC = (
    r"(?!(?:ANSI|ASME|ASTM|BS|BSI|COVID|CVE|CWE|DIN|DOI|ECE|EN|GHSA|IEC|IEEE|ISBN|ISO|ISSN|KB|MIL|MITRE|NCT|NFPA|NIST|PMC|"
    r"PMID|RFC|SAE|SHA|STD|UL|UTF)[0-9/-])"
)
_NO_FORMULA = r"(?!(?:[CHNOPSFIK][0-9]{0,3}|CL[0-9]?|BR[0-9]?|NA[0-9]?){2,12}(?![0-9A-Za-z]))"  # "C17H21NO4"
_STATES = "AN AP AR AS BR CG CH DD DL DN GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD OR PB PY RJ SK TN TR TS TG UK UP WB"
_FOUR_DIGITS = r"(?=(?:[A-Z/-]{0,8}[0-9]){4})"

_SHORT = r"(?=[0-9A-Z]{8,11}(?![0-9A-Z]))"  # longer ones are rather one of the numbers with a check digit

CODES: tuple[Pattern, ...] = (
    Pattern(  # "WDL8X22K91B"
        "ID_NUMBER",
        rf"{_PUBLIC}{_NO_FORMULA}{_FOUR_DIGITS}{_SHORT}(?:[A-Z]{{1,8}}[0-9]{{1,8}}){{2,6}}[A-Z]{{0,8}}",
        STRONG,
        at=("code",),
    ),
    Pattern(  # "3C9A71F044"
        "ID_NUMBER",
        rf"{_FOUR_DIGITS}{_SHORT}(?=[0-9A-Z]{{10}})(?:[0-9]{{1,8}}[A-Z]{{1,8}}){{2,6}}[0-9]{{0,8}}",
        STRONG,
        at=("number", "long"),
    ),
    Pattern(  # "E-558213", "PL1100-2024098817"
        "ID_NUMBER",
        rf"{_PUBLIC}(?:[A-Z][-/][0-9]{{6}}|[A-Z]{{2,4}}[0-9]{{0,6}}[-/][0-9]{{6,14}}(?:[-/][0-9A-Z]{{1,8}}){{0,3}})",
        STRONG,
        at=("code",),
    ),
    Pattern(  # "BRX-4402-301", "AR-BRX-2025-00087", "CH-2209-AD"
        "ID_NUMBER",
        rf"{_PUBLIC}{_FOUR_DIGITS}[A-Z]{{1,6}}[0-9]{{0,4}}(?:[-/][0-9A-Z]{{1,8}}){{2,5}}",
        STRONG,
        at=("code",),
    ),
    Pattern("ID_NUMBER", rf"{_PUBLIC}[A-Z]{{2,6}}[0-9]{{1,4}}[-/][0-9]{{3,6}}", STRONG, at=("code",)),
    Pattern("ID_NUMBER", rf"{_PUBLIC}[A-Z]{{2,6}}[0-9]{{11,16}}", STRONG, at=("code",)),
    Pattern("ID_NUMBER", r"(?<=\b[Nn]o\.\s)[A-Z]{2,4}\s[0-9]{3,6}", STRONG, at=("code",)),
    Pattern(  # of India: "KA 09 HX 4471"
        "VEHICLE_ID",
        rf"(?:{'|'.join(_STATES.split())})[\s-]?[0-9]{{1,2}}[\s-]?[A-Z]{{1,3}}[\s-]?[0-9]{{4}}",
        STRONG,
        at=("code",),
    ),
    Pattern(  # of an American state: "plate C84417R"
        "VEHICLE_ID",
        r"(?=[A-Z]{0,7}[0-9])(?=[0-9]{0,7}[A-Z])[0-9A-Z]{5,8}",
        BARE,
        context="plate, plates, license plate, licence plate",
        at=("number", "long", "code"),
    ),
)
