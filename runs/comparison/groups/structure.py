"""What the cables allow, whatever the routes."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from isoplane.objectives.structure import bisection, concurrent_flow, path_diversity

from ..column import SHARE, Column, Group, Value
from ..compared_design import ComparedDesign

ORDER = 40


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return bounds of throughput and bisection, and path diversity.

    Identical planes multiply capacities and paths: one of them is measured.
    """
    (network, planes), request = compared.identical_planes, compared.request
    bound, cut = concurrent_flow(network, request.seed), bisection(network, request.seed)
    _, disjoint, shortest = path_diversity(network, seed=request.seed)

    def share(capacity: Fraction | None) -> float | None:
        return compared.of_node_rate(None if capacity is None else cut.share_of(capacity))

    return {
        "throughput_flow": compared.of_node_rate(bound.flow),
        "throughput_bound": compared.of_node_rate(bound.value),
        "bisection": share(cut.cut),
        "bisection_metis": share(cut.metis),
        "bisection_bound": share(cut.lower),
        "bisection_spectral": share(cut.spectral),
        **_paths("disjoint_paths", disjoint, planes),
        **_paths("shortest_paths", shortest, planes),
    }


def _paths(name: str, counts: Sequence[int], planes: int) -> dict[str, Value]:
    """Return the least and the mean number of paths of a pair over identical planes."""
    if not counts:
        return {f"{name}_min": None, name: None}
    return {f"{name}_min": planes * min(counts), name: planes * (sum(counts) / len(counts))}


GROUP = Group(
    "Structure",
    "The best routing reaches at least the throughput of the best flow found, and none exceeds the bound: both are "
    "proven by exact arithmetic, and equal in networks with symmetries. The bisection is the best cut found between "
    "two halves of the nodes, beside that of METIS alone, with the best lower bound and that of an eigenvalue alone, "
    "in N / 2 times the rate of a node. Edge-disjoint and shortest paths are between the switches of 200 sampled "
    "pairs of nodes.",
    (
        Column("throughput_flow", "throughput of the best routing, at least", SHARE, 3),
        Column("throughput_bound", "throughput of any routing, at most", SHARE, 3),
        Column("bisection", "bisection", "of N/2 nodes", 3),
        Column("bisection_metis", "bisection by METIS", "of N/2 nodes", 3),
        Column("bisection_bound", "bisection, at least", "of N/2 nodes", 3),
        Column("bisection_spectral", "bisection by eigenvalue, at least", "of N/2 nodes", 3),
        Column("disjoint_paths_min", "edge-disjoint paths", "least"),
        Column("disjoint_paths", "edge-disjoint paths", "mean", 1),
        Column("shortest_paths_min", "shortest paths", "least"),
        Column("shortest_paths", "shortest paths", "mean", 1),
    ),
    values,
    scope="first",
)
