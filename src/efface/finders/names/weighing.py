"""What the two readers of a language say of a word, weighed by a logistic regression that was fitted on its own sentences.

Half and half is a good guess where there are few sentences to fit on. Where there are enough, the readers' errors tell how far
each may be trusted: with which kind, when they disagree, and with how the word is written.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from efface.finders.names.tokens import CASES

Floats = npt.NDArray[np.float32]
Small = npt.NDArray[np.int8]

_LEAST = 1e-4  # a smaller chance says no more than this one


def evidence(chain: Floats, network: Floats, cases: Small) -> Floats:
    """The columns of the regression: what both readers and their mean say, as logarithms, and how the word is written."""
    written = np.eye(CASES, dtype=np.float32)[cases]
    means = np.asarray((chain + network) / 2, np.float32)
    return np.hstack([_logarithms(chain), _logarithms(network), _logarithms(means), written])


def _logarithms(chances: Floats) -> Floats:
    """Of the chance that a word is no name, and that it is of each kind."""
    none = 1 - chances.sum(1, keepdims=True)
    return np.asarray(np.log(np.clip(np.hstack([none, chances]), _LEAST, 1)), np.float32)


def weighed(columns: Floats, weights: Floats) -> Floats:
    """How probable each kind is. A row of `weights` for no name and for each kind; its last is the constant."""
    scores = columns @ weights[:, :-1].T + weights[:, -1]
    chances = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray((chances / chances.sum(1, keepdims=True))[:, 1:], np.float32)
