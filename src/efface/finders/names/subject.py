"""What identifies the person that a text is about: all that is known of a mention, weighed together.

The network judges words by their sentences. What it says of all mentions of a thing, and the words that a mention
consists of (a court, a state, a date to the day), are put together by a logistic regression, whose weights come with
the model.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from efface.finders.names.decoding import DecodedMention

Floats = npt.NDArray[np.float32]

CONSTANT = "constant"
_LONGEST = 80  # characters of a mention that are looked at
_LEAST = 0.003  # probabilities that are closer to 0 or 1 than this are no farther apart

SIGNS = {
    "court": r"[Cc]ourt|[Tt]ribunal",
    "highest court": r"Supreme|Constitutional|High Court|House of Lords|Appeal|Cassation",
    "government": r"Government|Minist",
    "convention": r"Convention|European|Commission|Article|Protocol|Council of",
    "institution": r"[Pp]olice|[Pp]rosecut|[Pp]rison|[Hh]ospital|[Uu]niversit",
    "state": r"Republic|Kingdom|Federation",
    "law": r"\b(?:Act|Law|Code|Rules?)\b",
    "title": r"^(?:Mr|Mrs|Ms|Dr|Miss)\b",  # as the model was trained
    "initial": r"^[A-Z]\.",
    "day": r"\d{1,2} [A-Z][a-z]{2,8} \d{4}",
    "month": r"^[A-Z][a-z]{2,8} \d{4}$",
    "year": r"^\D{0,20}\d{4}$",
    "duration": r"\b(?:years?|months?|days?|hours?|weeks?)\b",
    "money": r"[€£$]|\b(?:EUR|GBP|TRL|FRF|PLN|euros?|lira|pounds)\b",
    "digit": r"\d",
    "lower case": r"^[a-z]",
}
_SIGNS = [re.compile(pattern) for pattern in SIGNS.values()]
_SAID = ("own", "mean", "highest", "lowest", "together")
FEATURES = (*_SAID, *SIGNS)


def probabilities(
    surfaces: Sequence[str],
    found: Sequence[DecodedMention],
    keys: Sequence[str],
    weights: Mapping[str, float],
) -> Floats:
    """How probably each mention identifies the subject; mentions of one type with one key are of one thing.

    What has no weight counts for nothing: without any weights every mention is as probable as not.
    """
    column = np.array([weights.get(name, 0.0) for name in FEATURES], np.float32)
    sums = features(surfaces, found, keys) @ column + np.float32(weights.get(CONSTANT, 0.0))
    return np.asarray(1 / (1 + np.exp(-sums)), np.float32)


def features(surfaces: Sequence[str], found: Sequence[DecodedMention], keys: Sequence[str]) -> Floats:
    """A row for each mention, a column for each of `FEATURES`."""
    rows = np.empty((len(found), len(FEATURES)), np.float32)
    masks = np.array([one.mask for one in found], np.float32)
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, (one, key, surface) in enumerate(zip(found, keys, surfaces, strict=True)):
        groups[one.type, key].append(at)
        rows[at, len(_SAID) :] = [bool(sign.search(surface[:_LONGEST])) for sign in _SIGNS]
    for group in groups.values():
        rows[group, : len(_SAID)] = _mask_features(masks[group])
    return rows


def _mask_features(masks: Floats) -> Floats:
    """What the network says of each mention of a thing, and of all of them."""
    mean = masks.mean()
    columns = np.empty((len(masks), len(_SAID)), np.float32)
    columns[:, 0] = masks
    columns[:, 1:4] = mean, masks.max(), masks.min()
    columns[:, 4] = np.maximum(mean, (masks + mean) / 2)
    kept = columns.clip(_LEAST, 1 - _LEAST)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)
