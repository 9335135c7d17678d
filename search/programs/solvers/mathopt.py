"""Integer programs solved by HiGHS through MathOpt; `highs` calls it in a separate process."""

import datetime
from collections.abc import Mapping

from ..integer_program import UNKNOWN, IntegerProgram, SolverResult, TimeLeft, round_result


def solve(
    program: IntegerProgram,
    objective: int,
    seconds_left: TimeLeft,
    hint: Mapping[int, int] | None = None,
    log: bool = False,
) -> SolverResult:
    """Minimise one objective of a program with HiGHS on one thread; parameters as for CP-SAT.

    Values that are infeasible after rounding to integers are discarded.

    References
    ----------
    Huangfu and Hall, Parallelizing the dual revised simplex method, 2018: HiGHS.

    Examples
    --------
    >>> from ..integer_program import Row
    >>> solve(IntegerProgram([9], [Row(((0, 2),), 3)], (((0, 1),), ())), 0, lambda: 10)
    SolverResult(status='optimal', values=[2], bound=2)
    """
    from ortools.math_opt.python import mathopt  # imported late, because it takes a second

    model = mathopt.Model()
    variables = [model.add_integer_variable(lb=0, ub=upper) for upper in program.upper]
    for row in program.rows:
        total = mathopt.LinearSum(factor * variables[v] for v, factor in row.terms)
        model.add_linear_constraint(lb=row.lower, ub=float("inf") if row.upper is None else row.upper, expr=total)
    model.minimize(mathopt.LinearSum(factor * variables[v] for v, factor in program.objectives[objective]))
    seconds = seconds_left()  # after building the model, which may take seconds
    if seconds <= 0:
        return UNKNOWN
    # By default HiGHS accepts a gap of 1e-4 as optimal.
    parameters = mathopt.SolveParameters(
        time_limit=datetime.timedelta(seconds=seconds), enable_output=log, relative_gap_tolerance=0.0
    )
    parameters.highs.string_options["parallel"] = "off"
    model_parameters = mathopt.ModelSolveParameters()
    if hint:
        hinted = {variables[number]: float(value) for number, value in hint.items()}
        model_parameters.solution_hints.append(mathopt.SolutionHint(variable_values=hinted))
    solved = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters, model_params=model_parameters)
    reason = solved.termination.reason
    # Presolve may not tell the two apart, but all variables are bounded.
    if reason in (mathopt.TerminationReason.INFEASIBLE, mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED):
        return SolverResult("infeasible", None, None)
    values = solved.variable_values(variables) if solved.has_primal_feasible_solution() else None
    optimal = reason == mathopt.TerminationReason.OPTIMAL
    return round_result(program, values, solved.best_objective_bound(), optimal=optimal)
