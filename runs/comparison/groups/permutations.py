"""Permutation traffic: along the routes, under adaptive routing, and under the best routing."""

from collections.abc import Mapping

from isoplane.objectives.structure import longest_permutation, permutation_flow, worst_permutation
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph
from isoplane.simulator import detoured_bound

from ..column import SHARE, Column, Group, Value
from ..compared_design import ComparedDesign

ORDER = 45


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return throughputs of the worst permutation of the routes, and of the worst one known for the best routing.

    Identical planes multiply capacities and divide loads: one of them is measured.
    """
    (network, _), share = compared.identical_planes, compared.of_node_rate
    worst, longest = worst_permutation(network), longest_permutation(network)
    graph = capacity_graph(network)
    same, other = (permutation_flow(network, each.destination, graph) for each in (worst, longest))
    hardest = min((same, other), key=lambda found: (found.bound is None, found.bound or 0))
    return {
        "permutation_flow": share(hardest.flow),
        "permutation_bound": share(hardest.bound),
        "longest_permutation_bound": share(longest.bound),
        "longest_permutation_exact": int(longest.is_exact),
        "worst_permutation": share(worst.throughput),
        "worst_permutation_exact": int(worst.is_exact),
        "worst_permutation_adaptive": share(detoured_bound(network, worst.destination)),
        "worst_permutation_flow": share(same.flow),
        "worst_permutation_bound": share(same.bound),
    }


GROUP = Group(
    "Worst traffic",
    "Every node sends to one other node. Of the worst permutation known for the best routing, a flow carries the first "
    "number and no routing more than the second, by which the designs are ordered; both are proven by exact "
    "arithmetic. It is either the permutation with the largest sum of distances (1: proven largest), of which no "
    "routing carries more than the capacity of all links over that sum, or the one that the routes of the design "
    "carry worst (1: proven). Routes do not adapt to the traffic; the last columns show what adaptive routing over "
    "minimal routes or detours carries of the latter, where the family has detours (another family of the same "
    "network can have others or none), and the best routing.",
    (
        Column("permutation_flow", "worst permutation, best routing, at least", SHARE, 3),
        Column("permutation_bound", "worst permutation, best routing, at most", SHARE, 3),
        Column("longest_permutation_bound", "longest permutation, at most", SHARE, 3),
        Column("longest_permutation_exact", "proven longest", ""),
        Column("worst_permutation", "worst permutation of the routes", SHARE, 3),
        Column("worst_permutation_exact", "proven worst", ""),
        Column("worst_permutation_adaptive", "the same, adaptive routing", SHARE, 3),
        Column("worst_permutation_flow", "the same, best routing, at least", SHARE, 3),
        Column("worst_permutation_bound", "the same, best routing, at most", SHARE, 3),
    ),
    values,
    scope="first",
    order_by="permutation_bound",
)
