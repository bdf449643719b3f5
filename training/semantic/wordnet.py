"""WordNet's noun files, as the Debian package `wordnet-base` installs them, to efface's compact taxonomy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from efface.knowledge.taxonomy import Rows, Taxonomy

_CLASSES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}  # the first digit of a sense key
_FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def _entries(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="latin-1") as file:
        for line in file:
            if not line.startswith("  "):
                yield line.split(" ")


def licence(folder: Path) -> str:
    """The notice at the head of the data file, without its line numbers."""
    with (folder / "data.noun").open(encoding="latin-1") as file:
        lines = [line.strip().partition(" ")[2].strip() for line in file if line.startswith("  ")]
    return "\n".join(lines) + "\n"


def read_wordnet(folder: Path) -> Taxonomy:
    """Synsets, their words, hypernyms (instances too), irregular plurals and word classes."""
    ids: list[str] = []
    words: list[list[str]] = []
    parents: list[list[str]] = []
    for fields in _entries(folder / "data.noun"):
        count = int(fields[3], 16)
        ids.append(fields[0])
        words.append([word.replace("_", " ") for word in fields[4 : 4 + 2 * count : 2]])
        pointers = fields[5 + 2 * count :]
        parents.append([pointers[at + 1] for at, mark in enumerate(pointers) if mark in ("@", "@i")])
    numbers = {id: number for number, id in enumerate(ids)}
    spellings = sorted({word for row in words for word in row})
    places = {spelling: place for place, spelling in enumerate(spellings)}
    return Taxonomy(
        "wordnet",
        ids,
        spellings,
        Rows.of(_senses(folder, spellings, words, numbers)),
        Rows.of([[places[word] for word in row] for row in words]),
        Rows.of([[numbers[id] for id in row] for row in parents]),
        dict(_exceptions(folder / "noun.exc")),
        _classes(folder),
    )


def _senses(
    folder: Path, spellings: list[str], words: list[list[str]], numbers: dict[str, int]
) -> list[list[int]]:
    """For each spelling its concepts, in WordNet's order of frequency."""
    ranked: dict[str, list[int]] = {}
    for fields in _entries(folder / "index.noun"):
        ranked[fields[0].replace("_", " ")] = [numbers[id] for id in fields if len(id) == 8 and id in numbers]
    spelled = {number: set(row) for number, row in enumerate(words)}
    return [[n for n in ranked[spelling.lower()] if spelling in spelled[n]] for spelling in spellings]


def _exceptions(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text("latin-1").splitlines():
        plural, *singular = line.split()
        if "_" not in line:
            yield plural, singular[0]


def _classes(folder: Path) -> dict[str, str]:
    """Words that are not nouns only: their classes, the most frequent in the tagged texts first."""
    tagged: Counter[tuple[str, str]] = Counter()
    for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
        key, _, count = line.split()
        word, _, sense = key.partition("%")
        tagged[word, _CLASSES[sense[0]]] += int(count)
    listed: dict[str, list[str]] = {}
    for name, letter in _FILES.items():
        for fields in _entries(folder / f"index.{name}"):
            if "_" not in fields[0]:
                listed.setdefault(fields[0], []).append(letter)
    for form, _ in _exceptions(folder / "verb.exc"):
        if "v" not in listed.setdefault(form, []) and "a" not in listed[form]:
            listed[form].append("v")
    return {
        word: "".join(sorted(letters, key=lambda letter: -tagged[word, letter]))
        for word, letters in sorted(listed.items())
        if letters != ["n"]
    }
