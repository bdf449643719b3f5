from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Edit, apply_edits
from efface.errors import PolicyError
from efface.operators import (
    OPERATORS,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    Mask,
    Operator,
    Operators,
    Redact,
    Replace,
    Shift,
    Surrogate,
    resolve,
)
from efface.operators.safety import folded, holds
from efface.text.folding import fold, fold_term
from tests.operators.helpers import KEY, edit, edits_of, filled, one

ALL: list[Operator] = [
    Replace(), Replace("{type}"), Redact(), Mask(), Mask(chars_to_mask=2), Hash(), Encrypt(), Surrogate(),
    Shift(), Generalise(),
]  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "term", "expected"),
    [
        (Redact(), "Ann Lee", ""),
        (Mask(), "Ann Lee", "********"),
        (Mask(), "Ann Leighton", "****************"),
        (Mask("X"), "Bo", "XXXXXXXX"),
        (Mask(chars_to_mask=12), "4532015112830366", "************0366"),
        (Mask(chars_to_mask=8, from_end=True), "4532015112830366", "45320151********"),
        (Mask(chars_to_mask=4, from_end=True), "4532015112830366", "****************"),
        (Mask(chars_to_mask=12), "Ann", "***"),
        (Mask("A"), "AAAAAA", "[PERSON_1]"),
    ],
)
def test_redact_and_mask(operator: Operator, term: str, expected: str) -> None:
    assert one(operator, "PERSON", term) == expected


def test_keep_leaves_the_text_and_drops_the_edit() -> None:
    operators = Operators(Replace(), {"URL": Keep()})
    text = "Ann at http://x.test"
    edits = edits_of(text, ("PERSON", "Ann"), ("URL", "http://x.test"))
    done = operators.fill(edits, text)
    assert [e.type for e in done] == ["PERSON"]
    assert apply_edits(text, done) == "[PERSON_1] at http://x.test"


def test_what_is_kept_does_not_keep_what_overlaps_it() -> None:
    text = "http://x.test/ann-lee"
    edits = edits_of(text, ("URL", text), ("PERSON", "ann-lee"))
    done = Operators(Replace(), {"URL": Keep()}).fill(edits, text)
    assert apply_edits(text, done) == "http://x.test/[PERSON_1]"


def test_overlaps_are_resolved() -> None:
    text = "Ann Lee, 555-1234 today"
    edits = [edit(0, 7, score=0.9), edit(4, 17, "PHONE_NUMBER", "p", score=0.5)]
    for operator in ALL:
        result = apply_edits(text, Operators(operator, {}, KEY).fill(edits, text))
        assert not any(part in result for part in ("Ann", "Lee", "555", "1234")), operator
        assert result.endswith(" today")


def test_a_mask_for_a_card_shows_nothing_of_what_was_merged_with_it() -> None:
    text = "4532015112830366 Ann"
    operators = Operators(Mask(chars_to_mask=12))
    inside = [edit(0, 16, "CREDIT_CARD", text[:16]), edit(3, 13, "PHONE_NUMBER", score=0.4)]
    assert apply_edits(text, operators.fill(inside, text)) == "************0366 Ann"
    wider = [edit(0, 16, "CREDIT_CARD"), edit(12, 20, "PERSON", score=0.4)]
    assert apply_edits(text, operators.fill(wider, text)) == "*" * 24


def test_a_given_replacement_stays_unless_it_says_what_it_replaces() -> None:
    text = "breast cancer in Rome"
    stays = Operators().fill([edit(0, 13, replacement="an illness")], text)
    assert [e.replacement for e in stays] == ["an illness"]
    says_itself = Operators().fill([edit(17, 21, replacement="near ROME")], text)
    assert [e.replacement for e in says_itself] == ["[PERSON_1]"]
    says_a_part = Operators().fill([edit(0, 13, replacement="cancer"), edit(7, 13, score=0.1)], text)
    assert [e.replacement for e in says_a_part] == ["[PERSON_1]"]
    kept_type = Operators(Replace(), {"URL": Keep()}).fill([edit(17, 21, "URL", replacement="x")], text)
    assert [e.replacement for e in kept_type] == ["x"]


