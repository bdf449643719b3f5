"""Labelled texts: JSON lines with spans or tags, CoNLL (IOB2), and folders in the standoff form of brat."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from efface.errors import InputError
from efface.files.local import read_input
from efface.learners.features import Flags
from efface.learners.tokens import Tokens

_LONGEST = 1 << 30  # bytes of a corpus, packed or not
_FIRST_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_SENTENCES_APART = "\n\n"
_STANDOFF = re.compile(r"T\d+\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t")
_NAMES = ("doc_id", "doc", "id", "name", "file")
_SPANS = ("spans", "mentions", "entities", "labels")
# Short labels of the field, and the names that efface knows.
TYPES: Mapping[str, str] = {
    "PER": "PERSON",
    "LOC": "LOCATION",
    "GPE": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATETIME": "DATE_TIME",
}


class LabelledSpan(NamedTuple):
    """A labelled stretch of a text."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A document with what is sensitive in it. Spans may overlap and need not align with tokens."""

    name: str
    text: str
    spans: tuple[LabelledSpan, ...]


def read_labelled(path: Path) -> tuple[LabelledText, ...]:
    """The documents of a file (.jsonl, .conll, .iob2, .txt, .tsv; .gz may follow) or of a folder (brat)."""
    if path.is_dir():
        texts = tuple(_brat(path))
    else:
        suffixes = [suffix.lower() for suffix in path.suffixes]
        text = _decoded(path)
        texts = tuple(
            _json_lines(text, path.name) if {".jsonl", ".ndjson"} & {*suffixes} else _conll(text, path.name)
        )
    if not any(text.spans for text in texts):
        raise InputError(
            f"{path.name} has no labels.", "Label some identifiers: without them nothing is learned."
        )
    return texts


def type_name(label: str) -> str:
    """A label as a type of efface: PERSON for PER, capitals and underscores for the rest."""
    plain = re.sub(r"[^A-Z0-9]+", "_", label.upper()).strip("_")[:64]
    if not re.fullmatch(r"[A-Z][A-Z0-9_]*", plain):
        raise InputError("A label of the data is not a word.", "Labels begin with a letter, such as PERSON.")
    return TYPES.get(plain, plain)


def token_labels(tokens: Tokens, spans: Iterable[LabelledSpan], type_: str) -> Flags:
    """The tokens that a span of this type touches: one letter is enough."""
    found = np.zeros(len(tokens), np.bool_)
    for span in spans:
        if span.type == type_ and span.start < span.end:
            first = int(np.searchsorted(tokens.ends, span.start, side="right"))
            found[first : int(np.searchsorted(tokens.starts, span.end, side="left"))] = True
    return found


