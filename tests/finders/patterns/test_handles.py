"""A word behind an at sign is a handle, unless style sheets, data or programs have a meaning for it."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder

FINDER = PatternFinder()


def handles(text: str) -> list[str]:
    return [text[found.start : found.end] for found in FINDER.find(text) if found.type == "USERNAME"]


@pytest.mark.parametrize(
    "text",
    [
        '@charset "utf-8"; @import url(look.css); @namespace svg url(x);',
        "@media screen { p { color: red } } @page{margin: 1cm} @layer base;",
        "@font-face { font-family: x } @-webkit-keyframes k { from { top: 0 } } @supports (display: grid) {}",
        '{"@context": "here", "@type": "Person", "@id": "p1", "@graph": [{"@value": "x", "@language": "en"}]}',
        '"{\\"@type\\": \\"Person\\"}"',
        '{"@timestamp": "now", "@version": "1"}',
        "/** @param {string} x\n * @returns y\n * @throws z\n * @see other */",
        "@Override\npublic String x() {}\n@property\ndef y(self): ...\n@pytest.fixture\ndef z(): ...",
    ],
)
def test_words_of_style_sheets_data_and_programs_are_no_handles(text: str) -> None:
    assert handles(text) == []


@pytest.mark.parametrize(
    ("text", "handle"),
    [
        ("follow @media_morgan for more", "@media_morgan"),
        ('{"user": "@morganp"}', "@morganp"),
        ('{"@morganp": 3}', "@morganp"),
        ("thanks @pagelord and", "@pagelord"),
        ("ask @type.r about it", "@type.r"),
        ("@morganp see this", "@morganp"),
        ("@idris, can you?", "@idris"),
    ],
)
def test_handles_are_found(text: str, handle: str) -> None:
    assert handles(text) == [handle]


def test_the_path_of_a_class_is_no_address() -> None:
    def urls(text: str) -> list[str]:
        return [text[found.start : found.end] for found in FINDER.find(text) if found.type == "URL"]

    assert urls("at com.shop.Cart.add(Cart.java:42), org.site.web.Main, io.cloud.app.Boot") == []
    assert urls("See com.example.shop or deals.shop. Call us at example.com.Then wait.") == [
        "com.example.shop",
        "deals.shop",
        "example.com",
    ]
