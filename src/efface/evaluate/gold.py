"""Gold standards as cases: a text, and what annotators marked in it.

Read are the Text Anonymization Benchmark (`tab`), presidio-research's sentences (`presidio`), columns of
tokens and tags (`conll`), folders of `.txt` and `.ann` (`brat`), and one JSON object a line (`jsonl`).
Any file may be compressed with gzip.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from efface.errors import InputError
from efface.files.local import MAX_BYTES, read_input

# One name for each kind of thing, whatever a gold standard or a finder calls it.
CANONICAL: Mapping[str, str] = {
    **dict.fromkeys(("PER", "PERSON", "NAME", "PATIENT", "DOCTOR"), "PERSON"),
    **dict.fromkeys(("LOC", "LOCATION", "GPE", "FAC", "ADDRESS", "STREET_ADDRESS", "POSTCODE"), "LOCATION"),
    **dict.fromkeys(("ORG", "ORGANIZATION", "ORGANISATION", "CORPORATION", "GROUP"), "ORGANIZATION"),
    **dict.fromkeys(("DATETIME", "DATE", "TIME", "DATE_TIME"), "DATE_TIME"),
    **dict.fromkeys(("DEM", "NORP", "NRP", "AGE"), "NRP"),
    **dict.fromkeys(("QUANTITY", "MONEY", "PERCENT", "CARDINAL", "ORDINAL"), "QUANTITY"),
    **dict.fromkeys(("MISC", "PRODUCT", "EVENT", "LAW", "LANGUAGE", "WORK_OF_ART"), "MISC"),
    **dict.fromkeys(("URL", "DOMAIN_NAME"), "URL"),
    **{name: name for name in ("EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS")},
}
TO_MASK = frozenset({"DIRECT", "QUASI"})
# Presidio-research marks a title or leaves it, as the template has it.
_UNJUDGED = frozenset({"TITLE", "PREFIX"})


def canonical(kind: str) -> str:
    """The type under which a mention is counted. Numbers of all sorts are codes."""
    return CANONICAL.get(kind.upper(), "CODE")


@dataclass(frozen=True, slots=True)
class Gold:
    """A marked stretch. `entity` joins the mentions of one thing; `identifier` is DIRECT, QUASI or NO_MASK."""

    start: int
    end: int
    type: str
    entity: str = ""
    identifier: str = ""

    @property
    def is_masked(self) -> bool:
        return not self.identifier or self.identifier in TO_MASK


@dataclass(frozen=True, slots=True)
class GoldCase:
    """A text with what each annotator marked. `unjudged` stretches count neither as hits nor as misses."""

    name: str
    text: str
    annotations: tuple[tuple[Gold, ...], ...]
    unjudged: tuple[tuple[int, int], ...] = ()


def read_gold(path: Path, form: str, split: str = "") -> tuple[GoldCase, ...]:
    """The cases in a file or folder; with `split`, only those that say they belong to it."""
    if form not in READERS:
        raise InputError(f"No gold standard has the format {form}.", f"Choose one of {', '.join(READERS)}.")
    try:
        cases = tuple(READERS[form](path, split))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError(
            f"{path} is not a gold standard of the format {form}.", "See docs/names.md for the formats."
        ) from None
    if not cases:
        raise InputError(f"{path} has no case{' of this split' if split else ''}.", "Check the file.")
    for case in cases:
        for gold in (gold for annotation in case.annotations for gold in annotation):
            if not 0 <= gold.start < gold.end <= len(case.text):
                raise InputError(
                    f"{path}: a span of case {case.name} is not inside its text.", "Mend the span."
                )
    return cases


def read_text(path: Path) -> str:
    """A UTF-8 file, plain or compressed, within the limit for documents."""
    data = read_input(path)
    try:
        if data[:2] == b"\x1f\x8b":
            unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
            data = unpacker.decompress(data, 4 * MAX_BYTES)
            if unpacker.unconsumed_tail:
                raise InputError(f"{path} unpacks to more than {4 * MAX_BYTES >> 20} MiB.", "Split it.")
        return data.decode("utf-8-sig")
    except (zlib.error, gzip.BadGzipFile, UnicodeDecodeError):
        raise InputError(f"{path} is not UTF-8 text, or is damaged.", "Check the file.") from None


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """JSON objects: a list of them, or one a line."""
    text = read_text(path)
    rows = (
        json.loads(text) if text.lstrip()[:1] == "[" else map(json.loads, filter(str.strip, text.split("\n")))
    )
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ValueError(number)
        yield row


def _tab(path: Path, split: str) -> Iterator[GoldCase]:
    """Its published JSON (annotators and their `entity_mentions`), or one case a line with `mentions`."""
    for row in _of_split(json_rows(path), split):
        if "mentions" in row:
            marked = [row["mentions"]]
        else:
            marked = [annotation["entity_mentions"] for annotation in row["annotations"].values()]
        yield GoldCase(str(row["doc_id"]), row["text"], tuple(tuple(map(_tab_mention, ms)) for ms in marked))


def _tab_mention(row: Mapping[str, Any]) -> Gold:
    start, end = (row["start"], row["end"]) if "start" in row else (row["start_offset"], row["end_offset"])
    kind, identifier = row.get("type") or row["entity_type"], row.get("identifier") or row["identifier_type"]
    return Gold(start, end, canonical(kind), str(row.get("entity") or row["entity_id"]), identifier)


def _presidio(path: Path, split: str) -> Iterator[GoldCase]:
    for number, row in enumerate(_of_split(json_rows(path), split)):
        gold, unjudged = [], []
        for span in row["spans"]:
            start, end, kind = span["start_position"], span["end_position"], span["entity_type"]
            if kind in _UNJUDGED:
                unjudged.append((start, end))
            else:
                gold.append(Gold(start, end, canonical(kind)))
        yield GoldCase(str(number), row["full_text"], (tuple(gold),), tuple(unjudged))


def _jsonl(path: Path, split: str) -> Iterator[GoldCase]:
    """`{"text": …, "spans": [{"start": …, "end": …, "type": …}]}`, or `{"tokens": […], "tags": […]}`."""
    for number, row in enumerate(_of_split(json_rows(path), split)):
        name = str(row.get("name") or row.get("id") or number)
        if "tokens" in row:
            yield _from_tokens(name, row["tokens"], row["tags"])
            continue
        gold = [
            Gold(
                span["start"],
                span["end"],
                canonical(span.get("type") or span["label"]),
                str(span.get("entity", "")),
            )
            for span in row["spans"]
        ]
        yield GoldCase(name, row["text"], (tuple(gold),))


def _of_split(rows: Iterable[dict[str, Any]], split: str) -> Iterator[dict[str, Any]]:
    return (row for row in rows if not split or row.get("split", row.get("dataset_type")) == split)


def _conll(path: Path, split: str) -> Iterator[GoldCase]:
    """The first column is the token, the last the tag; an empty line ends a sentence."""
    if split:
        raise InputError("The format conll has no splits.", "Give the file of the split.")
    for number, block in enumerate(re.split(r"\n[ \t]*\n", read_text(path).replace("\r\n", "\n"))):
        rows = [
            line.split()
            for line in block.split("\n")
            if line.strip() and not line.startswith(("#", "-DOCSTART"))
        ]
        if rows:
            tokens = [row[0] for row in rows]
            tags = [row[-1] for row in rows]
            yield _from_tokens(str(number), tokens, tags)


def _from_tokens(name: str, tokens: list[str], tags: list[str]) -> GoldCase:
    """Tokens with a space between them. A tag is O, B-TYPE or I-TYPE; an I- with nothing before it begins."""
    gold: list[Gold] = []
    at = 0
    inside = ""
    for token, tag in zip(tokens, tags, strict=True):
        mark, _, kind = tag.partition("-")
        if mark not in "OBIES" or (mark != "O" and not kind):
            raise ValueError
        kind = canonical(kind) if kind else ""
        if kind and mark in "IE" and kind == inside:
            gold[-1] = Gold(gold[-1].start, at + len(token), kind)
        elif kind:
            gold.append(Gold(at, at + len(token), kind))
        inside = kind
        at += len(token) + 1
    return GoldCase(name, " ".join(tokens), (tuple(gold),))


def _brat(path: Path, split: str) -> Iterator[GoldCase]:
    """A folder of `.txt` files with their `.ann`; of a discontinuous annotation every piece is a mention."""
    if split:
        raise InputError("The format brat has no splits.", "Give the folder of the split.")
    folder = path if path.is_dir() else path.parent
    for file in sorted(folder.glob("*.ann")) if path.is_dir() else [path.with_suffix(".ann")]:
        gold: list[Gold] = []
        for line in read_text(file).split("\n"):
            if line.startswith("T"):
                name, described, _ = line.split("\t", 2)
                kind, _, places = described.partition(" ")
                for place in places.split(";"):
                    start, end = map(int, place.split())
                    gold.append(Gold(start, end, canonical(kind), name))
        yield GoldCase(file.stem, read_text(file.with_suffix(".txt")), (tuple(gold),))


READERS: Mapping[str, Callable[[Path, str], Iterator[GoldCase]]] = {
    "tab": _tab,
    "presidio": _presidio,
    "conll": _conll,
    "brat": _brat,
    "jsonl": _jsonl,
}
