"""The bound on all-to-all throughput from distances, against the routes and an independent count of hops."""

from fractions import Fraction

import igraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Site, dual_cube
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.objectives.general import GeneralExact
from isoplane.objectives.structure import distance_bound

families = st.one_of(
    st.builds(
        lambda half, degree, each, seed: RandomRegular(
            switches=2 * half, degree=degree, nodes_per_switch=each, seed=seed
        ),
        st.integers(3, 12), st.integers(3, 5), st.integers(1, 3), st.integers(0, 99),
    ),
    st.builds(
        lambda leaves, spines, each: LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=each),
        st.integers(2, 6), st.integers(1, 4), st.integers(1, 4),
    ),
)  # fmt: skip


@given(families)
def test_it_is_the_links_over_the_mean_distance_and_no_routes_are_faster(family):
    network = Network(family, Site(layout=None))
    (plane,) = network.planes
    graph = igraph.Graph([(a, b) for a, row in enumerate(plane.topology.peer.tolist()) for b in row if a < b])
    distance = graph.distances()
    hops = sum(distance[a][b] for a in plane.node_switch.tolist() for b in plane.node_switch.tolist())
    assert distance_bound(network) == Fraction(2 * graph.ecount() * network.nodes, hops)
    exact = GeneralExact(network)
    assert Fraction(exact.parts * network.nodes, exact.peak_load) <= distance_bound(network)


def test_links_of_a_node_at_several_switches_are_refused():
    ring = Torus(shape=(6,), node_cable_m=2.0)
    with pytest.raises(InputError, match="a node with links at several switches"):
        distance_bound(Network(MultiPlane(plane=ring, planes=1, links_per_node=2)))
    with pytest.raises(InputError, match="2 planes; expected one"):
        distance_bound(dual_cube(3, (3, 5, 7)))
