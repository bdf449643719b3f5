"""Games are made in worker processes: documents are redacted at every k, and attackers are trained."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from efface.api.sanitizer import Sanitizer
from efface.pipeline.bound import StageListener
from efface.policy.model import parse
from efface.service.game.game_posts import corpus_of, make, promise_of
from efface.service.game.guessing_game import GameRequest
from efface.service.problems import Problem


def game(
    files: Sequence[bytes],
    _watch: StageListener,
    *,
    name: str,
    policy: str,
    folder: str,
    viewer: str,
    document_key: str,
    seed: str,
    ks: Sequence[int],
    documents: int,
    learned: bool,
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The posts of a game as JSON, and how many documents the model knows of each class."""
    bound = Sanitizer(parse(policy), Path(folder), key=bytes.fromhex(document_key)).bind(viewer)
    model = promise_of(bound)[1].model
    wanted = GameRequest(tuple(ks), documents, learned)
    made = make(bound, corpus_of(name, files[0], model), wanted, seed)
    if not made:
        raise Problem("refused", "No document can be hidden at any of these k.")
    counts = dict(zip(model.sensitive.names, model.sensitive.documents.tolist(), strict=True))
    rows = [
        {"document": p.document, "k": p.k, "truth": p.truth, "text": p.text, "ranks": json.dumps(dict(p.ranks))}
        for p in made
    ]  # fmt: skip
    return {"classes": counts}, (json.dumps(rows).encode(),)
