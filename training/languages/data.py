"""The labelled sentences in languages other than English, as texts with spans. See README.md for their licences."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from training.names.data import THREE, Labelled

FOLDER = "ner/multi"
LATIN = ("de", "fr", "es", "it", "nl", "pt", "da", "sv", "no", "fi", "tr", "pl", "cs", "sk")
LANGUAGES = (*LATIN, "ru")

UNSPACED_LANGUAGES = frozenset({"zh", "ja"})
_NO_SPACE_BEFORE = frozenset(",.;:!?)]}»”%…")
_NO_SPACE_AFTER = frozenset("([{«„“#@")
_MOST_JOINED = 3  # sentences of one source that make one text
# The parallel sentences are in the same order in all languages. The last of their training files are learned from in none, so
# that Italian and Czech, which have little else, can be measured on them.
PARALLEL, LEARNED = "pud", 0.85
# Gold without a `dev` file of its own: the last of the training file is kept in its place.
WITHOUT_DEV = ("ru.factrueval16", "sv.swedish-ner-corpus", "ar.aqmar")


def read_sentences(data: Path, split: str, languages: Sequence[str] = LANGUAGES) -> Iterator[Labelled]:
    """Every sentence of a split ("train" or "dev"), with its language and source in its name."""
    for path in sorted((data / FOLDER).glob(f"*.{split}.jsonl.gz")):
        if path.name.split(".")[0] in languages:
            for row in rows_of(path):
                yield labelled([row], split)


def read_texts(
    data: Path, split: str, rng: random.Random, languages: Sequence[str] = LANGUAGES
) -> Iterator[Labelled]:
    """The sentences of a split; some are joined with those that follow them, as a document has them."""
    for path in sorted((data / FOLDER).glob(f"*.{split}.jsonl.gz")):
        if path.name.split(".")[0] not in languages:
            continue
        rows = learned_rows(path)
        at = 0
        while at < len(rows):
            count = rng.choice((1, 1, 2, _MOST_JOINED))
            yield labelled(rows[at : at + count], split)
            at += count


def learned_rows(path: Path) -> list[dict[str, Any]]:
    """The sentences of a training file without those that are kept to measure with."""
    rows = rows_of(path)
    kept = PARALLEL in path.name or path.name.startswith(WITHOUT_DEV)
    return rows[: int(LEARNED * len(rows))] if kept and ".train." in path.name else rows


def kept_rows(path: Path) -> list[dict[str, Any]]:
    """What `learned_rows` leaves out."""
    return rows_of(path)[len(learned_rows(path)) :]


def labelled(rows: Sequence[dict[str, Any]], split: str) -> Labelled:
    """Sentences of one source as one text. What a source marks as MISC is left open: sources differ in it."""
    text = ""
    spans: list[tuple[int, int, str]] = []
    left_open: list[tuple[int, int, str]] = []
    for row in rows:
        text += " " if text else ""
        begun: tuple[int, int, str] | None = None
        before = ""
        for token, tag in zip(row["tokens"], row["tags"], strict=True):
            if not token:
                continue
            unspaced = row["lang"] in UNSPACED_LANGUAGES and not (before[-1:] + token[0]).isascii()
            text += " " if before and not unspaced and _has_space(before, token) else ""
            start = len(text)
            text += token
            kind = tag[2:]
            if tag[0] == "I" and begun and begun[2] == kind:
                begun = (begun[0], len(text), kind)
            else:
                _close(begun, spans, left_open)
                begun = (start, len(text), kind) if kind else None
            before = token
        _close(begun, spans, left_open)
    name = f"{rows[0]['lang']}.{rows[0]['source']}"
    return Labelled(name, split, text, tuple(spans), THREE, None, tuple(left_open))


def _close(
    span: tuple[int, int, str] | None,
    spans: list[tuple[int, int, str]],
    left_open: list[tuple[int, int, str]],
) -> None:
    if span and span[2] == "MISC":
        left_open.append((span[0], span[1], "ANY"))
    elif span:
        spans.append(span)


def _has_space(before: str, token: str) -> bool:
    if token[0] in _NO_SPACE_BEFORE and len(token) <= 3:
        return False
    return not (before in _NO_SPACE_AFTER or (before[-1] in "'’" and len(before) <= 3))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Every sentence of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
