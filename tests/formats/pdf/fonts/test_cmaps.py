"""Character maps against a definition that expands every range."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.formats.pdf.fonts import cmaps

RANGES = st.lists(
    st.tuples(st.integers(0, 0xFFFF), st.integers(0, 900), st.integers(0x20, 0xD000)), min_size=1, max_size=6
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(RANGES, st.lists(st.integers(0, 0xFFFF), max_size=40))
def test_unicode_ranges(ranges: list[tuple[int, int, int]], codes: list[int]) -> None:
    lines, expected = [], {}
    for start, length, target in ranges:
        end = min(start + length, 0xFFFF)
        lines.append(f"<{start:04x}> <{end:04x}> <{target:04x}>")
        expected.update({code: chr(target + code - start) for code in range(start, end + 1)})
    cmap = cmaps.parse(f"{len(lines)} beginbfrange\n{chr(10).join(lines)}\nendbfrange".encode())
    singles = [r for r in ranges if min(r[0] + r[1], 0xFFFF) - r[0] < 512]
    if len(singles) in (
        0,
        len(ranges),
    ):  # mixed sizes may overlap in another order: the last one of a kind wins
        for code in codes + [start for start, _, _ in ranges]:
            assert cmap.unicode.get(code) == expected.get(code)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.binary(max_size=40))
def test_split_covers_the_string(data: bytes) -> None:
    mixed = cmaps.parse(b"2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange")
    for cmap in (mixed, cmaps.CMap(identity=True), cmaps.predefined("90ms-RKSJ-H")):
        assert cmap is not None
        pieces = cmap.split(data)
        assert b"".join(data[start:end] for start, end in pieces) == data
        assert all(end > start for start, end in pieces)


def test_code_spaces_decide_the_length() -> None:
    cmap = cmaps.parse(b"2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange")
    assert cmap.split(b"a\x81b\x82c") == [(0, 1), (1, 3), (3, 5)]


@pytest.mark.parametrize(
    ("syntax", "code", "text"),
    [
        (b"1 beginbfchar <01> <0041> endbfchar", 1, "A"),
        (b"1 beginbfchar <01> <00660069> endbfchar", 1, "fi"),
        (b"1 beginbfchar <01> <d83dde00> endbfchar", 1, "😀"),
        (b"1 beginbfchar <01> /eacute endbfchar", 1, "é"),
        (b"1 beginbfrange <10> <12> [<0041> <0042> <0043>] endbfrange", 0x11, "B"),
        (b"1 beginbfrange <0000> <ffffffff> <0041> endbfrange", 5, "F"),
        (b"% comment <01> <0042>\n1 beginbfchar <01><0041> endbfchar", 1, "A"),
    ],
)
def test_table(syntax: bytes, code: int, text: str) -> None:
    assert cmaps.parse(syntax).unicode.get(code) == text


def test_a_map_of_all_codes_costs_nothing() -> None:
    cmap = cmaps.parse(b"1 begincidrange <00000000> <ffffffff> 0 endcidrange")
    assert cmap.cid(b"\xff\xff\xff\xff") == 0xFFFFFFFF
    assert not cmap.cids.single


def test_predefined_maps_by_safe_names_only() -> None:
    assert cmaps.predefined("UniGB-UTF16-H") is not None
    assert cmaps.predefined("../../etc/passwd") is None
    assert cmaps.predefined("No-Such-Map") is None
    assert cmaps.cid_to_unicode("Adobe", "GB1")[34] == "A"
    assert cmaps.cid_to_unicode("Adobe", "../x") == {}
