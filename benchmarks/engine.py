"""The engine beside the floor: what a redaction costs over the least that any redaction must do.

    python -m benchmarks.engine [--quick] [--write] [--only patterns|leaks|names|memory]

The floor is one pass of one regular expression (digits and `@`) and one Aho-Corasick pass over the same text. Every
figure is a ratio of processor times of this process in one run, best of N, the two sides taking turns. `--write` puts
the table into docs/results/engine/README.md.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ahocorasick_rs import AhoCorasick

import efface
from benchmarks.patterns import synthetic
from efface.attacks.leaks import Removed, search
from efface.core import Document
from efface.finders.names.finder import NameFinder
from efface.finders.patterns.finder import PatternFinder

PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "engine" / "README.md"
EIGHT = frozenset("CREDIT_CARD IBAN_CODE EMAIL_ADDRESS URL IP_ADDRESS PHONE_NUMBER US_SSN DATE_TIME".split())
_LIMITS = """
What limits the figures. A redaction of 400 characters is some 2,000 calls of Python functions in some 25 short steps (find,
judge, spread, fill, write, read again, search for leaks), none above a twentieth of the whole after the finder. Steps that
can find nothing are proved so and left out; about a tenth of the time makes frozen values (75 objects a text, four times
the price of others). At a number only those rows are tried that can have so many digits and then such a sign; the finder's
time goes to where rows may begin, to check digits and context words, and to glue. So a faster scan (hyperscan) would save
little, and was not added. Compiling seven of the modules with mypyc was tried by hand: its code for sets failed at the first call.

With names the redacted text is read a second time, because `verify` will read it so. A sentence that did not change, or has
nothing left but placeholders, titles before them and small words, is not given to the network again; the text of this table
has no other sentence. Real prose does: of five press releases the second reading had 5,431 word pieces, the first 9,150.
Windows are not read together: the network takes the scale of its integers from all that it is given, so a window would read
otherwise beside another one, and `verify` would disagree with the release.

A dense text has an edit for every hundred characters: mentions and edits are objects, which take five times the text. The
bytes of the file are let go once they are read. The most is reached when the edited text is read again: with blanks in the
place of placeholders it takes two bytes a character, and twice that while it is made. Above a size the command line reads
a stream of parts instead, in flat memory."""
_FLOOR = re.compile(r"[0-9@]+")


@dataclass(frozen=True)
class Row:
    """One measured ratio and what the issue asked for."""

    what: str
    ratio: float
    wanted: str


def ratio(one: Callable[[], object], other: Callable[[], object], repeat: int) -> float:
    """Processor time of `one` over that of `other`, the best of each, taking turns."""
    best = [float("inf"), float("inf")]
    for _ in range(repeat):
        for number, work in enumerate((one, other)):
            started = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - started)
    return best[0] / max(best[1], 1e-9)


def texts(quick: bool) -> list[str]:
    """Documents of about 400 characters with values of the eight types."""
    found = [labelled.text for labelled in synthetic(EIGHT, 8 if quick else 30)]
    return [
        (" ".join(found[n : n + 3]) + " " + "The rest is plain. " * 30)[:400] for n in range(0, len(found), 3)
    ]


def recognizers() -> Callable[[str], object]:
    """Presidio's recognizers of the eight types, one after another without an NLP engine: the least it can do."""
    from presidio_analyzer import predefined_recognizers as known

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    names = "CreditCard Iban Email Url Ip Phone UsSsn Date".split()
    chosen = [getattr(known, f"{name}Recognizer")() for name in names]
    return lambda text: [one.analyze(text, one.supported_entities, None) for one in chosen]


def denied(count: int) -> list[str]:
    draw = random.Random(3)
    return [
        " ".join("".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(4, 9))) for _ in range(2))
        for _ in range(count)
    ]


