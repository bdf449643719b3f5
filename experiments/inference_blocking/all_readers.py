"""Industry-Sector with all readers: what attackers that were not planned against make of held-out pages.

python -m experiments.inference_blocking.all_readers [--documents 1364] [--out FOLDER]

The model learns from 3,207 pages. The other 1,364, or as many as are asked for, are released at k = 10 and attacked by
readers of scikit-learn that learned from the same 3,207 pages, and by one that learned from those pages as redacted. The
first 60 held-out pages were looked at when `count` became the objective against several readers: they are not blind to it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from efface.attacks.class_readers import STRONGER, Attacker, linear_svm
from efface.attacks.classes import AttackedDocument, attack_from_redacted
from efface.core import Document, Reading, apply_edits
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.rounds import as_released
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes import (
    ClassModel,
    Fields,
    LabelledDocument,
    TrainingSettings,
    read_corpus,
    train,
)
from efface.knowledge.classes.words import VOID, word_keys
from experiments.inference_blocking.data import industry_file

K = 10
HELD_OUT = 1364
_KEY = SecretRank(b"inference blocking, all readers")
OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "inference_blocking"


@dataclass(frozen=True, slots=True)
class Setting:
    """How pages are released."""

    name: str
    readers: tuple[str, ...] = ()
    secret: bool = True
    method: str = "lp"


SETTINGS = (
    Setting("naive Bayes alone, no secret rank", ("naive-bayes",), secret=False),
    Setting("all readers, no secret rank", secret=False),
    Setting("all readers, secret rank"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Attackers:
    """Those who learned from the pages as they were, and a reader of sectors that was not planned with."""

    readers: Mapping[str, Attacker]
    sectors: Attacker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=HELD_OUT)
    parser.add_argument("--teaching", type=int, default=3207, help="pages redacted for the adaptive reader")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    known, pages = split()
    pages = pages[: options.documents]
    model = train(known, TrainingSettings(sensitive="industry", utility=("sector",)))
    by_sector = [LabelledDocument(page.text, page.utility[0]) for page in known]
    attackers = Attackers({name: learn(known, 0) for name, learn in STRONGER.items()}, linear_svm(by_sector))
    lines = [*_head(len(pages), model, attackers)]
    lines.append(_row("originals", pages, [page.text for page in pages], model, attackers, None))
    print(lines[-1], flush=True)
    for setting in SETTINGS:
        texts = [released(model, page, setting) for page in pages]
        teaching = known[: options.teaching] if setting.secret else []
        learned = list(as_released(model, teaching, K)) if teaching else None
        lines.append(_row(setting.name, pages, texts, model, attackers, learned))
        print(lines[-1], flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "all-readers.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def split() -> tuple[list[LabelledDocument], list[LabelledDocument]]:
    """Pages to learn from, and pages to release."""
    pages = list(read_corpus(industry_file(), Fields("industry", ("sector",))))
    order = np.random.default_rng(21).permutation(len(pages))
    return [pages[at] for at in order[HELD_OUT:]], [pages[at] for at in order[:HELD_OUT]]


def released(model: ClassModel, page: LabelledDocument, setting: Setting) -> str | None:
    """The page as it may leave; None when it is refused."""
    promise = Confusability(
        model, K, readers=setting.readers, method=setting.method, secret=_KEY if setting.secret else None
    ).bind(page.text, page.sensitive, page.utility)
    reading = Reading(Document("page", "text", page.text), ())
    try:
        plan = promise.plan(reading, promise.assess(reading))
    except Infeasible:
        return None
    text = apply_edits(page.text, [replace(edit, replacement="[WORD_1]") for edit in plan.edits])
    return None if promise.assess(Reading(Document("page", "text", text), ())) else text


def _row(
    name: str,
    pages: Sequence[LabelledDocument],
    texts: Sequence[str | None],
    model: ClassModel,
    attackers: Attackers,
    learned: Sequence[LabelledDocument] | None,
) -> str:
    left = [(page, text) for page, text in zip(pages, texts, strict=True) if text is not None]
    truths, released_texts = [page.sensitive for page, _ in left], [text for _, text in left]
    found = {key: _first(one.ranks(released_texts, truths)) for key, one in attackers.readers.items()}
    cases = [AttackedDocument(text, page.sensitive) for page, text in left]
    found["redacted"] = _first(attack_from_redacted(cases, learned or ()).after)
    sectors = [page.utility[0] for page, _ in left]
    kept = float(np.mean([words_kept(page.text, text) for page, text in left]))
    cells = [
        kept,
        *found.values(),
        rank_guess(model, cases),
        _share(_planned_sector(model, text) == page.utility[0] for page, text in left),
        _first(attackers.sectors.ranks(released_texts, sectors)),
    ]
    shown = [f"{100 * cell:.1f}" for cell in cells]
    return "| " + " | ".join([name, str(len(left)), str(len(pages) - len(left)), *shown]) + " |"


def words_kept(original: str, left: str) -> float:
    """The share of the original's words, as a multiset and in lower case, that the release still has."""
    before = Counter(word_keys(original))
    after = Counter(key for key in word_keys(left) if key[0] != VOID)
    return sum((before & after).values()) / max(1, sum(before.values()))


def _planned_sector(model: ClassModel, text: str) -> str:
    useful = model.utility
    return useful.names[int(np.argmax(useful.scores(*model.bag(text))))]


def _first(ranks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    return float((ranks == 1).mean())


def _share(hits: Iterator[bool]) -> float:
    return float(np.mean(list(hits)))


def rank_guess(model: ClassModel, cases: Sequence[AttackedDocument]) -> float:
    """The best single rank to guess, for the reader where that pays most, chosen after the fact. A tie is shared."""
    ranks: dict[str, Counter[int]] = {}
    for case in cases:
        place = model.sensitive.index(case.truth)
        for name, scores in model.all_scores(case.released).items():
            if (scores == scores[place]).sum() == 1:
                ranks.setdefault(name, Counter())[1 + int((scores > scores[place]).sum())] += 1
    return max((max(found.values()) for found in ranks.values()), default=0) / max(1, len(cases))


def _head(documents: int, model: ClassModel, attackers: Attackers) -> Iterator[str]:
    yield "# Industry-Sector with all readers"
    yield ""
    date = datetime.now(UTC).date().isoformat()
    yield f"{date}, `python -m experiments.inference_blocking.all_readers --documents {documents}`: {documents} of the 1,364"
    yield f"held-out pages, k = {K}, {len(model.sensitive.names)} classes (chance {100 / len(model.sensitive.names):.0f} %). Shares in per cent: words kept, first guesses"
    yield "of each attacker that are right (a tie is the attacker's), and the sector named by naive Bayes (planned with) and by a"
    yield "linear SVM (not planned with). *redacted* learned from redacted pages; *rank guess* names the class at one rank of a reader."
    yield ""
    columns = ["released", "pages", "refused", "words kept", *attackers.readers, "redacted", "rank guess"]
    columns += ["sector, planned with", "sector, SVM"]
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "---|" * len(columns)


if __name__ == "__main__":
    main()
