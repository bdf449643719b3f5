"""The labelled texts that the names model learns from, all as text with character spans.

Every source is split the same way by a hash of its document (or template): `train`, `tune` (calibration
and thresholds) and `report` (figures only). WikiGold is never trained on: it is the domain held out.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from training.names.synthetic import template_key

from efface.finders.patterns.finder import PatternFinder

# The model's own types. ADDRESS is told apart from LOCATION only inside the model.
TYPES = (
    "PERSON",
    "LOCATION",
    "ORGANIZATION",
    "DATE_TIME",
    "NRP",
    "QUANTITY",
    "CODE",
    "MISC",
    "ADDRESS",
)
THREE = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
ALL = frozenset(TYPES)

_TAB_TYPES = {"LOC": "LOCATION", "ORG": "ORGANIZATION", "DATETIME": "DATE_TIME", "DEM": "NRP"}
_SHORT = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANIZATION", "MISC": "MISC"}
_CODES = frozenset("CREDIT_CARD US_SSN IBAN_CODE US_DRIVER_LICENSE".split())
_PATTERNED = frozenset("PHONE_NUMBER EMAIL_ADDRESS IP_ADDRESS DOMAIN_NAME".split())
_TITLES = frozenset("TITLE PREFIX".split())

Span = tuple[int, int, str]

# Nationalities, religions and political groups: what the sources without such a type would teach to ignore.
_NRP = re.compile(
    r"\b(?:Afghan|African|Albanian|Algerian|American|Arab|Argentin(?:e|ian)|Armenian|Asian|Australian|Austrian|"
    r"Azerbaijani|Bangladeshi|Belgian|Bolivian|Bosnian|Brazilian|British|Bulgarian|Cambodian|Canadian|Catholic|"
    r"Chechen|Chilean|Chinese|Christian|Colombian|Communist|Conservative|Croat(?:ian)?|Cuban|Cypriot|Czech|"
    r"Danish|Democrat(?:ic)?|Dutch|Egyptian|English|Estonian|Ethiopian|European|Filipino|Finnish|French|"
    r"Georgian|German|Ghanaian|Greek|Haitian|Hindu|Hispanic|Hungarian|Icelandic|Indian|Indonesian|Iranian|"
    r"Iraqi|Irish|Islamist|Israeli|Italian|Jamaican|Japanese|Jewish|Jordanian|Kenyan|Korean|Kurdish|Kuwaiti|"
    r"Latino|Latvian|Lebanese|Libyan|Lithuanian|Malaysian|Maltese|Mexican|Moldovan|Moroccan|Mormon|Muslim|"
    r"Nepalese|Nigerian|Norwegian|Pakistani|Palestinian|Peruvian|Polish|Portuguese|Protestant|Republican|"
    r"Romanian|Russian|Saudi|Scottish|Serb(?:ian)?|Shi[ai](?:te)?|Sikh|Singaporean|Slovak|Slovenian|Somali|"
    r"Spanish|Sudanese|Sunni|Swedish|Swiss|Syrian|Taiwanese|Thai|Tunisian|Turkish|Ukrainian|Venezuelan|"
    r"Vietnamese|Welsh|Yemeni|Buddhist|Socialist|Tory|Zionist|Baptist|Lutheran|Methodist|Orthodox)s?\b"
)
_DATES = PatternFinder(types=frozenset({"DATE_TIME"}))


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with typed spans. What is outside them is none of `known`.

    `open` stretches are nothing or of the type they name, or ANY: numbers that patterns find are CODE if
    anything, never the end of an address; titles PERSON.
    `masks` (TAB only): spans with `DIRECT`, `QUASI` or `NO_MASK`.
    """

    source: str
    split: str
    text: str
    spans: tuple[Span, ...]
    known: frozenset[str]
    masks: tuple[Span, ...] | None = None
    open: tuple[Span, ...] = ()
    name: str = ""


def read_all(data: Path) -> list[Labelled]:
    """Every source."""
    return [
        *tab(data),
        *sentences(data / "ner/uner-ewt.jsonl.gz"),
        *sentences(data / "ner/btc.jsonl.gz"),
        *sentences(data / "ner/wnut17.jsonl.gz"),
        *sentences(data / "ner/wikigold.jsonl.gz"),
        *generated(data),
        *clinical(data),
    ]


