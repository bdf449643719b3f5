"""Packs the language identifier: from py3langid's model the features and languages that efface tells apart by spelling.

py3langid loads in more than a second and walks an automaton byte by byte. Its features are byte strings of two to six
bytes; here they are sorted numbers, so that numpy looks up all places of a text at once, and the weights are 8-bit.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from efface.text.language import SPELLED, key_of

_LATIN = frozenset({*range(0x20, 0x80), *range(0xC2, 0xCA), 0xE1, 0xE2, *range(0x80, 0xC0)})
_CYRILLIC = frozenset({*range(0x20, 0x80), *range(0xD0, 0xD4), *range(0x80, 0xC0)})
_ALIASES = {"nn": "no", "bs": "hr"}
_LEAST_SPREAD = 0.35  # of a feature's weights; what says less is left out


def pack(path: Path) -> None:
    """Write the arrays that `efface.text.language` reads."""
    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    classes = [_ALIASES.get(name, name) for name in model.nb_classes]
    columns = [[at for at, name in enumerate(classes) if name == language] for language in SPELLED]
    table = np.asarray(model.nb_ptc, np.float32)
    weights = np.stack([table[:, some].max(1) for some in columns], 1)
    prior = np.array([max(model.nb_pc[at] for at in some) for some in columns], np.float32)
    features = {
        number: text
        for number, text in _features(model).items()
        if set(text) <= _LATIN or set(text) <= _CYRILLIC
    }
    numbers = np.array(sorted(features, key=lambda number: key_of(features[number])), np.int64)
    chosen = weights[numbers] - weights[numbers].mean(1, keepdims=True)
    telling = chosen.std(1) >= _LEAST_SPREAD
    keys = np.array([key_of(features[number]) for number in numbers.tolist()], np.uint64)[telling]
    chosen = chosen[telling]
    scale = np.float32(np.abs(chosen).max() / 127)
    np.savez(
        path,
        keys=keys,
        weights=np.rint(chosen / scale).astype(np.int8),
        scale=scale,
        prior=prior - prior.max(),
    )
    print(len(keys), "features", path.stat().st_size, "bytes")


def _features(model: LanguageIdentifier) -> dict[int, bytes]:
    """The byte string of each feature: the shortest way to the state of the automaton that stands for it."""
    moves, rows, out = model.tk_nextmove, model._rowbase, model.tk_output
    strings, level = {0: b""}, [0]
    while level:
        reached = []
        for state in level:
            for byte in range(256):
                after = moves[rows[state] + byte]
                if after not in strings:
                    strings[after] = strings[state] + bytes([byte])
                    reached.append(after)
        level = reached
    return {out[state]: text for state, text in strings.items() if out[state] >= 0}
