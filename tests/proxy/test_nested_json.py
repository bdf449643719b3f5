"""JSON that is nested too deep is refused alike by every version of Python."""

from __future__ import annotations

import pytest

from efface.proxy.nested_json import MAX_DEPTH, loads


def test_as_deep_as_allowed_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert str(loads(text)) == text


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 5_000, 200_000])
def test_deeper_is_refused(opening: str, levels: int) -> None:
    closing = "]" if opening == "[" else "}"
    with pytest.raises(ValueError, match="deep"):
        loads(opening * levels + "1" + closing * levels)
