"""Phases of messages as a constraint program, for small exchanges."""

import numpy as np
from numpy.typing import NDArray


def assign_phases(start: NDArray[np.integer], resource: NDArray[np.integer], phases: int) -> NDArray[np.int32] | None:
    """Return a phase for each message such that no two messages of a phase share a resource; None if there is none.

    CP-SAT decides on one worker without a limit: the result depends on the arguments only.

    Parameters
    ----------
    start : int[messages + 1], resource : int[...]
        Message i occupies ``resource[start[i]:start[i + 1]]``.
    phases
        Number of phases.

    References
    ----------
    Perron and Didier, CP-SAT, https://developers.google.com/optimization/cp/cp_solver.

    Examples
    --------
    >>> assign_phases(np.array([0, 2, 4, 6]), np.array([0, 1, 1, 2, 2, 0]), 2) is None  # a triangle
    True
    """
    from ortools.sat.python import cp_model  # imported late, because it takes a second

    model, messages = cp_model.CpModel(), len(start) - 1
    takes = [[model.new_bool_var("") for _ in range(phases)] for _ in range(messages)]
    for choice in takes:
        model.add_exactly_one(choice)
    owner = np.repeat(np.arange(messages), np.diff(start))
    users = [owner[resource == number].tolist() for number in range(int(resource.max()) + 1)]
    for group in users:
        for phase in range(phases if len(group) > 1 else 0):
            model.add_at_most_one(takes[message][phase] for message in group)
    heaviest = max(users, key=len)
    if len(heaviest) > phases:
        return None
    for phase, message in enumerate(heaviest):  # its messages have different phases, which are alike
        model.add(takes[message][phase] == 1)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise ArithmeticError(f"invalid program for CP-SAT: {model.validate()}")
    return np.array([[solver.value(taken) for taken in choice].index(1) for choice in takes], dtype=np.int32)
