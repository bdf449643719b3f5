"""The linear and the integer program behind k-confusability, solved by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_SCALE = 2.0**10  # lifts the least lead, one grain, well above the solver's tolerance of 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class LinearProgram:
    """Keep as much worth as possible while, in every group of classes, enough of them gain what they need.

    A variable x a unit, between 0 and `upper`, and one z an entry of `parts`, which is 1 exactly when all its units
    are kept. Class c passes when gains[:, c] . x + part_gains[:, c] . z >= needed[c].
    """

    worth: Floats
    upper: Ints
    gains: Floats
    needed: Floats
    group: Ints  # of each class
    weight: Ints  # of each class: for how many it counts
    required: Ints  # of each group
    parts: tuple[tuple[int, ...], ...]
    part_gains: Floats
    integral: bool
    time_limit: float | None = None

    @property
    def chooses(self) -> bool:
        """Whether some group has more classes than must pass."""
        return bool((self._counted(self.group, self.weight) > self.required).any())

    def passes(self, gained: Floats) -> bool:
        passed = gained >= self.needed
        return bool((self._counted(self.group[passed], self.weight[passed]) >= self.required).all())

    def enough(self) -> bool:
        """Whether every group has as many classes as must pass."""
        return bool((self._counted(self.group, self.weight) >= self.required).all())

    def _counted(self, group: Ints, weight: Ints) -> Floats:
        return np.asarray(np.bincount(group, weight, minlength=len(self.required)), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramSolution:
    """Units kept (None: none found), the proved least value of -worth . x, and whether the search ended."""

    point: Floats | None
    bound: float | None
    finished: bool


def solve(program: LinearProgram) -> ProgramSolution:
    """HiGHS on the program; what is settled beforehand does not burden it."""
    if not program.enough():
        return ProgramSolution(None, None, True)
    settled, value = _settled(program)
    if settled.all() and not program.parts:
        passed = program.passes(value @ program.gains)
        return ProgramSolution(value if passed else None, -float(program.worth @ value), True)
    if program.parts:
        return _solve(program)
    rest = ~settled
    inner = replace(
        program,
        worth=program.worth[rest],
        upper=program.upper[rest],
        gains=program.gains[rest],
        needed=program.needed - value[settled] @ program.gains[settled],
    )
    answer = _solve(inner)
    if answer.point is None:
        return answer
    offset = -float(program.worth[settled] @ value[settled])
    point = value.copy()
    point[rest] = answer.point
    return ProgramSolution(point, None if answer.bound is None else answer.bound + offset, answer.finished)


def _settled(program: LinearProgram) -> tuple[NDArray[np.bool_], Floats]:
    """Units that every rival and the objective want to stay, or all want gone; and the value they take."""
    value = np.zeros(len(program.worth))
    stay = (program.gains >= 0).all(axis=1) & (program.worth >= 0)
    go = (program.gains <= 0).all(axis=1) & (program.worth < 0)
    value[stay] = program.upper[stay]
    return stay | go, value


def _solve(program: LinearProgram) -> ProgramSolution:
    """Variables in order: x of the units, z of the entries, y of the classes (when choosing)."""
    import highspy

    units, classes, entries = len(program.worth), len(program.needed), len(program.parts)
    extra = entries + (classes if program.chooses else 0)
    scale = np.abs(program.worth).max(initial=0.0) or 1.0
    whole = np.zeros(units + extra, bool)
    whole[:units] = program.integral
    whole[units + entries :] = True
    model = highspy.HighsLp()
    model.num_col_ = units + extra
    model.col_cost_ = np.concatenate([-program.worth / scale, np.zeros(extra)])
    model.col_lower_ = np.zeros(units + extra)
    model.col_upper_ = np.concatenate([program.upper.astype(np.float64), np.ones(extra)])
    if whole.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[bool(one)] for one in whole]
    _add_rows(model, _rows(program, units + extra))
    solver = _solver(program)
    solver.passModel(model)
    solver.run()
    return _read_solution(program, solver, scale, integral=bool(whole.any()))


def _solver(program: LinearProgram) -> Any:
    import highspy

    make: Any = highspy.Highs
    solver = make()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)  # a batch has its own processes
    solver.setOptionValue("mip_rel_gap", 0.0)
    if not program.integral and not program.chooses:
        solver.setOptionValue("presolve", "off")  # takes longer than the small program itself
    if program.time_limit is not None:
        solver.setOptionValue("time_limit", float(program.time_limit))
    return solver


def _read_solution(program: LinearProgram, solver: Any, scale: float, *, integral: bool) -> ProgramSolution:
    import highspy

    info = solver.getInfo()
    status = solver.getModelStatus()
    finished = status not in (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kIterationLimit)
    feasible = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    values = np.array(solver.getSolution().col_value)[: len(program.worth)] if feasible else None
    point = None if values is None else np.clip(values, 0, program.upper)
    bound = float(info.mip_dual_bound if integral else info.objective_function_value)
    known = feasible and np.isfinite(bound) and (integral or finished)
    return ProgramSolution(point, bound * scale if known else None, finished)


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Constraints: least <= matrix . variables <= most. Only entries of the matrix that are not 0 are held, row after
    row."""

    row: Ints
    column: Ints
    value: Floats
    least: Floats
    most: Floats

    @classmethod
    def of(cls, matrix: Floats, least: Floats, most: Floats) -> _Rows:
        row, column = np.nonzero(matrix)
        return cls(row, column, matrix[row, column], least, most)

    def followed_by(self, other: _Rows) -> _Rows:
        return _Rows(
            np.concatenate([self.row, other.row + len(self.least)]),
            np.concatenate([self.column, other.column]),
            np.concatenate([self.value, other.value]),
            np.concatenate([self.least, other.least]),
            np.concatenate([self.most, other.most]),
        )


