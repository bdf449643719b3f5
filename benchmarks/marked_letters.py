"""Invented letters, notes and chats with every fact marked by hand: what is left of them, and what goes without need.

    python -m benchmarks.marked_letters FOLDER [--show]

A fact is marked where it stands: `{P1:Anna Kowalska}`. The letter tells its kind (P person, L place, O organisation, D date,
N number or address of any kind), the number tells whether two marks mean one thing. `{?:Friday}` may go or stay.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import efface
from efface.core import Edit

_MARK = re.compile(r"\{([PLOND]\d+|\?):([^{}]*)\}")
_WORD = re.compile(r"\w+")
OPTIONAL = "?"
# Words in a fact that tell nothing by themselves.
_SMALL = frozenset(
    "a an the of on in at and c o s m mr mrs ms miss dr sir lady lord aunty uncle pc ps dc rt hon present client "
    # titles abroad
    "herr frau fr prof med oa schwester mme mlle docteure dott ssa mw mevr dhr meneer dokter zuster lic".split()
)


@dataclass(frozen=True)
class Fact:
    """A marked stretch of a text."""

    thing: str
    start: int
    end: int


@dataclass(frozen=True)
class Letter:
    """A text without its marks, and the facts in it."""

    name: str
    text: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Score:
    """What became of a letter. Stretches are texts of the letter itself, which is invented."""

    name: str
    verdict: str
    facts: int
    left: tuple[str, ...]
    harmless: tuple[str, ...]
    joined: tuple[str, ...]
    shared: tuple[str, ...]
    cut_words: int


def parse(name: str, marked: str) -> Letter:
    """The letter behind a marked text."""
    pieces: list[str] = []
    facts: list[Fact] = []
    length = copied = 0
    for mark in _MARK.finditer(marked):
        before = marked[copied : mark.start()]
        start = length + len(before)
        pieces += (before, mark[2])
        length = start + len(mark[2])
        facts.append(Fact(mark[1], start, length))
        copied = mark.end()
    pieces.append(marked[copied:])
    return Letter(name, "".join(pieces), tuple(facts))


def score(letter: Letter, verdict: str, edits: Sequence[Edit]) -> Score:
    """How the edits of a redaction treat the facts of a letter."""
    wanted = [fact for fact in letter.facts if fact.thing != OPTIONAL]
    return Score(
        letter.name,
        verdict,
        len(wanted),
        tuple(_left(letter, wanted, edits)),
        tuple(_outside(letter, edits)),
        tuple(_joined(letter, wanted, edits)),
        tuple(_shared(letter, wanted, edits)),
        sum(len(_WORD.findall(letter.text[edit.start : edit.end])) for edit in edits),
    )


def _left(letter: Letter, facts: Iterable[Fact], edits: Sequence[Edit]) -> Iterable[str]:
    """Facts of which a telling word still stands."""
    for fact in facts:
        for word in _WORD.finditer(letter.text, fact.start, fact.end):
            if word.group().lower() in _SMALL:
                continue
            if not any(edit.start < word.end() and word.start() < edit.end for edit in edits):
                yield f"{letter.text[fact.start : fact.end]} ({word.group()})"
                break


def _outside(letter: Letter, edits: Iterable[Edit]) -> Iterable[str]:
    """Words that were cut and belong to no fact."""
    for edit in edits:
        for word in _WORD.finditer(letter.text, edit.start, edit.end):
            if not any(fact.start < word.end() and word.start() < fact.end for fact in letter.facts):
                yield f"{word.group()} [{edit.type}: {letter.text[edit.start : edit.end]}]"


def _joined(letter: Letter, facts: Sequence[Fact], edits: Iterable[Edit]) -> Iterable[str]:
    """Edits over several things."""
    for edit in edits:
        things = {fact.thing for fact in facts if fact.start < edit.end and edit.start < fact.end}
        if len(things) > 1:
            yield letter.text[edit.start : edit.end]


def _shared(letter: Letter, facts: Sequence[Fact], edits: Iterable[Edit]) -> Iterable[str]:
    """Placeholders that stand for two different people."""
    people: dict[str | None, dict[str, str]] = {}
    for edit in edits:
        for fact in facts:
            if fact.thing[0] == "P" and fact.start < edit.end and edit.start < fact.end:
                of = people.setdefault(edit.replacement, {})
                of.setdefault(fact.thing, letter.text[fact.start : fact.end])
    for placeholder, things in people.items():
        if len(things) > 1:
            yield f"{placeholder}: {' / '.join(things.values())}"


def read_letters(folder: Path) -> list[Letter]:
    """The marked letters of a folder, by name."""
    return [parse(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.txt"))]


def table(scores: Sequence[Score]) -> str:
    """The scores as a table of Markdown."""
    lines = [
        "| text | verdict | facts | left | words cut | harmless | several things in one | two people in one |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in scores:
        figures = (
            one.facts,
            len(one.left),
            one.cut_words,
            len(one.harmless),
            len(one.joined),
            len(one.shared),
        )
        lines.append(f"| {one.name} | {one.verdict} | " + " | ".join(map(str, figures)) + " |")
    sums = [
        sum(one.facts for one in scores),
        sum(len(one.left) for one in scores),
        sum(one.cut_words for one in scores),
        sum(len(one.harmless) for one in scores),
        sum(len(one.joined) for one in scores),
        sum(len(one.shared) for one in scores),
    ]
    held = sum(one.verdict == "held" for one in scores)
    lines.append(f"| **all {len(scores)}** | {held} held | " + " | ".join(f"**{n}**" for n in sums) + " |")
    return "\n".join(lines)


def _scored(letter: Letter, sanitizer: efface.Sanitizer) -> Score:
    redaction = sanitizer.redact(letter.text, allow_unproven=True)
    return score(letter, str(redaction.verdict), redaction.edits)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true", help="print what was left and what went without need")
    chosen = parser.parse_args()
    sanitizer = efface.Sanitizer()
    scores = [_scored(one, sanitizer) for one in read_letters(chosen.folder)]
    print(table(scores))
    if chosen.show:
        for one in scores:
            print(f"\n{one.name}")
            for what in ("left", "harmless", "joined", "shared"):
                for row in getattr(one, what):
                    print(f"  {what:9} {row!r}")


if __name__ == "__main__":
    main()