TEXT = "Ann Lee, aged 47, met Bob on 2019-03-12 at 10.1.2.3; Ann wrote to bob@x.test and call 415-867-5309."
SPANS = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 15)).map(
    lambda p: (p[0], min(p[0] + p[1], len(TEXT)))
)
EDITS = st.lists(
    st.builds(
        Edit,
        start=st.just(0),
        end=st.just(0),
        type=st.sampled_from(
            ["PERSON", "DATE_TIME", "AGE", "IP_ADDRESS", "PHONE_NUMBER", "EMAIL_ADDRESS", "OWN"]
        ),
        key=st.sampled_from(["", "ann lee", "bob"]),
        reason=st.just("r"),
        replacement=st.sampled_from([None, None, "someone", "Ann"]),
        score=st.sampled_from([0.5, 1.0]),
    ).flatmap(lambda e: SPANS.map(lambda s: Edit(*s, e.type, e.key, e.reason, e.replacement, e.score))),
    max_size=8,
)


@pytest.mark.parametrize("operator", ALL, ids=repr)
@given(edits=EDITS)
@settings(max_examples=50)
def test_every_edit_is_filled_and_says_nothing_of_what_it_replaces(
    operator: Operator, edits: list[Edit]
) -> None:
    operators = Operators(operator, {}, KEY, "subject")
    done = operators.fill(edits, TEXT)
    assert operators.fill(tuple(edits), TEXT) == done
    assert [(e.start, e.end, e.type, e.key) for e in done] == [
        (e.start, e.end, e.type, e.key) for e in resolve(edits)
    ]
    for whole in done:
        assert whole.replacement is not None
        for part in edits:
            original = fold_term(TEXT[part.start : part.end])
            if whole.span.contains(part.span) and len(original) > 2:
                assert original not in fold(whole.replacement.replace("efface1", "")).text


@given(st.text(max_size=40), st.text(max_size=12))
def test_holds_is_its_definition(replacement: str, original: str) -> None:
    assert folded(replacement) == fold(replacement).text
    term = fold_term(original)
    assert holds(replacement, original) == (len(term) >= 3 and term in fold(replacement).text)
    assert holds(replacement + original.upper(), original) or len(term) < 3 or not original.isascii()


def test_the_input_is_not_changed() -> None:
    edits = edits_of("Ann Ann", ("PERSON", "Ann"))
    before = list(edits)
    Operators().fill(edits, "Ann Ann")
    assert edits == before
    assert all(e.replacement is None for e in edits)


def test_many_edits() -> None:
    text = "Ann Lee " * 40_000
    edits = [Edit(8 * n, 8 * n + 7, "PERSON", f"key {n}", "r") for n in range(40_000)]
    done = Operators().fill(edits, text)
    assert len({e.replacement for e in done}) == 40_000
    assert done[-1].replacement == "[PERSON_40000]"


def test_every_operator_has_a_name_and_needs_no_options() -> None:
    assert {type(spec()) for spec in OPERATORS.values()} == {Keep, *(type(spec) for spec in ALL)}


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        (Mask, {"masking_char": "ab"}),
        (Mask, {"masking_char": " "}),
        (Mask, {"masking_char": "\n"}),
        (Mask, {"chars_to_mask": 0}),
        (Mask, {"from_end": "no"}),
        (Hash, {"length": 4}),
        (Hash, {"length": 8.5}),
        (Shift, {"days": 0}),
        (Shift, {"days": "200"}),
        (Shift, {"day_first": 1}),
    ],
)
def test_wrong_options_are_refused(spec: Any, wrong: dict[str, object]) -> None:
    with pytest.raises(PolicyError):
        spec(**wrong)


@pytest.mark.parametrize("operator", [Hash(), Encrypt(), Surrogate(), Shift()])
def test_an_operator_that_needs_a_key_says_so_before_any_work(operator: Operator) -> None:
    with pytest.raises(PolicyError) as error:
        Operators(Replace(), {"PERSON": operator}).fill([], "")
    assert "needs a key" in error.value.message
    assert "policy" in error.value.hint


def test_only_what_must_be_tested_later_needs_a_lasting_key() -> None:
    assert not Operators(Replace(), {"PERSON": Surrogate(), "DATE_TIME": Shift()}).needs_lasting_key
    assert Operators(Replace(), {"PERSON": Encrypt()}).needs_lasting_key


def test_replacing_loads_neither_faker_nor_cryptography() -> None:
    code = (
        "import sys; from efface.core import Edit; from efface.operators import Operators;"
        "Operators().fill([Edit(0, 3, 'PERSON', 'ann', 'r')], 'Ann');"
        "sys.exit(any(m.split('.')[0] in ('faker', 'cryptography', 'stdnum') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_fills_mixed_types() -> None:
    assert filled(Generalise(), "Ann, 47", ("PERSON", "Ann"), ("AGE", "47")) == "[PERSON_1], 40-49"
