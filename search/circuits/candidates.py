"""Circuits and placements encoded as candidates."""

from isoplane.models import Circuits, Placement

from ..core.space import Candidate


def candidate_of(circuits: Circuits, placement: Placement) -> Candidate:
    """Return the candidate of circuits and a placement: the node of every process, then both ends of every circuit.

    Examples
    --------
    >>> candidate_of(Circuits(((1, 2),)), Placement((0, 1, 3, 2)))
    (0, 1, 3, 2, 1, 2)
    """
    return (*placement.nodes, *(node for pair in circuits.pairs for node in pair))
