"""Person names in six kinds of text, document by document."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from efface.knowledge.identifiers.corpus import LabelledSpan, LabelledText, read_labelled

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TYPE = "PERSON"


def _records(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _persons(document: LabelledText) -> LabelledText:
    spans = tuple(span for span in document.spans if span.type == TYPE)
    return LabelledText(document.name, document.text, spans)


def _web_treebank(genre: str) -> list[LabelledText]:
    documents = read_labelled(DATA / "ner" / "uner-ewt.jsonl.gz")
    return [_persons(document) for document in documents if document.name.startswith(genre)]


def enron() -> list[LabelledText]:
    return _web_treebank("email")


def newsgroup() -> list[LabelledText]:
    return _web_treebank("newsgroup")


def tweets() -> list[LabelledText]:
    return [_persons(document) for document in read_labelled(DATA / "ner" / "btc.jsonl.gz")]


def court() -> list[LabelledText]:
    """Court cases of the Text Anonymization Benchmark; spans of several annotators are one set."""
    found = []
    for record in _records("tab/tab.jsonl.gz"):
        spans = {
            LabelledSpan(m["start"], m["end"], TYPE) for m in record["mentions"] if m["type"] == "PERSON"
        }
        found.append(LabelledText(record["doc_id"], record["text"], tuple(sorted(spans))))
    return found


def clinical() -> list[LabelledText]:
    """Notes of ACI-Bench. The names of patient and doctor are given: they are looked for, whole and in part."""
    found = []
    for record in _records("clinical/aci-bench.jsonl.gz"):
        parts = {
            part
            for name in (record["patient"], record["doctor"])
            for part in re.findall(r"\w{2,}", name or "")
        }
        pattern = (
            re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, parts)))})\b") if parts else re.compile("(?!)")
        )
        spans = tuple(LabelledSpan(*match.span(), TYPE) for match in pattern.finditer(record["note"]))
        found.append(LabelledText(record["id"], record["note"], spans))
    return found


def wiki() -> list[LabelledText]:
    """WikiGold has no documents: ten sentences that stand together are one."""
    sentences = [_persons(sentence) for sentence in read_labelled(DATA / "ner" / "wikigold.jsonl.gz")]
    found = []
    for first in range(0, len(sentences), 10):
        text, spans = "", []
        for one in sentences[first : first + 10]:
            spans += [LabelledSpan(s.start + len(text), s.end + len(text), s.type) for s in one.spans]
            text += one.text
        found.append(LabelledText(f"wiki{first}", text, tuple(spans)))
    return found


DATASETS: Mapping[str, Callable[[], list[LabelledText]]] = {
    "enron": enron,
    "newsgroup": newsgroup,
    "clinical": clinical,
    "tweets": tweets,
    "court": court,
    "wiki": wiki,
}
UNSEEN = frozenset({"wiki"})  # the names model learned from the others


def load(name: str, words: int | None, seed: int = 0) -> list[LabelledText]:
    """The documents of a data set, or a sample of about so many words."""
    documents = DATASETS[name]()
    if words is None:
        return documents
    chosen: list[LabelledText] = []
    for at in np.random.default_rng(seed).permutation(len(documents)).tolist():
        if words <= 0:
            break
        chosen.append(_cut(documents[at], words))
        words -= len(chosen[-1].text.split())
    return chosen


def _cut(document: LabelledText, words: int) -> LabelledText:
    """At most so many words of a document, so that one long one does not fill a sample."""
    most = max(400, words // 20)
    text = " ".join(document.text.split(" ")[:most])
    return LabelledText(document.name, text, tuple(span for span in document.spans if span.end <= len(text)))
