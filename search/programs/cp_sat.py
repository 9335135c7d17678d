"""Statements for CP-SAT."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .statement import UNKNOWN, Left, Outcome, Statement, Status, Terms
from .time_limit import interrupting


@dataclass
class Effort:
    """Work that is left for some statements, in CP-SAT's deterministic seconds: a limit that every run meets alike.

    Each statement gets half of it, since one that cannot be proven takes all that it gets.
    """

    seconds: float


def solve(
    statement: Statement,
    objective: int,
    left: Left,
    hint: Mapping[int, int] | None = None,
    log: bool = False,
    effort: Effort | None = None,
) -> Outcome:
    """Minimise one objective of a statement by CP-SAT with one worker, so that only the clock is not repeatable.

    Parameters
    ----------
    statement
        The integer program.
    objective
        0 or 1: which of its objectives.
    left
        Tells how many seconds are left; the solver ends when there are none.
    hint
        Values of some variables to begin with.
    log
        Whether the solver tells what it does, on standard output.
    effort
        What is left for this statement and later ones; no limit by default.

    References
    ----------
    Perron and Didier, CP-SAT, https://developers.google.com/optimization/cp/cp_solver.

    Examples
    --------
    >>> from .statement import Row
    >>> solve(Statement((0,), (9,), (Row(((0, 2),), 3),), (((0, 1),), ())), 0, lambda: 10)
    Outcome(status='optimal', values=[2], bound=2)
    """
    from ortools.sat.python import cp_model  # loaded only where it is needed: it takes a second

    model = cp_model.CpModel()
    limits = zip(statement.lower, statement.upper, strict=True)
    variables = [model.new_int_var(lower, upper, "") for lower, upper in limits]

    def total(terms: Terms) -> Any:
        return cp_model.LinearExpr.weighted_sum([variables[v] for v, _ in terms], [factor for _, factor in terms])

    for row in statement.rows:
        most = cp_model.INT32_MAX * 2**30 if row.most is None else row.most
        model.add_linear_constraint(total(row.terms), row.least, most)
    model.minimize(total(statement.objectives[objective]))
    for variable, value in (hint or {}).items():
        model.add_hint(variables[variable], value)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2 if statement.tight else 0  # none or all of it
    solver.parameters.log_search_progress = log
    seconds = left()
    if seconds <= 0:
        return UNKNOWN
    solver.parameters.max_time_in_seconds = seconds
    if effort is not None:
        solver.parameters.max_deterministic_time = effort.seconds / 2
    with interrupting(left, solver.stop_search):
        found = solver.solve(model)
    if effort is not None:
        effort.seconds -= min(solver.response_proto.deterministic_time, effort.seconds)
    names: dict[object, Status] = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }
    if found == cp_model.MODEL_INVALID:
        raise ArithmeticError(f"no program for CP-SAT: {model.validate()}")
    status = names.get(found, "unknown")
    if status == "infeasible":
        return Outcome(status, None, None)
    bound = solver.response_proto.inner_objective_lower_bound if statement.objectives[objective] else 0  # an integer
    values = [solver.value(variable) for variable in variables] if status != "unknown" else None
    return Outcome(status, values, bound)
