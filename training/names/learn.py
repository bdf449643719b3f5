"""The training loop: one seeded pass after another over a mix of the sources, checkpointed at every pass."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from training.names.data import Labelled, template_split
from training.names.network import LAYERS, Network, pretrained, thinned
from training.names.passages import (
    TAGS,
    Passage,
    Window,
    cased,
    noisy,
    passage,
    swapped,
    target_weights,
    windows,
)
from training.names.synthetic import OURS, Values, presidio_templates, sampled

from efface.finders.names.tokens import PAD, Vocabulary

# How often a pass uses a source's passages; of those without any entity only some are taken.
SHARES = {
    "tab": 2.0,
    "uner-ewt": 0.8,
    "btc": 0.25,
    "wnut17": 0.5,
    "presidio": 1.0,
    "aci-note": 0.35,
    "aci-dialogue": 0.12,
    "synthetic": 1.0,
}
EMPTY = 0.35
SYNTHETIC = 1800  # sentences a pass


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that a run depends on beside the data. All six layers learn first; then some of them are kept, and
    learn on; the moving average of their weights finds names."""

    seed: int = 13
    passes: int = 6  # of the first stage, for which the learning rate is planned
    used: int = 5  # after which it ends
    rate: float = 2.5e-4
    kept: tuple[int, ...] = (0, 1, 3, 5)  # layers
    more_passes: int = 5  # of the second stage
    more_used: int = 3
    more_rate: float = 2e-4
    average: float = 0.997  # what a step leaves of the average
    size: int = 160  # pieces in a window
    batch: int = 1800  # pieces in a step
    threads: int = 1


def train(texts: list[Labelled], data: Path, vocabulary: Vocabulary, recipe: Recipe, out: Path) -> None:
    """Train on the `train` parts; the network after each pass of each stage is in `out`."""
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    passages = [passage(text, vocabulary) for text in texts if text.split == "train"]
    _all_layers(passages, data, vocabulary, recipe, out)
    _some_layers(passages, data, vocabulary, recipe, out)


def _all_layers(
    passages: list[Passage], data: Path, vocabulary: Vocabulary, recipe: Recipe, out: Path
) -> None:
    if not (out / f"pass{recipe.used - 1}.pt").exists():
        plan = _plan(passages, data, vocabulary, recipe, range(recipe.passes))
        _stage(pretrained(), plan, recipe.used, recipe.rate, recipe.average, out / "pass")


def _some_layers(
    passages: list[Passage], data: Path, vocabulary: Vocabulary, recipe: Recipe, out: Path
) -> None:
    if not (out / f"thin{recipe.more_used - 1}.mean.pt").exists():
        thin = thinned(loaded(out / f"pass{recipe.used - 1}.pt", LAYERS), recipe.kept)
        numbers = range(recipe.passes, recipe.passes + recipe.more_passes)
        plan = _plan(passages, data, vocabulary, recipe, numbers)
        _stage(thin, plan, recipe.more_used, recipe.more_rate, recipe.average, out / "thin")


def loaded(path: Path, layers: int) -> Network:
    """A network as it was saved. Its word embeddings do not learn."""
    network = Network(layers)
    network.load_state_dict(torch.load(path))
    network.pieces.weight.requires_grad_(False)
    return network


Plan = list[list[list[Window]]]  # passes of batches of windows


def _plan(
    passages: list[Passage], data: Path, vocabulary: Vocabulary, recipe: Recipe, numbers: range
) -> Plan:
    values = Values(data, recipe.seed + numbers.start)
    return [list(_pass(passages, values, data, vocabulary, recipe, number)) for number in numbers]


def _stage(network: Network, plan: Plan, used: int, rate: float, keep: float, out: Path) -> None:
    """Some passes at a rate that falls to nothing; `out`N.pt is the network, `out`N.mean.pt its average."""
    steps = sum(map(len, plan))
    learning = Learning.of(network, rate, steps, 0.08, keep)
    weights = torch.from_numpy(target_weights())
    network.train()
    begun = time.monotonic()
    for number, batches in enumerate(plan[:used]):
        total = 0.0
        for at, batch in enumerate(batches, 1):
            total += learning.step(_loss(network, batch, weights))
            if at % 20 == 0:
                passed = time.monotonic() - begun
                print(f"{number} {at}/{len(batches)} {total / 20:.4f} {passed:.0f}s", flush=True)
                total = 0.0
        torch.save(network.state_dict(), f"{out}{number}.pt")
        torch.save(learning.average.module.state_dict(), f"{out}{number}.mean.pt")


def trained(out: Path, recipe: Recipe) -> Network:
    """The averaged network as it was after the last pass of the second stage that is used: it finds names."""
    return loaded(out / f"thin{recipe.more_used - 1}.mean.pt", len(recipe.kept))


