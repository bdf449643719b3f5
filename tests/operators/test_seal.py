from __future__ import annotations

import html
import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.core import Edit
from efface.errors import InputError, PolicyError
from efface.operators import Encrypt, Hash, Operators, placeholder_pattern
from efface.operators.keys import digest, subkey
from efface.operators.seal import opened_tokens, sealer
from tests.operators.helpers import KEY, filled, one

OTHER = bytes(range(1, 33))
TEXT = "Ann Lee met Bob in Rome."
TERMS = (("PERSON", "Ann Lee"), ("PERSON", "Bob"), ("LOCATION", "Rome"))


def restore(text: str, key: bytes) -> tuple[str, int]:
    """The text with every token opened, and how many there were."""
    pieces: list[str] = []
    position = count = 0
    for start, end, original in opened_tokens(text, key):
        pieces += (text[position:start], original)
        position = end
        count += 1
    pieces.append(text[position:])
    return "".join(pieces), count


@given(st.text(min_size=1, max_size=90), st.text(max_size=20), st.text(max_size=20))
def test_any_text_comes_back(term: str, before: str, after: str) -> None:
    text = before + term + after
    edit = Edit(len(before), len(before) + len(term), "PERSON", "", "r")
    (done,) = Operators(Encrypt(), {}, KEY).fill([edit], text)
    token = done.replacement or ""
    assert restore(f"{before} {token} {after}", KEY) == (f"{before} {term} {after}", 1)
    assert placeholder_pattern().fullmatch(token)


def test_lone_surrogates_come_back() -> None:
    token = one(Encrypt(), "PERSON", "a\udc80b")
    assert restore(token, KEY) == ("a\udc80b", 1)


def test_several_tokens_come_back_side_by_side() -> None:
    sealed = filled(Encrypt(), TEXT, *TERMS)
    assert not any(term in sealed for _, term in TERMS)
    assert restore(sealed, KEY) == (TEXT, 3)
    assert restore(sealed.replace(" ", ""), KEY) == (TEXT.replace(" ", "").replace("AnnLee", "Ann Lee"), 3)


@given(st.data())
def test_changing_any_character_of_a_token_is_noticed(data: st.DataObject) -> None:
    token = one(Encrypt(), "PERSON", "Ann Lee of a rather long street name, number 12")
    at = data.draw(st.integers(0, len(token) - 1))
    letters = st.sampled_from("abcxyzABCXYZ0189-_[]:.# \n=é")
    changed = token[:at] + data.draw(letters.filter(lambda c: c != token[at])) + token[at + 1 :]
    with pytest.raises(InputError, match="term 2 "):
        restore(f"{one(Encrypt(), 'PERSON', 'Bob')} and {changed}", KEY)


def test_spare_bits_of_the_last_character_cannot_be_changed() -> None:
    token = one(Encrypt(), "PERSON", "x" * 47)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    opened = 0
    for letter in letters:
        try:
            opened += restore(f"{token[:-2]}{letter}]", KEY)[1]
        except InputError:
            continue
    assert opened == 1


@given(st.data())
def test_cutting_a_character_out_of_a_token_is_noticed(data: st.DataObject) -> None:
    token = one(Encrypt(), "PERSON", "Ann Lee")
    at = data.draw(st.integers(0, len(token) - 1))
    with pytest.raises(InputError):
        restore(token[:at] + token[at + 1 :], KEY)


def test_the_error_names_the_token_and_nothing_else() -> None:
    sealed = filled(Encrypt(), TEXT, *TERMS).replace("[LOCATION:", "[PERSON:")
    with pytest.raises(InputError) as error:
        restore(sealed, KEY)
    assert (
        error.value.message
        == "Encrypted term 3 is damaged, or was made with another key or version of efface."
    )
    assert "efface1" not in error.value.message + error.value.hint


def test_another_key_opens_nothing() -> None:
    with pytest.raises(InputError, match="term 1 "):
        restore(filled(Encrypt(), TEXT, *TERMS), OTHER)


def test_text_without_tokens_is_left_alone() -> None:
    text = "A note [PERSON_1] [see efface2.x] and eyJhbGciOi.J9 [a:b]"
    assert restore(text, KEY) == (text, 0)


