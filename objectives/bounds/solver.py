"""Dual multipliers of a linear program, from a solver that need not be trusted."""

from typing import TYPE_CHECKING

import numpy as np

from isoplane.models.arrays import Floats

from .linear_program import PRECISION, Integers, LinearProgram

if TYPE_CHECKING:
    from ortools.math_opt.model_pb2 import ModelProto

_SIMPLEX_ROWS = 500


def multipliers(program: LinearProgram) -> Integers:
    """Solve a program in floating point and return its dual solution as the integers of `LinearProgram.bound`.

    Any result gives a valid bound; an inaccurate one only weakens it. Small programs use the simplex method of GLOP,
    large ones the interior-point method of HiGHS.

    Raises
    ------
    RuntimeError
        If the solver finds no dual solution.
    """
    from ortools.math_opt.python import mathopt  # lazy import: it takes a second

    # Scaling columns by the square root of their size makes the character matrices nearly orthogonal.
    column_units = np.sqrt(np.maximum(program.upper, 1.0))
    row_units = program.row_units.astype(float)
    cost_unit = float(np.abs(program.cost).max())
    model = mathopt.Model.from_model_proto(_model_proto(program, column_units, row_units, cost_unit))
    if len(program.rhs) > _SIMPLEX_ROWS:
        params = mathopt.SolveParameters()
        params.highs.string_options["solver"] = "ipm"
        # Any dual point proves a bound, so the way from the interior to a vertex would be wasted.
        params.highs.string_options["run_crossover"] = "off"
        result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=params)
    else:
        result = mathopt.solve(model, mathopt.SolverType.GLOP)
    if not result.solutions or result.solutions[0].dual_solution is None:
        raise RuntimeError(f"no dual solution: {result.termination}")
    duals = result.solutions[0].dual_solution.dual_values
    scaled_duals = np.array([duals[row] for row in model.linear_constraints()])
    # Only the scaling of costs is undone: multipliers are stored in the units of their rows.
    return np.rint(scaled_duals * cost_unit * 2.0**PRECISION).astype(np.int64)


def _merge_entries(program: LinearProgram) -> tuple[Integers, Integers, Integers]:
    """Return rows, columns and coefficients with duplicate entries summed and zeros dropped."""
    # MathOpt expects the entries of a matrix row by row and each of them once; sorting gives both.
    positions, position_of = np.unique(program.row * len(program.cost) + program.column, return_inverse=True)
    values = np.zeros(len(positions), dtype=np.int64)
    np.add.at(values, position_of, program.coefficient)
    row, column = np.divmod(positions[values != 0], len(program.cost))
    return row, column, values[values != 0]


def _model_proto(program: LinearProgram, column_units: Floats, row_units: Floats, cost_unit: float) -> "ModelProto":
    from ortools.math_opt import model_pb2

    rows, columns = len(program.rhs), len(program.cost)
    proto = model_pb2.ModelProto()
    proto.variables.ids.extend(range(columns))
    proto.variables.lower_bounds.extend([0.0] * columns)
    proto.variables.upper_bounds.extend(program.upper / column_units)
    proto.variables.integers.extend([False] * columns)
    costly = np.flatnonzero(program.cost)
    proto.objective.linear_coefficients.ids.extend(costly)
    proto.objective.linear_coefficients.values.extend((program.cost / cost_unit * column_units)[costly])
    proto.linear_constraints.ids.extend(range(rows))
    proto.linear_constraints.lower_bounds.extend(program.rhs / row_units)
    proto.linear_constraints.upper_bounds.extend(np.where(program.equation, program.rhs / row_units, np.inf))
    matrix = proto.linear_constraint_matrix
    row, column, values = _merge_entries(program)
    matrix.row_ids.extend(row)
    matrix.column_ids.extend(column)
    matrix.coefficients.extend(values * column_units[column] / row_units[row])
    return proto
