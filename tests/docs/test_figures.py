"""Figures in the README and the overview of results are those of the pages that the experiments wrote."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "docs/results/README.md"
GUIDE = "docs/guides/packaging.md"

# The page that was measured, what to read there, the page that says it again, and how it says it.
FIGURES = [
    ("erase/figures.md", r"optimum of (\d+) of (\d+) documents", RESULTS, "proved for {0:.0f} of {1:.0f} documents"),
    ("erase/solvers.md", r"\| exact \| 41 \| (\d+) \| \S+ \| (\S+) ", RESULTS, "proves {0:.0f} of 20, in {1:.3f} times"),
    ("erase/solvers.md", r"\| exact \| 41 \| (\d+) \| \S+ \| (\S+) ", "README.md", "proves {0:.0f} of 20 optima in {1:.3f}x"),
    ("zorro/README.md", r"busy machine\): (\S+) ms median.*\s+which is (\S+) times its median and (\S+) times its mean", "README.md", "{0:.0f} ms, {1:.1f}x the median and {2:.2f}x the mean"),
    ("zorro/views.csv", r"100000,paper,exact,(?:[^,]+,){7}(\d+),", "README.md", "where that leaves {0:.0f}"),
    ("zorro/views.csv", r"100000,paper,exact,(?:[^,]+,){3}([^,]+),(?s:.*)1000000,paper,exact,(?:[^,]+,){3}([^,]+),", RESULTS, "{0:.1f} / {1:.1f} ms |"),
    ("zorro/README.md", r"takes (\S+) to (\S+) times the processor time up to 125,000", RESULTS, "{0:.1f} to {1:.1f} times its processor time up to 125,000"),
    ("inference_blocking/README.md", r"OVALogOdds \| as printed \| 4571 \| (\S+) \| \S+ \| \S+ \| (\S+) \| \S+ \| (\S+) ", RESULTS, "planned as the paper does | {0:.3f} | 1.0 | {1:.3f} | {2:.3f} |"),
    ("inference_blocking/README.md", r"OVALogOdds \| efface lp \| 4571 \| (\S+) \|(?: \S+ \|){4} (\S+) ", RESULTS, "not like for like) | {0:.3f} | 1.0 | 0.939 | {1:.3f} |"),
    ("c_sanitization/tables.md", r"\| virus \| 2 \| contextual \| (\S+)% \| (\S+)% \| (\S+)% ", RESULTS, "(default) | 67.7, 100, 80.7 % | {0:.1f}, {1:.1f}, {2:.1f} %"),
    ("c_sanitization/leads.md", r"(?s)no setting.*\| mean \| \| \| (\S+)% \| (\S+)% \| (\S+)% \| (\S+)% ", RESULTS, "{3:.1f} % and {2:.1f} % on average, {1:.1f} % and {0:.1f} % when the corpus has not read them"),
    ("greedy_sanitize/README.md", r"loss: (\S+)% of the names at L/C 5 and 10, with (\S+)% ", RESULTS, "{0:.2f} % of the names at L/C 5 and 10"),
    ("greedy_sanitize/README.md", r"loss: at least (\S+)% at L/C 5 and 10", RESULTS, "at least {0:.1f} % at L/C 5 and 10"),
    ("patterns/README.md", r"(?s)presidio-research.*\| all \| \d+ \| (\S+)% \| (\S+)% ", "README.md", "recall {1:.1f} % against {0:.1f} % on presidio-research"),
    ("patterns/README.md", r"(?s)## synthetic.*?\| all \| \d+ \| (\S+)% \| (\S+)% ", "README.md", "{1:.1f} % against {0:.1f} % on made-up values"),
    ("names/README.md", r"TAB dev, token recall \(\S+ \| \*?([.\d]+)", RESULTS, "TAB recall {0:.3f}"),
    ("names/README.md", r"TAB dev, token recall \(\S+ \| \*?([.\d]+)", "README.md", "recall {0:.3f} of what should go"),
    ("engine/README.md", r"over the whole redaction, eight types \| (\S+) ", "README.md", "the whole redaction is {0:.1f} times as fast"),
    ("engine/README.md", r"over the whole redaction, eight types \| (\S+) ", RESULTS, "the whole redaction is {0:.1f} times as fast"),
    ("engine/README.md", r"over the pattern finder, eight types \| (\S+) ", RESULTS, "the pattern finder {0:.0f} times"),
    ("engine/README.md", r"with names over one pass of the names finder \| (\S+) ", RESULTS, "with names {0:.1f} times one pass"),
    ("engine/README.md", r"dense text of 5 MB in one piece \| (\S+) ", RESULTS, "dense text {0:.0f} times its size"),
    ("re_identification/README.md", r"best attacker not planned against \| at most 10 % \| (\d+) %(?s:.*)words kept \|[^|]+\| (\d+) %", "README.md", "not planned against finds {0:.0f} % of the people, with {1:.0f} % of the words kept"),
    ("re_identification/README.md", r"planned on a quarter, best attacker not planned against \|[^|]+\| (\d+) % without", "README.md", "a quarter of what the reader knows, {0:.0f} % |"),
    ("names/README.md", r"bar for \*covered\* is\s+persons (\S+) / (\S+) on", "README.md", "recall of at least {0:.2f} at a precision of at least {1:.2f}"),
    ("packaging/base.csv", r"wheel MB,(\S+)", GUIDE, "| the wheel | {0:.1f} MB"),
    ("packaging/base.csv", r"packages,(\d+)\ninstall MB,(\d+)\nbyte code MB,(\d+)", GUIDE, "{0:.0f} packages, efface among them; {1:.0f} MB, of which {2:.0f} MB"),
    ("packaging/base.csv", r"efface MB,(\d+)", GUIDE, "efface itself ({0:.0f} MB"),
    ("packaging/base.csv", r"processor time\",(\S+)", GUIDE, "| the demo in it, all guarantees | {0:.1f} s of"),
    ("packaging/base.csv", r"packages,(\d+)\ninstall MB,(\d+)", "README.md", "{0:.0f} packages, {1:.0f} MB with byte code"),
    ("packaging/base.csv", r"processor time\",(\S+)", "README.md", "the demo in it takes {0:.1f} s"),
    ("zorro/README.md", r"busy machine\): (\S+) ms median.*\s+which is (\S+) times its median and (\S+) times its mean, (\S+) and (\S+) up to the plan", "docs/views.md", "| {0:.1f} ms | {1:.2f} | {2:.2f} | 1.0: **missed** |\n| the same, up to the plan | | {3:.2f} | {4:.2f} |"),
    ("zorro/README.md", r"with `fuzzy: 1` (\S+) and (\S+), ", "docs/views.md", "27.5 ms | {0:.2f} | {1:.2f} | 1.0: **missed** |"),
    ("zorro/README.md", r"busy machine\): (\d+) to (\d+) ms of processor time a release against 25 to 30, which is (\S+) to (\S+)\s+times", "docs/views.md", "| {0:.0f} to {1:.0f} ms | | {2:.1f} to {3:.1f} | 1.2: **missed** |"),
    ("batch/README.md", r"111 MiB: (\S+)x(?s:.*)884.6 s: (\S+) %", "docs/batch.md", "| 1.2x | {0:.2f}x |\n| resuming a finished batch of 100,000 | 5 % | {1:.1f} % |"),
    ("erase/solvers.md", r"\| exact \| 41 \| (\d+) \| \S+ \| (\S+) ", "docs/ksafety.md", "proves the optimum of {0:.0f} of 20 documents in {1:.2f} times the time"),
    ("erase/million.md", r"\| 12.1 \|[^|]*\| (\d+) ms, (\d+) ms \|[^|]*\|[^|]*\|\n\| 23.0 \| (\d+) ms[^|]*\| (\d+) ms[^|]*\|[^|]*\|[^|]*\|\n\| 34.5 \|[^|]*\| (\S+) s,", "docs/ksafety.md", "{0:.0f} ms with a proved plan (p99 {1:.0f} ms), one of 23 terms {3:.0f} ms (`btop`: {2:.0f} ms), one of 34 terms {4:.1f} s"),
]  # fmt: skip

# Sizes that pages tell: the data of the package, in megabytes.
_NAMES, _CORPUS, _WORDNET = "finders/names/data", "knowledge/corpus/data", "knowledge/taxonomy/data"
_OTHER_LANGUAGES = (f"{_NAMES}/languages*", f"{_NAMES}/chains/*.npz")
SIZES = [
    ("docs/names.md", "{0:.0f} MB for English", (f"{_NAMES}/names.onnx", f"{_NAMES}/subject.onnx", f"{_NAMES}/vocab.txt")),
    ("docs/names.md", "{0:.0f} MB more for other languages", _OTHER_LANGUAGES),
    ("docs/names.md", "word pieces of its own ({0:.0f} MB", (f"{_NAMES}/languages.onnx",)),
    ("docs/names.md", "a chain each ({0:.1f} MB", (f"{_NAMES}/chains/*.npz",)),
    ("docs/names.md", "share one ({0:.1f} MB)", (f"{_NAMES}/languages.chain.npz",)),
    ("docs/semantic.md", "wikipedia.idx` ({0:.1f} MB)", (f"{_CORPUS}/wikipedia.idx",)),
    ("docs/semantic.md", "wikipedia.subjects` ({0:.1f} MB)", (f"{_CORPUS}/wikipedia.subjects",)),
    ("docs/semantic.md", "wordnet-nouns.tax` ({0:.1f} MB)", (f"{_WORDNET}/wordnet-nouns.tax",)),
    ("docs/semantic.md", "english.tags` ({0:.1f} MB)", (f"{_WORDNET}/english.tags",)),
    ("docs/semantic.md", "minilm-words.vec` ({0:.1f} MB)", ("knowledge/vectors/data/minilm-words.vec",)),
    (GUIDE, "{0:.0f} MB names models", (f"{_NAMES}/**/*",)),
    (GUIDE, "{0:.1f} MB counts of Wikipedia", (f"{_CORPUS}/wikipedia.*",)),
    (GUIDE, "{0:.1f} MB word vectors", ("knowledge/vectors/data/*.vec",)),
    (GUIDE, "{0:.1f} MB WordNet", (f"{_WORDNET}/wordnet-*",)),
    (GUIDE, "{0:.1f} MB languages", ("text/data/languages.npz",)),
]  # fmt: skip


@pytest.mark.parametrize(("page", "pattern", "overview", "says"), FIGURES)
def test_the_overview_says_what_was_measured(page: str, pattern: str, overview: str, says: str) -> None:
    found = re.search(pattern, (ROOT / "docs" / "results" / page).read_text("utf-8"))
    assert found is not None
    said = re.sub(r"(?<![\d.])\.(?=\d)", "0.", (ROOT / overview).read_text("utf-8"))  # .920 is 0.920
    assert says.format(*map(float, found.groups())) in said, (
        f"{overview} says otherwise than docs/results/{page}"
    )


@pytest.mark.parametrize(("page", "says", "patterns"), SIZES)
def test_sizes_of_data_are_those_of_the_files(page: str, says: str, patterns: tuple[str, ...]) -> None:
    paths = {
        path for pattern in patterns for path in (ROOT / "src" / "efface").glob(pattern) if path.is_file()
    }
    assert paths
    size = sum(path.stat().st_size for path in paths if path.suffix not in (".py", ".pyc")) / 1e6
    assert says.format(size) in (ROOT / page).read_text("utf-8"), f"{page}: {size:.2f} MB"


def test_no_figure_comes_from_a_script_that_is_gone() -> None:
    gone = re.compile(r"script\s+(?:that\s+is\s+not\s+kept|of\s+the\s+day)")
    pages = sorted((ROOT / "docs").rglob("*.md"))
    assert len(pages) > 30
    assert [page.name for page in pages if gone.search(page.read_text("utf-8"))] == []


def test_measurements_name_their_command_and_their_day() -> None:
    """Figures of a page's section "Measured" or "Cost" are from a command that can be run again, and of a day."""
    unsaid = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        for section in re.findall(r"(?ms)^## (?:Measured|Cost)$(.*?)(?=^## |\Z)", page.read_text("utf-8")):
            if not re.search(r"`python -m ", section) or not re.search(r"20\d\d-\d\d-\d\d", section):
                unsaid.append(page.name)
    assert unsaid == []
