"""The linear and the integer program behind k-confusability, solved by HiGHS through scipy."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_OUT_OF_TIME = 1  # scipy's status code
_SCALE = 2.0**10  # lifts the least lead, one grain, well above the solver's tolerance of 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Keep as much worth as possible while `required` classes gain what they need.

    A variable x a unit, between 0 and `upper`; with `parts`, also one z an entry, which is 1 exactly when all
    its units are kept. Class c passes when gains[:, c] . (x or z) >= needed[c].
    """

    worth: Floats
    upper: Ints
    gains: Floats
    needed: Floats
    required: int
    parts: tuple[tuple[int, ...], ...] | None
    integral: bool
    time_limit: float | None = None

    @property
    def chooses(self) -> bool:
        """Whether there are more classes than must pass."""
        return len(self.needed) > self.required


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Units kept (None: none found), the proved least value of -worth . x, and whether the search ended."""

    point: Floats | None
    bound: float | None
    finished: bool


def solve(program: Program) -> Answer:
    """HiGHS on the program; what is settled beforehand does not burden it."""
    settled, value = _settled(program)
    if settled.all():
        passed = (value @ program.gains >= program.needed).sum() >= program.required
        return Answer(value if passed else None, -float(program.worth @ value), True)
    rest = ~settled
    inner = Program(
        program.worth[rest],
        program.upper[rest],
        program.gains[rest] if program.parts is None else program.gains,
        program.needed - (value[settled] @ program.gains[settled] if program.parts is None else 0.0),
        program.required,
        program.parts,
        program.integral,
        program.time_limit,
    )
    answer = _solve(inner)
    offset = -float(program.worth[settled] @ value[settled])
    if answer.point is None:
        return answer
    point = value.copy()
    point[rest] = answer.point
    return Answer(point, None if answer.bound is None else answer.bound + offset, answer.finished)


def _settled(program: Program) -> tuple[NDArray[np.bool_], Floats]:
    """Units that every rival and the objective want to stay, or all want gone; and the value they take."""
    value = np.zeros(len(program.worth))
    if program.parts is not None:
        return np.zeros(len(program.worth), bool), value
    stay = (program.gains >= 0).all(axis=1) & (program.worth >= 0)
    go = (program.gains <= 0).all(axis=1) & (program.worth < 0)
    value[stay] = program.upper[stay]
    return stay | go, value


def _solve(program: Program) -> Answer:
    """Variables in order: x of the units, z of the entries (with parts), y of the classes (when choosing)."""
    from scipy.optimize import Bounds, milp

    units, (entries, classes) = len(program.worth), program.gains.shape
    extra = (entries if program.parts is not None else 0) + (classes if program.chooses else 0)
    scale = np.abs(program.worth).max(initial=0.0) or 1.0
    whole = np.zeros(units + extra)
    whole[:units] = program.integral
    whole[len(whole) - classes * program.chooses :] = 1
    options: dict[str, float | bool] = {"mip_rel_gap": 0.0, "presolve": program.integral}
    if program.time_limit is not None:
        options["time_limit"] = program.time_limit
    with _stray_output_aside() if whole.any() else nullcontext():
        result = milp(
            np.concatenate([-program.worth / scale, np.zeros(extra)]),
            integrality=whole,
            bounds=Bounds(0, np.concatenate([program.upper, np.ones(extra)])),
            constraints=_constraints(program, units + extra),
            options=options,
        )
    point = None if result.x is None else np.clip(result.x[:units], 0, program.upper)
    bound = result.mip_dual_bound if whole.any() else result.fun
    return Answer(point, None if bound is None else float(bound) * scale, result.status != _OUT_OF_TIME)


@contextmanager
def _stray_output_aside() -> Iterator[None]:
    """HiGHS (seen in scipy 1.17) writes a stray line to standard output from some integer programs.

    That would spoil a report printed there, so for the while standard output is standard error.
    """
    flush = ctypes.CDLL(None).fflush
    saved = os.dup(1)
    try:
        flush(None)
        os.dup2(2, 1)
        yield
    finally:
        flush(None)
        os.dup2(saved, 1)
        os.close(saved)


def _constraints(program: Program, width: int) -> list[Any]:
    from scipy.optimize import LinearConstraint

    units, (entries, classes) = len(program.worth), program.gains.shape
    passing = np.zeros((classes, width))
    first = 0 if program.parts is None else units
    passing[:, first : first + entries] = program.gains.T * _SCALE
    least = program.needed * _SCALE
    limits = []
    if program.chooses:  # only a chosen class must pass: gains >= needed - slack * (1 - y)
        slack = np.maximum(least - _worst(program) * _SCALE, 0.0)
        passing[:, width - classes :] = -np.diag(slack)
        least = least - slack
        chosen = np.zeros((1, width))
        chosen[0, width - classes :] = 1
        limits.append(LinearConstraint(chosen, program.required, np.inf))
    limits.append(LinearConstraint(passing, least, np.inf))
    if program.parts:
        rows, most = _links(program.parts, units, width)
        limits.append(LinearConstraint(rows, -np.inf, most))
    return limits


def _worst(program: Program) -> Floats:
    """The least each class can gain."""
    reach = program.upper if program.parts is None else np.ones(len(program.gains))
    return np.asarray(reach @ np.minimum(program.gains, 0.0))


def _links(parts: tuple[tuple[int, ...], ...], units: int, width: int) -> tuple[Any, Floats]:
    """z <= x for every unit of an entry, and z >= sum of its x - (units - 1)."""
    from scipy.sparse import csr_array

    rows: list[int] = []
    columns: list[int] = []
    data: list[float] = []
    most: list[float] = []
    for entry, part in enumerate(parts):
        for unit in part:
            rows += [len(most)] * 2
            columns += [units + entry, unit]
            data += [1.0, -1.0]
            most.append(0.0)
        rows += [len(most)] * (len(part) + 1)
        columns += [*part, units + entry]
        data += [1.0] * len(part) + [-1.0]
        most.append(len(part) - 1.0)
    return csr_array((data, (rows, columns)), shape=(len(most), width)), np.array(most)
