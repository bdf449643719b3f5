"""What the network for other languages begins with: the English names network, and word pieces of the languages' own.

The English network is in the package with eight bits a weight; that is enough to begin with. A new piece begins as the mean
of the English pieces that it was cut into.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from training.names.network import VOCABULARY, WIDTH, Network

from efface.finders.names.tokens import UNKNOWN, Vocabulary
from efface.text.folding import fold_term

LAYERS = 4
RESERVED = 104  # lines of the vocabulary that are marks
WORDS, ENDS, LEAST = (
    13_000,
    3_000,
    4,
)  # whole words and ends of words that become pieces; how often one must occur
ENGLISH_LEAST = 3  # how often an English piece must occur to stay


def folded(word: str) -> str:
    """A word as `Vocabulary.cut` sees it."""
    return word.lower() if word.isascii() else fold_term(word).replace(" ", "")


def chosen_pieces(words: Iterable[str], english: list[str]) -> list[str]:
    """Marks, single letters, frequent words and ends of words, and the English pieces that the rest is cut into."""
    counts = Counter(folded(word) for word in words)
    whole = [
        word
        for word, count in counts.most_common(WORDS)
        if count >= LEAST and word.isalpha() and len(word) > 1
    ]
    known = set(whole)
    ends: Counter[str] = Counter()
    for word, count in counts.items():
        if word not in known and word.isalpha():
            for size in range(2, min(6, len(word) - 2) + 1):
                ends[f"##{word[-size:]}"] += count * (size - 1)
    added = whole + [end for end, _ in ends.most_common(ENDS)]
    cutter = Vocabulary(
        {piece: number for number, piece in enumerate([*english, *sorted(set(added) - set(english))])}
    )
    names = [*english, *sorted(set(added) - set(english))]
    used: Counter[int] = Counter()
    for word, count in counts.items():
        for piece in cutter.cut(word):
            used[piece] += count
    kept = {names[number] for number, count in used.items() if count >= ENGLISH_LEAST}
    kept |= {piece for piece in english[RESERVED:] if len(piece.removeprefix("##")) == 1}
    return [*english[:RESERVED], *sorted(kept - set(english[:RESERVED]))]


def english_network(path: Path) -> Network:
    """The packaged network with its weights as floats."""
    values = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(path)).graph.initializer}

    def dequantised(name: str) -> np.ndarray:
        scale, zero = values[f"{name}_scale"], values[f"{name}_zero_point"].astype(np.float32)
        return np.asarray((values[f"{name}_quantized"].astype(np.float32) - zero) * scale, np.float32)

    network = Network(LAYERS)
    state = network.state_dict()
    for name in state:
        if name in values:
            state[name] = torch.from_numpy(values[name].copy())
        elif f"{name}_quantized" in values:
            state[name] = torch.from_numpy(dequantised(name))
    products = [
        name.removesuffix("_quantized")
        for name in values
        if name.startswith("onnx::") and name.endswith("_quantized")
    ]
    places = [f"layers.{layer}.{part}" for layer in range(LAYERS) for part in ("out", "up", "down")] + [
        "types",
        "mask",
    ]
    for place, name in zip(places, products, strict=True):
        state[f"{place}.weight"] = torch.from_numpy(dequantised(name).T.copy())
    for layer in range(LAYERS):
        joined, biases = dequantised(f"Attention_{layer}_qkv_weight"), values[f"Attention_{layer}_qkv_bias"]
        for number, part in enumerate(("query", "key", "value")):
            some = slice(number * WIDTH, (number + 1) * WIDTH)
            state[f"layers.{layer}.{part}.weight"] = torch.from_numpy(joined[:, some].T.copy())
            state[f"layers.{layer}.{part}.bias"] = torch.from_numpy(biases[some].copy())
    network.load_state_dict(state)
    return network


def with_pieces(network: Network, pieces: list[str], english: list[str]) -> Network:
    """The network for another vocabulary."""
    old = network.pieces.weight.detach()
    assert len(old) == VOCABULARY
    numbers = {piece: number for number, piece in enumerate(english)}
    cutter = Vocabulary(numbers)
    table = torch.empty(len(pieces), WIDTH)
    for number, piece in enumerate(pieces):
        table[number] = old[numbers[piece]] if piece in numbers else _mean(piece, cutter, numbers, old)
    network.pieces = nn.Embedding.from_pretrained(table, freeze=False)
    return network


def _mean(piece: str, cutter: Vocabulary, numbers: dict[str, int], old: Tensor) -> Tensor:
    """Of the English pieces that it is cut into; an end of a word is cut after a letter that stands before it."""
    inside = piece.startswith("##")
    cut = [one for one in cutter.cut(piece.removeprefix("##")) if one != UNKNOWN]
    if inside and cut:
        first = next((text for text, number in numbers.items() if number == cut[0]), "")
        cut[0] = numbers.get(f"##{first}", cut[0])
    return old[torch.tensor(cut or [UNKNOWN])].mean(0)
