"""The pattern finder against presidio-analyzer's pattern recognizers: the same text, the same types.

    python -m benchmarks.patterns [--repeat N] [--write]

Presidio's recognizers are called one after another without an NLP engine, which is the least it can do,
and everything it reports counts, whatever its score; efface reports from its default threshold on.
Throughput is processor time of this process, best of N, the two taking turns. Recall counts a labelled
value as found when one mention of its type covers it. The values come from Faker and python-stdnum, half
of them beside a word that names them, half bare; with ../shared/data present, also from the sentences of
presidio-research, and its court cases as plain prose.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from faker import Faker

from efface.finders.patterns import phones
from efface.finders.patterns.finder import TYPES, PatternFinder

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "results" / "patterns" / "README.md"
HEAD = """# Patterns beside Presidio's recognizers

`python -m benchmarks.patterns --write`, {}. A labelled value is found when one mention of its type covers it. Everything
that Presidio reports counts, whatever its score; efface reports from its default threshold on. The synthetic values come
from Faker and python-stdnum, half of them beside a word that names them, half bare. How fast both are is told by
[the engine](../engine/README.md).
"""

# Presidio's name of a type where it is not ours.
SYNONYMS = {
    "UK_POSTCODE": "POSTCODE",
    "CA_POSTAL_CODE": "POSTCODE",
    "DOMAIN_NAME": "URL",
    "DE_VAT_ID": "EU_VAT",
}

# (type, locale, method of Faker, a word that names it)
FAKED = (
    ("US_SSN", "en_US", "ssn", "SSN"),
    ("US_ITIN", "en_US", "itin", "ITIN"),
    ("CREDIT_CARD", "en_US", "credit_card_number", "credit card"),
    ("IBAN_CODE", "de_DE", "iban", "IBAN"),
    ("IBAN_CODE", "en_GB", "iban", "bank account"),
    ("EMAIL_ADDRESS", "en_US", "email", "email"),
    ("URL", "en_US", "url", "website"),
    ("IP_ADDRESS", "en_US", "ipv4", "IP"),
    ("IP_ADDRESS", "en_US", "ipv6", "host"),
    ("MAC_ADDRESS", "en_US", "mac_address", "MAC"),
    ("UUID", "en_US", "uuid4", "request"),
    ("PHONE_NUMBER", "en_US", "phone_number", "phone"),
    ("PHONE_NUMBER", "en_GB", "phone_number", "mobile"),
    ("PHONE_NUMBER", "de_DE", "phone_number", "telephone"),
    ("PHONE_NUMBER", "fr_FR", "phone_number", "tel"),
    ("DATE_TIME", "en_US", "date", "date of birth"),
    ("DATE_TIME", "en_US", "iso8601", "timestamp"),
    ("POSTCODE", "en_GB", "postcode", "postcode"),
    ("POSTCODE", "en_CA", "postcode", "postal code"),
    ("ABA_ROUTING_NUMBER", "en_US", "aba", "routing number"),
    ("EU_VAT", "de_DE", "vat_id", "VAT number"),
    ("ES_NIF", "es_ES", "nif", "NIF"),
    ("ES_NIE", "es_ES", "nie", "NIE"),
    ("IT_FISCAL_CODE", "it_IT", "ssn", "codice fiscale"),
    ("PL_PESEL", "pl_PL", "pesel", "PESEL"),
    ("FI_PERSONAL_IDENTITY_CODE", "fi_FI", "ssn", "HETU"),
    ("SE_PERSONNUMMER", "sv_SE", "ssn", "personnummer"),
    ("CA_SIN", "en_CA", "ssn", "social insurance number"),
)

# (type, module of python-stdnum, pattern of random characters, a word that names it)
DRAWN = (
    ("UK_NHS", "gb.nhs", "### ### ####", "NHS number"),
    ("AU_TFN", "au.tfn", "### ### ###", "tax file number"),
    ("AU_ABN", "au.abn", "## ### ### ###", "ABN"),
    ("AU_ACN", "au.acn", "### ### ###", "ACN"),
    ("IN_AADHAAR", "in_.aadhaar", "#### #### ####", "Aadhaar"),
    ("IN_PAN", "in_.pan", "AAAPA####A", "PAN"),
    ("DE_TAX_ID", "de.idnr", "###########", "Steuer-IdNr"),
    ("TR_NATIONAL_ID", "tr.tckimlik", "###########", "TC kimlik"),
    ("TH_TNIN", "th.pin", "#############", "TNIN"),
    ("KR_RRN", "kr.rrn", "##0###-1######", "RRN"),
    ("ZA_ID_NUMBER", "za.idnr", "##0#1#####08#", "identity number"),
    ("IT_VAT_CODE", "it.iva", "0#######0##", "partita IVA"),
)
FRAMES = (
    ("Please note {word} ", " for the file."),
    ("{word}: ", ""),
    ("Here it is, ", ", as you wished."),
    ("They gave us ", "."),
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and the (type, start, end) of the values in it."""

    text: str
    labels: tuple[tuple[str, int, int], ...]


