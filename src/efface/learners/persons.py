"""The probability, by the project's own names model, that each token belongs to a person's name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from efface.learners.tokens import Tokens

_SURE = 1e-6  # nothing is more certain


class Persons:
    """Texts in tokens. The model reads them once, when it is first asked: most learners never do."""

    def __init__(self, texts: Sequence[Tokens]) -> None:
        self._texts = texts

    @cached_property
    def log_odds(self) -> NDArray[np.float32]:
        """The log-odds of every token, text by text."""
        if not self._texts:
            return np.zeros(0, np.float32)
        probable = np.concatenate([_probable(tokens) for tokens in self._texts])
        held = np.clip(probable.astype(np.float64), _SURE, 1 - _SURE)
        return np.log(held / (1 - held)).astype(np.float32)


def digest() -> str:
    """The digest of the names model. A threshold is valid with that model only."""
    from efface.finders.names.model import load_model

    return load_model().settings.digest


def _probable(tokens: Tokens) -> NDArray[np.float32]:
    """The probability of the likeliest of the model's words in each token; they cut words in their own way."""
    from efface.finders.names.finder import PERSON, blocks
    from efface.finders.names.model import load_model

    model = load_model()
    found = np.zeros(len(tokens), np.float32)
    for low, high in blocks(tokens.text):
        words = model.vocabulary.words(tokens.text[low:high])
        if not len(words):
            continue
        judged = np.append(model.judge(words, {}).types[:, PERSON], np.float32(0))
        starts, ends = np.array(words.starts) + low, np.array(words.ends) + low
        first = np.searchsorted(ends, tokens.starts, side="right")
        last = np.searchsorted(starts, tokens.ends, side="left")
        inside = np.flatnonzero(first < last)
        bounds = np.stack([first[inside], last[inside]], axis=1).ravel()
        if len(inside):
            found[inside] = np.maximum(found[inside], np.maximum.reduceat(judged, bounds)[::2])
    return found
