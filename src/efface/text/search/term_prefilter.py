"""Whether a text may hold any of very many terms, in any of the spellings that are looked for: one search for all.

Texts and terms are brought to the coarsest form that they have in any reading: the letters and digits alone, folded,
and one letter for all that look alike. A term that is in some reading of a text is in this form of the text, too. So
where this search finds nothing, no other does; where it finds something, the finer searches decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from efface.text.disguises.letter_signs import COARSE_FROM, COARSE_TO, SIGNS
from efface.text.disguises.spaced_letters import without_gaps
from efface.text.folding import fold_text

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_ALIKE = str.maketrans(COARSE_FROM, COARSE_TO)
_BAR = "|"  # stands for a letter in one reading, and between two letters in another
_OTHER_SIGNS = SIGNS.replace(_BAR, "")
_WITHOUT_SIGNS = str.maketrans(dict.fromkeys(_OTHER_SIGNS, " "))
_PLAIN = {sign: letter for sign, letter in zip(COARSE_FROM, COARSE_TO, strict=True) if sign.isascii()}
_ASCII = bytes.maketrans(
    (ascii_uppercase + "".join(_PLAIN)).encode(),
    (ascii_lowercase.translate(_ALIKE) + "".join(_PLAIN.values())).encode(),
)
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) not in SIGNS)


def coarse(text: str) -> str:
    """The letters and digits of the text, folded, with one for all that look alike."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII, _NO_LETTERS).decode("ascii")
    return without_gaps(fold_text(text).translate(_ALIKE))


class TermPrefilter:
    """The spellings of many terms, and whether a text may hold one."""

    def __init__(self, spellings: Iterable[str]) -> None:
        self._coarse = sorted({coarse(form) for spelling in spellings for form in _forms(spelling)})

    def may_be_in(self, texts: Iterable[str]) -> bool:
        """Whether a spelling may be in one of the texts."""
        if "" in self._coarse[:1]:  # a term without letters
            return True
        made: list[str] = []
        for text in texts:
            if (
                "\x1b" in text or "\x9b" in text
            ):  # colours of a terminal, which end elsewhere in another reading
                return True
            made += map(coarse, _forms(text))
        return bool(self._automaton.find_matches_as_indexes("\n".join(made)))

    @cached_property
    def _automaton(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick, Implementation

        return AhoCorasick(self._coarse, implementation=Implementation.ContiguousNFA)


def _forms(text: str) -> tuple[str, ...]:
    """The text, without its other signs for letters, and without its bars, where it has any."""
    plain = text.translate(_WITHOUT_SIGNS) if any(map(text.__contains__, _OTHER_SIGNS)) else text
    forms = (text, plain, plain.replace(_BAR, " "))
    return tuple(dict.fromkeys(forms))
