"""Kinds of objectives of relabelled planes, which walks minimise in different ways."""

from isoplane.models import Network
from isoplane.objectives import Lexicographic
from isoplane.objectives.general.exact import GeneralExact
from isoplane.objectives.general.zero_load import differs_at_ends, hop_delays

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


def least_delay(network: Network, hops: int) -> int | None:
    """Return a lower bound of the delays of all packets, as scores have them, from one of their hops.

    With cables of one length a delay is that of both ends and, for each hop, of a cable and a switch. Routes that are
    not shortest, and look-ups where caches miss, only add to it. None if planes state delays of ends.

    Parameters
    ----------
    network
        Any of the networks: the places in its planes do not matter.
    hops
        A lower bound of the sum of distances over all ordered pairs of nodes.
    """
    units, planes = network.delay_units, network.planes
    if any(map(differs_at_ends, planes)):
        return None
    hop = min(int(hop_delays(plane, units)[plane.topology.peer >= 0].min()) for plane in planes)
    return GeneralExact(network).parts * (hop * hops + units.endpoint * network.nodes**2)
