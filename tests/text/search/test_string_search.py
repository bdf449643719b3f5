from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from efface.text.folding import continues
from efface.text.search.string_search import Strings

pieces = st.text("ab1-_. (李伟", min_size=1, max_size=5)


_MANY = [f"z{number}" for number in range(200)]  # a few strings are looked for in another way than many


@given(st.lists(pieces, max_size=5), st.lists(pieces, max_size=12).map("".join), st.sampled_from([[], _MANY]))
def test_against_a_search_for_each_string(strings: list[str], text: str, more: list[str]) -> None:
    expected = set()
    for string in strings:
        for match in re.finditer(f"(?={re.escape(string)})", text):
            start, end = match.start(), match.start() + len(string)
            before = start == 0 or not continues(text[start - 1], text[start])
            if before and (end == len(text) or not continues(text[end - 1], text[end])):
                expected.add((string, start, end))
    found = list(Strings([*strings, *more]).find(text))
    assert set(found) == expected
    assert len(found) == len(expected)
