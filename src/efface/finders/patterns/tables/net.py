"""Rows of the net and the machines on it: addresses, paths, secrets."""

from __future__ import annotations

from efface.finders.patterns import checks
from efface.finders.patterns.row import CERTAIN, FAIR, LIKELY, WEAK, Pattern

# Pieces of addresses on the net
_W = r"\w\u00a1-\u1fff"  # with the letters of scripts that put blanks between words
_LETTER = r"[A-Za-z\u00a1-\u1fff]"
_MAILBOX = rf"[{_W}][{_W}.%+'-]{{0,127}}"
_OPEN, _CLOSE = r"[(\[{]\s?", r"\s?[)\]}]\s?"
_HEX = r"[0-9A-Fa-f]"
_GROUP = rf"{_HEX}{{1,4}}"
IPV4 = r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
_NOT_IN_URL = r"\s<>\"'`|\\^{}\x1f"
_NO_STOP = r"(?<![.,;:!?)\]])"
_LABELS = r"(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?\.){1,8}"
_URL_TAIL = rf"(?::[0-9]{{1,5}})?(?:[/?#][^{_NOT_IN_URL}]{{0,4096}}{_NO_STOP})?"
_TLD = (
    r"(?i:com|org|net|edu|gov|mil|int|info|biz|name|museum|aero|coop|jobs|mobi|travel|asia|app|dev|online|site|"
    r"xyz|shop|club|tech|store|blog|cloud|news|io|ai|eu|me|tv)"
)
_COUNTRY_TLD = (
    r"(?:ac|ar|at|au|be|bg|br|ca|ch|cl|cn|co|cz|de|dk|ee|es|fi|fr|gr|hk|hr|hu|id|ie|il|in|ir|is|it|jp|ke|kr|"
    r"lt|lu|lv|mx|my|ng|nl|no|nz|pe|ph|pk|pl|pt|ro|rs|ru|se|sg|si|sk|th|tr|tw|ua|uk|us|vn|za)"
)
# What style sheets, data files and programs write behind an at sign. It is no handle where it ends as it does there.
_AT_RULES = (
    r"(?:-[a-z]{1,10}-)?(?:charset|container|counter-style|font-face|import|keyframes|layer|media|namespace|page|"
    r"property|supports|viewport)(?=[\s{])"
)
_AT_KEYS = (
    r"(?:base|container|context|graph|id|included|index|language|list|nest|none|reverse|set|timestamp|type|value|version|"
    r"vocab)(?=\\?[\"'])"
)
_AT_TAGS = (
    r"(?:author|classmethod|dataclass|deprecated|example|inheritdoc|override|Override|param|private|property|pytest\.\w{1,20}|"
    r"public|returns?|see|since|staticmethod|Test|throws|typedef)(?=[\s({])"
)
_NO_HANDLE = rf"(?!@(?:{_AT_RULES}|{_AT_KEYS}|{_AT_TAGS}))"
# "com.shop.Cart.add": a program's class, whose path begins as addresses end.
_NO_CLASS = r"(?!(?:com|org|net|io)\.(?:[a-z][a-z0-9_]{0,40}\.){1,8}[A-Z])"
_WEB = "url, website, link, site, web, homepage"
_HOST = "ip, ips, ipv, server, host, ip address"

# Pieces of paths and secrets
_ROOT = r"/(?:home|Users|users|root|var|etc|usr|opt|tmp|mnt|srv|media|data|Volumes|private)"
_NAME = r"[^\\/:*?\"<>|\n\x1f]{1,128}"
_LAST_NAME = r"[^\\/:*?\"<>|\s\x1f,;]{1,255}(?<![.])"
_NOT_REPLACED = r"(?!\[[A-Z_]{1,40}(?:_[0-9]{1,9})?\]|[^\w\s]{1,512}(?:\s|\Z))"  # [SECRET_1], ******
_VALUE = _NOT_REPLACED + r"[^\s\"'`,;<>()\x1f]{4,512}(?<![.!?:])"
_SET = r"[\"']?\s?(?::|={1,2}>?)\s?[\"']?"
_SAID = r"\s(?:is|was):?\s[\"']?"
_UNLOCK = r"(?i:pass(?:word|wd|phrase|code)?|pwd)"
_KEY = (
    r"(?i:(?:client[_-]?|app[_-]?)?secret(?:[_-]?(?:access[_-]?)?key)?|(?:auth|access|refresh|api|bearer)?"
    r"[_-]?token|(?:api|access|auth|private|client|account)[_\s-]?key|key|auth(?:orization)?)"
)
_WHERE = r"(?:\s(?:on|for|in)\s\w{1,16})?"  # "username on SIMS: sday09"
_USER = r"(?i:user[_\s-]?(?:name|id)?|log(?:in|on)(?:[_\s-]?(?:name|id))?)"

