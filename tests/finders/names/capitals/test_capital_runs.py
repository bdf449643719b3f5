"""Names go on over words with capitals, and German ones begin with what the thing is."""

from __future__ import annotations

import pytest

from efface.finders.names.capitals.capital_runs import with_capital_runs
from efface.finders.names.decoding import DecodedMention
from efface.finders.names.model import PACKAGED
from efface.finders.names.repeats import ReadText
from efface.finders.names.tokens import Vocabulary

VOCABULARY = Vocabulary.load(PACKAGED / "vocab.txt")


def whole(text: str, *marked: str, language: str) -> list[str]:
    """What becomes of mentions of one word."""
    words = VOCABULARY.words(text)
    texts = words.texts(text)
    found = [DecodedMention(texts.index(one), texts.index(one) + 1, "LOCATION", 0.9, 0) for one in marked]
    heads = words.pieces[words.heads[:-1]]
    none = words.starts * 0.0
    foreign = ((0, len(words), language),)
    page = ReadText(text, words.starts, words.ends, words.cases, heads, none, none, found, foreign)
    return [
        text[words.starts[one.first] : words.ends[one.last - 1]] for one in with_capital_runs(page, found)
    ]


@pytest.mark.parametrize(
    ("text", "marked", "language", "names"),
    [
        ("elle habite au Merlerault Neuf hier", ["Merlerault"], "fr", ["Merlerault Neuf"]),
        ("l'inscription « Toitures Perrin ».", ["Perrin"], "fr", ["Toitures Perrin"]),
        ("à 61240 Le Merlerault ce soir", ["Le", "Merlerault"], "fr", ["Le Merlerault"]),
        ("Oui. Le jardinier dort", ["Le"], "fr", []),
        ("la Señora Quispe vino", ["Quispe"], "es", ["Quispe"]),
        ("Ayer. Llamar Quispe vino", ["Quispe"], "es", ["Quispe"]),
        ("vor dem Amtsgericht Esslingen klagen", ["Esslingen"], "de", ["Amtsgericht Esslingen"]),
        ("ihr Sohn Esslingen kam", ["Esslingen"], "de", ["Esslingen"]),
        ("left for Pellucid Holdings", ["Pellucid"], "", ["Pellucid"]),
    ],
)
def test_a_run_of_capitals_is_one_name(text: str, marked: list[str], language: str, names: list[str]) -> None:
    assert whole(text, *marked, language=language) == names
