"""Logins in columns and keys that are called after people, and tables whose labels are their own."""

from __future__ import annotations

import pytest

from efface.finders.fields.labelled_fields import LabelledFields


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in LabelledFields().find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ticket\treporter\tsummary\nX1\tp.nkemelu\tmic\nX2\tjroe3\tbulb\n", ["p.nkemelu", "jroe3"]),
        ("ref\tFixed by\tnotes\nX1\tAmber\tdone\nX2\tmbalogun\tdone\n", ["Amber", "mbalogun"]),
        ("job\tsigned_off_by\tstatus\nX1\tGift\tdone\n", ["Gift"]),
        ('{"agent": "marisol.v", "level": 2}', ["marisol.v"]),
        ("Sheet\nChild\tGroup\tAllergy\tCollected by\nTeddy\tOaks\tegg\tStorm\n", ["Storm", "Teddy"]),
        ("Name\tForm\tFree meals\tTeacher\nGift\t7C\tN\tMr Stone\nSummer Knight\t7B\tY\tMr Stone\n",
         ["Mr Stone", "Mr Stone", "Gift", "Summer Knight"]),
    ],
)  # fmt: skip
def test_people(text: str, names: list[str]) -> None:
    assert sorted(found(text)) == sorted(names)


@pytest.mark.parametrize(
    "text",
    [
        '{"agent": "curl", "owner": "root", "author": "build.yml"}',
        '{"owner": "www.example", "editor": "vim"}',
        "page\tsorted by\tnotes\n1\tPrice\tup\n",
        "site\tpowered by\tstatus\nA\tStripe\tup\n",
        "ticket\tblocked by\tstatus\nX1\tBudget\topen\n",
        "name\treporter\nfile\tmanual\nfile\tsystem\n",
        "Sea\tSky\tnotes\nBlue\tGift\tx\nGreen\tRain\ty\n",
    ],
)
def test_nobody(text: str) -> None:
    assert not found(text)