def _decoded(path: Path) -> str:
    data = read_input(path, _LONGEST)
    if path.suffix.lower() == ".gz":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(_LONGEST + 1)
        except (OSError, EOFError, zlib.error):
            raise InputError(f"{path.name} is a damaged archive.", "Check the file.") from None
        if len(data) > _LONGEST:
            raise InputError(f"{path.name} is too large when unpacked.", "Split it.")
    try:
        return data.decode(_FIRST_MARKS.get(data[:2], "utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(
            f"{path.name} is not UTF-8 text.", "Save it as UTF-8: offsets depend on it."
        ) from None


# --- JSON lines -------------------------------------------------------------------------------------------


def _json_lines(text: str, file: str) -> Iterator[LabelledText]:
    sentences: dict[str, list[tuple[list[str], list[str]]]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if "tokens" in record:
                words = [str(word) for word in record["tokens"]]
                tags = [str(tag) for tag in record["tags"]]
                if len(words) != len(tags):
                    raise ValueError("as many tags as tokens")
                sentences.setdefault(_name(record, f"{number}"), []).append((words, tags))
            else:
                yield _spanned(record, f"{number}")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise InputError(
                f"{file}, line {number}: this is no labelled document.",
                'Expected {"text": …, "spans": [{"start": 0, "end": 4, "type": "PERSON"}]} or tokens and tags.',
            ) from None
    for name, parts in sentences.items():
        yield _from_tokens(name, parts)


def _name(record: Mapping[str, Any], otherwise: str) -> str:
    return next((str(record[key]) for key in _NAMES if record.get(key) is not None), otherwise)


def _spanned(record: Mapping[str, Any], otherwise: str) -> LabelledText:
    text = record["text"]
    given = next((record[key] for key in _SPANS if key in record), None)
    if not isinstance(text, str) or not isinstance(given, list):
        raise ValueError("no text or no spans")
    spans = tuple(_span(one) for one in given)
    if any(not 0 <= span.start <= span.end <= len(text) for span in spans):
        raise ValueError("a span outside the text")
    return LabelledText(_name(record, otherwise), text, spans)


def _span(value: Any) -> LabelledSpan:
    if isinstance(value, Mapping):
        label = next(value[key] for key in ("type", "label", "entity_type", "tag") if key in value)
        return LabelledSpan(int(value["start"]), int(value["end"]), type_name(str(label)))
    start, end, label = value
    return LabelledSpan(int(start), int(end), type_name(str(label)))


# --- CoNLL ------------------------------------------------------------------------------------------------


def _conll(text: str, file: str) -> Iterator[LabelledText]:
    """A token and its tag a line, other columns between them; an empty line after each sentence."""
    documents: list[list[tuple[list[str], list[str]]]] = [[]]
    words: list[str] = []
    tags: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fields = line.split()
        if fields and not line.startswith("#"):
            if fields[0] == "-DOCSTART-":
                documents.append([])
            elif len(fields) < 2 or not re.fullmatch(r"O|[BIES]-\S+", fields[-1]):
                raise InputError(
                    f"{file}, line {number}: this is no token with a tag.",
                    "Expected for example `Anna B-PERSON`.",
                )
            else:
                words.append(fields[0])
                tags.append(fields[-1])
        elif words and not fields:
            documents[-1].append((words, tags))
            words, tags = [], []
        if line.startswith("# newdoc"):
            documents.append([])
    for number, parts in enumerate(filter(None, documents), 1):
        yield _from_tokens(f"{number}", parts)


def _from_tokens(name: str, sentences: Iterable[tuple[list[str], list[str]]]) -> LabelledText:
    """Joins tokens into a text, which is then split like every other text."""
    pieces: list[str] = []
    spans: list[LabelledSpan] = []
    length = 0
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            if tag != "O":
                label = type_name(tag.partition("-")[2] or tag)
                last = spans[-1] if spans else LabelledSpan(-2, -2, "")
                if tag.startswith("I") and last.type == label and last.end == length - 1:
                    spans[-1] = LabelledSpan(last.start, length + len(word), label)
                else:
                    spans.append(LabelledSpan(length, length + len(word), label))
            pieces += [word, " "]
            length += len(word) + 1
        pieces.append(_SENTENCES_APART)
        length += len(_SENTENCES_APART)
    return LabelledText(name, "".join(pieces), tuple(spans))


# --- brat -------------------------------------------------------------------------------------------------


def _brat(folder: Path) -> Iterator[LabelledText]:
    files = sorted(path for path in folder.rglob("*.ann") if path.is_file() and not path.is_symlink())
    if not files:
        raise InputError(f"The folder {folder.name} holds no .ann files.", "Give a folder as brat writes it.")
    for path in files:
        text = _decoded(path.with_suffix(".txt"))
        spans = tuple(_brat_spans(_decoded(path)))
        if any(span.start > span.end or span.end > len(text) for span in spans):
            raise InputError(
                f"{path.name}: a label lies outside its text.", "Check that the two files belong together."
            )
        yield LabelledText(path.relative_to(folder).with_suffix("").as_posix(), text, spans)


def _brat_spans(annotations: str) -> Iterator[LabelledSpan]:
    """The labels. One that is written `3 8;12 15` has several pieces."""
    for match in _STANDOFF.finditer(annotations):
        kind = type_name(match.group(1))
        for piece in match.group(2).split(";"):
            start, end = piece.split(" ")
            yield LabelledSpan(int(start), int(end), kind)
