"""The words that formulas put together."""

from __future__ import annotations

import pytest

from efface.formats.office.excel.formulas import spoken

TABLE = {
    '"Zanzi"&"bar"': ["Zanzibar"],
    '("Zan" & ("zi")) & "bar"': ["Zanzibar"],
    'CHAR(90)&"anzi"&UNICHAR( 98 )&"ar"': ["Zanzibar"],
    'CONCATENATE("Zanzi";"bar")': ["Zanzibar"],
    '_xlfn.TEXTJOIN("",TRUE,"Zanzi","bar")': ["Zanzibar"],
    '"say ""a"&"b"""': ['say "ab"'],
    '"a"&A1&"b"': [],
    'IF(A1="12","34","56")': [],
    '"Zanzibar"': [],
    '"open&"': [],
    "CHAR(1114112)&CHAR(65)": ["A"],
    "": [],
}


@pytest.mark.parametrize("formula", TABLE)
def test_words(formula: str) -> None:
    assert spoken(formula) == TABLE[formula]
