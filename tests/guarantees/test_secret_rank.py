"""The secret rank: stable for one key and document, spread over k to 2k, and shown to nobody."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.guarantees.secret_rank import SecretRank

KEY = b"0123456789abcdef"


@given(st.integers(2, 60), st.text(max_size=40), st.binary(min_size=16, max_size=40))
def test_one_key_and_one_document_give_one_rank_between_k_and_2k(k: int, text: str, key: bytes) -> None:
    rank = SecretRank(key).draw(k, text)
    assert k <= rank <= 2 * k
    assert SecretRank(key).draw(k, text) == rank


def test_ranks_differ_between_documents_keys_and_purposes() -> None:
    texts = [f"document {number}" for number in range(2200)]
    drawn = Counter(SecretRank(KEY).draw(10, text) for text in texts)
    assert set(drawn) == set(range(10, 21))
    assert max(drawn.values()) < 2 * min(drawn.values())
    other = [SecretRank(b"fedcba9876543210").draw(10, text) for text in texts]
    assert other != [SecretRank(KEY).draw(10, text) for text in texts]
    assert [SecretRank(KEY).draw(10, text, "svm") for text in texts] != other


def test_without_a_key_of_the_policy_a_random_one_is_taken() -> None:
    texts = [f"document {number}" for number in range(100)]
    one, two = SecretRank.of(None), SecretRank.of(None)
    assert [one.draw(10, text) for text in texts] == [one.draw(10, text) for text in texts]
    assert [one.draw(10, text) for text in texts] != [two.draw(10, text) for text in texts]


def test_the_key_is_not_shown_and_not_short() -> None:
    assert "0123" not in repr(SecretRank(KEY))
    with pytest.raises(ValueError, match="16 bytes"):
        SecretRank(b"short")
