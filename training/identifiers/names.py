"""Packs the name dictionaries of MinorThird into the package: `python -m training.identifiers.names`.

Five lines of space-separated words, compressed: given names, short forms, the thousand commonest surnames,
the next 19,000, and common words that are no names. The same files give the same bytes.
"""

from __future__ import annotations

import lzma
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT.parent / "shared" / "data" / "ner" / "names"
TARGET = ROOT / "src" / "efface" / "learners" / "data" / "names.xz"
FREQUENT, SURNAMES = 1_000, 20_000


def main() -> None:
    surnames = ["smith", *_listed("lastNames.txt")]  # the commonest first; the list lacks the very first
    given, short = set(_listed("firstNames.txt")), set(_listed("nicknames.txt"))
    common = set(_listed("commonWords.txt")) | set(_listed("commonEmailWords.txt"))
    lines = (given, short - given, set(surnames[:FREQUENT]), set(surnames[FREQUENT:SURNAMES]), common)
    text = "\n".join(" ".join(sorted(words)) for words in lines)
    TARGET.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size:,} bytes")


def _listed(name: str) -> list[str]:
    words = (line.strip().lower() for line in (SOURCE / name).read_text("latin-1").splitlines())
    return [word for word in words if word.isalpha()]


if __name__ == "__main__":
    main()
