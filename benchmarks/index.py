"""The entity index: building, opening, finding and counting. `python -m benchmarks.index [--full | --mend ROWS]`.

The entities are made up: 13 attributes, from gender (two values) to account number (one each), drawn with a
fixed seed. A document has 150 words and 10 values of 3 entities, as in ZoRRo's experiments.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from zlib import crc32

from efface.core import Document, Mention, Optimality, Reading, Term
from efface.finders.entities import EntityFinder
from efface.guarantees.ksafety.guarantee import KSafety
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.matching import Fuzziness
from efface.knowledge.entities.sources import Entity, JsonLinesSource
from efface.knowledge.entities.store import EntityStore, build, open_index
from efface.policy import knowledge
from efface.policy.entries import Knowledge

_SYLLABLES = (
    "ba be bi bo bra da den do el fa fer ga gor ha hen il jo ka kel la lin ma mor na nel o pa ra".split()
)
_OTHER_SYLLABLES = "chu sti quo vex wyn zul tra ple ush cti ont vir yst mpa squ eph ogy ism ect und".split()
_HPO = Path(__file__).parents[2] / "shared" / "data" / "entities" / "diseases-hpo.jsonl.gz"
_SIZES = (5, 10, 20, 30, 40)  # terms of a note
_STATES = [f"State of {name}" for name in ("Alva", "Bern", "Cora", "Dune", "Elm")]


def _word(rng: random.Random, syllables: int, of: list[str] = _SYLLABLES) -> str:
    return "".join(rng.choice(of) for _ in range(syllables))


def people(count: int, seed: int = 7) -> Iterator[Entity]:
    """Made-up persons with 13 attributes each."""
    rng = random.Random(seed)
    first = [_word(rng, 2).title() for _ in range(2000)]
    last = [_word(rng, 3).title() for _ in range(40_000)]
    cities = [_word(rng, 3).title() for _ in range(3000)]
    firms = [f"{_word(rng, 3).title()} {rng.choice(['Ltd', 'Inc', 'Group'])}" for _ in range(20_000)]
    jobs = [f"{_word(rng, 2)} {_word(rng, 2)}" for _ in range(400)]
    streets = [f"{_word(rng, 3).title()} Street" for _ in range(20_000)]
    for number in range(count):
        given, family = rng.choice(first), rng.choice(last)
        city = cities[int(len(cities) * rng.random() ** 3)]
        yield Entity(
            f"p{number}",
            (
                ("name", f"{given} {family}"),
                ("gender", rng.choice(("female", "male"))),
                ("birth_date", f"{rng.randint(1930, 2010)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"),
                ("city", city),
                ("state", _STATES[int(len(_STATES) * rng.random() ** 2)]),
                ("zip", f"{rng.randint(10_000, 40_000)}"),
                ("street", f"{rng.randint(1, 200)} {rng.choice(streets)}"),
                ("phone", f"+{rng.randint(1, 99)} {rng.randint(10**8, 10**9)}"),
                ("email", f"{given}.{family}{number}@example.org"),
                ("account", f"{rng.randint(10**11, 10**12)}"),
                ("employer", rng.choice(firms)),
                ("job", rng.choice(jobs)),
                ("blood", rng.choice(("0 pos", "A pos", "B pos", "AB pos", "0 neg"))),
            ),
        )


def documents(entities: list[Entity], count: int, seed: int = 11) -> list[str]:
    """Texts of 150 words of no meaning, into which 10 values of 3 entities are strewn."""
    rng = random.Random(seed)
    filler = [_word(rng, rng.randint(1, 4), _OTHER_SYLLABLES) for _ in range(5000)]
    found = []
    for _ in range(count):
        values = [value for entity in rng.sample(entities, 3) for _, value in entity.terms]
        words = [rng.choice(filler) for _ in range(130)]
        for value in rng.sample(values, 10):
            words.insert(rng.randrange(len(words)), value)
        found.append(" ".join(words))
    return found


def diseases(count: int, seed: int = 13) -> Iterator[Entity]:
    """HPO's rare diseases, then mixtures of two of them, three parts of one to one of the other."""
    if not _HPO.exists():
        sys.exit("--hpo needs ../shared/data, which is not here")
    rng = random.Random(seed)
    real = list(JsonLinesSource(_HPO))
    yield from real[:count]
    for number in range(len(real), count):
        mine, other = rng.choice(real).terms, rng.choice(real).terms
        kept = rng.sample(mine, -(-len(mine) * 3 // 4)) + rng.sample(other, len(other) // 4)
        yield Entity(f"mixture {number}", tuple(kept))


def notes(entities: list[Entity], count: int, most: int | None = None, seed: int = 17) -> list[str]:
    """Notes that name what two entities show, all of it or so many terms, each after ten words of no meaning."""
    rng = random.Random(seed)
    filler = [_word(rng, rng.randint(1, 4), _OTHER_SYLLABLES) for _ in range(5000)]
    found: list[str] = []
    while len(found) < count:
        terms = list({value for entity in rng.sample(entities, 2) for _, value in entity.terms})
        if most is None or len(terms) >= most:
            shown = rng.sample(sorted(terms), most or len(terms))
            found.append(". ".join(f"{' '.join(rng.choices(filler, k=10))} {term}" for term in shown))
    return found


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    return f"median {statistics.median(ordered) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms"


def _build(make: Callable[[int], Iterator[Entity]], count: int, path: Path, fuzzy: int) -> None:
    build(make(count), path, fuzzy=fuzzy)


def _measure_build(make: Callable[[int], Iterator[Entity]], count: int, path: Path, fuzzy: int) -> None:
    """Build in a process of its own, so that its peak memory is its own too."""
    work = multiprocessing.get_context("spawn").Process(target=_build, args=(make, count, path, fuzzy))
    begun = time.process_time()
    for _ in make(count):
        pass
    generating = time.process_time() - begun
    start = time.perf_counter()
    work.start()
    work.join()
    if work.exitcode:
        sys.exit("the build failed")
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = used.ru_maxrss / 1024
    size = sum(file.stat().st_size for file in path.iterdir()) / 2**20
    print(
        f"build, fuzzy {fuzzy}: {seconds:.1f} s ({used.ru_utime + used.ru_stime:.1f} s of processor time, ",
        end="",
    )
    print(f"of it {generating:.1f} s making up the rows), ", end="")
    print(f"peak {peak:.0f} MiB, index {size:.0f} MiB")


def _measure_lookup(index: EntityIndex, texts: list[str], fuzzy: int) -> list[float]:
    """Finding the terms and grouping the entities, a document at a time."""
    finder = EntityFinder(index, "index", Fuzziness(fuzzy))
    find, group, both, terms = [], [], [], []
    for text in texts:
        mentions: list[Mention] = []
        find.append(_timed(lambda m=mentions, t=text: m.extend(finder.find(t))))  # type: ignore[misc]
        keys = list(dict.fromkeys(mention.key for mention in mentions))
        group.append(_timed(lambda k=keys: index.signatures(k)))  # type: ignore[misc]
        both.append(find[-1] + group[-1])
        terms.append(len(keys))
    print(f"fuzzy {fuzzy}: {statistics.mean(terms):.1f} terms a document")
    print(f"  find   {_spread(find)}\n  group  {_spread(group)}\n  both   {_spread(both)}")
    return both


def _measure_safety(
    index: EntityIndex, texts: list[str], protected: list[str], method: str, k: int = 10
) -> None:
    """A whole look at a document: its terms, the crowds of what is protected, and the fewest removals."""
    finder = EntityFinder(index, "index")
    guarantee = KSafety(index, "index", k, index.select(protected), method=method)
    seconds, terms, removed, proved = [], [], [], 0
    for text in texts:
        begun = time.perf_counter()
        reading = _reading(text, finder)
        plan = guarantee.plan(reading, guarantee.assess(reading))
        seconds.append(time.perf_counter() - begun)
        terms.append(len(reading.terms))
        removed.append(plan.cost)
        proved += plan.optimality is Optimality.PROVED
    print(f"k-safety, k = {k}, {len(protected):,} protected, {method}: {_spread(seconds)}; ", end="")
    print(f"{statistics.mean(removed):.1f} of {statistics.mean(terms):.1f} terms removed, ", end="")
    print(f"{proved} of {len(texts)} plans proved", flush=True)


def _reading(text: str, finder: EntityFinder) -> Reading:
    mentions: dict[str, list[Mention]] = {}
    for mention in finder.find(text):
        mentions.setdefault(mention.key, []).append(mention)
    terms = tuple(Term(key, some[0].type, tuple(some), "index") for key, some in mentions.items())
    return Reading(Document("note.txt", "text", text), terms)


def _measure_mending(rows: int, changed: int, folder: Path) -> None:
    """A followed database: what it costs to mend the index a row, against building it."""
    names = [name for name, _ in next(people(1)).terms]
    with closing(sqlite3.connect(folder / "people.db")) as database:
        database.execute(f"CREATE TABLE person (id INTEGER PRIMARY KEY, {', '.join(names)})")
        values = ((number, *(value for _, value in one.terms)) for number, one in enumerate(people(rows)))
        places = ", ".join("?" * (1 + len(names)))
        database.executemany("INSERT INTO person VALUES (" + places + ")", values)  # noqa: S608
        database.commit()
        entry = Knowledge(
            database="sqlite:///people.db", entities="person", identifying=tuple(names), follow=True
        )
        knowledge.follow(entry, folder)
        begun = time.process_time()
        knowledge.index_of("people", entry, folder)
        built = (time.process_time() - begun) / rows
        database.execute("UPDATE person SET city = 'Newtown' || id WHERE id % ? = 0", (rows // changed,))
        database.commit()
    begun = time.process_time()
    knowledge.index_of("people", entry, folder)
    mended = (time.process_time() - begun) / changed
    print(
        f"build {built * 1e6:.0f} µs a row of {rows:,}, mend {mended * 1e6:.0f} µs a row of {changed:,}: ",
        end="",
    )
    print(f"{mended / built:.2f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="a million entities instead of 50,000")
    parser.add_argument("--entities", type=int, help="another number of entities")
    parser.add_argument("--hpo", action="store_true", help="HPO's diseases and mixtures of them, not people")
    parser.add_argument("--fuzzy", type=int, default=2, help="the most edits to build for and to measure")
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="build into this folder, or use the index that is there")
    parser.add_argument(
        "--mend", type=int, metavar="ROWS", help="only: change so many rows and mend the index"
    )
    options = parser.parse_args()
    if options.mend:
        with tempfile.TemporaryDirectory() as folder:
            _measure_mending(options.entities or 100_000, options.mend, Path(folder))
        return
    count = options.entities or (1_000_000 if options.full else 50_000)
    make, write = (diseases, notes) if options.hpo else (people, documents)
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "index"
        if not path.exists():
            _measure_build(make, count, path, options.fuzzy)
        print(f"open: {_timed(lambda: open_index(path)) * 1e3:.0f} ms for {count:,} entities")
        some = list(islice(make(3000), 3000))
        texts = write(some, options.documents)
        _measure(path, texts, options.fuzzy)
        index = open_index(path)
        secret = [id for id in index.ids(index.everyone()) if crc32(id.encode()) % 20 == 0]
        for most in _SIZES if options.hpo else ():
            for method in ("btop", "auto"):
                _measure_safety(index, notes(some, options.documents, most), secret, method)
        _measure_safety(index, texts, secret, "auto")


def _measure(path: Path, texts: list[str], fuzzy: int) -> None:
    index = open_index(path)
    for text in texts[:20]:  # what a long-running service has behind it
        list(EntityFinder(index, "index").find(text))
    medians = [statistics.median(_measure_lookup(index, texts, edits)) for edits in range(fuzzy + 1)]
    for edits, median in enumerate(medians[1:], 1):
        print(f"fuzzy {edits} takes {median / medians[0]:.1f} times exact")
    store = EntityStore(path)
    store.snapshot()
    store.upsert([Entity("somebody", (("name", "Somebody"),))])
    written = _timed(lambda: store.upsert([Entity("somebody", (("name", "Somebody Else"),))]))
    print(f"update: {written * 1e3:.0f} ms to write, {_timed(store.snapshot) * 1e3:.0f} ms to see")


if __name__ == "__main__":
    main()
