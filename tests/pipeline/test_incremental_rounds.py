"""What a finder remembers of a document changes nothing: rounds that remember equal rounds that do not."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import efface
from efface.core import RememberingFinder, Span
from efface.finders.names.finder import NameFinder
from efface.pipeline import sanitize as pipeline
from efface.pipeline.find import with_steady_numbers

SENTENCES = (
    "Anna Kowalska met Dr. Omar Haddad in Leeds on 3 March 2021.",
    "The roof leaked again in the spring and nobody came.",
    "Contact Kowalska at the Northgate Clinic, or ask Haddad.",
    "MARGARET O'NEILL signed for Acme Holdings Ltd.",
    "Nothing else was said, however, and the meeting ended.",
    "Her brother Piotr lives near Lublin; he wrote twice.",
    "[PERSON_7] and [LOCATION_3] were named before.",
)


def _text(draw: random.Random) -> str:
    return "".join(
        draw.choice(SENTENCES) + draw.choice((" ", "\n", "\n\n")) for _ in range(draw.randint(1, 30))
    )


def _edited(draw: random.Random, text: str) -> str:
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        end = min(len(text), at + draw.randint(0, 12))
        text = text[:at] + draw.choice(("", "[PERSON_1]", "Ngozi Adeyemi", " and ")) + text[end:]
    return text


@pytest.mark.parametrize("seed", range(6))
def test_remembering_finder_equals_a_fresh_one_after_random_edits(seed: int) -> None:
    draw = random.Random(seed)
    text = _text(draw)
    remembering = NameFinder().for_one_document()
    for _ in range(4):
        assert list(remembering.find(text)) == list(NameFinder().find(text))
        text = _edited(draw, text)


@pytest.mark.parametrize(
    "policy", ["names", {"operators": {"default": "surrogate"}, "find": {"names": "default"}}]
)
def test_incremental_rounds_equal_full_rounds(policy: object, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = efface.Sanitizer(policy).bind()  # type: ignore[arg-type]
    assert isinstance(bound.finders["names"], RememberingFinder)
    draw = random.Random(5)
    texts = [_text(draw) for _ in range(3)]
    quick = [pipeline.sanitize(text.encode(), "a.txt", bound) for text in texts]
    monkeypatch.setattr(NameFinder, "for_one_document", lambda self: replace(self, windows=None))
    full = [pipeline.sanitize(text.encode(), "a.txt", bound) for text in texts]
    assert [report.released for report in quick] == [report.released for report in full]
    assert [report.edits for report in quick] == [report.edits for report in full]


def test_second_round_reads_only_windows_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    from efface.finders.names.model import NamesModel

    read: list[int] = []
    real = NamesModel._read

    def counting(self: NamesModel, given: list[object]) -> object:
        read.append(len(given))
        return real(self, given)  # type: ignore[arg-type]

    monkeypatch.setattr(NamesModel, "_read", counting)
    paragraph = "\n\n".join(
        f"The {n}th report was read by Anna Kowalska and filed in Leeds." for n in range(60)
    )
    finder = NameFinder().for_one_document()
    list(finder.find(paragraph))
    list(finder.find(paragraph + "\n\nOmar Haddad came later."))
    assert read[1] <= max(2, read[0] // 4)


def test_numbers_of_placeholders_do_not_change_what_is_read() -> None:
    text = "See [PERSON_12] and [LOCATION_7], not 12."
    spans = [Span(4, 15), Span(20, 32)]
    assert with_steady_numbers(text, spans) == "See [PERSON_11] and [LOCATION_1], not 12."
    assert with_steady_numbers(text, []) == text
