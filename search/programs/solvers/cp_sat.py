"""Integer programs solved by CP-SAT."""

from collections.abc import Mapping
from typing import Any

from ..integer_program import UNKNOWN, IntegerProgram, SolverResult, Status, Terms, TimeLeft, interrupting


def solve(
    program: IntegerProgram,
    objective: int,
    seconds_left: TimeLeft,
    hint: Mapping[int, int] | None = None,
    log: bool = False,
    effort_s: float | None = None,
) -> SolverResult:
    """Minimise one objective of a program with CP-SAT on one worker: reproducible unless a time limit ends it.

    Parameters
    ----------
    program
        The integer program.
    objective
        Index of the objective, 0 or 1.
    seconds_left
        Returns the seconds left; the solver stops when there are none.
    hint
        Initial values of some variables.
    log
        Whether the solver prints its log to standard output.
    effort_s
        Limit in CP-SAT's deterministic seconds, which is reproducible; no limit by default.

    References
    ----------
    Perron and Didier, CP-SAT, https://developers.google.com/optimization/cp/cp_solver.

    Examples
    --------
    >>> from ..integer_program import Row
    >>> solve(IntegerProgram([9], [Row(((0, 2),), 3)], (((0, 1),), ())), 0, lambda: 10)
    SolverResult(status='optimal', values=[2], bound=2)
    """
    from ortools.sat.python import cp_model  # imported late, because it takes a second

    model, variables = _model(program, objective, hint)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    # Relaxations of rows with large coefficients are weak and slow: 23 s instead of 1 s on nine nodes.
    solver.parameters.linearization_level = 2 if program.strong_relaxation else 0  # linearise everything, or nothing
    solver.parameters.log_search_progress = log
    seconds = seconds_left()
    if seconds <= 0:
        return UNKNOWN
    solver.parameters.max_time_in_seconds = seconds
    if effort_s is not None:
        solver.parameters.max_deterministic_time = effort_s
    with interrupting(seconds_left, solver.stop_search):
        outcome = solver.solve(model)
    spent_s = solver.response_proto.deterministic_time
    statuses: dict[object, Status] = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }
    if outcome == cp_model.MODEL_INVALID:
        raise ArithmeticError(f"invalid program for CP-SAT: {model.validate()}")
    status = statuses.get(outcome, "unknown")
    if status == "infeasible":
        return SolverResult(status, None, None, spent_s)
    bound = solver.response_proto.inner_objective_lower_bound if program.objectives[objective] else 0  # an integer
    values = [solver.value(variable) for variable in variables] if status != "unknown" else None
    return SolverResult(status, values, bound, spent_s)


def _model(program: IntegerProgram, objective: int, hint: Mapping[int, int] | None) -> tuple[Any, list[Any]]:
    """Return a program with one of its objectives as a model of CP-SAT, and its variables."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_int_var(0, upper, "") for upper in program.upper]

    def total(terms: Terms) -> Any:
        return cp_model.LinearExpr.weighted_sum([variables[v] for v, _ in terms], [factor for _, factor in terms])

    for row in program.rows:
        # CP-SAT wants a limit within 64 bits: this one is beyond all sums.
        upper = cp_model.INT32_MAX * 2**30 if row.upper is None else row.upper
        model.add_linear_constraint(total(row.terms), row.lower, upper)
    model.minimize(total(program.objectives[objective]))
    for variable, value in (hint or {}).items():
        model.add_hint(variables[variable], value)
    return model, variables
