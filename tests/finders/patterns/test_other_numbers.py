"""A number that a word names as something else is no identifier because its check digit happens to be right."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder
from efface.finders.patterns.row import RECALL_THRESHOLD

SIN = "130692544"  # valid as a Canadian social insurance number
TABLE = "Item\t{label}\tTotal\nA\t{value}\t1\nB\t{value}\t2\nC\t{value}\t3"


def types(text: str, threshold: float | None = None) -> set[str]:
    finder = PatternFinder() if threshold is None else PatternFinder(threshold=threshold)
    return {mention.type for mention in finder.find(text)}


@pytest.mark.parametrize("before", ["order ", "Order no. ", "invoice number ", "Artikelnummer: ", "pedido "])
def test_an_order_number_is_no_social_insurance_number(before: str) -> None:
    assert types(f"We sent {SIN} by post.") != set()
    assert types(f"We sent {before}{SIN} by post.") <= {"ID_NUMBER"}


@pytest.mark.parametrize(
    ("label", "value"),
    [("Order no", SIN), ("EAN", "4006381333931"), ("Version", "11.12.13"), ("Build", "10.4.22.118")],
)
def test_the_label_of_a_column_names_its_numbers(label: str, value: str) -> None:
    assert types(TABLE.format(label=label, value=value)) <= {"ID_NUMBER"}


@pytest.mark.parametrize("text", ["ISBN 978-3-16-148410-0", "EAN: 4006381333931", "version 11.12.13"])
def test_books_goods_and_versions_are_told_by_their_word(text: str) -> None:
    assert types(f"It has {text} on it.") == set()


def test_a_context_word_of_its_own_counts_more() -> None:
    assert types(f"Order for SIN {SIN} today") >= {"CA_SIN"}
    assert types("Order 12.03.2024 arrived.") == {"DATE_TIME"}
    assert types("Invoice 4111 1111 1111 1111 was paid.") == {"CREDIT_CARD"}


def test_the_recall_preset_takes_them_all() -> None:
    assert types(f"We sent order {SIN} by post.", RECALL_THRESHOLD) != set()


def test_the_number_of_an_order_is_no_identifier() -> None:
    for text in (
        "under Executive Order (E.O.) 13438 for",
        "issuance of E.O. 13438 on",
        "Executive Order No. 13224,",
    ):
        assert not [mention for mention in PatternFinder().find(text) if mention.type == "ID_NUMBER"]
    assert [mention.type for mention in PatternFinder().find("Account no. 13438 was read")] == ["ID_NUMBER"]
