"""The files of an index of people: damage is noticed, whatever file it is in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from efface.errors import InputError
from efface.files.array_file import open_arrays
from efface.knowledge.classes import LabelledDocument
from efface.knowledge.people.build import build_people
from efface.knowledge.people.files import ABOUT, PEOPLE
from efface.knowledge.people.index import PeopleIndex

TEXT = "opera medal river novel"
FILES = [ABOUT, "names.json", "segment0000"]


def people(first: int, last: int) -> list[LabelledDocument]:
    return [
        LabelledDocument(f"{TEXT} own{number} own{number}", f"Person {number}")
        for number in range(first, last)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build_people(people(0, 6), tmp_path / "people.index")
    return tmp_path / "people.index"


def look(folder: Path) -> list[list[float]]:
    """All that the index tells of a text with every word that it knows."""
    index = PeopleIndex.open(folder)
    text = " ".join([TEXT, *(f"own{number}" for number in range(8))])
    return [scores.tolist() for scores in index.model(text).all_scores(text).values()]


@pytest.mark.parametrize("file", FILES)
def test_a_bit_that_changed_is_noticed(folder: Path, file: str) -> None:
    """Most of them went unnoticed: a person lost words, and a text that tells the person was held."""
    path = folder / file
    whole, told = path.read_bytes(), look(folder)
    step = max(1, len(whole) // 60)
    for place in range(0, len(whole), step):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        try:
            assert look(folder) == told, f"byte {place}"  # a header may be written in two ways
        except InputError:
            continue
    for size in (0, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError):
            look(folder)


@pytest.mark.parametrize("name", ["people", "counts"])
def test_every_entry_counts(folder: Path, name: str) -> None:
    path = folder / "segment0000"
    whole = path.read_bytes()
    array = open_arrays(path, PEOPLE).arrays[name]
    start = whole.index(array.tobytes())
    for place in range(start + array.nbytes - 4 * 6, start + array.nbytes):
        data = bytearray(whole)
        data[place] ^= 1
        path.write_bytes(data)
        with pytest.raises(InputError):
            look(folder)


def test_a_segment_that_is_missing_or_of_another_index_is_noticed(folder: Path, tmp_path: Path) -> None:
    """Without its segment an index knew nothing of anybody, and everything was held."""
    other = tmp_path / "other.index"
    build_people(people(1, 7), other)
    build_people(people(6, 8), folder, add=True)
    last = folder / "segment0001"
    last.unlink()
    with pytest.raises(InputError):
        look(folder)
    shutil.copy(other / "segment0000", last)
    with pytest.raises(InputError):
        look(folder)


def test_people_are_added_to_no_damaged_index_and_to_none_of_another_version(folder: Path) -> None:
    about = json.loads((folder / ABOUT).read_text("utf-8"))
    (folder / ABOUT).write_text(json.dumps({**about, "format": "efface-people 2"}), "utf-8")
    with pytest.raises(InputError, match="version"):
        build_people(people(6, 7), folder, add=True)
    (folder / ABOUT).write_text(json.dumps({**about, "words": 1}), "utf-8")
    with pytest.raises(InputError, match="damaged"):
        build_people(people(6, 7), folder, add=True)


def test_damage_done_before_people_were_added_is_noticed_after(folder: Path) -> None:
    path = folder / "segment0000"
    data = bytearray(path.read_bytes())
    data[data.index(open_arrays(path, PEOPLE).arrays["counts"].tobytes())] ^= 1
    path.write_bytes(data)
    build_people(people(6, 8), folder, add=True)
    with pytest.raises(InputError):
        look(folder)
