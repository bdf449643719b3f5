"""The packaged model: an int8 network that onnxruntime runs, its vocabulary, and its settings.

Loaded when a text is first read, checked by its digest, and shared by every finder of the process.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.finders.names.plain_sentences import SentenceBounds
from efface.finders.names.tokens import Vocabulary, WordPieces
from efface.finders.names.windows import WindowRow, arrays, rows
from efface.text.progress import tell

PACKAGED = Path(__file__).parent / "data"
TYPES = ("PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "NRP", "QUANTITY", "CODE", "MISC", "ADDRESS")

# Of the two networks one finds names, the other has seen more of court cases and says what identifies the person
# whom a text is about.
NAMES, SUBJECT = "names.onnx", "subject.onnx"
REMEMBERED = 2_000  # windows of one text
_TOLD = 20  # windows from which on it is told how many are read

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Logits = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class NamesSettings:
    """What was learned beside the weights, on texts that are in no report: temperature, thresholds and
    weights."""

    digest: str
    temperature: float = 1.0
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    mask_thresholds: Mapping[str, float] = field(default_factory=dict)
    subject: Mapping[str, float] = field(default_factory=dict)  # weights of what is known of a mention


@dataclass(frozen=True, slots=True)
class WordPredictions:
    """What the model says of each word: how probable each type is, that a mention begins, that it identifies
    the person the text is about."""

    types: Floats
    begins: Floats
    mask: Floats


class NamesModel:
    """The network with all that belongs to it."""

    __slots__ = ("_mark", "_session", "sentences", "settings", "vocabulary")

    def __init__(
        self, session: Any, vocabulary: Vocabulary, settings: NamesSettings, mark: bytes = b""
    ) -> None:
        self._session = session
        self._mark = mark  # distinguishes its windows from another network's
        self.vocabulary = vocabulary
        self.settings = settings
        self.sentences = SentenceBounds(vocabulary)

    def judge(self, words: WordPieces, known: dict[bytes, Logits], whole: bool = False) -> WordPredictions:
        """The probabilities of every word, by windows, with all processors; sentences that are plain are not
        read unless `whole`.

        `known` remembers windows that were read before in the same text: forms and logs repeat themselves.
        """
        judged = WordPredictions(
            np.zeros((len(words), len(TYPES)), np.float32),
            np.zeros(len(words), np.float32),
            np.zeros(len(words), np.float32),
        )
        chosen = list(self.rows(words, whole))
        if not chosen:
            return judged
        new = {key: one for one in chosen if (key := self._mark + one.key) not in known}
        read = dict(self._read(list(new.values())))
        keys = [self._mark + one.key for one in chosen]
        logits = [read.get(key) or known[key] for key in keys]
        self._store_predictions(np.concatenate([one.words for one in chosen]), logits, judged)
        if len(known) < REMEMBERED:
            known.update(read)
        return judged

    def rows(self, words: WordPieces, whole: bool) -> Iterator[WindowRow]:
        """The windows of a text."""
        if not len(words):
            return iter(())
        ends = self.sentences.ends(words)
        read = np.ones(len(words), bool) if whole else ~self.sentences.plain(words, ends)
        return rows(words, ends, read)

    def _read(self, given: list[WindowRow]) -> Iterator[tuple[bytes, Logits]]:
        if len(given) < 2:  # nothing runs beside it, so that a thread is not worth its start
            yield from ((self._mark + one.key, self._at_places(one)) for one in given)
            return
        longest_first = sorted(given, key=lambda one: len(one.ids), reverse=True)  # the last to end are short
        with ThreadPoolExecutor(processors()) as pool:
            read = zip(longest_first, pool.map(self._at_places, longest_first), strict=True)
            for number, (one, logits) in enumerate(read):
                if len(given) >= _TOLD:
                    tell(number, len(given))
                yield self._mark + one.key, logits

    def _at_places(self, row: WindowRow) -> Logits:
        """The network on one window, at the places of its own words."""
        types, mask = self.run(row)
        return types[0, row.places], mask[0, row.places]

    def run(self, row: WindowRow) -> Logits:
        """The network on one window."""
        ids, features, present = arrays(row)
        types, mask = self._session.run(None, {"ids": ids, "features": features, "present": present})
        return types, mask

    def _store_predictions(self, places: Ints, logits: list[Logits], judged: WordPredictions) -> None:
        tags = softmax(np.concatenate([one[0] for one in logits]), self.settings.temperature)
        mask = softmax(np.concatenate([one[1] for one in logits]))
        begins = tags[:, 1::2]
        types = begins + tags[:, 2::2]
        best = types.argmax(1)
        row = np.arange(len(best))
        judged.types[places] = types
        judged.begins[places] = begins[row, best] / np.maximum(types[row, best], 1e-9)
        judged.mask[places] = 1 - mask[:, 0]


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Along the last axis."""
    raised = np.exp((logits - logits.max(-1, keepdims=True)) / np.float32(temperature))
    return np.asarray(raised / raised.sum(-1, keepdims=True), np.float32)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=4)
def load_model(folder: Path = PACKAGED, network: str = NAMES) -> NamesModel:
    """One of the networks of a folder with `names.onnx`, `subject.onnx`, `vocab.txt` and `settings.json`."""
    settings = _settings(folder / "settings.json")
    vocabulary = Vocabulary.load(folder / "vocab.txt")
    try:
        damaged = digest(folder) != settings.digest
    except OSError:
        raise InputError("The names model cannot be read.", _HINT) from None
    if damaged:
        raise InputError("The names model is damaged: its digest is another.", _HINT)
    return NamesModel(session(folder / network), vocabulary, settings)


def digest(folder: Path) -> str:
    """The digest of the networks and the vocabulary together."""
    whole = hashlib.sha256()
    for name in (NAMES, SUBJECT, "vocab.txt"):
        whole.update((folder / name).read_bytes())
    return whole.hexdigest()


_HINT = "Install efface again, name the folder of another model, or set `find.names: none`."


def session(path: Path) -> Any:
    """What runs a network."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # whole windows run side by side instead
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            str(path),  # the second network takes its word embeddings from the first one's file
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # the fused operator is five times slower
        )
    except Exception as error:  # onnxruntime's own errors have no common base
        raise InputError(f"The names model cannot be run ({type(error).__name__}).", _HINT) from None


def _settings(path: Path) -> NamesSettings:
    try:
        row = json.loads(path.read_bytes())
        return NamesSettings(
            str(row["digest"]),
            float(row["temperature"]),
            {name: dict(values) for name, values in row["thresholds"].items()},
            dict(row["mask_thresholds"]),
            dict(row["subject"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("The names model's settings cannot be read.", _HINT) from None