def share(name: str) -> float:
    """A number in [0, 1) that depends on the name alone."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") / 2**32


def tab(data: Path) -> Iterator[Labelled]:
    """Court cases. The published dev part is for the report; an eighth of the rest tunes."""
    for row in _rows(data / "tab/tab.jsonl.gz"):
        mentions = row["mentions"]
        spans = tuple((m["start"], m["end"], _TAB_TYPES.get(m["type"], m["type"])) for m in mentions)
        masks = tuple((m["start"], m["end"], m["identifier"]) for m in mentions)
        tune = share(row["doc_id"]) < 0.12
        split = "report" if row["split"] == "dev" else "tune" if tune else "train"
        yield Labelled("tab", split, row["text"], spans, ALL, masks, name=row["doc_id"])


_STOPS = frozenset(".!?:;,\"'”’)]")


def sentences(path: Path) -> Iterator[Labelled]:
    """Sources in tokens. Sentences of one document stand together, with spaces or new lines between; one that
    ends without a stop was a line of its own (a heading, a signature)."""
    rng = random.Random(5)
    rows = enumerate(_rows(path))
    for name, group in groupby(rows, key=lambda pair: pair[1]["doc"] or f"{path.name}{pair[0]}"):
        members = [row for _, row in group]
        source = members[0]["source"]
        text, spans = "", []
        for row in members:
            if text:
                text += "\n" if text[-1] not in _STOPS or rng.random() < 0.3 else " "
            sentence, found = joined(row["tokens"], row["tags"])
            spans += [(start + len(text), end + len(text), kind) for start, end, kind in found]
            text += sentence
        split = _split(source, members[0]["split"], name)
        known = THREE | {"MISC"} if source == "wikigold" else THREE
        yield Labelled(source, split, text, _with_pseudo(text, spans), known, name=name)


def _split(source: str, published: str, name: str) -> str:
    if source == "wikigold":
        return "report"
    if published == "dev":
        return "report"
    drawn = share(name)
    if source == "btc" and drawn > 0.95:
        return "report"
    return "tune" if drawn < 0.06 else "train"


_NO_SPACE_BEFORE = frozenset(", . ; : ! ? ) ] } % 's n't 'm 're 've 'll 'd ’s ... '".split())
_NO_SPACE_AFTER = frozenset("( [ { $ # @ £ €".split())


def joined(tokens: list[str], tags: list[str]) -> tuple[str, list[Span]]:
    """A sentence as it was probably written, with its spans."""
    text, glue = "", True
    spans: list[Span] = []
    for number, (word, tag) in enumerate(zip(tokens, tags, strict=True)):
        within = tag.startswith("I-")
        if word == "-" and within:  # al-Ani
            glue = True
        if not (glue or word in _NO_SPACE_BEFORE):
            text += " "
        start = len(text)
        text += word
        if within and spans:
            spans[-1] = (spans[-1][0], len(text), spans[-1][2])
        elif tag != "O":
            handle = text[start - 1 : start] == "@" and spans and spans[-1][1] == start
            kind = _SHORT[tag[2:]]
            spans[-1:] = (
                [(spans[-1][0], len(text), kind)] if handle else [*spans[-1:], (start, len(text), kind)]
            )
        inside = number + 1 < len(tags) and tags[number + 1].startswith("I-")
        glue = word in _NO_SPACE_AFTER or (word == "-" and inside)
    return text, spans


def _with_pseudo(text: str, spans: list[Span]) -> tuple[Span, ...]:
    """Dates by pattern and nationalities by list, where the source marks nothing else."""
    found = [(m.start, m.end, "DATE_TIME") for m in _DATES.find(text)]
    found += [(match.start(), match.end(), "NRP") for match in _NRP.finditer(text)]
    spans = [span for span in spans if span[2] != "MISC" or (span[0], span[1], "NRP") not in found]
    return tuple(without_overlaps([*spans, *found]))


def without_overlaps(spans: Iterable[Span]) -> list[Span]:
    """Of overlapping spans the earlier in the list."""
    kept: list[Span] = []
    for span in spans:
        if not any(span[0] < other[1] and other[0] < span[1] for other in kept):
            kept.append(span)
    return sorted(kept)


def generated(data: Path) -> Iterator[Labelled]:
    """Presidio's synthetic sentences, split by template: no template is in two parts."""
    with gzip.open(data / "pii/presidio-generated.json.gz", "rt", encoding="utf-8") as file:
        rows: list[dict[str, Any]] = json.load(file)
    for row in rows:
        spans, left_open = [], []
        for span in row["spans"]:
            start, end, kind = span["start_position"], span["end_position"], span["entity_type"]
            if kind in _PATTERNED | _TITLES:
                left_open.append((start, end, "PERSON" if kind in _TITLES else "CODE"))
            else:
                spans.append((start, end, "CODE" if kind in _CODES else kind))
        known = THREE | {"DATE_TIME", "ADDRESS", "CODE"}
        text = row["full_text"]
        nationalities = [(match.start(), match.end(), "NRP") for match in _NRP.finditer(text)]
        spans = without_overlaps([*spans, *nationalities])
        split = template_split(row["masked"])
        yield Labelled(
            "presidio", split, text, tuple(spans), known, None, tuple(left_open), str(row["template_id"])
        )


def template_split(template: str) -> str:
    """The part that a template belongs to."""
    drawn = share(template_key(template))
    return "report" if drawn < 0.25 else "tune" if drawn < 0.33 else "train"


def clinical(data: Path) -> Iterator[Labelled]:
    """Notes and dialogues with the names of patient and doctor, wherever they stand in them."""
    for row in _rows(data / "clinical/aci-bench.jsonl.gz"):
        names = name_parts(row["patient"], row["doctor"])
        split = "report" if row["split"] == "valid" else "tune" if share(row["id"]) < 0.1 else "train"
        for kind in ("note", "dialogue"):
            text = row[kind]
            spans = [(m.start(), m.end(), "PERSON") for m in names.finditer(text)] if names else []
            spans = list(_with_pseudo(text, spans))
            yield Labelled(f"aci-{kind}", split, text, tuple(spans), frozenset({"PERSON"}), name=row["id"])


def name_parts(*names: str) -> re.Pattern[str] | None:
    """Finds these names and their parts, in any case, with a title before them."""
    whole = [" ".join(name.split()) for name in names]
    parts = {part for name in whole for part in name.split() if len(part) > 2 and not part.endswith(".")}
    either = sorted({name for name in [*whole, *parts] if name}, key=len, reverse=True)
    if not either:
        return None
    title = r"(?:(?:mrs?|ms|dr|doctor|miss)\b\.? ?)?"
    alternatives = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in either)
    return re.compile(rf"\b{title}(?:{alternatives})(?: (?:{alternatives}))*\b", re.IGNORECASE)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