@pytest.mark.parametrize("escape", [html.escape, lambda token: json.dumps(token)[1:-1]])
def test_tokens_pass_through_escaping(escape: object) -> None:
    token = one(Encrypt(), "PERSON", "Ann Lee")
    assert escape(token) == token  # type: ignore[operator]
    assert not set(token) & set(",;\"'=\\/ \t\n%&<>")


def test_same_input_same_token_but_not_for_another_subject() -> None:
    assert one(Encrypt(), "PERSON", "Ann") == one(Encrypt(), "PERSON", "Ann")
    assert one(Encrypt(), "PERSON", "Ann", subject="a") != one(Encrypt(), "PERSON", "Ann", subject="b")


def test_length_does_not_tell_the_name() -> None:
    assert len({len(one(Encrypt(), "PERSON", "x" * n)) for n in range(1, 32)}) == 1


def test_a_short_original_that_chance_puts_in_the_ciphertext_is_sealed_again() -> None:
    seal = sealer(KEY, "")
    clash = next(
        word
        for word in ("".join(t) for t in product("abcdefghij", repeat=3))
        if word in seal("PERSON", word, 0).partition(".")[2].lower()
    )
    token = one(Encrypt(), "PERSON", clash)
    assert clash not in token.partition(".")[2].lower()
    assert restore(token, KEY) == (clash, 1)


@pytest.mark.parametrize("term", ["ace", "Face", "efface", "efface1"])
def test_a_term_that_is_part_of_the_mark_is_sealed_all_the_same(term: str) -> None:
    assert restore(one(Encrypt(), "PERSON", term), KEY) == (term, 1)


def test_a_term_that_is_its_type_is_sealed_under_another_label() -> None:
    token = one(Encrypt(), "PERSON", "person")
    assert token.startswith("[REDACTED:efface1.")
    assert restore(token, KEY) == ("person", 1)


@given(st.text(min_size=1, max_size=20), st.sampled_from(["PERSON", "URL"]))
def test_hash_depends_on_key_type_and_term(term: str, type_name: str) -> None:
    digests = {
        Operators(Hash(), {}, key).fill([Edit(0, 1, name, normal, "r")], "?")[0].replacement
        for key in (KEY, OTHER)
        for name in (type_name, "DATE_TIME")
        for normal in (term, term + "x")
    }
    assert len(digests) == 8


def test_hash_is_of_the_key_not_of_the_spelling() -> None:
    edits = [Edit(0, 3, "PERSON", "ann", "r"), Edit(4, 7, "PERSON", "ann", "r")]
    first, second = Operators(Hash(length=20), {}, KEY).fill(edits, "Ann ANN")
    assert first.replacement == second.replacement
    assert first.replacement is not None and len(first.replacement) == len("[PERSON:#]") + 20


def test_a_hexadecimal_name_is_not_in_its_hash() -> None:
    words = ["".join(t) for t in product("abcdef", repeat=3)]
    hashes = {word: one(Hash(64), "PERSON", word) for word in words}
    assert all(word not in digest for word, digest in hashes.items())
    assert all(digest.startswith("[PERSON:#") for digest in hashes.values())


@pytest.mark.parametrize("operator", [Hash(), Encrypt()])
def test_without_a_key_the_next_step_is_named(operator: Hash | Encrypt) -> None:
    operators = Operators(operator)
    assert operators.needs_lasting_key
    with pytest.raises(PolicyError) as error:
        operators.fill([], "")
    assert "key: env:EFFACE_KEY" in error.value.hint


def test_a_short_key_is_refused() -> None:
    with pytest.raises(PolicyError, match="16 bytes"):
        one(Hash(), "PERSON", "Ann", key=b"secret")
    with pytest.raises(PolicyError, match="16 bytes"):
        restore("", b"secret")


def test_the_key_is_not_in_the_repr() -> None:
    assert "key" not in repr(Operators(Hash(), {}, b"\x01secret key material"))


def test_parts_of_a_digest_do_not_run_together() -> None:
    assert len({digest(KEY, *parts) for parts in (("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""))}) == 4


def test_subkeys_differ_by_purpose_and_key() -> None:
    assert len({subkey(key, purpose) for key in (KEY, OTHER) for purpose in ("hash", "encrypt")}) == 4
