"""Trains the network for languages other than English: `python -m training.languages` calls it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from training.languages.base import LAYERS, chosen_pieces, english_network, with_pieces
from training.languages.data import LATIN, read_texts
from training.languages.shares import EMPTY, FIRST, NETWORK_SHARES
from training.languages.synthetic import LOCALES, Values, synthetic
from training.names.learn import _loss, batches
from training.names.network import Network
from training.names.passages import Passage, Window, cased, noisy, passage, swapped, target_weights, windows

from efface.finders.names.tokens import Vocabulary

SYNTHETIC = 300  # texts of each of the first languages; of others a fifth
RATE, WARM, AVERAGE = 3e-4, 0.05, 0.985
BATCH, SIZE = 1500, 112  # pieces in a step, and in a window
OTHERS = 0.6  # how much of the other languages' texts
SWAPPED = 0.35


def passages(data: Path, vocabulary: Vocabulary, seed: int) -> Iterator[tuple[str, Passage]]:
    """Every training text with its language."""
    rng = random.Random(seed)
    for text in read_texts(data, "train", rng, LATIN):
        yield text.source.split(".")[0], passage(text, vocabulary)
    for language in LOCALES:
        if language in LATIN:
            for text in synthetic(language, SYNTHETIC if language in FIRST else SYNTHETIC // 5, 5):
                yield language, passage(text, vocabulary)


def one_pass(
    given: list[tuple[str, Passage]], vocabulary: Vocabulary, rng: random.Random
) -> list[list[Window]]:
    """The texts as often as their source's share says, changed a little, in batches."""
    values = {language: Values(language, rng.randrange(1 << 30)) for language in LATIN}
    chosen: list[Window] = []
    for language, one in given:
        named = any(0 < target < 19 for target in one.targets)
        share = NETWORK_SHARES.get(one.source, 1.0) * (1.0 if named else EMPTY)
        share *= 1.0 if language in FIRST else OTHERS
        for _ in range(int(share) + (rng.random() < share % 1)):
            changed = swapped(one, values[language], SWAPPED)  # type: ignore[arg-type]
            if rng.random() < 0.1:
                changed = noisy(changed, rng, 0.02)
            if rng.random() < 0.4:
                changed = cased(changed, rng)
            chosen += windows(changed, vocabulary, SIZE)
    rng.shuffle(chosen)
    return list(batches(chosen, BATCH, rng))


def optimizer_of(network: Network) -> torch.optim.Optimizer:
    """Pieces and features learn fastest: most of them are new."""
    groups = []
    for name, parameter in network.named_parameters():
        scale = 1.5 if name.split(".")[0] in ("pieces", "features", "types", "mask") else 0.8
        groups.append(
            {"params": [parameter], "lr": RATE * scale, "weight_decay": 0.0 if parameter.ndim < 2 else 0.01}
        )
    return torch.optim.AdamW(groups, fused=True)


def learn(data: Path, package: Path, out: Path, steps: int, seed: int, seconds: float) -> None:
    """At most `steps` steps and at most so many `seconds`; the rate falls to nothing by whichever ends first."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    english = (package / "vocab.txt").read_text("utf-8").split("\n")
    old = Vocabulary.load(package / "vocab.txt")
    given = list(passages(data, old, seed))
    pieces = chosen_pieces((word for _, one in given for word in one.words), [p for p in english if p])
    (out / "pieces.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    vocabulary = Vocabulary.load(out / "pieces.txt")
    network = with_pieces(english_network(package / "names.onnx"), pieces, [p for p in english if p])
    print(len(pieces), "pieces", len(given), "texts", flush=True)
    _steps(network, given, vocabulary, out, steps, seed, seconds)


def _steps(
    network: Network,
    given: list[tuple[str, Passage]],
    vocabulary: Vocabulary,
    out: Path,
    steps: int,
    seed: int,
    seconds: float,
) -> None:
    optimizer, rng = optimizer_of(network), random.Random(seed)
    rates = [group["lr"] for group in optimizer.param_groups]
    average = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE))
    weights = torch.from_numpy(target_weights())
    network.train()
    begun, total, at, number = time.monotonic(), 0.0, 0, 0
    while True:
        for batch in one_pass(given, vocabulary, rng):
            done = max(at / steps, (time.monotonic() - begun) / seconds)
            if done >= 1:
                torch.save(average.module.state_dict(), out / "last.mean.pt")
                return
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * min(done / WARM + 0.02, 1.02 - done)
            loss = _loss(network, batch, weights)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            average.update_parameters(network)
            total, at = total + float(loss.detach()), at + 1
            if at % 25 == 0:
                print(
                    f"pass {number} step {at} loss {total / 25:.4f} {time.monotonic() - begun:.0f}s",
                    flush=True,
                )
                total = 0.0
            if at % 250 == 0:
                torch.save(average.module.state_dict(), out / "now.mean.pt")
        number += 1


def loaded(path: Path) -> Network:
    """A network as it was saved, with as many pieces as it has."""
    state = torch.load(path)
    network = Network(LAYERS)
    network.pieces = torch.nn.Embedding(*state["pieces.weight"].shape)
    network.load_state_dict(state)
    return network
