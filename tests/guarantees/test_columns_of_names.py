"""A viewer who is denied one of the two columns of a name: nothing of it is told beside the other one."""

from __future__ import annotations

from pathlib import Path

import pytest

from efface.core import Verdict
from efface.finders.entities import EntityFinder
from efface.guarantees.columns import DeniedColumns
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.store import build, open_index
from efface.operators import Operators
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

ROWS = [
    {"id": 1, "first_name": "John", "last_name": "Smithers"},
    {"id": 2, "first_name": "Anna Maria", "last_name": "van der Berg"},
]


def released(folder: Path, denied: str, text: str) -> str:
    roles = ColumnRoles(("id",), ("first_name", "last_name"))
    build([roles.entity(row) for row in ROWS], folder)
    index = open_index(folder)
    guarantee = DeniedColumns("people", {denied.upper()}, "denied", columns=(denied,), index=index)
    types = ("FIRST_NAME", "LAST_NAME")
    bound = BoundPolicy({"people": EntityFinder(index, "people")}, (guarantee,), Operators(), types=types)
    report = pipeline.sanitize(text.encode(), "note.txt", bound)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    return report.released.decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seen: J. Smithers, today.", "Seen: [FIRST_NAME_1] Smithers, today."),
        ("Seen: John Smithers, today.", "Seen: [FIRST_NAME_1] Smithers, today."),
        ("Seen: Smithers, John today.", "Seen: Smithers, [FIRST_NAME_1] today."),
        ("Seen: Mr Smithers, today.", "Seen: Mr Smithers, today."),
        ("Seen: A. M. van der Berg, today.", "Seen: [FIRST_NAME_1] van der Berg, today."),
        ("Seen: Anna Maria van der Berg, today.", "Seen: [FIRST_NAME_1] van der Berg, today."),
    ],
)
def test_the_given_name_goes_to_its_initial_and_the_family_stays(
    text: str, expected: str, tmp_path: Path
) -> None:
    assert released(tmp_path, "first_name", text) == expected


@pytest.mark.parametrize(
    "written", ["John Smithers", "J. Smithers", "Smithers, J.", "Mr Smithers", "John S."]
)
def test_of_the_family_nothing_stays(written: str, tmp_path: Path) -> None:
    left = released(tmp_path, "last_name", f"Seen: {written}, today.")
    assert "Smithers" not in left and " S." not in left
