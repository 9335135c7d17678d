"""Kinds of objectives of relabelled planes, which walks minimise in different ways."""

from isoplane.objectives import Lexicographic

HOPS, LOAD, PLANES = "total_hops", "peak_load", "plane_fault_hops"  # the integers that have bounds


def is_measured(objective: Lexicographic) -> bool:
    """Whether walks evaluate whole networks: for limits, and for all but the sum of distances and loads.

    Beside loads, later components may be others, which only choose among equals.
    """
    by_distances = objective.components == ((HOPS,),)
    by_loads = LOAD in objective.metrics and objective.is_plain and {*objective.components[0]} <= {HOPS, LOAD}
    return bool(objective.limits or not (by_distances or by_loads))


def by_load(objective: Lexicographic) -> bool:
    """Whether an objective has loads, which only walks over linear planes minimise."""
    return LOAD in objective.metrics and not is_measured(objective)
