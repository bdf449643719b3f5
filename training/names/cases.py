"""Learning from court cases alone what identifies the person that a text is about: for `risk: subject`.

Networks that saw only some of the cases judge the others, and from what they say come the weights and the threshold
with which `risk: subject` decides.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from training.names.data import Labelled
from training.names.learn import Learning, batches, loaded, tensors
from training.names.network import LAYERS, Network, pretrained, thinned
from training.names.passages import (
    Passage,
    Window,
    cased,
    noisy,
    passage,
    redated,
    swapped,
    target_weights,
    windows,
)
from training.names.states import moved
from training.names.synthetic import Values

from efface.finders.names.tokens import Vocabulary

PARTS = 4  # of the cases; each is judged by a network that learned from the others
SIZE, BATCH, AVERAGE = 192, 1500, 0.985


@dataclass(frozen=True, slots=True)
class CasesRecipe:
    """How often each network reads the cases, and how fast it learns."""

    fold_passes: tuple[int, ...] = (7, 5, 5)  # of the networks for the first, the second, the third part
    fold_seeds: tuple[int, ...] = (10, 11, 12)
    fold_rate: float = 2.5e-4
    kept: tuple[int, ...] = (0, 1, 2, 3, 5)  # layers of the network that ships
    seeds: tuple[int, ...] = (21, 22, 23, 24)
    passes: int = 4
    rate: float = 2.2e-4


def cases_of(texts: Sequence[Labelled]) -> list[Labelled]:
    """The court cases that are not for the report."""
    return [text for text in texts if text.source == "tab" and text.split != "report"]


def parts(cases: Sequence[Labelled]) -> list[list[Labelled]]:
    """The cases in `PARTS` parts, drawn once."""
    order = list(range(len(cases)))
    random.Random(1068).shuffle(order)
    drawn = {at: number % PARTS for number, at in enumerate(order)}
    return [[case for at, case in enumerate(cases) if drawn[at] == part] for part in range(PARTS)]


def train_folds(
    cases: Sequence[Labelled], data: Path, vocabulary: Vocabulary, recipe: CasesRecipe, out: Path
) -> None:
    """A network of all layers for each part that is judged, from MiniLM's weights."""
    for part, (seed, passes) in enumerate(zip(recipe.fold_seeds, recipe.fold_passes, strict=True)):
        path = out / f"fold{part}.pt"
        if not path.exists():
            hidden = {case.name for case in parts(cases)[part]}
            seen = [case for case in cases if case.name not in hidden]
            torch.manual_seed(seed)
            plan = _plan(seen, data, vocabulary, seed, passes)
            _learn(pretrained(), plan, recipe.fold_rate, path)


def train_subject(
    cases: Sequence[Labelled], data: Path, vocabulary: Vocabulary, recipe: CasesRecipe, out: Path
) -> None:
    """Networks that begin with what the first pass over all sources left, and read all the cases."""
    for seed in recipe.seeds:
        path = out / f"subject{seed}.pt"
        if not path.exists():
            torch.manual_seed(seed)
            plan = _plan(cases, data, vocabulary, seed, recipe.passes)
            _learn(thinned(loaded(out / "pass0.pt", LAYERS), recipe.kept), plan, recipe.rate, path)


def trained_subject(out: Path, recipe: CasesRecipe) -> Network:
    """The mean of the networks that read all the cases: it says what identifies the subject."""
    states = [loaded(out / f"subject{seed}.pt", len(recipe.kept)).state_dict() for seed in recipe.seeds]
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
    mean["pieces.weight"] = states[0]["pieces.weight"]  # which never learned, and must not be rounded
    network = Network(len(recipe.kept))
    network.load_state_dict(mean)
    return network


Plan = list[list[list[Window]]]  # passes of batches of windows


def _plan(cases: Sequence[Labelled], data: Path, vocabulary: Vocabulary, seed: int, passes: int) -> Plan:
    rng, values = random.Random(seed), Values(data, seed)
    passages = [passage(case, vocabulary) for case in cases]
    plan = []
    for _ in range(passes):
        chosen = [window for one in passages for window in _version(one, values, rng, vocabulary)]
        plan.append(list(batches(chosen, BATCH, rng)))
    return plan


def _version(one: Passage, values: Values, rng: random.Random, vocabulary: Vocabulary) -> Iterator[Window]:
    changed = moved(one, rng) if rng.random() < 0.5 else one
    changed = redated(swapped(changed, values, 0.3), rng, 0.6)
    if rng.random() < 0.1:
        changed = noisy(changed, rng, 0.02)
    if rng.random() < 0.35:
        changed = cased(changed, rng)
    start = rng.randrange(SIZE // 2)
    yield from windows(changed, vocabulary, SIZE, start)
    if start > 30:
        yield from windows(_until(changed, start), vocabulary, SIZE)


def _until(given: Passage, end: int) -> Passage:
    return Passage(given.source, given.words[:end], given.gaps[:end], given.targets[:end], given.masks[:end])


def _learn(network: Network, plan: Plan, rate: float, path: Path) -> None:
    """One network; the moving average of its weights is saved."""
    steps = sum(map(len, plan))
    learning = Learning.of(network, rate, steps, 0.1, AVERAGE)
    weights = torch.from_numpy(target_weights())
    network.train()
    begun = time.monotonic()
    for number, some in enumerate(plan):
        total = 0.0
        for batch in some:
            total += learning.step(_loss(network, batch, weights))
        print(f"{path.stem} {number} {total / len(some):.4f} {time.monotonic() - begun:.0f}s", flush=True)
    torch.save(learning.average.module.state_dict(), path)


def _loss(network: Network, batch: list[Window], weights: Tensor) -> Tensor:
    """Half the surprise at the types, and that at the masks."""
    ids, features, present, targets, masks = tensors(batch)
    types, mask = network(ids, features, present)
    words = targets >= 0
    allowed = torch.log(weights[targets[words]].clamp_min(1e-9))
    surprise = -torch.logsumexp(types[words].log_softmax(-1) + allowed, -1).mean()
    return 0.5 * surprise + functional.cross_entropy(mask[words], masks[words], label_smoothing=0.04)
