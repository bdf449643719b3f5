"""WordNet's noun files, as the Debian package `wordnet-base` installs them, to efface's compact taxonomy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from pathlib import Path

from efface.knowledge.taxonomy.concepts import ConceptRows, Taxonomy

_CLASSES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}  # the first digit of a sense key
_FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def entries(path: Path) -> Iterator[list[str]]:
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
    for fields in entries(folder / "data.noun"):
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
        ConceptRows.of(_senses(folder, spellings, words, numbers)),
        ConceptRows.of([[places[word] for word in row] for row in words]),
        ConceptRows.of([[numbers[id] for id in row] for row in parents]),
        {plural: one for plural, one in exceptions(folder / "noun.exc") if not _is_regular(plural, places)},
        _classes(folder),
    )


def _senses(
    folder: Path, spellings: list[str], words: list[list[str]], numbers: dict[str, int]
) -> list[list[int]]:
    """For each spelling its concepts, in WordNet's order of frequency."""
    ranked: dict[str, list[int]] = {}
    for fields in entries(folder / "index.noun"):
        ranked[fields[0].replace("_", " ")] = [numbers[id] for id in fields if len(id) == 8 and id in numbers]
    spelled = {number: set(row) for number, row in enumerate(words)}
    return [[n for n in ranked[spelling.lower()] if spelling in spelled[n]] for spelling in spellings]


def _is_regular(plural: str, nouns: Container[str]) -> bool:
    """Whether an irregular plural has a regular singular too, which is the likelier: `soles`, not `leaves`."""
    return plural.endswith("s") and not plural.endswith(("ves", "sses")) and plural[:-1] in nouns


def exceptions(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text("latin-1").splitlines():
        plural, *singular = line.split()
        if "_" not in line:
            yield plural, singular[0]


def tagged_lemmas(folder: Path) -> Counter[tuple[str, str]]:
    """How often a lemma was of a class in WordNet's tagged texts."""
    tagged: Counter[tuple[str, str]] = Counter()
    for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
        key, _, count = line.split()
        word, _, sense = key.partition("%")
        tagged[word, _CLASSES[sense[0]]] += int(count)
    return tagged


def _classes(folder: Path) -> dict[str, str]:
    """Words that are not nouns only: their classes, the most frequent in the tagged texts first."""
    tagged = tagged_lemmas(folder)
    listed: dict[str, list[str]] = {}
    for name, letter in _FILES.items():
        for fields in entries(folder / f"index.{name}"):
            if "_" not in fields[0]:
                listed.setdefault(fields[0], []).append(letter)
    for form, _ in exceptions(folder / "verb.exc"):
        if "v" not in listed.setdefault(form, []) and "a" not in listed[form]:
            listed[form].append("v")
    return {
        word: "".join(sorted(letters, key=lambda letter: -tagged[word, letter]))
        for word, letters in sorted(listed.items())
        if letters != ["n"]
    }