NET: tuple[Pattern, ...] = (
    # The net and its addresses
    Pattern(
        "EMAIL_ADDRESS",
        rf"{_MAILBOX}@(?:[{_W}-]{{1,63}}\.){{1,8}}(?:xn--[\w-]{{2,59}}|{_LETTER}{{2,62}})",
        CERTAIN,
        at=("at",),
    ),
    Pattern("EMAIL_ADDRESS", rf"{_MAILBOX}@\[[0-9A-Fa-f.:]{{7,45}}\]", CERTAIN, at=("at",)),
    Pattern("EMAIL_ADDRESS", rf"{_MAILBOX}@[A-Za-z][\w-]{{1,62}}\b", WEAK, context="email, mail", at=("at",)),
    Pattern(
        "EMAIL_ADDRESS",
        rf"{_MAILBOX}\s?{_OPEN}(?i:at){_CLOSE}"
        rf"(?:[{_W}-]{{1,63}}(?:\.|\s?{_OPEN}(?i:dot){_CLOSE})){{1,4}}{_LETTER}{{2,24}}",
        CERTAIN,
        at=("bracketed at",),
    ),
    Pattern(
        "USERNAME",
        rf"(?<![\w.%+=-]){_NO_HANDLE}@[A-Za-z_][\w.-]{{0,28}}\w",
        FAIR,
        context="handle, twitter",
        at=("at",),
    ),
    Pattern(
        "USERNAME",
        _NOT_REPLACED + r"[^\s\"'`,;<>()\x1f]{2,64}(?<![.!?:])",
        LIKELY,
        label=_USER + _WHERE + _SET,
        at=("label",),
    ),
    Pattern(
        "USERNAME",
        r"(?=[\w.-]{0,63}[0-9_])[\w.-]{3,64}(?<![.])",
        LIKELY,
        label=_USER + _SAID,
        at=("label",),
    ),
    Pattern(
        "URL",
        rf"[A-Za-z][A-Za-z0-9+.-]{{1,10}}://[^{_NOT_IN_URL}]{{1,4096}}{_NO_STOP}",
        CERTAIN,
        at=("scheme",),
    ),
    Pattern("URL", rf"(?:www|WWW|Www)[0-9]?\.{_LABELS}[A-Za-z]{{2,24}}{_URL_TAIL}", CERTAIN, at=("scheme",)),
    Pattern("URL", rf"{_NO_CLASS}{_LABELS}{_TLD}\b{_URL_TAIL}", LIKELY, context=_WEB, at=("dot",)),
    Pattern(
        "URL", rf"{_LABELS}(?:co|com|org|net|ac|gov|edu)\.{_COUNTRY_TLD}\b{_URL_TAIL}", LIKELY, at=("dot",)
    ),
    Pattern("URL", rf"{_LABELS}{_COUNTRY_TLD}\b{_URL_TAIL}", FAIR, context=_WEB, at=("dot",)),
    Pattern("IP_ADDRESS", rf"{IPV4}(?:/[0-9]{{1,2}})?(?!\.[0-9])", LIKELY, checks.ip_address, _HOST),
    Pattern(
        "IP_ADDRESS",
        rf"(?:{_GROUP}(?::{_GROUP}){{7}}"
        rf"|(?=[0-9A-Fa-f:]{{0,40}}[0-9])(?:{_GROUP}(?::{_GROUP}){{0,6}})?::"
        rf"(?:(?:{_GROUP}:){{0,5}}{IPV4}|{_GROUP}(?::{_GROUP}){{0,6}})?)(?:%\w{{1,16}})?(?:/[0-9]{{1,3}})?(?!:)",
        LIKELY,
        checks.ip_address,
        _HOST,
        at=("hex",),
    ),
    Pattern(
        "MAC_ADDRESS",
        rf"{_HEX}{{2}}(?::{_HEX}{{2}}){{5}}(?!:)|{_HEX}{{2}}(?:-{_HEX}{{2}}){{5}}(?!-)",
        CERTAIN,
        at=("hex",),
    ),
    Pattern(
        "MAC_ADDRESS",
        rf"{_HEX}{{4}}\.{_HEX}{{4}}\.{_HEX}{{4}}",
        FAIR,
        context="mac, ethernet, wifi, bssid",
        at=("number", "code", "dot"),  # "abcd.efab.cd12" has no digit near its beginning
    ),
    Pattern("UUID", rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}", CERTAIN, at=("hex",)),
    Pattern("FILE_PATH", rf"(?:~|{_ROOT})(?:/[\w.@%+=~-]{{1,255}}){{1,40}}/?(?<![.])", CERTAIN, at=("path",)),
    Pattern("FILE_PATH", r"\.{0,2}(?:/[\w.@%+=~-]{1,255}){2,40}/?(?<![.])", FAIR, at=("path",)),
    Pattern(
        "FILE_PATH",
        rf"[A-Za-z]:(?:[\\/]{{1,2}}{_NAME}(?=[\\/])){{0,40}}[\\/]{{1,2}}{_LAST_NAME}",
        CERTAIN,
        at=("path",),
    ),
    Pattern(
        "FILE_PATH",
        rf"\\{{2,4}}[\w.$-]{{1,64}}(?:\\{{1,2}}{_NAME}(?=\\)){{0,40}}\\{{1,2}}{_LAST_NAME}",
        CERTAIN,
        at=("path",),
    ),
    # Secrets
    Pattern("SECRET", r"A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])", CERTAIN, at=("secret",)),
    Pattern("SECRET", r"(?:gh[pousr]_|github_pat_|glpat-|npm_)[\w-]{20,255}", CERTAIN, at=("secret",)),
    Pattern("SECRET", r"xox[abeoprs]-[\w-]{10,255}", CERTAIN, at=("secret",)),
    Pattern("SECRET", r"AIza[\w-]{30,45}", CERTAIN, at=("secret",)),
    Pattern("SECRET", r"(?<!\w)(?:sk[_-]|rk_)[\w-]{20,255}", LIKELY, checks.looks_random, at=("secret",)),
    Pattern("SECRET", r"eyJ[\w-]{8,4096}\.[\w-]{8,8192}(?:\.[\w-]{0,2048})?", CERTAIN, at=("secret",)),
    Pattern("SECRET", r"SG\.[\w-]{16,32}\.[\w-]{16,64}", CERTAIN, at=("secret",)),
    Pattern(
        "SECRET", r"[\w.~+/=-]{16,4096}", LIKELY, checks.looks_random, label=r"[Bb]earer\s", at=("secret",)
    ),
    Pattern(
        "SECRET",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,16000}+"
        r"(?:-----END [A-Z0-9 ]{0,60}-----)?",
        CERTAIN,
        many_lines=True,
        at=("secret",),
    ),
    Pattern("SECRET", _VALUE, LIKELY, checks.looks_secret, label=_UNLOCK + _SET, at=("label",)),
    Pattern("SECRET", _VALUE, WEAK, checks.looks_secret, label=_UNLOCK + _SAID, at=("label",)),
    Pattern("SECRET", _VALUE, WEAK, checks.looks_secret, label=_KEY + _SET, at=("label",)),
    Pattern("SECRET", r"[0-9]{4,8}", LIKELY, label=rf"(?i:pin(?:\s?code)?)(?:{_SET}|{_SAID})", at=("label",)),
)
