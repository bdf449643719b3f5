"""Identifiers by file and line, and the baseline of those that are known."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from efface.check.tree import Skipped, text_of
from efface.errors import InputError
from efface.finders.patterns.finder import TYPES, PatternFinder

# Types of which source code is full by nature.
ORDINARY = frozenset({"URL", "DOMAIN_NAME", "FILE_PATH", "DATE_TIME", "USERNAME", "IP_ADDRESS", "AGE"})
THRESHOLD = 0.6  # below it are shapes that any number may have: not reported in source
# Addresses and numbers that are reserved for examples.
_EXAMPLES = re.compile(
    r"(?:(?:\A|[@./])example\.(?:com|org|net)|\.(?:example|invalid|test)|(?:\A|[@./])localhost)\Z",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"\r\n|\r|\n")
FORM = "efface.check/1"


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """An identifier in a file. `because` names the rule; the value itself is nowhere."""

    path: str
    line: int
    column: int
    type: str
    because: str


@dataclass(frozen=True, slots=True)
class TreeScan:
    """What was found, in order, and what was not looked at."""

    found: tuple[SourceFinding, ...]
    skipped: tuple[Skipped, ...]


def scan(paths: Iterable[Path | Skipped], types: frozenset[str] | None = None) -> TreeScan:
    """Looks into the files."""
    finder = PatternFinder(types or frozenset(TYPES) - ORDINARY, THRESHOLD)
    found: list[SourceFinding] = []
    skipped: list[Skipped] = []
    for path in paths:
        if isinstance(path, Skipped):
            skipped.append(path)
            continue
        text = text_of(path)
        if isinstance(text, Skipped):
            skipped.append(text)
        else:
            found.extend(_findings_in(path, text, finder))
    return TreeScan(tuple(found), tuple(skipped))


def _findings_in(path: Path, text: str, finder: PatternFinder) -> Iterator[SourceFinding]:
    starts: list[int] = []
    for mention in finder.find(text):
        if _EXAMPLES.search(text[mention.start : mention.end]):
            continue
        starts = starts or [0, *(end.end() for end in _LINE_END.finditer(text))]
        line = bisect_right(starts, mention.start)
        column = mention.start - starts[line - 1] + 1
        yield SourceFinding(path.as_posix(), line, column, mention.type, mention.because)


def baseline_of(found: Iterable[SourceFinding], folder: Path) -> str:
    """How many of each type each file has, by its path from the `folder` of the baseline. No hash: a digest of a number
    confirms a guess."""
    counts: dict[str, Counter[str]] = {}
    for one in found:
        counts.setdefault(_from(folder, one.path), Counter())[one.type] += 1
    known = {path: dict(sorted(types.items())) for path, types in sorted(counts.items())}
    return json.dumps({"form": FORM, "known": known}, indent=1, sort_keys=True) + "\n"


def load_baseline(path: Path) -> Mapping[str, Mapping[str, int]]:
    try:
        value = json.loads(path.read_text("utf-8"))
        form, known = value["form"], value["known"]
        for types in known.values():
            if not all(isinstance(count, int) for count in types.values()):
                raise ValueError
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("The baseline cannot be read.", "Make it with --write-baseline.") from None
    if form != FORM:
        raise InputError("The baseline is of another version of efface.", "Make it with --write-baseline.")
    return dict(known)


def beyond(
    found: Iterable[SourceFinding], known: Mapping[str, Mapping[str, int]], folder: Path
) -> Iterator[SourceFinding]:
    """What is more than the baseline in `folder` knows. Lines move, so the last ones of a type in a file are the new
    ones."""
    seen: Counter[tuple[str, str]] = Counter()
    for one in found:
        path = _from(folder, one.path)
        seen[path, one.type] += 1
        if seen[path, one.type] > known.get(path, {}).get(one.type, 0):
            yield one


def _from(folder: Path, path: str) -> str:
    """A path as the folder sees it, wherever the command was started and however the path was given."""
    return Path(os.path.relpath(path, folder)).as_posix()


def as_json(found: Iterable[SourceFinding]) -> str:
    return json.dumps({"schema": FORM, "found": [asdict(one) for one in found]}, indent=1)
