"""Industry-Sector with all readers: what attackers that were not planned against make of held-out pages.

python -m experiments.inference_blocking.all_readers [--documents 1264] [--teaching 3207] [--tables 100] [--only TEXT] [--out FOLDER]

The model learns from 3,207 pages. Of the other 1,364 the first 100 were looked at in earlier versions and are left out; the
next ones, as many as are asked for, are released and attacked by readers of scikit-learn that learned from the same 3,207
pages, and by one that learned from those pages as redacted. Settings of the planner were chosen on the last 507 of the 3,207
pages, with a model that learned from the others.
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
from efface.attacks.known_method import RankedText, joint_ranks, rank_guess, rank_guess_left_out
from efface.core import Document, Reading, apply_edits
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.rounds import as_released
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes import (
    ClassModel,
    LabelledDocument,
    RecordFields,
    TrainingSettings,
    read_corpus,
    train,
)
from efface.knowledge.classes.words import VOID, word_keys
from experiments.inference_blocking.data import industry_file
from experiments.inference_blocking.kept import Row
from experiments.inference_blocking.tables_all_readers import (
    SIZES,
    figure_3,
    read_pages,
    section,
    table_1,
    write,
)

HELD_OUT = 1364
LOOKED_AT = 100  # of these, in earlier versions
_KEY = SecretRank(b"inference blocking, all readers")
OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "inference_blocking"


@dataclass(frozen=True, slots=True)
class Setting:
    """How pages are released."""

    name: str
    k: int = 10
    readers: tuple[str, ...] = ()
    secret: bool = True
    rare: int | None = None
    teaches: bool = False  # whether an attacker learns from pages that were redacted so

    @property
    def title(self) -> str:
        return f"{self.name}, k = {self.k}"


SETTINGS = (
    Setting("naive Bayes alone, no secret rank", readers=("naive-bayes",), secret=False),
    Setting("all readers, no secret rank", secret=False),
    Setting("all readers, secret rank", teaches=True),
    Setting("all readers, secret rank, rare: 1", rare=1),
    Setting("all readers, no secret rank", k=5, secret=False),
    Setting("all readers, secret rank", k=5),
)


@dataclass(frozen=True, slots=True, eq=False)
class Attackers:
    """Those who learned from the pages as they were, and a reader of sectors that was not planned with."""

    readers: Mapping[str, Attacker]
    sectors: Attacker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=HELD_OUT - LOOKED_AT)
    parser.add_argument("--teaching", type=int, default=3207, help="pages redacted for the adaptive reader")
    parser.add_argument("--tables", type=int, default=100, help="pages for Table 1 and Figure 3")
    parser.add_argument(
        "--only", default="", help="print the rows whose name has this text, and write no page"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    known, pages = split()
    pages = pages[LOOKED_AT:][: options.documents]
    model = train(known, TrainingSettings(sensitive="industry", utility=("sector",)))
    if not options.only:
        write_tables(model, pages[: options.tables], options.out)
    by_sector = [LabelledDocument(page.text, page.utility[0]) for page in known]
    attackers = Attackers({name: learn(known, 0) for name, learn in STRONGER.items()}, linear_svm(by_sector))
    lines = [*_head(options, model, attackers)]
    lines.append(_row("originals", 10, pages, [page.text for page in pages], model, attackers, None))
    print(lines[-1], flush=True)
    for setting in SETTINGS:
        if options.only not in setting.title:
            continue
        texts = [released(model, page, setting) for page in pages]
        teaching = known[: options.teaching] if setting.teaches else []
        learned = list(as_released(model, teaching, setting.k)) if teaching else None
        lines.append(_row(setting.title, setting.k, pages, texts, model, attackers, learned))
        print(lines[-1], flush=True)
        if not options.only:
            page = "\n".join(lines) + "\n" + section(options.out)
            (options.out / "all-readers.md").write_text(page, encoding="utf-8")


def write_tables(model: ClassModel, pages: Sequence[LabelledDocument], out: Path) -> None:
    """Table 1 and Figure 3, planned against all readers, with and without a secret rank."""
    tables: list[Row] = []
    curves: list[Row] = []
    for secret in (False, True):
        read = {}
        for k in SIZES:
            texts = [released(model, page, Setting("", k, secret=secret)) for page in pages]
            left = [words_kept(page.text, text) for page, text in zip(pages, texts, strict=True) if text]
            read[k] = read_pages(model, pages, texts, 1 - float(np.mean(left)))
        tables += table_1("all readers, secret rank" if secret else "all readers", read)
        curves = curves or figure_3(read)
    about = (
        f"Industry-Sector, {len(pages)} held-out pages, planned against all readers (the best of them reads)"
    )
    write(out, tables, curves, about)


def split() -> tuple[list[LabelledDocument], list[LabelledDocument]]:
    """Pages to learn from, and pages to release."""
    pages = list(read_corpus(industry_file(), RecordFields("industry", ("sector",))))
    order = np.random.default_rng(21).permutation(len(pages))
    return [pages[at] for at in order[HELD_OUT:]], [pages[at] for at in order[:HELD_OUT]]


def released(model: ClassModel, page: LabelledDocument, setting: Setting) -> str | None:
    """The page as it may leave; None when it is refused."""
    promise = Confusability(
        model,
        setting.k,
        readers=setting.readers,
        secret=_KEY if setting.secret else None,
        rare=setting.rare,
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
    k: int,
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
    ranked = [RankedText.of(model, case.released, case.truth) for case in cases]
    learned_from = None if learned is None else _first(attack_from_redacted(cases, learned).after)
    sectors = [page.utility[0] for page, _ in left]
    kept = float(np.mean([words_kept(page.text, text) for page, text in left]))
    cells = [
        kept,
        *found.values(),
        learned_from,
        rank_guess(ranked),
        rank_guess_left_out(ranked),
        *(_first(places) for places in joint_ranks(ranked, k).values()),
        _share(_planned_sector(model, text) == page.utility[0] for page, text in left),
        _first(attackers.sectors.ranks(released_texts, sectors)),
    ]
    shown = ["" if cell is None else f"{100 * cell:.1f}" for cell in cells]
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


def _head(options: argparse.Namespace, model: ClassModel, attackers: Attackers) -> Iterator[str]:
    yield "# Industry-Sector with all readers"
    yield ""
    date = datetime.now(UTC).date().isoformat()
    command = f"--documents {options.documents} --teaching {options.teaching} --tables {options.tables}"
    classes = len(model.sensitive.names)
    yield f"{date}, `python -m experiments.inference_blocking.all_readers {command}`: {options.documents} held-out pages,"
    yield f"{classes} classes (chance {100 / classes:.0f} %). Shares in per cent: words kept, first guesses of each attacker that are"
    yield "right (a tie is the attacker's), and the sector named by naive Bayes (planned with) and by a linear SVM of scikit-learn (not"
    yield f"planned with). *redacted* learned from {options.teaching} redacted pages and the other released ones. *rank guess* names the"
    yield "class at one rank of one reader, both chosen afterwards; *left out*: chosen on the other pages. *all ranks* names the"
    yield "class that no reader ranks better than k and that all readers together rank best, by the sum of ranks or the worst one."
    yield ""
    columns = ["released", "pages", "refused", "words kept", *attackers.readers, "redacted", "rank guess"]
    columns += ["rank guess, left out", "all ranks, sum", "all ranks, worst"]
    columns += ["sector, planned with", "sector, SVM"]
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "---|" * len(columns)


if __name__ == "__main__":
    main()
