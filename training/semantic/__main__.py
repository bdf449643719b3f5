"""Builds the packaged knowledge of the semantic guarantee: `python -m training.semantic`.

Reads the WordNet files of the Debian package `wordnet-base` and the articles under ../shared/data/wiki;
writes src/efface/knowledge/data. Nothing is drawn at random: the same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from training.semantic.tags import learn, listed, write_tags
from training.semantic.wordnet import licence, read_wordnet

from efface.knowledge.corpus_build import build
from efface.knowledge.taxonomy_files import write_taxonomy

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "efface" / "knowledge" / "data"
ATTRIBUTION = (
    "Counts over 23,388 articles of the English Wikipedia (first 12,000 characters each), by its "
    "contributors, CC BY-SA. Which numbered article holds which word; no text."
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.semantic", description=__doc__)
    parser.add_argument("--only", choices=["wordnet", "corpus", "tags"])
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--articles", type=Path, default=ROOT.parent / "shared/data/wiki/articles.jsonl.xz")
    arguments = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    if arguments.only in (None, "wordnet"):
        notice = licence(arguments.wordnet)
        write_taxonomy(DATA / "wordnet-nouns.tax", read_wordnet(arguments.wordnet), notice, force=True)
        (DATA / "wordnet-nouns.LICENSE").write_text(notice, "utf-8")
    if arguments.only in (None, "corpus"):
        build(
            [arguments.articles],
            DATA / "wikipedia.idx",
            lambda done: sys.stderr.write(f"\r{done} documents"),
            attribution=ATTRIBUTION,
            rare=True,
            force=True,
        )
    if arguments.only in (None, "tags"):
        write_tags(*learn(_beginnings(arguments.articles), listed(arguments.wordnet)))


def _beginnings(articles: Path) -> Iterator[str]:
    """The first 4,000 characters of every fifth article."""
    with lzma.open(articles, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["text"][:4000] for line in islice(lines, 0, None, 5))


if __name__ == "__main__":
    main()
