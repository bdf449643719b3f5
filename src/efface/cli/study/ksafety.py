"""`efface ksafety`: the solvers on their own, for instances in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from efface.cli.shared import options
from efface.cli.shared.console import COLOURS, Stages, escape, say, show_json
from efface.errors import InputError

if TYPE_CHECKING:
    from efface.solvers.ksafety.solve import Instance

app = typer.Typer(no_args_is_help=True, help="Solve and check k-safety instances, no documents inside.")

InstanceArgument = Annotated[
    Path, typer.Argument(metavar="INSTANCE", help="The instance (JSON).", show_default=False)
]
CrowdOption = Annotated[int, typer.Option("--k", min=1, help="The crowd, the protected entity included.")]


@app.command()
def solve(
    path: InstanceArgument,
    k: CrowdOption,
    method: Annotated[
        Literal["auto", "exact", "btop", "btop-naive", "bsize", "bfreq", "best-first", "levelwise"],
        typer.Option(help="How the plan is searched."),
    ] = "auto",
    time_limit: Annotated[float, typer.Option(min=0.01, help="Seconds for the search.")] = 10.0,
    window: Annotated[int | None, typer.Option(min=1, help="best-first: the size L of its windows.")] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Remove every term of a protected context.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Find the fewest (or lightest) terms to remove so that every protected entity hides among k.

    Example: efface ksafety solve instance.json --k 5
    """
    from efface.solvers.ksafety.solve import solve as find_plan

    instance, _ = _read(path)
    with Stages("solving"):
        solution = find_plan(
            instance, k, method=method, time_limit=time_limit, window=window, everything=everything
        )
    answer = {
        "kept": sorted(solution.kept),
        "removed": sorted(solution.removed),
        "optimality": solution.optimality.value,
        "lower_bound": _number(solution.lower_bound),
        "seconds": round(solution.seconds, 6),
        "method": solution.method,
    }
    if as_json:
        show_json("ksafety.plan", answer)
        return
    say(
        f"[bold]{len(solution.removed)} removed, {len(solution.kept)} kept[/], {solution.optimality}: {solution.note}"
    )
    say(escape(" ".join(sorted(solution.removed))) or "(nothing)")


@app.command()
def check(
    path: InstanceArgument,
    k: CrowdOption,
    kept: Annotated[
        list[str] | None, typer.Option(metavar="TERM", help="A kept term; without any, the whole document.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Print the crowd of each protected entity for a kept set. Exit code 3 if one is under k.

    Example: efface ksafety check instance.json --k 5 --kept fever --kept cough
    """
    from efface.core import Verdict
    from efface.solvers.ksafety.solve import crowds

    instance, data = _read(path)
    known = tuple(kept) if kept is not None else instance.terms
    by_group = crowds(instance, known)
    sizes = {id: by_group[instance.group_of(data["entities"][id])] for id in sorted(data["protected"])}
    safe = all(size >= k for size in sizes.values())
    if as_json:
        overall = Verdict.HELD if safe else Verdict.BROKEN
        show_json("ksafety.check", {"verdict": overall.value, "k": k, "crowds": sizes})
    else:
        for id, size in sizes.items():
            verdict = "held" if size >= k else "broken"
            say(f"{size:>8}  {escape(id)}  [{COLOURS[verdict]}]{verdict}[/]")
    raise typer.Exit(0 if safe else 3)


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _read(path: Path) -> tuple[Instance, dict[str, Any]]:
    """The instance, or one sentence about what is wrong with the file."""
    from efface.files.local import read_input
    from efface.solvers.ksafety.solve import Instance

    try:
        data = json.loads(read_input(path), object_pairs_hook=_unique)
        shape = (data["entities"], data["protected"], data["document"], data.get("weights") or {})
        right = isinstance(shape[0], dict) and isinstance(shape[3], dict)
        right = right and all(_strings(terms) for terms in (*shape[0].values(), shape[1], shape[2]))
        right = right and all(_weight(value) for value in shape[3].values())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        right = False
    if not right:
        raise InputError(
            f"{path} is not a k-safety instance.",
            'It looks like {"entities": {"id": ["term"]}, "protected": ["id"], "document": ["term"], '
            '"weights": {"term": 2}}, with no key twice.',
        )
    return Instance.from_contexts(
        data["entities"], data["protected"], data["document"], data.get("weights") or None
    ), data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two entities of one id would be one of them, silently."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e15


def _strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
