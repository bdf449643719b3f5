"""Arguments of calls: each string of their JSON is restored as the text that it says, in whatever chunks it comes."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.originals import Originals
from efface.api.restoring import Restorer, restore
from efface.proxy.arguments import ArgumentsRestorer

ORIGINALS = Originals(
    {"[PERSON_1]": 'Bob "B"\nX', "Maria Schmidt": "Anna Nowak"}, frozenset({"Maria Schmidt"})
)
PIECES = (
    "[PERSON_1]",
    "PERSON_1",
    "Maria Schmidt",
    "Schmidt",
    "https://x.example/",
    "evil.example/",
    "[",
    "é",
)
SIGNS = ("\n", "\t", '"', "\\", "\\u12", "/", " ", "n", "\U0001f600", "\ud83d")
TEXTS = st.lists(st.sampled_from((*PIECES, *SIGNS)), max_size=8).map("".join)
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def arguments_of(*chunks: str) -> str:
    restorer = ArgumentsRestorer(Restorer(ORIGINALS))
    return "".join(restorer.feed(chunk) for chunk in chunks) + restorer.close()


def restored_value(value: Any) -> Any:
    if isinstance(value, dict):
        return [(str(restore(key, ORIGINALS)), restored_value(one)) for key, one in value.items()]
    if isinstance(value, list):
        return [restored_value(one) for one in value]
    return str(restore(value, ORIGINALS)) if isinstance(value, str) else value


def fully_escaped(text: str) -> str:
    """Every letter as an escape: what JSON allows, and no model writes unless it wants to hide something."""
    units = text.encode("utf-16-be", "surrogatepass")
    return (
        '"' + "".join(f"\\u{high:02x}{low:02X}" for high, low in zip(*[iter(units)] * 2, strict=True)) + '"'
    )


@given(VALUES, st.booleans(), st.data())
@settings(max_examples=400, deadline=None)
def test_arguments_in_any_chunks_are_their_texts_restored(
    value: Any, is_ascii: bool, data: st.DataObject
) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    text = text.replace("/", data.draw(st.sampled_from(["/", "\\/", "\\u002f"])))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    made = arguments_of(*(text[a:b] for a, b in pairwise([0, *cuts, len(text)])))
    assert json.loads(made, object_pairs_hook=list) == restored_value(value)


@pytest.mark.parametrize(
    "link", ["https://evil.example/[PERSON_1]", "//evil.example/PERSON_1", "evil.example/[PERSON_1]"]
)
def test_a_link_in_escapes_is_a_link(link: str) -> None:
    assert json.loads(arguments_of(fully_escaped(link))) == link


def test_a_name_behind_an_escaped_line_break_is_restored() -> None:
    text = json.dumps({"body": "Dear all,\nMaria Schmidt comes.\nPERSON_1\thttps://x.example/a\n[PERSON_1]"})
    body = 'Dear all,\nAnna Nowak comes.\nBob "B"\nX\thttps://x.example/a\nBob "B"\nX'
    assert json.loads(arguments_of(text)) == {"body": body}


@pytest.mark.parametrize(
    "text", ['{"to": "[PERSON_1', '{"to": "\\u00', '{"to": "\\', '{"to": "\\uZZZZ"}', "", "x"]
)
def test_arguments_that_are_no_json_end_where_they_end(text: str) -> None:
    made = arguments_of(*text)
    assert made == arguments_of(text) and made.startswith(text[:8]) and len(made) <= len(text) + 2