Finds = Callable[[str], list[tuple[str, int, int]]]


def synthetic(types: frozenset[str], each: int = 60) -> Iterator[Labelled]:
    """One value in three sentences, half of the time beside a word that names it."""
    rng = random.Random(7)
    prose = Faker("en_US")
    prose.seed_instance(7)
    for kind, word, value in _values(rng, each):
        if kind in types:
            before, after = rng.choice(FRAMES)
            before = f"{prose.sentence()} {before.format(word=word)}"
            labels = ((kind, len(before), len(before) + len(value)),)
            yield Labelled(f"{before}{value}{after} {prose.sentence()}", labels)


def _values(rng: random.Random, each: int) -> Iterator[tuple[str, str, str]]:
    for kind, locale, method, word in FAKED:
        fake = Faker(locale)
        fake.seed_instance(rng.randrange(2**32))
        for _ in range(each):
            yield kind, word, str(getattr(fake, method)())
    for kind, module, shape, word in DRAWN:
        is_valid = import_module(f"stdnum.{module}").is_valid
        drawn = (_draw(rng, shape) for _ in range(10**6))
        valid = (value for value in drawn if is_valid(value))
        for _ in range(each):
            yield kind, word, next(valid)


def _draw(rng: random.Random, shape: str) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "".join(
        rng.choice("0123456789") if char == "#" else rng.choice(letters) if char == "A" else char
        for char in shape
    )


def presidio_research(types: frozenset[str]) -> Iterator[Labelled]:
    path = DATA / "pii" / "presidio-generated.json.gz"
    if not path.exists():
        print("presidio-research sentences: not here, left out")
        return
    for row in json.loads(gzip.decompress(path.read_bytes())):
        labels = (
            (
                SYNONYMS.get(span["entity_type"], span["entity_type"]),
                span["start_position"],
                span["end_position"],
            )
            for span in row["spans"]
        )
        yield Labelled(row["full_text"], tuple(label for label in labels if label[0] in types))


def prose() -> str:
    path = DATA / "tab" / "tab.jsonl.gz"
    if path.exists():
        return "\n".join(json.loads(line)["text"] for line in gzip.decompress(path.read_bytes()).splitlines())
    fake = Faker("en_US")
    fake.seed_instance(7)
    return "\n".join(fake.paragraph(8) for _ in range(1000))


def presidio() -> tuple[Finds, frozenset[str]]:
    """All of Presidio's recognizers that know only patterns, and which of our types they know."""
    from presidio_analyzer import PatternRecognizer, predefined_recognizers

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    wanted = PatternRecognizer | predefined_recognizers.PhoneRecognizer

    def is_wanted(kind: Any) -> bool:
        return isinstance(kind, type) and issubclass(kind, wanted)

    kinds: list[Any] = [getattr(predefined_recognizers, name) for name in predefined_recognizers.__all__]
    recognizers = [kind() for kind in kinds if is_wanted(kind)]
    ours = [r for r in recognizers if SYNONYMS.get(r.supported_entities[0], r.supported_entities[0]) in TYPES]

    def find(text: str) -> list[tuple[str, int, int]]:
        results = (result for r in ours for result in r.analyze(text, r.supported_entities, None))
        return [
            (SYNONYMS.get(result.entity_type, result.entity_type), result.start, result.end)
            for result in results
        ]

    return find, frozenset(SYNONYMS.get(r.supported_entities[0], r.supported_entities[0]) for r in ours)


