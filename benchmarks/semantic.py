"""Semantic sanitization, as ratios and seconds in one run: `python -m benchmarks.semantic`.

- counting a pair, against numpy's bitwise-and of two bitmaps of the same corpus (aim: at most 2);
- a document of 1,000 words with groups of two (aim: under 2 s) and of three (under 30 s);
- ratios: 1,000 words with pairs and the reader of the whole text against pairs alone (aim: at most 3), 5,000 words with
  groups of three against groups of two (aim: at most 10), 20,000 words with pairs against 5,000 (linear would be 4);
- with `--real`, 1,000 words of real articles about what is hidden, in ../shared/data/wiki (the same aims);
- with `--build`, indexing the articles in ../shared/data/wiki (aim: under 120 s).
Seconds are of processor time in this process, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np
from experiments.c_sanitization.__main__ import read
from experiments.c_sanitization.leads import leads

from efface.finders.phrases import PhraseFinder
from efface.guarantees.semantic.guarantee import Semantic
from efface.knowledge.corpus.build import build
from efface.knowledge.corpus.counts import Query, wikipedia
from efface.knowledge.corpus.subject_articles import packaged_subjects
from efface.knowledge.taxonomy.concepts import wordnet
from efface.knowledge.taxonomy.definitions import definitions
from efface.knowledge.vectors.word_vectors import packaged_vectors

SHARED = Path(__file__).parents[2] / "shared" / "data" / "wiki"
_TOPICS = (
    "infection blood cell doctor hospital piano river army church market virus drug fever lung bridge engine "
    "teacher garden island battle language opera insect protein treaty coal harbour novel goal planet"
).split()


def pair_ratio(pairs: int = 20_000) -> float:
    """Time to count a pair over time of one bitwise-and."""
    keys = sorted(key for key in wikipedia().terms if " " not in key)[5_000::500]
    queries: list[Query] = [((key,),) for key in keys]
    table = wikipedia().table(queries)
    groups = np.array(list(combinations(range(len(queries)), 2))[:pairs])
    table.counts(groups[:1000])
    start = time.process_time()
    table.counts(groups)
    counted = time.process_time() - start
    left, right = table.rows[0], table.rows[1]
    start = time.process_time()
    for _ in range(pairs):
        np.bitwise_and(left, right)
    return counted / len(groups) / ((time.process_time() - start) / pairs)


def document(words: int = 1000) -> str:
    """A text of so many words on many subjects, the same in every run."""
    known = [key for key in sorted(wikipedia().terms) if key.isalpha() and key.islower() and len(key) > 4]
    drawn = np.random.default_rng(7).choice(len(known), words // 4, replace=False)
    pieces = [f"The {known[at]} of the {_TOPICS[n % len(_TOPICS)]}." for n, at in enumerate(drawn.tolist())]
    return " ".join(pieces)[: words * 8]


def seconds(
    text: str, max_group: int, entity: str = "HIV", general: str = "virus", reader: str = "terms"
) -> float:
    guarantee = Semantic(
        {entity: general},
        wikipedia(),
        (wordnet(),),
        max_group=max_group,
        reader=reader,
        vectors=packaged_vectors(),
        definitions=definitions(),
        subjects=packaged_subjects(),
    )
    guarantee.warnings()  # finds the rivals: once a policy, not once a document
    start = time.process_time()
    reading = read(text, PhraseFinder())
    guarantee.plan(reading, guarantee.assess(reading))
    return time.process_time() - start


def real_seconds(max_group: int, words: int = 1000) -> tuple[float, float]:
    """The mean and the worst over articles, each cut at so many words."""
    spent = []
    for lead in leads(whole=True):
        text = " ".join(lead.text.split(" ")[:words])
        spent.append(seconds(text, max_group, lead.entity, lead.generalisation))
    return sum(spent) / len(spent), max(spent)


def build_seconds() -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        build([SHARED / "articles.jsonl.xz"], Path(folder) / "a.idx")
        return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.semantic", description=__doc__)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--build", action="store_true")
    arguments = parser.parse_args()
    print(f"counting a pair / bitwise-and: {pair_ratio():.2f} (aim 2)")
    text = document()
    seconds("A virus.", 1)  # loads the knowledge
    print(f"document: {len(text.split())} words")
    for max_group, aim in ((1, 2), (2, 2), (3, 30)):
        print(f"groups of up to {max_group}: {seconds(text, max_group):.2f} s (aim {aim})")
    pairs = seconds(text, 2)
    print(
        f"reader of the whole text / pairs alone: {seconds(text, 2, reader='document') / pairs:.2f} (aim 3)"
    )
    middle, long = document(5000), document(20_000)
    pairs = seconds(middle, 2)
    print(f"5,000 words, groups of three / of two: {seconds(middle, 3) / pairs:.2f} (aim 10)")
    print(f"pairs, 20,000 words / 5,000 words: {seconds(long, 2) / pairs:.2f} (linear: 4)")
    for max_group, aim in ((2, 2), (3, 30)) if arguments.real else ():
        mean, worst = real_seconds(max_group)
        print(f"real articles, up to {max_group}: mean {mean:.2f} s, worst {worst:.2f} s (aim {aim})")
    if arguments.build:
        print(f"index of the articles: {build_seconds():.0f} s (aim 120)")


if __name__ == "__main__":
    main()
