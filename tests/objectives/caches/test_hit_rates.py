"""Hit rates of least recently used entries: equation (1) of Hirasawa et al. 2020, and Che's approximation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network, RoutingCache
from isoplane.models.families.torus import Torus
from isoplane.objectives.caches import count_hits
from isoplane.objectives.caches.hit_rates import expected_hit_rate
from isoplane.objectives.general.port_destinations import destination_loads, port_destinations
from tests.cases import for_each

from ..general.networks import random_network

WARM, COUNTED = 200_000, 400_000


def simulated_hit_rate(weights, entries, seed):
    """Hit rate of a fully associative cache under independent requests."""
    ids = np.random.default_rng(seed).choice(len(weights), WARM + COUNTED, p=weights / weights.sum()).astype(np.uint32)
    cache = RoutingCache(entries=entries, ways=entries)
    before, counted = (np.array([0, WARM]), ids[:WARM]), (np.array([0, COUNTED]), ids[WARM:])
    return count_hits(cache, cache.sets_of(np.arange(len(weights))), counted, before)[0] / COUNTED


# Of the first dimension's ports: packets to the switches just behind come from more nodes than those to the farthest
# ones, so that routed packets hit more often than uniform ones, entries / (K^2 (K - 1) / 2).
@for_each(
    ("k", "entries", "uniform", "routed"),
    [(21, 2048, 0.464, 0.563), (31, 2048, 0.142, 0.181), (15, 512, 0.325, 0.394)],
)
def test_routed_requests_hit_more_often(k, entries, uniform, routed):
    loads = destination_loads(Network(Torus(shape=(k,) * 3)), 0, 0, 0)
    assert np.bincount(loads).tolist() == [0, *[k * k] * (k // 2)]  # from 1 to k // 2 nodes
    assert entries / len(loads) == pytest.approx(uniform, abs=5e-4)
    rate = simulated_hit_rate(loads, entries, seed=1)
    approximated = expected_hit_rate(loads, entries)
    assert abs(rate - approximated) < 0.003
    assert abs(approximated - routed) < 0.003


@given(st.lists(st.integers(1, 50), min_size=2, max_size=20), st.data())
def test_more_entries_and_less_even_requests_hit_more_often(weights, data):
    entries = data.draw(st.integers(1, len(weights) - 1))
    rate = expected_hit_rate(weights, entries)
    assert entries / len(weights) - 1e-9 <= rate <= expected_hit_rate(weights, entries + 1) <= 1
    assert expected_hit_rate(np.full(len(weights), weights[0]), entries) == pytest.approx(entries / len(weights))


@for_each("seed", range(5))
def test_loads_of_destinations_are_those_of_all_pairs(seed):
    network = random_network(seed)
    links, _, _ = port_destinations(network)
    for number, plane in enumerate(network.planes):
        for switch, port in np.argwhere(plane.topology.peer >= 0)[:10]:
            assert len(destination_loads(network, number, switch, port)) == links[number][switch, port]