@dataclass(frozen=True)
class Learning:
    """A network with what moves its weights, and their moving average."""

    network: Network
    optimizer: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LambdaLR
    average: AveragedModel

    @classmethod
    def of(cls, network: Network, rate: float, steps: int, warm: float, keep: float) -> Learning:
        """The rate rises over the share `warm` of the steps, then falls to nearly nothing."""
        optimizer = layered_optimizer(network, rate)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / (warm * steps), max(0.02, 1 - step / steps))
        )
        return cls(
            network,
            optimizer,
            schedule,
            AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(keep)),
        )

    def step(self, loss: Tensor) -> float:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.schedule.step()
        self.average.update_parameters(self.network)
        return float(loss.detach())


def layered_optimizer(network: Network, rate: float) -> torch.optim.Optimizer:
    """Lower layers learn more slowly, the new parts faster."""
    groups = []
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        scale = 4.0 if name.split(".")[0] in ("features", "types", "mask") else 0.5
        if name.startswith("layers."):
            scale = 0.85 ** (len(network.layers) - 1 - int(name.split(".")[1]))
        decay = 0.01 if parameter.ndim > 1 else 0.0
        groups.append({"params": [parameter], "lr": rate * scale, "weight_decay": decay})
    return torch.optim.AdamW(groups, fused=True)


def _loss(network: Network, batch: list[Window], weights: Tensor) -> Tensor:
    ids, features, present, targets, masks = tensors(batch)
    types, mask = network(ids, features, present)
    words = targets >= 0
    scores = types[words].log_softmax(-1)
    allowed = weights[targets[words]]
    loss = -torch.logsumexp(scores + torch.log(allowed.clamp_min(1e-9)), -1).mean()
    judged = masks >= 0
    if judged.any():
        loss = loss + functional.cross_entropy(mask[judged], masks[judged], label_smoothing=0.03) * (
            judged.sum() / words.sum()
        )
    return loss


def tensors(batch: list[Window]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """A batch padded to its longest window."""
    length = max(len(window.ids) for window in batch)

    def padded(name: str, fill: int) -> Tensor:
        rows = np.full((len(batch), length), fill, np.int64)
        for row, window in enumerate(batch):
            values = getattr(window, name)
            rows[row, : len(values)] = values
        return torch.from_numpy(rows)

    ids = padded("ids", PAD)
    return ids, padded("features", 0), (ids != PAD), padded("targets", -1), padded("masks", -1)


def _pass(
    passages: list[Passage],
    values: Values,
    data: Path,
    vocabulary: Vocabulary,
    recipe: Recipe,
    number: int,
) -> Iterator[list[Window]]:
    rng = random.Random(f"{recipe.seed} {number}")
    chosen: list[Window] = []
    for one in [*passages, *_synthetic(values, data, vocabulary)]:
        size = recipe.size if one.source == "tab" else rng.choice((48, 96, recipe.size))
        for window in _version(one, values, rng, vocabulary, size):
            blank = all(target < 0 or target >= len(TAGS) for target in window.targets)
            times = SHARES[one.source] * (EMPTY if blank and one.source != "tab" else 1.0)
            chosen += [window] * (int(times) + (rng.random() < times % 1))
    rng.shuffle(chosen)
    yield from batches(chosen, recipe.batch, rng)


def _version(
    one: Passage, values: Values, rng: random.Random, vocabulary: Vocabulary, size: int
) -> Iterator[Window]:
    """The windows of a text, which is changed and cut in another way in each pass."""
    changed = swapped(one, values, 0.3 if one.source in ("tab", "uner-ewt") else 0.5)
    start = rng.randrange(min(40, len(one.words)) or 1) if one.source == "tab" else 0
    if rng.random() < 0.2:
        changed = noisy(changed, rng, rng.choice((0.01, 0.02, 0.03)))
    changed = cased(changed, rng)
    yield from windows(changed, vocabulary, size, start)


def batches(chosen: list[Window], pieces: int, rng: random.Random) -> Iterator[list[Window]]:
    """Windows of like length together, so that little is padding; the order of batches is shuffled."""
    batches: list[list[Window]] = []
    pool = sorted(chosen, key=lambda window: len(window.ids) + rng.random() * 8)
    batch: list[Window] = []
    for window in pool:
        if batch and len(window.ids) * (len(batch) + 1) > pieces:
            batches.append(batch)
            batch = []
        batch.append(window)
    batches.append(batch)
    rng.shuffle(batches)
    yield from batches


def _synthetic(values: Values, data: Path, vocabulary: Vocabulary) -> Iterator[Passage]:
    """Filled templates, most of them one by one, some a few together."""
    path = data / "pii/presidio-templates.txt"
    theirs = list(presidio_templates(path, lambda template: template_split(template) == "train"))
    count = 0
    while count < SYNTHETIC:
        text, spans, left_open = "", [], []
        for _ in range(values.rng.choice((1, 1, 1, 2, 3))):
            if text:
                text += "\n" if values.rng.random() < 0.5 else " "
            more, found, skipped = sampled(values, theirs if values.rng.random() < 0.4 else list(OURS))
            spans += [(a + len(text), b + len(text), kind) for a, b, kind in found]
            left_open += [(a + len(text), b + len(text), kind) for a, b, kind in skipped]
            text += more
            count += 1
        known = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "ADDRESS", "CODE"})
        yield passage(
            Labelled("synthetic", "train", text, tuple(spans), known, None, tuple(left_open)), vocabulary
        )
