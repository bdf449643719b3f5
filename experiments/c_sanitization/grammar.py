"""Every replacement in the released leads with the words around it: `python -m experiments.c_sanitization.grammar OUT.csv`.

Each gets four verdicts by rule (article, number, doubled determiner, repetition). A person reads the list and judges the
rest: `fine`, `odd` (absurd) or `wrong` (ungrammatical); `grammar_verdicts.csv` has what was judged, without the words
around it. `--summary` counts both and prints docs/results/c_sanitization/grammar.md. Needs ../shared/data/wiki.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from efface.core import Edit, apply_edits
from efface.guarantees.semantic.english.wording import is_plural
from efface.guarantees.semantic.guarantee import Semantic
from efface.knowledge.taxonomy.countability import countability
from experiments.c_sanitization.guessing import PLACEHOLDER, every_lead, guarantee, next_edits
from experiments.c_sanitization.leads import Lead

VERDICTS = Path(__file__).with_name("grammar_verdicts.csv")
RULES = ("article", "number", "determiner", "repetition")
COLUMNS = ("lead", "at", "stood", "replacement")
_ROUNDS = 6
_AROUND = 60  # characters on each side that are shown

_VOWEL_SOUND = re.compile(
    r"(?:[aeio]|u(?!ni|s[ae]|r[aeiou]|til))(?!u[^aeiou])|hour|honest|heir", re.IGNORECASE
)
_DETERMINER = r"(?:an?|the|this|that|these|those|his|her|its|their|my|our|your|each|every|another|no)"
# `a long-term a condition`; `those with a condition` has one determiner, and so has a clause (`that a condition is`).
_DOUBLED = re.compile(
    r"\b(?:an?|the|his|her|its|their|my|our|your|each|every|another|no)\s+(?:[a-z]+(?:-[a-z]+)*\s+)?(?:an?|another)\s+$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)
_SINGULAR = re.compile(r"\b(?:an?|this|each|every|another|one)\s+$", re.IGNORECASE)
_PLURAL = re.compile(r"\b(?:these|those|many|few|several|both|two|three|four)\s+$", re.IGNORECASE)
_LEADING = re.compile(rf"{_DETERMINER}\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands in a released text instead of something else."""

    lead: str
    start: int
    end: int
    stood: str
    text: str  # all of the released text

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]

    @property
    def before(self) -> str:
        return self.text[max(0, self.start - _AROUND) : self.start]

    @property
    def after(self) -> str:
        return self.text[self.end : self.end + _AROUND]


def replacements(lead: Lead, promise: Semantic) -> list[Replacement]:
    """The replacements that stand in the text when nothing is found any more. What a later round removes is left out."""
    promise = promise.at_look()
    text = lead.text
    placed: list[tuple[int, int, str]] = []
    for _ in range(_ROUNDS):
        edits = next_edits(promise, text)
        if not edits:
            break
        placed = sorted([*_moved(placed, edits), *_inserted(text, edits)])
        text = apply_edits(text, edits)
    return [Replacement(lead.article, start, end, stood, text) for start, end, stood in placed]


def _shift(edits: Sequence[Edit], at: int) -> int:
    """By how much the edits before a place move it."""
    return sum(len(edit.replacement or "") - (edit.end - edit.start) for edit in edits if edit.end <= at)


def _moved(placed: Sequence[tuple[int, int, str]], edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
    for start, end, stood in placed:
        if not any(edit.start < end and start < edit.end for edit in edits):
            by = _shift(edits, start)
            yield start + by, end + by, stood


def _inserted(text: str, edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
    for edit in edits:
        if edit.replacement and edit.replacement != PLACEHOLDER:
            start = edit.start + _shift(edits, edit.start)
            yield start, start + len(edit.replacement), text[edit.start : edit.end]


def broken_rules(one: Replacement) -> list[str]:
    """The rules that a replacement breaks where it stands."""
    leading = _LEADING.match(one.words)
    bare = one.words[leading.end() :] if leading else one.words
    before = one.text[max(0, one.start - _AROUND) : one.start] + (leading.group() if leading else "")
    checks = (_has_wrong_article(before, bare), _has_wrong_number(before, bare, one.after))
    doubled = _DOUBLED.search(before) is not None
    return [
        rule
        for rule, is_broken in zip(
            RULES, (*checks, doubled, _is_repeated(before, bare, one.after)), strict=True
        )
        if is_broken
    ]


def _has_wrong_article(before: str, bare: str) -> bool:
    match = _ARTICLE.search(before)
    if match is None or bare[:2].isupper():
        return False
    return (match.group(1).lower() == "an") != (_VOWEL_SOUND.match(bare) is not None)


def _has_wrong_number(before: str, bare: str, after: str) -> bool:
    head = bare.rsplit(maxsplit=1)[-1]
    if head[0].isupper():
        return False
    plural, mass = is_plural(head), countability().is_mass(head) or head == "species"
    if _SINGULAR.search(before) and plural:
        return True
    if _PLURAL.search(before) and not plural and not mass:
        return True
    of_another = (
        re.search(r"\bof\s+$", before) is not None
    )  # the verb is of what precedes: `diagnosis of cases is`
    return plural and not of_another and re.match(r"\s+(?:is|was|has|does)\b", after) is not None


def _is_repeated(before: str, bare: str, after: str) -> bool:
    """Whether the same words stand beside it, with at most a mark or a small word between."""
    same = re.escape(bare.lower())
    between = r"(?:\s*[,/(]\s*|\s+)(?:(?:and|or|of|an?|the)\s+){0,2}"
    following = re.match(rf"{between}{same}\b", after.lower())
    preceding = re.search(rf"\b{same}{between}$", before.lower())
    return following is not None or preceding is not None


def rows(found: Sequence[Replacement]) -> Iterator[dict[str, str]]:
    for one in found:
        broken = broken_rules(one)
        own = {"lead": one.lead, "at": str(one.start), "stood": one.stood, "replacement": one.words}
        yield {
            **{key: " ".join(value.split()) for key, value in own.items()},
            **{rule: "broken" if rule in broken else "" for rule in RULES},
            "before": " ".join(one.before.split()),
            "after": " ".join(one.after.split()),
        }


def summary(found: Sequence[dict[str, str]]) -> str:
    """The counts, as the page of results has them."""
    total = len(found)
    broken = {rule: sum(bool(row[rule]) for row in found) for rule in RULES}
    by_any = sum(any(row[rule] for rule in RULES) for row in found)
    with VERDICTS.open(encoding="utf-8", newline="") as lines:
        judged = list(csv.DictReader(lines))
    counts = Counter(row["verdict"] for row in judged)
    bad = counts["odd"] + counts["wrong"]
    rules = "\n".join(f"| {rule} | {count} | {count / total:.1%} |" for rule, count in broken.items())
    return (
        f"By rule, all {total} replacements in the fourteen leads:\n\n| rule | broken | share |\n|---|---|---|\n{rules}\n"
        f"| **any** | {by_any} | {by_any / total:.1%} |\n\n"
        f"By reading, {len(judged)} of them: {counts['fine']} fine, {counts['odd']} absurd, {counts['wrong']} ungrammatical: "
        f"{bad / len(judged):.1%} are not fine."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--summary", action="store_true", help="print the counts of rules and of judged verdicts"
    )
    given = parser.parse_args()
    found = [row for lead in every_lead() for row in rows(replacements(lead, guarantee(lead, "document")))]
    with given.out.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, (*COLUMNS, *RULES, "before", "after"))
        writer.writeheader()
        writer.writerows(found)
    if given.summary:
        print(summary(found))


if __name__ == "__main__":
    main()
