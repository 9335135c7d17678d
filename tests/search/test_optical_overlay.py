"""Searches for circuits over any packet network against those in the two-level tree."""

from isoplane.models import Hybrid, Network, OpticalOverlay
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.workloads import sparse
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.search import Anneal, Assignments, Enumerate, Limits, solve
from isoplane.search.core.methods import methods_of
from tests.cases import for_each
from tests.search.assigned import brute_force

WORK = sparse(8, 2, message_bytes=1_000_000, seed=3)
COMPLETION = Lexicographic("completion", (("completion",), ("completion_by_packets",), ("total",)), CIRCUITS, WORK)


@for_each("placement", ["by_switch", "free"])
@for_each("ports", [1, 2])
def test_walks_over_the_planes_of_a_tree_find_the_same_designs_as_in_the_tree(placement, ports):
    tree = Hybrid(2, 4, ports, up_gbps=10)
    packet = PlanesFamily("tree", Network(tree).planes)
    overlay = OpticalOverlay(packet=packet, group_size=4, ports_per_node=ports, circuit_gbps=32, circuit_ns=80)
    found = []
    for hybrid in (tree, overlay):
        space = Assignments(hybrid, WORK, 3, placement)
        start = space.baseline  # the same start: the rule `balanced` is for trees only
        setup = methods_of(space).searchers(COMPLETION, [Anneal(chains=1)], (space.candidate(start),))
        walk = setup.searcher(0, setup.first(1, 0, None))
        walk.run(300)
        found.append((walk.designs(), walk.state()))
    assert found[0] == found[1]


def test_an_enumeration_over_a_ring_finds_the_best_circuits_and_respects_the_bound():
    space = Assignments(OpticalOverlay(packet=Torus(shape=(4, 2))), WORK, 1, "by_switch")
    *_, best = solve(space, COMPLETION, Enumerate(), Limits(), seed=1)
    assert best.status == "optimal"
    assert best.evaluation.score == brute_force(space, COMPLETION)
    assert space.bounds(COMPLETION)[0] <= best.evaluation.score[0]
