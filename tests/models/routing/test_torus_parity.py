"""Ties split by parity: loads of all-to-all traffic by following every route, and by the evaluator on larger tori."""

from fractions import Fraction
from math import ceil, floor, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Site
from isoplane.models.families.torus import Torus
from isoplane.models.routing import hops, torus_order, torus_parity_order
from isoplane.models.topologies import torus
from isoplane.objectives.general import all_to_all_loads
from tests.models.graphs import all_walks

small = st.lists(st.integers(2, 10), min_size=1, max_size=4).filter(lambda shape: prod(shape) <= 64)
large = st.lists(st.integers(2, 14), min_size=1, max_size=4).filter(lambda shape: prod(shape) <= 600)


def mean_load(shape, i):
    """Packets over a link of dimension i, if each switch sends one to each: the mean by symmetry.

    The N² packets make N² · Σ min(o, k - o) / k hops in it, over 2 N links, or N if k = 2.
    """
    switches, k = prod(shape), shape[i]
    total = switches**2 * Fraction(sum(min(o, k - o) for o in range(k)), k)
    return total / (switches * (1 if k == 2 else 2))


def expected_loads(shape, i):
    """The loads that the links of dimension i may have."""
    others_even = any(size % 2 == 0 for j, size in enumerate(shape) if j != i)
    mean = mean_load(shape, i)
    exact = shape[i] == 2 or shape[i] % 4 != 2 or others_even
    return {mean} if exact else {floor(mean), ceil(mean)}


@given(small)
def test_every_link_of_a_dimension_has_the_mean_load_or_half_a_packet_more_or_less(shape):
    topology, routes = torus(shape), torus_parity_order(shape)
    load = np.zeros(topology.peer.shape, dtype=int)
    for _, _, links in all_walks(topology, routes):
        for switch, port, _ in links:
            load[switch, port] += 1
    for i in range(len(shape)):
        ports = [2 * i] if shape[i] == 2 else [2 * i, 2 * i + 1]
        assert set(load[:, ports].ravel().tolist()) == expected_loads(shape, i)


@settings(max_examples=25)
@given(large, st.integers(1, 2))
def test_the_evaluator_finds_these_loads_on_larger_tori(shape, nodes):
    network = Network(Torus(shape=tuple(shape), ties="parity", nodes_per_switch=nodes, node_cable_m=1), Site())
    loads = all_to_all_loads(network)
    per_port = loads.load[0][loads.label[0]]
    for i, size in enumerate(shape):
        found = per_port[:, 2 * i : 2 * i + (1 if size == 2 else 2)]
        assert set(found.ravel().tolist()) == {nodes**2 * loads.parts * load for load in expected_loads(shape, i)}


@given(small)
def test_only_ties_differ_from_those_in_the_positive_direction(shape):
    topology, positive, parity = torus(shape), torus_order(shape), torus_parity_order(shape)
    for (source, end, links), (_, _, others) in zip(
        all_walks(topology, positive), all_walks(topology, parity), strict=True
    ):
        offset = np.subtract(np.unravel_index(end, shape, order="F"), np.unravel_index(source, shape, order="F"))
        ties = {i for i, (o, k) in enumerate(zip(offset, shape, strict=True)) if 2 * (o % k) == k}
        assert [port // 2 for _, port, _ in links] == [port // 2 for _, port, _ in others]
        no_tie = [[port for _, port, _ in route if port // 2 not in ties] for route in (links, others)]
        assert no_tie[0] == no_tie[1]


def test_tables_have_two_rows_at_most_and_source_routes_only_where_sizes_need_them():
    assert torus_parity_order((16, 16, 16)).next_port.shape == (2, 4096)
    assert torus_parity_order((5, 7, 2)).next_port.shape == (1, 70)
    routes = torus_parity_order((6, 4))
    assert len(routes.paths.starts) == 2 * 24 + 1
    assert hops(torus((6, 4)), routes).shape == (2, 24)


def test_source_routes_that_take_too_much_memory_are_rejected():
    # 1022 x 1022 offsets of 511 hops on average, for two parities: 1022² · 1022 / 2 · 2.
    with pytest.raises(InputError, match=rf"{1022**3} ports of source routes .* expected at most {1 << 28}"):
        torus_parity_order((1022, 1022))