def efface(finder: PatternFinder) -> Finds:
    def find(text: str) -> list[tuple[str, int, int]]:
        phones.is_valid.cache_clear()  # a second run must not know the numbers of the first
        return [(mention.type, mention.start, mention.end) for mention in finder.find(text)]

    return find


def recall(finds: Finds, rows: list[Labelled]) -> tuple[Counter[str], int]:
    """How many values of each type are found, and how many mentions touch no label."""
    found: Counter[str] = Counter()
    astray = 0
    for row in rows:
        mentions = finds(row.text)
        for kind, start, end in row.labels:
            found[kind] += any(m[0] == kind and m[1] <= start and end <= m[2] for m in mentions)
        astray += sum(not any(m[1] < end and start < m[2] for _, start, end in row.labels) for m in mentions)
    return found, astray


def seconds(runs: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """The best processor time of each run; they take turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(repeat):
        for name, run in runs.items():
            begin = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - begin)
    return best


def recall_table(theirs: Finds, ours: Finds, rows: list[Labelled]) -> str:
    """A line for each type and one for all, in Markdown."""
    labels = Counter(kind for row in rows for kind, _, _ in row.labels)
    (found_theirs, astray_theirs), (found_ours, astray_ours) = recall(theirs, rows), recall(ours, rows)
    lines = ["| type | values | Presidio | efface |", "|---|---|---|---|"]
    for kind, total in sorted(labels.items()):
        lines.append(
            f"| {kind} | {total} | {found_theirs[kind] / total:.1%} | {found_ours[kind] / total:.1%} |"
        )
    total = labels.total()
    lines.append(f"| all | {total} | {found_theirs.total() / total:.1%} | {found_ours.total() / total:.1%} |")
    lines.append(f"\nMentions that touch no label: Presidio {astray_theirs}, efface {astray_ours}.\n")
    return "\n".join(lines)


def print_speed(theirs: Finds, ours: Finds, everything: Finds, texts: dict[str, str], repeat: int) -> None:
    print(f"{'text':24}{'characters':>12}{'presidio':>12}{'efface':>12}{'ratio':>8}{'all types':>12}")
    for name, text in texts.items():
        runs: dict[str, Callable[[], object]] = {
            "theirs": partial(theirs, text),
            "ours": partial(ours, text),
            "all": partial(everything, text),
        }
        took = seconds(runs, repeat)
        rates = {run: len(text) / 1e6 / best for run, best in took.items()}
        print(
            f"{name:24}{len(text):12}{rates['theirs']:7.3f} MB/s{rates['ours']:7.2f} MB/s"
            f"{took['theirs'] / took['ours']:7.1f}x{rates['all']:7.2f} MB/s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=f"what was found, to {PAGE.relative_to(ROOT)}")
    chosen = parser.parse_args()
    theirs, types = presidio()
    ours, everything = efface(PatternFinder(types)), efface(PatternFinder())
    said = [f"{len(types)} types that both know; efface knows {len(TYPES)}.\n"]
    sets = {"synthetic": list(synthetic(types)), "presidio-research": list(presidio_research(types))}
    for name, rows in sets.items():
        if rows:
            said.append(f"## {name}\n\n{recall_table(theirs, ours, rows)}")
    print("\n".join(said))
    if chosen.write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text("\n".join([HEAD.format(date.today()), *said]), "utf-8")
    texts = {name: "\n".join(row.text for row in rows) for name, rows in sets.items() if rows}
    print_speed(theirs, ours, everything, texts | {"prose": prose()}, chosen.repeat)


if __name__ == "__main__":
    main()
