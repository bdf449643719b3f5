"""Rows of user names in the lines of a log: logins, sessions, and who did something."""

from __future__ import annotations

from efface.finders.patterns.row import LIKELY, STRONG, Pattern

_FREE = r"(?<![0-9A-Za-z])"
_NAME = r"[A-Za-z_][\w.-]{1,63}(?<![.-])"
_NO_WORD = r"(?!(?:unknown|invalid|user|the|an?|all|any|this|your|no|each|every)\b)"
# A name with a dot or a digit in it is no word of a sentence: "login failed for unknown reasons".
_TELLING = rf"(?=[A-Za-z_-]{{1,31}}(?:[._0-9]\w|[0-9])){_NAME}"
_ENDINGS = (  # of files and hosts, which stand where a surname would
    "com|org|net|edu|gov|info|io|co|uk|de|eu|local|js|ts|py|java|class|jar|so|dll|exe|sh|conf|cfg|ini|log|txt|json|xml|html|"
    "yml|yaml|service|socket|timer|target|db|sql|csv|pdf|zip|gz|rb|go|rs|php"
)
_TWO_NAMES = rf"[a-z]{{2,20}}\.(?!(?:{_ENDINGS})\b)[a-z]{{2,24}}(?![\w(/-]|\.\w)"
_LEVELS = r"(?:INFO|WARN|WARNING|ERROR|DEBUG|NOTICE|CRITICAL|FATAL|AUDIT|ALERT)\b"
_WHO = r"[^\n]{0,120}?\s(?:for|user|by)\s"
_AT_LOG = ("log",)

LOGS: tuple[Pattern, ...] = (
    Pattern(  # "login failed for nerys.widdicombe"
        "USERNAME",
        rf"(?:{_TELLING}|{_NO_WORD}{_NAME}(?=\sfrom\s))",
        LIKELY,
        label=_FREE
        + r"(?i:log(?:in|on)|sign-?in|authentication|access)\s(?i:failed|failure|denied|succeeded|successful|attempts?)\sfor\s"
        r"(?:(?:invalid\s)?user\s)?",
        at=_AT_LOG,
    ),
    Pattern(  # "Accepted password for tlowe from 10.0.0.1"
        "USERNAME",
        rf"{_NO_WORD}{_NAME}(?=\sfrom\s)",
        LIKELY,
        label=r"(?:[Aa]ccepted|[Ff]ailed)\s(?:password|publickey|none)\sfor\s(?:(?:invalid\s)?user\s)?",
        at=_AT_LOG,
    ),
    Pattern("USERNAME", rf"{_NO_WORD}{_NAME}(?=\sfrom\s)", LIKELY, label=r"[Ii]nvalid\suser\s", at=_AT_LOG),
    # "session opened for user tlowe86 by nwiddicombe": both of them
    Pattern("USERNAME", _NAME, LIKELY, label=r"[Ss]ession\s(?:opened|closed)\sfor\suser\s", at=_AT_LOG),
    Pattern(
        "USERNAME",
        _NAME,
        LIKELY,
        label=r"[Ss]ession\s(?:opened|closed)\sfor\suser\s[\w.-]{1,64}(?:\(uid=[0-9]{1,9}\))?\sby\s",
        at=_AT_LOG,
    ),
    Pattern("USERNAME", _TELLING, LIKELY, label=r"(?:for|by|of)\suser\s", at=_AT_LOG),
    # "su: (to root) tlowe on pts/0", "su: session for root by tlowe"
    Pattern(
        "USERNAME",
        _NAME,
        LIKELY,
        label=_FREE + r"su(?:\[[0-9]{1,7}\])?:\s(?:FAILED\sSU\s)?\(to\s[\w.-]{1,32}\)\s",
        at=_AT_LOG,
    ),
    Pattern(
        "USERNAME",
        _NAME,
        STRONG,
        label=_FREE + r"su(?:\[[0-9]{1,7}\])?:\s[^\n]{0,80}?\sby\s",
        at=_AT_LOG,
    ),
    # "2024-01-03 10:15:02 file removed by nerys.widdicombe", "WARN quota reached for nerys.widdicombe"
    Pattern("USERNAME", _TWO_NAMES, STRONG, label=rf"[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}{_WHO}"),
    Pattern("USERNAME", _TWO_NAMES, STRONG, label=_FREE + _LEVELS + _WHO, at=_AT_LOG),
)
