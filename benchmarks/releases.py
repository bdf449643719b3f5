"""Treasury press releases, released under the default policy and attacked by means that share nothing with efface.

    python -m benchmarks.releases [--documents N] [--quick] [--read N] [--json FILE]

For every release: persons that were cut in one place and stand in another (a plain search, letter by letter, for
every whole mention and every part of one that the text does not write in lower case), organisations and places of
two words or more in the same way, the verdict, and whether `verify` agrees with it. `--read N` prints the cuts of N
documents, each in its line, so that a person can count the harmless words among them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.core import Report

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "entities" / "sdn" / "releases.jsonl.gz"
POLICY = "efface: 1\n"
_WORD = re.compile(r"[^\W\d_]{4,}")
# No names by themselves: what stands before one.
_TITLES = frozenset(
    "president minister senator general colonel captain judge justice secretary director commissioner deputy "
    "assistant under chief sheikh doctor professor chairman attorney acting ambassador special agent".split()
)


@dataclass(frozen=True)
class WordPredictions:
    """What an attacker finds in one release, and what `verify` says of it."""

    name: str
    verdict: str
    cuts: int
    persons_left: tuple[str, ...]
    names_left: tuple[str, ...]
    verified: str
    in_words: tuple[
        str, ...
    ] = ()  # parts of persons left inside words that other releases write in lower case


_COMMON = 10  # releases that write a word in lower case, for it to be no name


def common_words(data: Path) -> frozenset[str]:
    """The words that many releases write in lower case, whatever one of them calls a person."""
    counts: Counter[str] = Counter()
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        for line in lines:
            counts.update(set(re.findall(r"(?<!\w)[a-z]+(?!\w)", json.loads(line)["text"])))
    return frozenset(word for word, count in counts.items() if count >= _COMMON)


def documents(data: Path, count: int) -> Iterator[tuple[str, str]]:
    """Every so many of the releases, from the first year to the last."""
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    step = max(1, len(rows) // count)
    for row in rows[::step][:count]:
        yield row["id"], f"{row['title']}\n\n{row['text']}"


def persons_left(text: str, released: str, cut: set[str]) -> Iterator[str]:
    """Whole mentions and parts of persons that stand in the release."""
    small = set(re.findall(r"[^\W\d_]+", text))
    for mention in sorted(cut):
        if stands(mention, released):
            yield mention
        for part in _WORD.findall(mention):
            is_word = part.lower() in small or part.lower() in _TITLES
            if not is_word and any(tokens_with(part, released)):
                yield part


def tokens_with(part: str, released: str) -> Iterator[str]:
    """The words of a release that begin with a part of a name."""
    pattern = rf"(?<![^\W\d_]){re.escape(part)}[^\W\d_]*"
    return (match.group() for match in re.finditer(pattern, released, re.IGNORECASE))


def stands(string: str, text: str) -> bool:
    """Whether a string stands in a text as it is written, not inside a longer word."""
    return re.search(rf"(?<!\w){re.escape(string)}(?!\w)", text) is not None


def judged(
    name: str, text: str, sanitizer: Sanitizer, common: frozenset[str] = frozenset()
) -> tuple[WordPredictions, Report]:
    """One release, attacked."""
    report = sanitizer.sanitize(text.encode(), name=f"{name}.txt")
    if report.released is None:
        return WordPredictions(name, report.verdict.value, len(report.edits), (), (), "not released"), report
    released = report.released.decode()
    cut: dict[str, set[str]] = {}
    for edit in report.edits:
        cut.setdefault(edit.type, set()).add(report.document.text[edit.start : edit.end])
    others = {s for kind in ("ORGANIZATION", "LOCATION") for s in cut.get(kind, ()) if len(s.split()) > 1}
    verified = sanitizer.verify(report.released, name=f"{name}.txt").verdict.value
    left = tuple(dict.fromkeys(persons_left(text, released, cut.get("PERSON", set()))))
    in_words = tuple(part for part in left if all(word in common for word in tokens_with(part, released)))
    found = WordPredictions(
        name,
        report.verdict.value,
        len(report.edits),
        tuple(part for part in left if part not in in_words),
        tuple(sorted(string for string in others if stands(string, released))),
        verified,
        in_words,
    )
    return found, report


def show(report: Report) -> None:
    """The cuts of a document, each in its line."""
    text = report.document.text
    for edit in report.edits:
        low, high = max(0, edit.start - 40), min(len(text), edit.end + 40)
        before, after = text[low : edit.start].replace("\n", " "), text[edit.end : high].replace("\n", " ")
        print(f"{edit.type:14} {before}⟦{text[edit.start : edit.end]!r}⟧{after}")


def main() -> int:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--data", type=Path, default=DATA)
    asked = parser.parse_args()
    if not asked.data.exists():
        print("The press releases are not here (../shared/data): nothing to measure.")
        return 0
    sanitizer = Sanitizer.from_text(POLICY)
    common = common_words(asked.data)
    started, results = time.time(), []
    for number, (name, text) in enumerate(documents(asked.data, 5 if asked.quick else asked.documents)):
        found, report = judged(name, text, sanitizer, common)
        results.append(found)
        if number < asked.read:
            print(f"\n== {name}")
            show(report)
        if found.persons_left or found.in_words or found.names_left or found.verdict != found.verified:
            print(found, file=sys.stderr)
    if asked.json:
        asked.json.write_text(json.dumps([vars(found) for found in results], indent=1), "utf-8")
    _table(results, time.time() - started)
    return 0


def _table(results: list[WordPredictions], seconds: float) -> None:
    verdicts = Counter(found.verdict for found in results)
    released = [found for found in results if found.verified != "not released"]
    print(f"\n{len(results)} releases, {sum(f.cuts for f in results):,} cuts, {seconds:.0f} s")
    print(f"verdicts: {dict(verdicts)}")
    print(f"documents with a person cut once and left: {sum(bool(f.persons_left) for f in released)}")
    print(
        "documents with a part of a person left inside ordinary words alone: "
        f"{sum(bool(f.in_words) for f in released)}"
    )
    print(
        f"documents with another name of two words cut once and left: {sum(bool(f.names_left) for f in released)}"
    )
    print(f"releases whose verification disagrees: {sum(f.verified != f.verdict for f in released)}")


if __name__ == "__main__":
    sys.exit(main())