def _add_rows(model: Any, rows: _Rows) -> None:
    import highspy

    model.num_row_ = len(rows.least)
    model.row_lower_, model.row_upper_ = rows.least, rows.most
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(rows.row, np.arange(len(rows.least) + 1)).astype(np.int32)
    model.a_matrix_.index_ = rows.column.astype(np.int32)
    model.a_matrix_.value_ = rows.value


def _rows(program: LinearProgram, width: int) -> _Rows:
    units, classes, entries = len(program.worth), len(program.needed), len(program.parts)
    passing = np.zeros((classes, width))
    passing[:, :units] = program.gains.T * _SCALE
    passing[:, units : units + entries] = program.part_gains.T * _SCALE
    least = program.needed * _SCALE
    if not program.chooses:
        rows = _Rows.of(passing, least, np.full(classes, np.inf))
    else:  # only a chosen class must pass: gains >= needed - slack * (1 - y)
        slack = np.maximum(least - _worst(program) * _SCALE, 0.0)
        passing[:, width - classes :] = -np.diag(slack)
        chosen = np.zeros((len(program.required), width))
        chosen[program.group, width - classes + np.arange(classes)] = program.weight
        enough = _Rows.of(chosen, program.required.astype(np.float64), np.full(len(program.required), np.inf))
        rows = _Rows.of(passing, least - slack, np.full(classes, np.inf)).followed_by(enough)
    return rows.followed_by(_links(program.parts, units)) if entries else rows


def _worst(program: LinearProgram) -> Floats:
    """The least each class can gain."""
    words = program.upper @ np.minimum(program.gains, 0.0)
    return np.asarray(words + np.minimum(program.part_gains, 0.0).sum(axis=0))


def _links(parts: tuple[tuple[int, ...], ...], units: int) -> _Rows:
    """z <= x for every unit of an entry, and z >= sum of its x - (units - 1)."""
    lengths = np.fromiter(map(len, parts), np.int64, len(parts))
    unit = np.fromiter(chain.from_iterable(parts), np.int64)
    entry = units + np.arange(len(parts))
    last = np.cumsum(lengths + 1) - 1  # the row of the sum comes behind those of the units
    row = np.arange(len(unit)) + np.repeat(np.arange(len(parts)), lengths)
    rows = np.concatenate([row, row, np.repeat(last, lengths), last])
    columns = np.concatenate([unit, np.repeat(entry, lengths), unit, entry])
    signs = np.repeat([-1.0, 1.0, 1.0, -1.0], [len(unit), len(unit), len(unit), len(parts)])
    most = np.zeros(len(unit) + len(parts))
    most[last] = lengths - 1
    order = np.argsort(rows, kind="stable")
    return _Rows(rows[order], columns[order], signs[order], np.full(len(most), -np.inf), most)