def _patterns(quick: bool) -> list[Row]:
    repeat = 15 if quick else 25  # a busy machine disturbs most of them
    documents = texts(quick)
    types: Any = sorted(EIGHT)
    sanitizer = efface.Sanitizer({"find": {"names": "none", "patterns": types}})
    finder = PatternFinder(EIGHT)

    def whole(chosen: efface.Sanitizer) -> Callable[[], object]:
        return lambda: [one.verdict for one in chosen.redact_many(documents)]

    def find() -> object:
        return [list(finder.find(text)) for text in documents]

    presidio = recognizers()
    automaton = AhoCorasick(denied(1000))
    many = efface.Sanitizer(
        {"find": {"names": "none", "patterns": types, "deny": denied(5_000 if quick else 50_000)}}
    )
    for work in (find, whole(sanitizer), whole(many)):  # what is made late is made before it is timed
        work()
    return [
        Row("Presidio's recognizers over the pattern finder, eight types", ratio(lambda: [presidio(t) for t in documents], find, repeat), "at least 30"),
        Row("Presidio's recognizers over the whole redaction, eight types", ratio(lambda: [presidio(t) for t in documents], whole(sanitizer), repeat), "at least 12"),
        Row("whole redaction of 400 characters over the finder", ratio(whole(sanitizer), find, repeat), "at most 2"),
        Row(f"{5_000 if quick else 50_000:,} denied terms over none, 400 characters", ratio(whole(many), whole(sanitizer), repeat), "at most 1.3"),
        Row("the finder over one regular expression pass (floor)", ratio(find, lambda: [_FLOOR.findall(t) for t in documents], repeat), "told"),
        Row("the finder over one Aho-Corasick pass (floor)", ratio(find, lambda: [automaton.find_matches_as_indexes(t) for t in documents], repeat), "told"),
    ]  # fmt: skip


def _leaks(_quick: bool) -> list[Row]:
    """Twice the text should take twice the time."""

    def searching(count: int) -> Callable[[], object]:
        kept = " ".join(f"we may go{n}" for n in range(count))
        return lambda: search([Removed("May", "PERSON")], [("body", kept)], Document("d", "text", kept))

    return [
        Row(
            "leak search with 8,000 kept words over 4,000",
            ratio(searching(8000), searching(4000), 2),
            "about 2",
        )
    ]


def _names(quick: bool) -> list[Row]:
    prose = (
        "Anna Kowalska met Dr. Omar Haddad in Leeds. The roof leaked again and nobody came. "
        "They talked about the report for a long time, and then it was sent to the committee.\n\n"
    )
    plain = "The committee read the report and asked for more time. It was late when they left.\n\n"
    text = (prose + plain * 6) * (20 if quick else 120)
    sanitizer = efface.Sanitizer({"find": {"patterns": "none", "names": "default"}})
    finder = NameFinder()
    list(finder.find(prose))
    found = ratio(lambda: sanitizer.redact(text).verdict, lambda: list(finder.find(text)), 5)
    return [Row("whole redaction with names over one pass of the names finder", found, "at most 1.4")]


_PEAK = """
import sys
import efface
def kilobytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field))
sanitizer = efface.Sanitizer({"find": {"names": "none", "patterns": sys.argv[2].split()}})
sanitizer.redact("Mail bob@example.com.")
before = kilobytes("VmRSS:")
with open(sys.argv[1], "rb") as file:
    sanitizer.sanitize(file.read(), name="dense.txt")
print(kilobytes("VmHWM:") - before)
"""


def _memory(quick: bool) -> list[Row]:
    """The most memory that one dense text takes in one piece, over its size, in a process of its own."""
    size = (5 if quick else 100) << 20
    sentences = [labelled.text for labelled in synthetic(EIGHT, 30)]
    draw = random.Random(4)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dense.txt"
        with path.open("w", encoding="utf-8") as file:
            while file.tell() < size:
                file.write("\n".join(draw.choices(sentences, k=1000)))
        asked = [sys.executable, "-c", _PEAK, str(path), " ".join(sorted(EIGHT))]
        kilobytes = int(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
        over = kilobytes * 1024 / path.stat().st_size
    return [Row(f"memory over the file, dense text of {size >> 20} MB in one piece", over, "at most 6")]


PARTS = {"patterns": _patterns, "leaks": _leaks, "names": _names, "memory": _memory}


def page(made: list[Row], flags: str) -> str:
    day = datetime.now(UTC).date().isoformat()
    lines = [
        "# The engine beside the floor\n",
        f"`python -m benchmarks.engine{flags}`, {day}, two cores that were shared with other work. Every figure is a",
        "ratio of processor times in one run; what falls short stands as it is.\n",
        "| what | measured | wanted |",
        "|---|---|---|",
        *(f"| {row.what} | {row.ratio:.2f} | {row.wanted} |" for row in made),
        _LIMITS,
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=PARTS, help="measure one part, and write nothing")
    chosen = parser.parse_args()
    parts = [PARTS[chosen.only]] if chosen.only else list(PARTS.values())
    made = [row for part in parts for row in part(chosen.quick)]
    flags = (" --quick" if chosen.quick else "") + (" --write" if chosen.write else "")
    said = page(made, flags + (f" --only {chosen.only}" if chosen.only else ""))
    print(said)
    if chosen.write and not chosen.only:
        PAGE.write_text(said, "utf-8")


if __name__ == "__main__":
    main()
