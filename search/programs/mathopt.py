"""Statements for HiGHS, through MathOpt; `highs` calls it in a process of its own."""

import datetime
from collections.abc import Mapping

from .statement import UNKNOWN, Left, Outcome, Statement, rounded


def solve(
    statement: Statement, objective: int, left: Left, hint: Mapping[int, int] | None = None, log: bool = False
) -> Outcome:
    """Minimise one objective of a statement by HiGHS with one thread; parameters as for CP-SAT.

    Values that do not keep to the statement when they are rounded to integers are not returned.

    References
    ----------
    Huangfu and Hall, Parallelizing the dual revised simplex method, 2018: HiGHS.

    Examples
    --------
    >>> from .statement import Row
    >>> solve(Statement((0,), (9,), (Row(((0, 2),), 3),), (((0, 1),), ())), 0, lambda: 10)
    Outcome(status='optimal', values=[2], bound=2)
    """
    from ortools.math_opt.python import mathopt  # loaded only where it is needed: it takes a second

    model = mathopt.Model()
    limits = zip(statement.lower, statement.upper, strict=True)
    variables = [model.add_integer_variable(lb=lower, ub=upper) for lower, upper in limits]
    for row in statement.rows:
        total = mathopt.LinearSum(factor * variables[v] for v, factor in row.terms)
        model.add_linear_constraint(lb=row.least, ub=float("inf") if row.most is None else row.most, expr=total)
    model.minimize(mathopt.LinearSum(factor * variables[v] for v, factor in statement.objectives[objective]))
    seconds = left()  # to state a large program takes seconds
    if seconds <= 0:
        return UNKNOWN
    parameters = mathopt.SolveParameters(
        time_limit=datetime.timedelta(seconds=seconds), enable_output=log, relative_gap_tolerance=0.0
    )
    parameters.highs.string_options["parallel"] = "off"
    begin = mathopt.ModelSolveParameters()
    if hint:
        some = {variables[number]: float(value) for number, value in hint.items()}
        begin.solution_hints.append(mathopt.SolutionHint(variable_values=some))
    solved = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters, model_params=begin)
    reason = solved.termination.reason
    if reason in (mathopt.TerminationReason.INFEASIBLE, mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED):
        return Outcome("infeasible", None, None)
    values = solved.variable_values(variables) if solved.has_primal_feasible_solution() else None
    optimal = reason == mathopt.TerminationReason.OPTIMAL
    return rounded(statement, values, solved.best_objective_bound(), optimal=optimal)
