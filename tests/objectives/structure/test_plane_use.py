"""Links that a lone pair fills, and use of planes, pair by pair with the distances of igraph."""

from fractions import Fraction
from itertools import permutations

import igraph
import pytest

from isoplane.models import Network, dual_cube
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.objectives.structure.plane_use import plane_use
from tests.cases import for_each

RING = Torus(shape=(7,), nodes_per_switch=2, node_cable_m=2)
GRID = HyperX(shape=(3, 3), nodes_per_switch=1, node_cable_m=2)
NETWORKS = [
    dual_cube(3, (1, 3, 7), nodes_per_switch=2),
    Network(Relabelled(plane=RING, planes=3, places=((2, 4, 6, 1, 3, 5, 0), (3, 6, 2, 5, 1, 4, 0)))),
    Network(Relabelled(plane=GRID, places=((4, 1, 2, 3, 0, 5, 6, 7, 8),))),
]


@for_each("network", NETWORKS)
def test_a_pair_fills_a_link_of_each_of_its_nearest_planes(network):
    hops = [igraph.Graph(edges_of(plane)).distances() for plane in network.planes]
    home = network.planes[0].node_switch.tolist()
    filled, traffic = [], [Fraction(0)] * len(hops)
    for source, sink in permutations(home, 2):
        lengths = [rows[source][sink] for rows in hops]
        nearest = [plane for plane, length in enumerate(lengths) if length == min(lengths)]
        filled.append(len(nearest))
        for plane in nearest:
            traffic[plane] += Fraction(1, len(nearest))
    use = plane_use(network)
    assert use["pair_links"] == pytest.approx(sum(filled) / len(filled))
    assert use["pair_links_least"] == min(filled)
    assert use["plane_imbalance"] == pytest.approx(float(max(traffic) * len(hops) / sum(traffic)))


def edges_of(plane):
    """The cables of a plane."""
    peer = plane.topology.peer
    return sorted(
        {tuple(sorted((switch, other))) for switch, row in enumerate(peer.tolist()) for other in row if other >= 0}
    )


@for_each(
    ("policy", "filled", "imbalance"),
    [("nearest", 2, 1), ("spray", 2, 1), ((3, 1), 4 / 3, 3 / 2), ("adaptive", None, None)],
)
def test_identical_planes_and_shares(policy, filled, imbalance):
    use = plane_use(Network(MultiPlane(plane=RING, planes=2, policy=policy)))
    if filled is None:
        assert use is None
    else:
        assert use == {"pair_links": filled, "pair_links_least": filled, "plane_imbalance": imbalance}
