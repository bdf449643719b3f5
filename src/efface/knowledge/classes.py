"""Classes: what a reader trained on labelled documents can tell from a text.

model = train(read_corpus(path, sensitive="client", utility=["industry"]))
save(model, path); model = load(path)
"""

from __future__ import annotations

from efface.knowledge.classes_corpus import Fields, empty_classes, read_aliases, read_corpus, read_words
from efface.knowledge.classes_files import load, save
from efface.knowledge.classes_model import ClassModel, LabelledDocument, Labels, Settings, View
from efface.knowledge.classes_names import Spelling, find_names
from efface.knowledge.classes_training import train

__all__ = [
    "ClassModel",
    "Fields",
    "LabelledDocument",
    "Labels",
    "Settings",
    "Spelling",
    "View",
    "empty_classes",
    "find_names",
    "load",
    "read_aliases",
    "read_corpus",
    "read_words",
    "save",
    "train",
]
