"""Taxonomies in files: efface's own compact form, OBO (HPO and its like), and CSV."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from efface.errors import InputError
from efface.files.array_file import ArrayFile, ArrayKind, Bytes, open_arrays, write_arrays
from efface.files.local import read_input
from efface.knowledge.taxonomy.concepts import Concept, ConceptRows, Taxonomy

KIND = ArrayKind("taxonomy")
_TEXTS = ("ids", "spellings", "exceptions", "classes")
_TABLES = ("senses_of", "names_of", "parents_of")
_MAX_TEXT = 64 * 1024 * 1024  # bytes of one section, unpacked


def load_taxonomy(path: Path) -> Taxonomy:
    """A taxonomy by the ending of its name: .tax, .obo, .csv."""
    loaders = {".tax": open_taxonomy, ".obo": read_obo, ".csv": read_csv}
    loader = loaders.get(path.suffix.lower())
    if loader is None:
        raise InputError(
            f"{path.name} is no taxonomy that efface reads.", f"Give one of {', '.join(loaders)}."
        )
    return loader(path)


def write_taxonomy(path: Path, taxonomy: Taxonomy, licence: str, *, force: bool = False) -> None:
    """The compact form. `licence` travels inside."""
    texts = {
        "ids": list(taxonomy.ids),
        "spellings": list(taxonomy.spellings),
        "exceptions": _paired_lines(taxonomy.exceptions),
        "classes": _paired_lines(taxonomy.classes),
    }
    sections = {name: zlib.compress("\n".join(lines).encode(), 9) for name, lines in texts.items()}
    for name in _TABLES:
        rows: ConceptRows = getattr(taxonomy, name)
        lengths = np.diff(rows.starts)
        if lengths.max(initial=0) > 0xFFFF:
            raise InputError("A taxonomy has at most 65,535 entries in a row.")
        sections[f"{name} lengths"] = zlib.compress(lengths.astype("<u2").tobytes(), 9)
        sections[f"{name} values"] = zlib.compress(rows.values.astype("<u4").tobytes(), 9)
    write_arrays(path, KIND, {"name": taxonomy.name, "licence": licence}, sections, force=force)


def open_taxonomy(path: Path) -> Taxonomy:
    opened = open_arrays(path, KIND)
    texts = {name: _lines(opened.arrays[name]) for name in _TEXTS}
    return Taxonomy(
        opened.facts["name"],
        texts["ids"],
        texts["spellings"],
        _rows(opened, "senses_of"),
        _rows(opened, "names_of"),
        _rows(opened, "parents_of"),
        _pairs(texts["exceptions"]),
        _pairs(texts["classes"]),
    )


def _unpacked(data: Bytes) -> bytes:
    worker = zlib.decompressobj()
    content = worker.decompress(data.tobytes(), _MAX_TEXT)
    if worker.unconsumed_tail:
        raise InputError("A section of the file is too large.", "Build it again.")
    return content


def _lines(data: Bytes) -> list[str]:
    text = _unpacked(data).decode()
    return text.split("\n") if text else []


def _paired_lines(pairs: Mapping[str, str]) -> list[str]:
    """Writes one line for each word and its value. `_pairs` reads them."""
    return [f"{word} {said}" for word, said in sorted(pairs.items())]


def _pairs(lines: Iterable[str]) -> dict[str, str]:
    found = {}
    for line in lines:
        word, _, said = line.partition(" ")
        found[word] = said
    return found


def _rows(opened: ArrayFile, name: str) -> ConceptRows:
    lengths = np.frombuffer(_unpacked(opened.arrays[f"{name} lengths"]), "<u2")
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    values = np.frombuffer(_unpacked(opened.arrays[f"{name} values"]), "<u4").astype(np.int64)
    return ConceptRows(starts, values)


def read_obo(path: Path) -> Taxonomy:
    """An OBO file: `[Term]` stanzas with id, name, synonym, is_a; obsolete terms are left out."""
    text = read_input(path).decode("utf-8", "replace")
    return _checked(path, Taxonomy.of(path.stem, _stanzas(text.splitlines())))


def _stanzas(lines: Sequence[str]) -> Iterator[Concept]:
    """The terms of an OBO file that are not obsolete."""
    stanza: dict[str, list[str]] | None = None
    for line in [*lines, "[End]"]:
        if line.startswith("["):
            if (
                stanza
                and stanza.get("id")
                and stanza.get("name")
                and "true" not in stanza.get("is_obsolete", ())
            ):
                yield _concept(stanza)
            stanza = {} if line.strip() == "[Term]" else None
        elif stanza is not None and ":" in line:
            tag, _, value = line.partition(":")
            stanza.setdefault(tag.strip(), []).append(value.strip())


def _concept(stanza: dict[str, list[str]]) -> Concept:
    synonyms = [value.split('"')[1] for value in stanza.get("synonym", ()) if value.count('"') >= 2]
    parents = [value.split("!")[0].split("{")[0].strip() for value in stanza.get("is_a", ())]
    return Concept(stanza["id"][0], (stanza["name"][0], *synonyms), tuple(parents))


def read_csv(path: Path) -> Taxonomy:
    """A table with the columns `term` and `parent` (a term too); further columns `synonyms` split by `|`."""
    text = read_input(path).decode("utf-8-sig", "replace")
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames is None or not {"term", "parent"} <= set(reader.fieldnames):
        raise InputError(f"{path.name} needs the columns term and parent.", "Name them in its first line.")
    names: dict[str, list[str]] = {}
    parents: dict[str, list[str]] = {}
    for row in reader:
        term, parent = (row["term"] or "").strip(), (row["parent"] or "").strip()
        if not term:
            continue
        more = [name.strip() for name in (row.get("synonyms") or "").split("|") if name.strip()]
        names.setdefault(term, [term]).extend(more)
        if parent:
            names.setdefault(parent, [parent])
            parents.setdefault(term, []).append(parent)
    concepts = (Concept(id, tuple(spelled), tuple(parents.get(id, ()))) for id, spelled in names.items())
    return _checked(path, Taxonomy.of(path.stem, concepts))


def _checked(path: Path, taxonomy: Taxonomy) -> Taxonomy:
    if not taxonomy.ids:
        raise InputError(f"{path.name} holds no terms.", "Check that it is a taxonomy.")
    return taxonomy
