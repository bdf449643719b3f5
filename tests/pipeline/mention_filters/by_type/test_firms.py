"""Firms go with the words in capitals that belong to their name."""

from __future__ import annotations

import pytest

from efface.pipeline.mention_filters.by_type.firms import whole_firm


def read(text: str, found: str, score: float = 0.6) -> str:
    start = text.index(found)
    first, last = whole_firm(text, start, start + len(found), score)
    return text[first:last]


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("a post with Galway RFC.", "Galway", "Galway RFC"),
        ("creditor: Vanquish Card Services\nOriginal", "Vanquish", "Vanquish Card Services"),
        ("Instructed Crawshaw Adjusting, Neil to visit", "Crawshaw", "Crawshaw Adjusting"),
        ("in the shop at Ray's Auto on the road", "Ray", "Ray's Auto"),
        ("Boots and the Co-op on the parade", "op", "Co-op"),
        ("the mailbox for Blue Yonder Travel is gone", "Yonder Travel", "Blue Yonder Travel"),
        ("the plumber from A1 Plumbing came", "Plumbing", "A1 Plumbing"),
        ("Head of Customer Tolland", "Tolland", "Tolland"),
        ("seen by Garrod Tolland today", "Tolland", "Tolland"),
    ],
)
def test_the_whole_name(text: str, found: str, whole: str) -> None:
    assert read(text, found) == whole


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tolland Manager Bob", "Tolland"),
        ("from Crawshaw Peter came", "Crawshaw"),
        ("at Crawshaw Monday is free", "Crawshaw"),
        ("NHS Number 4471", "NHS"),
        ("Crawshaw Ref: 4471", "Crawshaw"),
        ("Sanctions by Crawshaw Against Tolland", "Crawshaw"),
        ("officials of the Tolland Regime", "Tolland"),
        ("the Tolland's Fleet left", "Tolland"),
    ],
)
def test_words_beside_it(text: str, found: str) -> None:
    assert read(text, found) == found


def test_ordinary_words_of_which_the_finder_is_not_sure() -> None:
    assert read("me and Kitchen Fleet Bao", "Kitchen", 0.3) == "Kitchen"
