"""Classes: what a reader trained on labelled documents can infer from a text.

model = train(read_corpus(path, sensitive="client", utility=["industry"]))
save(model, path); model = load(path)
"""

from __future__ import annotations

from efface.knowledge.classes.corpus import (
    RecordFields,
    empty_classes,
    read_aliases,
    read_corpus,
    read_corpus_bytes,
    read_words,
)
from efface.knowledge.classes.files import load, save
from efface.knowledge.classes.model import ClassModel, CountedText, LabelledDocument, Labels, TrainingSettings
from efface.knowledge.classes.names import Spelling, find_names
from efface.knowledge.classes.training import train

__all__ = [
    "ClassModel",
    "CountedText",
    "LabelledDocument",
    "Labels",
    "RecordFields",
    "Spelling",
    "TrainingSettings",
    "empty_classes",
    "find_names",
    "load",
    "read_aliases",
    "read_corpus",
    "read_corpus_bytes",
    "read_words",
    "save",
    "train",
]
