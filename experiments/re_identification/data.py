"""WikiActors: abstracts as published methods left them, and what an attacker knows of everybody."""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "reid"
METHODS = ("ner3", "ner4", "ner7", "presidio", "spacy", "word2vec_t=0.5", "word2vec_t=0.25", "manual")
# The README of TextRe-Identification, 50 candidates: share of right first guesses of its fine-tuned DistilBERT.
PUBLISHED = {
    "original": 100, "ner7": 88, "presidio": 74, "ner3": 70, "spacy": 70, "ner4": 60,
    "word2vec_t=0.5": 48, "word2vec_t=0.25": 26, "manual": 10,
}  # fmt: skip
# Placeholders of the published versions are words in capitals; those of efface stand in brackets.
_PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+\]|DATE TIME|[A-Z]{4,}")


def backgrounds(candidates: int, *, quarter: bool = False) -> dict[str, str]:
    name = f"actors{candidates}.background{'25' if quarter else ''}.jsonl.gz"
    return {row["person"]: row["background"] for row in _rows(name)}


def abstracts() -> list[dict[str, str]]:
    return _rows("actors.eval.jsonl.gz")


def _rows(name: str) -> list[dict[str, str]]:
    path = FOLDER / name
    if not path.is_file():
        sys.exit(f"The data {name} is not there: it is expected beside the project, in shared/data/reid.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def without_placeholders(text: str) -> str:
    return _PLACEHOLDER.sub(" ", text)


def words_kept(original: str, released: str) -> float:
    """The share of the original's words, as a multiset and in lower case, that the release still has."""
    before = Counter(re.findall(r"[^\W_]+", original.lower()))
    after = Counter(re.findall(r"[^\W_]+", without_placeholders(released).lower()))
    return sum((before & after).values()) / max(1, sum(before.values()))
