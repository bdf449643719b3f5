from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.core import Edit, apply_edits
from efface.errors import InputError
from efface.formats.plain.json_text import JSON, JSONL, MAX_DEPTH
from tests.formats.helpers import NASTY, Place, an_edit, carried_out, edits_of, edits_within, redact

STRING = st.text(NASTY + "b/", max_size=6)
NUMBER = st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e9, 1e9))
VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBER, STRING),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(STRING, inner, max_size=3)),
    max_leaves=8,
)
SPACE = st.sampled_from(["", " ", "\n  ", "\t\r\n"])


class Writer:
    """Spells a value in one of its many ways, and notes what the text should show, by definition."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.source = ""
        self.places: list[Place] = []

    def structure(self, text: str) -> None:
        self.source += text
        self.places.append(Place(text, free=False))

    def space(self) -> None:
        self.structure(self.draw(SPACE))

    def string(self, text: str) -> None:
        self.structure('"')
        self.source += "".join(self.draw(st.sampled_from(spellings(char))) for char in text)
        self.places.append(Place(text))
        self.structure('"')

    def value(self, value: Any) -> None:
        self.space()
        if isinstance(value, str):
            self.string(value)
        elif isinstance(value, list):
            self.many("[", "]", [lambda item=item: self.value(item) for item in value])
        elif isinstance(value, dict):
            self.many("{", "}", [lambda pair=pair: self.member(*pair) for pair in value.items()])
        else:
            self.source += json.dumps(value)
            self.places.append(Place(json.dumps(value)))
        self.space()

    def member(self, key: str, value: Any) -> None:
        self.space()
        self.string(key)
        self.structure(":")
        self.value(value)

    def many(self, opening: str, closing: str, writers: list[Any]) -> None:
        self.structure(opening)
        for index, write in enumerate(writers):
            if index:
                self.structure(",")
            write()
        if not writers:
            self.space()
        self.structure(closing)


def spellings(char: str) -> list[str]:
    units = char.encode("utf-16-be")
    forms = ["".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))]
    if char >= " " and char not in '"\\':
        forms += [char, char]
    if char in '"\\/':
        forms.append("\\" + char)
    if char in "\n\r\t":
        forms.append({"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char])
    return forms


@st.composite
def spelled(draw: st.DrawFn) -> tuple[Any, Writer]:
    writer = Writer(draw)
    value = draw(VALUE)
    writer.value(value)
    return value, writer


def expected_source(writer: Writer, edits: tuple[Edit, ...]) -> str:
    """The edited document by definition: an edited number is a string unless it is a number again."""
    out: list[str] = []
    for place, text in zip(writer.places, carried_out(writer.places, edits), strict=True):
        index = len(out)
        literal = place.free and index and writer.places[index - 1].text == '"'
        if literal:
            out.append(json.dumps(text)[1:-1])
        elif place.free and text != place.text and not is_number(text):
            out.append(json.dumps(text))
        else:
            out.append(text)
    return "".join(out)


def is_number(text: str) -> bool:
    try:
        return (
            text.strip() == text
            and isinstance(json.loads(text), int | float)
            and text not in ("true", "false")
        )
    except ValueError:
        return False


@given(spelled(), st.data())
def test_edits_change_what_they_touch_and_nothing_else(
    sample: tuple[Any, Writer], data: st.DataObject
) -> None:
    _, writer = sample
    source = writer.source.encode()
    document = JSON.read(source, "x.json")
    assert document.text == "".join(place.text for place in writer.places)
    assert JSON.write(document, ()) == source

    edits = data.draw(edits_within(0, len(document.text)))
    released = JSON.write(document, edits)
    expected = expected_source(writer, edits)
    assert pairs(released.decode()) == pairs(expected)
    free = JSON.read(released, "x.json")
    assert free.text == JSON.read(expected.encode(), "x.json").text


def pairs(source: str) -> Any:
    """The value with repeated keys, key order and the spelling of numbers kept."""
    return json.loads(
        source, object_pairs_hook=lambda items: ("object", items), parse_float=str, parse_int=str
    )


@given(st.text('[]{}:,"\\ut1e-.0 \nabf/', max_size=12))
def test_valid_means_what_the_standard_library_says(source: str) -> None:
    try:
        json.loads(source)
        valid = True
    except ValueError:
        valid = not source.strip(" \t\n\r")
    try:
        JSON.read(source.encode(), "x.json")
        accepted = True
    except InputError:
        accepted = False
    assert accepted == valid


@given(st.lists(spelled(), max_size=3))
def test_lines_are_values_one_after_another(samples: list[tuple[Any, Writer]]) -> None:
    source = "\n".join(writer.source for _, writer in samples)
    document = JSONL.read(source.encode(), "x.jsonl")
    assert document.text == "\n".join("".join(p.text for p in writer.places) for _, writer in samples)
    assert JSONL.write(document, ()) == source.encode()


CASES = [
    # input, term, replacement, output
    ('{"Ann": "Ann"}', "Ann", "[X_1]", '{"[X_1]": "[X_1]"}'),
    ('{"a":"J\\u00f6rg \\/"}', "Jörg", "é", '{"a":"é \\/"}'),
    ('{"a": "x\\nAnn\\u0041"}', "Ann", 'q"\\\n', '{"a": "x\\nq\\"\\\\\\n\\u0041"}'),
    ('["\\ud83d\\ude00Ann\\ud800"]', "Ann", "", '["\\ud83d\\ude00\\ud800"]'),
    ('{"age": 41, "b": [true, null, -1.5e3]}', "4", "9", '{"age": 91, "b": [true, null, -1.5e3]}'),
]


@pytest.mark.parametrize(("source", "term", "replacement", "expected"), CASES)
def test_cases(source: str, term: str, replacement: str, expected: str) -> None:
    assert redact("x.json", source.encode(), term, replacement) == expected.encode()


@pytest.mark.parametrize(
    ("source", "term", "replacement", "expected"),
    [
        ('{"age": 41}', "41", "[AGE_1]", '{"age": "[AGE_1]"}'),
        ('{"age": 41}', "4", "", '{"age": 1}'),
        ('{"age": 41}', "41", "", '{"age": ""}'),
        ('{"age": 41}', "41", "007", '{"age": "007"}'),
        ("[true, null]", "null", "null!", '[true, "null!"]'),
        ('["Ann", "Lee"]', 'Ann", "Lee', "[X_1]", '["[X_1]", ""]'),
    ],
)
def test_numbers_become_strings_and_structure_stays(
    source: str, term: str, replacement: str, expected: str
) -> None:
    document = JSON.read(source.encode(), "x.json")
    assert JSON.write(document, edits_of(document.text, term, replacement)) == expected.encode()


def test_an_edit_of_structure_alone_changes_nothing() -> None:
    document = JSON.read(b'{"a": [1]}', "x.json")
    assert JSON.write(document, [an_edit(4, 7, "zzz")]) == b'{"a": [1]}'


def test_what_the_encoding_lacks_is_escaped() -> None:
    document = JSON.read(b'{"a": "caf\xe9 Ann"}', "x.json")
    edits = edits_of(document.text, "Ann", "é名😀")
    assert JSON.write(document, edits) == b'{"a": "caf\xe9 \xe9\\u540d\\ud83d\\ude00"}'
    assert JSON.read(JSON.write(document, edits), "x.json").text == apply_edits(document.text, edits)


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ('{"a": 1,}', "line 1, column 9"),
        ('{\n "a": secret\n}', "line 2, column 7"),
        ("[1] 2", "line 1, column 5"),
        ('{"a" 1}', "line 1, column 2"),
        ("[1, 2", "line 1, column 6"),
    ],
)
def test_errors_name_the_place_and_not_the_content(source: str, where: str) -> None:
    with pytest.raises(InputError, match=where) as caught:
        JSON.read(source.encode(), "x.json")
    assert "secret" not in str(caught.value)


def test_depth_is_bounded() -> None:
    deep = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert JSON.write(JSON.read(deep, "x.json"), ()) == deep
    for hostile in (b"[" * 10**6, b"[" * 10**6 + b"]" * 10**6, b'{"a":' * 10**5):
        with pytest.raises(InputError, match="levels deep"):
            JSON.read(hostile, "x.json")


@pytest.mark.parametrize("source", [b"", b"  \n", b"\xef\xbb\xbf"])
def test_nothing_is_an_empty_document(source: bytes) -> None:
    assert JSON.write(JSON.read(source, "x.json"), ()) == source
    assert JSONL.write(JSONL.read(source, "x.jsonl"), ()) == source
