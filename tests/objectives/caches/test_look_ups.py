"""Look-ups at the input ports of networks: against the reference port by port, and laws of hits and misses."""

import importlib
from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np

from isoplane.models import RoutingCache
from isoplane.models.workloads import all_to_all
from isoplane.objectives.caches import (
    count_hits,
    count_look_ups,
    look_ups_of_messages,
    look_ups_of_pairs,
    port_streams,
    starting_streams,
)
from isoplane.objectives.reference import routing_cache as reference
from tests.cases import for_each, require_refusal
from tests.objectives.general.networks import random_rails

LOOK_UPS = importlib.import_module("isoplane.objectives.caches.look_ups")
SMALL = RoutingCache(entries=6, ways=2)
# Tori of odd side K, N dimensions, and the entries M of a cache.
TORI = ((21, 3, 2048), (31, 3, 2048), (15, 3, 512), (13, 3, 128), (9, 4, 256))


def kinds_of(counts):
    return np.transpose(
        [counts.hits - counts.extra_hits, counts.extra_hits, counts.cold, counts.conflict, counts.capacity]
    ).tolist()


def random_messages(network, count=300):
    random = np.random.default_rng(network.nodes)
    return tuple(random.integers(network.nodes, size=count) for _ in range(2))


@for_each(("seed", "start", "replacement"), product((1, 2, 6), ("warm", "cold", "exchange"), ("lru", "random")))
def test_ports_of_networks_look_up_as_in_the_reference(seed, start, replacement):
    network, cache = random_rails(seed), replace(SMALL, start=start, replacement=replacement, seed=4)
    source, destination = random_messages(network)
    first, message, _ = port_streams(network, source, destination)
    before, earlier = starting_streams(network, start)
    expected = [
        reference.count_kinds(
            cache,
            destination[message[first[port] : first[port + 1]]].tolist(),
            earlier[before[port] : before[port + 1]].tolist(),
            port,
        )
        for port in range(len(first) - 1)
    ]
    assert kinds_of(look_ups_of_pairs(network, cache, source, destination)) == expected


@for_each("replacement", ("lru", "fifo", "random"))
def test_counts_do_not_depend_on_how_many_ports_are_counted_at_a_time(monkeypatch, replacement):
    network, cache = random_rails(2), replace(SMALL, replacement=replacement)
    source, destination = random_messages(network)
    start, message, _ = port_streams(network, source, destination)
    streams = start, destination.astype(np.uint32)[message]
    arguments = cache, cache.sets_of(np.arange(network.nodes)), streams, starting_streams(network, "exchange")

    def counted():
        hit = np.zeros(len(message), dtype=np.bool_)
        counts = count_look_ups(*arguments, hit)
        assert np.add.reduceat(np.append(hit, False), start[:-1])[np.diff(start) > 0].tolist() == (
            counts.hits[np.diff(start) > 0].tolist()
        )
        assert counts.capacity.sum() > 100  # so that it matters what is replaced
        assert count_hits(*arguments).tolist() == counts.hits.tolist()
        assert (counts.hits + counts.cold + counts.conflict + counts.capacity).tolist() == np.diff(start).tolist()
        return kinds_of(counts), hit.tolist()

    whole = counted()
    with monkeypatch.context() as patched:
        patched.setattr(LOOK_UPS, "LOOK_UPS", 50)
        assert counted() == whole


@for_each("seed", (1, 2, 6))
def test_packets_of_a_message_look_up_one_after_the_other(seed):
    network, cache = random_rails(seed), replace(SMALL, start="cold")
    source, destination = random_messages(network, 60)
    lengths = np.random.default_rng(seed).integers(1, 900, 60)
    counts = look_ups_of_pairs(network, cache, source, destination, length_bytes=lengths, payload_bytes=100)
    start, message, packets = port_streams(network, source, destination, lengths, 100)
    expected = [
        reference.count_kinds(cache, np.repeat(destination[message[here]], packets[here]).tolist(), port=port)
        for port, here in enumerate(map(slice, start[:-1], start[1:]))
    ]
    assert kinds_of(counts) == expected


@for_each("start", ("warm", "exchange"))
def test_a_cache_that_holds_all_nodes_of_a_job_never_misses(start):
    network = random_rails(2)
    processes = network.nodes // 2
    placement = np.random.default_rng(1).permutation(network.nodes)[:processes].tolist()
    messages = all_to_all(processes, 8).message_list()
    whole = replace(SMALL, entries=processes, ways=processes, start=start)
    assert look_ups_of_messages(network, whole, messages, placement).misses.sum() == 0
    cold = look_ups_of_messages(network, replace(whole, start="cold"), messages, placement)
    destinations = np.diff(starting_streams(network, "warm", placement)[0])
    assert cold.misses.tolist() == cold.cold.tolist() == destinations.tolist()


def test_messages_between_processes_on_one_node_pass_no_port():
    network = random_rails(2)
    messages = all_to_all(4, 8).message_list()
    assert look_ups_of_messages(network, SMALL, messages, [1] * 4).look_ups.sum() == 0
    two_nodes = look_ups_of_messages(network, SMALL, messages, [0, 0, 1, 1]).look_ups
    # Each process of a node sends to both of the other one.
    assert two_nodes.tolist() == (4 * look_ups_of_pairs(network, SMALL, [0, 1], [1, 0]).look_ups).tolist()
    require_refusal(
        lambda: look_ups_of_messages(network, SMALL, messages, [0, 1, 2]),
        "placement: 3 nodes; expected one for each of 4 processes",
    )


@for_each(("side", "dimensions", "entries"), TORI)
def test_a_fully_associative_cache_that_is_fed_uniformly_hits_by_equation_1(side, dimensions, entries):
    # An LRU cache of M entries always holds M of the t destinations, and each look-up asks for one of these with
    # probability M / t, whatever it asked for before. So of many feeds, 95 % have M / t in their 95 % interval.
    cache, feeds, length = RoutingCache(entries, entries), 200, 10_000
    random = np.random.default_rng(side)
    start = np.arange(feeds + 1)
    ports = [side**dimensions - 1, *(side ** (dimensions - i) * (side // 2) for i in range(1, dimensions + 1))]
    for destinations in ports:
        stream = random.integers(destinations, size=feeds * length).astype(np.uint32)
        warm = np.tile(np.arange(destinations, dtype=np.uint32), feeds)
        set_of = cache.sets_of(np.arange(destinations))
        hits = count_hits(cache, set_of, (start * length, stream), (start * destinations, warm))
        share = min(1, entries / destinations)
        is_inside = abs(hits - length * share) <= 1.96 * sqrt(length * share * (1 - share))
        assert is_inside.sum() >= 0.95 * feeds - 3 * sqrt(0.95 * 0.05 * feeds)
        assert share < 1 or (hits == length).all()
