"""ERASE's disease example on real data: what goes from a doctor's letter depends on what is protected.

    python -m experiments.erase.diseases [-o docs/results/erase]

Entities are the rare diseases of HPO and the common ones of HSDN (see ../shared/data/README.md), contexts
their names and symptoms. The categories are words in the diseases' names: the data have none of their own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from efface.core import Report
from efface.finders.entities import EntityFinder
from efface.guarantees.ksafety.guarantee import KSafety
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index
from efface.operators import Operators
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "entities"
CROWD = 11  # ERASE's K = 10 others

CATEGORIES = {
    "sexual": r"immunodeficiency syndrome|hepatitis b\b|syphilis|gonorrh|testicular|vulva|vaginal|azoosperm",
    "cancer": r"cancer|carcinoma|sarcoma|leuk[a]?emia|lymphoma|melanoma|glioma|blastoma|neoplasm|tumor",
    "heart": r"cardi|heart|coronary|aort|arrhythm|atrial|ventricular",
    "mental": r"schizo|bipolar|depress|panic|autis|conduct disorder|attention deficit|tourette|psychosis",
}
PROTECTED_SETS = {
    "sexual, cancer, heart and mental": ("sexual", "cancer", "heart", "mental"),
    "heart and mental": ("heart", "mental"),
}

LETTER = """\
Thank you for writing so openly. What you describe is weight loss over four months, fatigue, fever in the evening,
night sweats and diarrhea, and lately insomnia and headache. On some mornings there is vertigo, and your partner
has noticed tremor of the hands. None of this is a diagnosis: anorexia and cough alone would not worry me. But the
chest pain and the palpitations should be looked at this week. You also mention anxiety, depression, social withdrawal
and, once, auditory hallucinations: for these I would like you to see a colleague. Please bring your medicines.
"""


def entities() -> Iterator[Entity]:
    for name in ("diseases-hpo.jsonl.gz", "diseases-common.jsonl.gz"):
        with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                values = [("name", row["name"]), *(("symptom", _plain(term)) for term in row["terms"])]
                labels = tuple(
                    ("category", label)
                    for label, words in CATEGORIES.items()
                    if re.search(words, row["name"], re.I)
                )
                yield Entity(row["id"], tuple(values), labels=labels)


def _plain(term: str) -> str:
    """ "Angina, Unstable" is written "unstable angina" in a letter."""
    head, comma, rest = term.partition(", ")
    return f"{rest} {head}" if comma else term


def sanitize(index: EntityIndex, categories: tuple[str, ...]) -> Report:
    ids = sorted({id for label in categories for id in index.ids(index.where("category", label))})
    promise = KSafety(index, "diseases", CROWD, index.select(ids), time_limit=30)
    bound = BoundPolicy(
        {"diseases": EntityFinder(index, "diseases")}, (promise,), Operators(), types=("SYMPTOM", "NAME")
    )
    return pipeline.sanitize(LETTER.encode(), "letter.txt", bound)


def page(index: EntityIndex) -> str:
    """Markdown: the letter, and for each protected set what went and what stayed."""
    rows = [
        "# The disease example\n",
        f"{len(index):,} diseases (HPO and HSDN), k = {CROWD}. The letter is our own:\n",
        "\n".join(f"> {line}" for line in LETTER.splitlines()) + "\n",
        "| protected | diseases | removed | stayed | plan |",
        "|---|---|---|---|---|",
    ]
    for title, categories in PROTECTED_SETS.items():
        report = sanitize(index, categories)
        text = report.document.text
        gone = sorted({text[e.start : e.end].lower() for e in report.edits})
        known = {text[m.start : m.end].lower() for m in EntityFinder(index, "diseases").find(text)} - set(
            gone
        )
        count = len({id for label in categories for id in index.ids(index.where("category", label))})
        plan = report.outcomes[0].plan
        how = (
            f"{plan.optimality} ({plan.cost:g} removed, at least {plan.lower_bound:g})"
            if plan
            else "nothing to do"
        )
        rows.append(f"| {title} | {count} | {', '.join(gone)} | {', '.join(sorted(known))} | {how} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/erase"))
    output: Path = parser.parse_args().output
    if not DATA.is_dir():
        raise SystemExit("needs ../shared/data/entities, which is not here")
    write(output)


def write(output: Path) -> None:
    """Compute the example and write its page."""
    with tempfile.TemporaryDirectory() as folder:
        build(entities(), Path(folder) / "index")
        text = page(open_index(Path(folder) / "index"))
    output.mkdir(parents=True, exist_ok=True)
    (output / "diseases.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
