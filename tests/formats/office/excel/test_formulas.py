"""The words that formulas put together."""

from __future__ import annotations

import io

import openpyxl
import pytest

from efface.formats.office import XLSX
from efface.formats.office.excel.formulas import makes_words, spoken

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


@pytest.mark.parametrize(
    ("formula", "has_value", "makes"),
    [
        ('SUBSTITUTE("Zanxzibar","x","")', True, True),
        ('LEFT("Zanzixx",5)&RIGHT("yybar",3)', True, True),
        ('LET(a,"Zanzi",b,"bar",a&b)', True, True),
        ('"Zanzi"&IF(A1,"bar","")', True, True),
        ("A1&B7", False, True),
        ("A1&B7", True, False),
        ('"Total: "&SUM(B1:B9)', True, False),
        ('IF(A1>5,"yes","no")', True, False),
        ("LEFT(A1,3)", True, False),
        ('IF(A1="a&b",1,2)', False, False),
        ("SUM(A1:A9)", False, False),
    ],
)
def test_formulas_that_may_make_words(formula: str, has_value: bool, makes: bool) -> None:
    assert makes_words(formula, has_value=has_value) is makes


@pytest.mark.parametrize("formula", ['="Zanzi"&T("bar")', '=SUBSTITUTE("Zanxzibar","x","")', "=A1&F9"])
def test_a_formula_that_makes_words_becomes_its_value(formula: str) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["F9"], sheet["A2"], sheet["A3"] = "Zanzi", "bar", formula, "=1+1"
    data = io.BytesIO()
    book.save(data)
    read = XLSX.read(data.getvalue(), "book.xlsx")
    cells = openpyxl.load_workbook(io.BytesIO(XLSX.write(read, ()))).active
    assert (cells["A2"].value, cells["A3"].value) == (None, "=1+1")
