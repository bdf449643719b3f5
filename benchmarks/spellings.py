"""What the table of ways to write a value adds on real text: names and places of the SDN list in the Treasury's releases.

    python -m benchmarks.spellings [--releases 500] [--show 40]

A find is `as spelled` when its words are the value's own, which is what was found before the table. Others are counted
by the kind of difference; `--show` prints some of them, to be judged by eye. The data are expected beside the project.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path

from experiments.zorro.sanctions import COLUMNS, releases, rows

from efface.core import Mention
from efface.finders.entities import EntityFinder
from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index
from efface.text.folding import fold_term


def kind_of(text: str, mention: Mention) -> str:
    """How a find differs from the value that it stands for."""
    mine, own = word_texts(fold_term(text)), word_texts(mention.key)
    if mine == own or (mine and mine[-1] == "s" and mine[:-1] == own):
        return "as spelled"
    if any(character.isdigit() for character in mention.key):
        return "number or date"
    if sorted(mine) == sorted(own):
        return "turned round"
    if len(mine) == 1 and len(own) > 1:
        return "joined" if mine[0] == "".join(own) else "title and family name"
    if any(len(word) == 1 for word in mine):
        return "initials"
    return "plural or umlaut" if len(mine) == len(own) else "part of a name"


def entities() -> list[Entity]:
    made = []
    for id, *values in rows():
        known = [(column, value) for column, value in zip(COLUMNS, values, strict=True) if value]
        made.append(Entity(str(id), tuple(known)))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=500)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    texts = releases(given.releases, 6_000)
    counts: Counter[str] = Counter()
    places: set[tuple[int, int, int]] = set()
    new: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        build(entities(), Path(folder) / "sdn.index")
        finder = EntityFinder(open_index(Path(folder) / "sdn.index"), "sdn")
        for number, text in enumerate(texts):
            for mention in finder.find(text):
                kind = kind_of(text[mention.start : mention.end], mention)
                place = (number, mention.start, mention.end)
                if kind != "as spelled" and place not in places:
                    around = text[max(mention.start - 30, 0) : mention.end + 20].replace("\n", " ")
                    new.append((kind, mention.key, around))
                counts[kind] += place not in places
                places.add(place)
    print(f"{len(texts)} releases, {sum(counts.values()):,} places found")
    for kind, count in counts.most_common():
        print(f"{count:8,}  {kind}")
    for kind, key, around in random.Random(22).sample(new, min(given.show, len(new))):
        print(f"{kind:22} {key:35} … {around} …")


if __name__ == "__main__":
    main()
