"""The cheapest network of some nodes and ports that a search finds, of any family or none."""

from collections.abc import Iterator
from fractions import Fraction

from isoplane.models import Family
from isoplane.models.families.host_graph import HostGraph
from isoplane.objectives import SWITCHES, Lexicographic
from isoplane.objectives.scoring.worded_objective import limited
from isoplane.runs.config.limit_words import stated_limits
from isoplane.search import Auto, Limits, solve, space_of

from ..request import Request
from .racks import in_order_of_ids

COST = Lexicographic("cost", (("cost",),), SWITCHES)


def searched_networks(request: Request, least: Fraction) -> Iterator[Family]:
    """Yield the cheapest network with a throughput that a search finds in its share of `Request.search`; none if none.

    The search is that of `isoplane search nodes= ports= planes= throughput=` with the limits of the request, on one
    thread; the clock ends it.
    """
    assert request.search is not None
    any_network = HostGraph(nodes=request.nodes, ports=request.ports, planes=request.node_ports, assumed_cable_m=None)
    network = in_order_of_ids(any_network, request.site)
    cable_m = None if request.cable_mm is None else Fraction(request.cable_mm, 1000)
    few = None if request.switches is None else f"switches <= {request.switches}"
    stated = {"subject_to": few, "throughput": least, "cable_m": cable_m, "diameter": request.diameter}
    limits = stated_limits(stated, SWITCHES, network)
    objective = limited(COST, limits or "", network)
    space, stop = space_of(network, network.variables), Limits(seconds=float(request.search / len(request.throughputs)))
    found = [*solve(space, objective, Auto().choose(space, objective), stop, request.seed)]
    if found and objective.meets_limits(found[-1].evaluation.score):
        yield found[-1].design.network.family


def search_note(request: Request) -> list[str]:
    """Return what a network found by search rests on, in a sentence; nothing without a search."""
    if request.search is None:
        return []
    took = f"{float(request.search):g} s with seed {request.seed}"
    return [f"Found by search: by a heuristic of {took}, which the clock ends, so that another run may find another."]
