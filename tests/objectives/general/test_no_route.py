"""Loads do not depend on entries of routing tables that no packet meets, nor on the threads that count them."""

from threading import Event

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Plane
from isoplane.models.routing import NO_ROUTE, forwarding_table, shared_tables
from isoplane.models.steps import steps_text
from isoplane.objectives import metrics_of
from isoplane.objectives.general import all_to_all_loads
from isoplane.objectives.general.arrays import in_threads
from isoplane.objectives.reference import reference_metrics
from isoplane.objectives.reference.general import measure_general
from tests.assembled import assembled
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
    with pytest.raises(RuntimeError, match=f"to switch {case.node_switch[node]} does not arrive"):
        measure_general(network)


def test_results_are_in_order_and_the_share_that_is_done_is_shown():
    shown = []
    for result in in_threads(lambda part: (part.start, part.stop), 5, 2, "halves"):
        shown.append((result, steps_text().split(",")[0]))
    assert shown == [((0, 2), "halves 33 %"), ((2, 4), "halves 67 %"), ((4, 5), "halves 100 %")]
    assert steps_text() == ""


def test_calls_that_run_when_the_caller_ends_are_not_waited_for():
    go_on, ended = Event(), []

    def work(part):
        if part.start:
            go_on.wait(60)
            ended.append(part)

    results = in_threads(work, 2, 1)
    next(results)
    results.close()
    assert ended == []
    go_on.set()
