"""Loads, distances and times do not depend on entries of routing tables that no packet meets."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Plane
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.network import Network
from isoplane.models.routing import NO_ROUTE, forwarding_table, shared_tables
from isoplane.objectives import metrics_of
from isoplane.objectives.general import all_to_all_loads
from isoplane.objectives.reference import ReferenceMismatch, reference_metrics
from isoplane.objectives.reference.general import measure_general
from tests.assembled import assembled
from tests.cases import for_each
from tests.models.open_tables import OpenTable
from tests.strategies import connected_edges

tables = st.builds(OpenTable, connected_edges(9), st.lists(st.integers(0, 8), min_size=1, max_size=8))


def network_of(case, routes, second=False):
    """Return a network of one plane, or of two, of which the second has routes from all switches."""
    lengths = np.where(case.topology.peer >= 0, 1000, 0)
    planes = [Plane(case.topology, lengths, case.node_switch, 1000, routes=routes)]
    planes += [Plane(case.topology, lengths, case.node_switch, 1000, routes=forwarding_table(case.topology))] * second
    return assembled("open", tuple(planes))


@given(tables, st.integers(0, 2**32 - 1), st.booleans())
def test_the_metrics_are_those_of_the_walks_and_of_the_reference(case, seed, second):
    peak = np.zeros(case.topology.peer.shape, dtype=int)
    for (source, _), links in case.walks.items():
        for link in links:
            peak[link] += np.count_nonzero(case.node_switch == source)
    shared = shared_tables(case.table, case.node_switch)
    for routes in (case.routes(), case.routes(case.filled(seed)), shared):
        network = network_of(case, routes, second)
        found = metrics_of(Design(network))
        assert found == reference_metrics(network)
        assert found["peak_load"] == peak.max()  # in halves, if two equal planes carry half of each packet


@given(tables, st.booleans(), st.data())
def test_an_open_entry_on_a_route_is_an_error_of_both_evaluators(case, second, data):
    used = np.argwhere(case.table != NO_ROUTE)
    assume(len(used))
    switch, node = data.draw(st.sampled_from(used.tolist()))
    network = network_of(case, case.routes(), second)
    network.planes[0].routes.next_port[switch, node] = NO_ROUTE
    message = f"^routes: the route to switch {case.node_switch[node]} has no next port at switch {switch}; expected"
    with pytest.raises(InputError, match=message):
        all_to_all_loads(network)
    with pytest.raises(ReferenceMismatch, match=f"to switch {case.node_switch[node]} does not arrive"):
        measure_general(network)


@for_each("family", [FullMesh(), OrthogonalFatTree(q=2), OrthogonalFatTree(q=3, sides=1)])
def test_a_spine_forwards_to_each_of_its_leaves_over_their_cable(family):
    (plane,) = Network(family).planes
    routes = plane.routes
    assert routes.channels is None  # one class of virtual channels
    ports = routes.next_port[routes.row[family.leaves :]]
    reached = plane.topology.peer[family.leaves :]
    for spine, row in enumerate(ports):
        for column, leaf in enumerate(routes.target_switch):
            if leaf in reached[spine]:
                assert reached[spine][row[column]] == leaf
