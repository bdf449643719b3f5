"""A reader who has seen redacted documents: redact the training documents, learn from them, add those readers, again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from efface.core import Document, Reading, apply_edits
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes.labels import LabelledDocument, TrainingSettings
from efface.knowledge.classes.model import ClassModel
from efface.knowledge.classes.readers import TrainedReader
from efface.knowledge.classes.sparse_table import SparseTable
from efface.knowledge.classes.training import train

ADAPTIVE = ("linear-svm", "logistic", "cosine")  # the kinds that learn again from redacted documents

ProgressListener = Callable[[int, int], None]


def train_in_rounds(
    documents: Sequence[LabelledDocument],
    settings: TrainingSettings,
    aliases: Mapping[str, tuple[str, ...]],
    rounds: int,
    k: int,
    watch: ProgressListener = lambda _done, _total: None,
) -> ClassModel:
    """The model with readers of every round beside the first ones; `cosine/2` learned from the second redaction."""
    model = train(documents, settings, aliases)
    kinds = tuple(name for name in ADAPTIVE if name in settings.others)
    again = replace(settings, readers=kinds, features=None)
    for number in range(1, rounds + 1):
        redacted = list(as_released(model, documents, k, watch))
        if not kinds or not redacted:
            break
        learned = train(redacted, again)
        added = tuple(_fitted(reader, learned, model, f"{reader.name}/{number}") for reader in learned.others)
        model = model.with_readers((*model.others, *added), model.pairs, model.categories)
    return model


def as_released(
    model: ClassModel,
    documents: Sequence[LabelledDocument],
    k: int,
    watch: ProgressListener = lambda _done, _total: None,
) -> Iterator[LabelledDocument]:
    """The documents as they would be released. A refused document is left out: no attacker could learn from it."""
    # Nothing of this is released, so the key need not be secret; a fixed one gives the same model each time.
    promise = Confusability(model, k, method="simple", secret=SecretRank(b"efface: rounds of training"))
    for number, document in enumerate(documents, 1):
        watch(number, len(documents))
        bound = promise.bind(document.text, document.sensitive, document.utility)
        reading = Reading(Document("", "text", document.text), ())
        try:
            plan = bound.plan(reading, bound.assess(reading))
        except Infeasible:
            continue
        edits = [replace(edit, replacement="[WORD_1]") for edit in plan.edits]
        yield replace(document, text=apply_edits(document.text, edits))


def _fitted(reader: TrainedReader, learned: ClassModel, model: ClassModel, name: str) -> TrainedReader:
    """The reader with the words and the classes numbered as in the model."""
    words = np.array([model.index.get(word, -1) for word in learned.words], np.int64)
    # A class may have lost its commonest spelling with the documents that were refused.
    classes = np.array([model.sensitive.index(label) for label in learned.sensitive.names], np.int64)
    rows, columns = reader.table.cells()
    known = words[rows] >= 0
    table = SparseTable.of_cells(
        words[rows[known]],
        classes[columns[known]],
        reader.table.values[known],
        len(model.words),
        len(model.sensitive.names),
    )
    return TrainedReader(name, table)
