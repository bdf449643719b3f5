"""Symbol and ZapfDingbats: the two fonts that every viewer has and whose codes are no letters.

A code of these fonts shows a sign, whatever letter the code is in ASCII: the "n" of ZapfDingbats is a black square. Programs
put such a sign in the place of a letter that their font does not have. Viewers pass over the name of an encoding here.
"""

from __future__ import annotations

from functools import cache

_FIRST_HALF, _SECOND_HALF = 0x20, 0xA0  # the codes at which the two rows of signs begin
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    # A blank stands for no sign. Pieces of tall brackets are the brackets.
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑((([[[{{{| 〉∫⌠|⌡)))]]]}}}",
)
# Unicode's block of dingbats has the signs in the order of their codes, but for those that other blocks had before.
_DINGBATS_LOW, _DINGBATS_HIGH = 0x26E0, 0x26C0  # what is added to a code in each half
_ELSEWHERE = dict(zip(b"\x20\x25\x2a\x2b\x48\x6c\x6e\x73\x74\x75\x77", " ☎☛☞★●■▲▼◆◗", strict=True))
_ELSEWHERE |= dict(zip(range(0xA8, 0xB6), "♣♦♥♠①②③④⑤⑥⑦⑧⑨⑩", strict=True))
_ELSEWHERE |= dict(zip(range(0xD5, 0xD8), "→↔↕", strict=True))


@cache
def symbol_encoding(font: str) -> dict[int, str] | None:
    """Codes to signs of the font with this name; None if its codes are letters."""
    if font == "Symbol":
        return _symbols()
    if font == "ZapfDingbats":
        return _dingbats()
    return None


def _symbols() -> dict[int, str]:
    found: dict[int, str] = {}
    for first, signs in zip((_FIRST_HALF, _SECOND_HALF), _SYMBOL, strict=True):
        for code, sign in enumerate(signs, first):
            if sign != " " or code == _FIRST_HALF:
                found[code] = sign
    return found


def _dingbats() -> dict[int, str]:
    low = {code: chr(_DINGBATS_LOW + code) for code in range(0x21, 0x7F)}
    high = {code: chr(_DINGBATS_HIGH + code) for code in range(0xA1, 0xFF) if code != 0xF0}
    return {**low, **high, **_ELSEWHERE}
