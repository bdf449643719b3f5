"""Names in languages other than English: token recall and precision on sentences not learned from.

    python -m benchmarks.languages [--sentences N] [--after 300] [--together 8] [--languages de no] [--spacy de_core_news_sm ...]

Every second sentence of the `dev` files of ../shared/data/ner/multi and of its `local-only` files, one at a time, with
`find.names: default`; the language is told by `languages`. With `--after 300` only those by which no setting was
chosen. With `--together 8` as many sentences that follow one another are one text, and it says its language itself. A person's token is found when it is marked as anything; it is right
when it is marked as a person. A spaCy pipeline that is installed is run on the same sentences.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from efface.core import Mention
from efface.finders.names.coverage import COVERED, LEAST_PRECISION, LEAST_RECALL
from efface.finders.names.finder import NameFinder
from efface.finders.names.tokens import WORD

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "ner" / "multi"
KINDS = ("PERSON", "LOCATION", "ORGANIZATION")
# Newspapers of 1850 to 1950 with scanning errors, decisions with initials for persons, traffic reports.
APART = frozenset({"europeana", "ler", "mobie"})
SHOWN = ("de", "fr", "es", "it", "nl", "pt", "da", "sv", "no", "fi", "tr", "pl", "cs")

Find = Callable[[str], list[Mention]]
Spans = list[tuple[int, int, str]]
Sentence = tuple[str, Spans, Spans]


@dataclass(slots=True)
class Counts:
    """Tokens that are there, found, marked and rightly marked."""

    there: int = 0
    found: int = 0
    marked: int = 0
    right: int = 0

    def __str__(self) -> str:
        recall = self.found / self.there if self.there else 1.0
        precision = self.right / self.marked if self.marked else 1.0
        return f"{recall:.3f} / {precision:.3f}"


def sentences(language: str, most: int, apart: bool, after: int = 0) -> Iterator[Sentence]:
    """Text, names, and what is left open; of the usual kinds of text, or of those `apart`."""
    for path in sorted([*DATA.glob(f"{language}.*.dev.*"), *DATA.glob(f"local-only/{language}.*")]):
        if (path.name.split(".")[1] in APART) != apart:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows[after : after + most] if after else rows[1 : 2 * most : 2]:
            yield _text(row["tokens"], row["tags"])


def together(given: Iterable[Sentence], count: int) -> Iterator[Sentence]:
    """As many sentences that follow one another as one text."""
    every = list(given)
    for first in range(0, len(every), count):
        text, names, left_open = "", list[tuple[int, int, str]](), list[tuple[int, int, str]]()
        for sentence, own, opened in every[first : first + count]:
            names += [(low + len(text), high + len(text), kind) for low, high, kind in own]
            left_open += [(low + len(text), high + len(text), kind) for low, high, kind in opened]
            text += f"{sentence} "
        yield text, names, left_open


def _text(tokens: list[str], tags: list[str]) -> tuple[str, Spans, Spans]:
    text, names, left_open = "", list[tuple[int, int, str]](), list[tuple[int, int, str]]()
    for token, tag in zip(tokens, tags, strict=True):
        text += " " if text and token[:1] not in ",.;:!?)" else ""
        if tag != "O":
            (names if tag[2:] in KINDS else left_open).append((len(text), len(text) + len(token), tag[2:]))
        text += token
    return text, names, left_open


def count(find: Find, given: Iterable[Sentence]) -> dict[str, Counts]:
    """By type, and for all types together."""
    counts = {kind: Counts() for kind in (*KINDS, "all")}
    for text, names, left_open in given:
        mentions = [(m.start, m.end, m.type) for m in find(text) if m.type in KINDS]
        for match in WORD.finditer(text):
            true, said = _kind(names, *match.span()), _kind(mentions, *match.span())
            if not any(map(str.isalnum, match.group())) or _kind(left_open, *match.span()):
                continue
            for kind in KINDS:
                one = counts[kind]
                one.there += true == kind
                one.found += true == kind and bool(said)
                one.marked += said == kind
                one.right += true == said == kind
            together = counts["all"]
            together.there += bool(true)
            together.found += bool(true and said)
            together.marked += bool(said)
            together.right += bool(true and said)
    return counts


def _kind(spans: Spans, start: int, end: int) -> str:
    return next((kind for low, high, kind in spans if low < end and high > start), "")


def efface(*expected: str) -> Find:
    """The names finder, with the only languages to expect."""
    return lambda text: list(NameFinder(languages=expected).find(text))


def spacy(pipeline: str) -> Find:
    from efface.finders.adapters import finder_of

    finder = finder_of(pipeline, None, None, frozenset(), 0.4)
    return lambda text: list(finder.find(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sentences", type=int, default=150, help="of each file")
    parser.add_argument("--after", type=int, default=0, help="begin after so many sentences of each file")
    parser.add_argument("--together", type=int, default=1, help="sentences that make one text")
    parser.add_argument("--languages", nargs="+", default=list(SHOWN), choices=SHOWN)
    parser.add_argument("--spacy", nargs="*", default=[], help="pipelines that are installed")
    arguments = parser.parse_args()
    if not DATA.exists():
        print("../shared/data is not here: nothing to measure")
        return
    print(
        f"recall / precision by token; covered means persons at least {LEAST_RECALL:.2f} / {LEAST_PRECISION:.2f}\n"
    )
    print(f"{'':22}" + "".join(f"{kind:>18}" for kind in (*KINDS, "all")))
    most, after = arguments.sentences, arguments.after
    for language in arguments.languages:
        given = sentences(language, most, False, after)
        if arguments.together > 1:
            found = count(efface(), together(given, arguments.together))
        else:
            found = count(efface("en", language), given)
        _print(f"{language} efface", found, language in COVERED)
    print("\nold newspapers as scanned; German court decisions with initials, traffic reports")
    for language in {"de", "fr", "nl"}.intersection(arguments.languages):
        found = count(efface("en", language), sentences(language, most, True, after))
        _print(f"{language} efface", found, None)
    for pipeline in arguments.spacy:
        _print(pipeline, count(spacy(pipeline), sentences(pipeline[:2], most, False, after)), None)


def _print(name: str, counts: dict[str, Counts], covered: bool | None) -> None:
    said = {True: "  covered", False: "  not covered", None: ""}[covered]
    print(f"{name:22}" + "".join(f"{counts[kind]!s:>18}" for kind in (*KINDS, "all")) + said, flush=True)


if __name__ == "__main__":
    main()
