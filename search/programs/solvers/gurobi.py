"""Integer programs solved by Gurobi; the only module that imports gurobipy."""

from collections.abc import Mapping
from math import inf
from typing import Any

from isoplane.models import InputError
from isoplane.models.errors import not_installed

from ..integer_program import UNKNOWN, IntegerProgram, SolverResult, TimeLeft, interrupting, round_result

UNLICENSED = (10009, 10010)  # codes of GRB.Error: no licence, or one only for smaller programs


def solve(
    program: IntegerProgram,
    objective: int,
    seconds_left: TimeLeft,
    hint: Mapping[int, int] | None = None,
    log: bool = False,
) -> SolverResult:
    """Minimise one objective of a program with Gurobi on one thread; parameters as for CP-SAT.

    Raises
    ------
    ImportError
        If gurobipy is not installed or has no licence for a program of this size.
    InputError
        If Gurobi fails for another reason.

    References
    ----------
    Gurobi Optimization, Gurobi Optimizer Reference Manual.
    """
    try:
        import gurobipy
    except ImportError as error:
        raise ImportError(not_installed("gurobipy", "gurobi")) from error
    try:
        return _solve(gurobipy, program, objective, seconds_left, hint, log)
    except gurobipy.GurobiError as error:
        message = " ".join(str(error).split())
        if error.errno in UNLICENSED:
            raise ImportError(f"gurobipy has no licence for this program ({message})") from error
        raise InputError(f"solver=gurobi: {message} (error {error.errno}); expected cp_sat, highs") from error


def _solve(
    gurobipy: Any,
    program: IntegerProgram,
    objective: int,
    seconds_left: TimeLeft,
    hint: Mapping[int, int] | None,
    log: bool,
) -> SolverResult:
    codes = gurobipy.GRB
    with gurobipy.Env(params={"OutputFlag": int(log)}) as environment, gurobipy.Model(env=environment) as model:
        variables = [model.addVar(lb=0, ub=upper, vtype=codes.INTEGER) for upper in program.upper]
        for row in program.rows:
            total = gurobipy.LinExpr([(factor, variables[v]) for v, factor in row.terms])
            model.addConstr(total >= row.lower)
            if row.upper is not None:
                model.addConstr(total <= row.upper)
        terms = program.objectives[objective]
        model.setObjective(gurobipy.LinExpr([(factor, variables[v]) for v, factor in terms]), codes.MINIMIZE)
        for number, value in (hint or {}).items():
            variables[number].Start = value
        seconds = seconds_left()
        if seconds <= 0:
            return UNKNOWN
        # By default Gurobi accepts a gap of 1e-4 as optimal.
        model.Params.Threads, model.Params.TimeLimit, model.Params.MIPGap = 1, seconds, 0.0
        with interrupting(seconds_left, model.terminate):
            model.optimize()
        # Presolve may not tell the two apart, but all variables are bounded.
        if model.Status in (codes.INFEASIBLE, codes.INF_OR_UNBD):
            return SolverResult("infeasible", None, None)
        proven = model.ObjBound if abs(model.ObjBound) < codes.INFINITY else -inf
        values = [variable.X for variable in variables] if model.SolCount else None
        return round_result(program, values, proven, optimal=model.Status == codes.OPTIMAL)
