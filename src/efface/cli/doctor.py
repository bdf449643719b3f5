"""`efface doctor`: what is installed, what is missing and what it would give, and whether the data are sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import Stages, escape, say, show_json

EXTRAS = {  # extra → (modules that it brings, what they give)
    "ocr": (("rapidocr",), "scanned pages and pictures are read instead of refused"),
    "postgres": (
        ("psycopg",),
        "views from PostgreSQL's own row-level security, and its store for the service",
    ),
    "attacks": (("sklearn",), "stronger attackers: `efface attack classes`"),
    "identifiers": (
        ("pycrfsuite", "sklearn"),
        "`efface attack release`, and every learner of `efface train identifiers`",
    ),
    "service": (("fastapi", "uvicorn", "wsgidav"), "`efface serve`: the service and the review page"),
    "objects": (("fsspec", "s3fs"), "files of the service in object storage: `blobs: s3://…`"),
    "surrogates": (("faker",), "believable fakes instead of placeholders: the operator `surrogate`"),
    "batch": (("pyarrow",), "Parquet files in `efface batch`"),
    "frames": (("pandas", "polars", "pyarrow"), "dataframes in Python: `efface.batch.frames`"),
    "spark": (("pyspark", "pyarrow"), "`efface batch --engine spark`"),
}
OK, MISSING, BROKEN = "ok", "missing", "broken"


@dataclass(frozen=True, slots=True)
class InstallationCheck:
    """One thing that was looked at. Only something broken needs mending."""

    what: str
    state: str
    says: str


def doctor(
    indexes: Annotated[
        list[Path] | None, typer.Argument(metavar="INDEX", help="Entity indexes to look at too.")
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(
            "--policy", "-p", help="A policy whose databases to ask whether efface's login sees all."
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Say what is installed, what the missing extras would give, and whether models and indexes are sound.

    Exit code 2 if something is broken; an extra that is missing is not.

    Example: efface doctor patients.index
    """
    with Stages("looking"):
        checks = [*_base(), *_data(), *map(_index, indexes or ()), *_databases(policy), *_extras()]
    is_well = all(check.state != BROKEN for check in checks)
    if as_json:
        show_json("doctor", {"well": is_well, "checks": [asdict(check) for check in checks]})
    else:
        colours = {OK: "green", MISSING: "yellow", BROKEN: "bold red"}
        for check in checks:
            say(f"[{colours[check.state]}]{check.state:8}[/]{escape(check.what):24}{escape(check.says)}")
    raise typer.Exit(0 if is_well else 2)


def _base() -> Iterator[InstallationCheck]:
    import platform

    from efface import __version__

    yield InstallationCheck("efface", OK, f"{__version__} on Python {platform.python_version()}")


def _data() -> Iterator[InstallationCheck]:
    """What comes in the package. Opening it checks its seal."""
    from efface.finders.names.model import load_model
    from efface.knowledge.corpus.counts import wikipedia
    from efface.knowledge.taxonomy.concepts import wordnet

    parts: dict[str, Callable[[], object]] = {
        "names model": load_model,
        "counts of Wikipedia": wikipedia,
        "WordNet's nouns": wordnet,
    }
    for what, load in parts.items():
        yield _sound(what, load)


def _index(path: Path) -> InstallationCheck:
    from efface.knowledge.entities.store import open_index

    return _sound(str(path), lambda: f"{len(open_index(path)):,} entities")


def _databases(policy: Path | None) -> Iterator[InstallationCheck]:
    """Whether the databases of a policy answer, and show efface's login every row and column."""
    if policy is None:
        return
    from efface.policy.knowledge_access import require_rights
    from efface.policy.model import load

    for name, entry in load(policy).knowledge.items():
        if entry.database is not None:
            yield _sound(f"knowledge {name}", lambda entry=entry: require_rights(entry, policy.parent))  # type: ignore[misc]


def _sound(what: str, load: Callable[[], object]) -> InstallationCheck:
    from efface.errors import EffaceError

    try:
        found = load()
    except EffaceError as error:
        return InstallationCheck(what, BROKEN, f"{error.message} {error.hint}".strip())
    except (ImportError, OSError) as error:
        return InstallationCheck(what, BROKEN, f"{type(error).__name__}: install efface again")
    return InstallationCheck(what, OK, found if isinstance(found, str) else "sound")


def _extras() -> Iterator[InstallationCheck]:
    from importlib.util import find_spec

    for extra, (modules, gives) in EXTRAS.items():
        there = all(find_spec(module) is not None for module in modules)
        says = gives if there else f"{gives}: pip install 'efface[{extra}]'"
        yield InstallationCheck(f"extra {extra}", OK if there else MISSING, says)
