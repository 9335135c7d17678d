"""Test networks for the general evaluator: random graphs, different planes, families and trees."""

from dataclasses import replace

import numpy as np

from isoplane.models import Plane, PriceList, Site, Timing
from isoplane.models.routing import forwarding_table, shared_tables, up_down
from isoplane.models.topologies import graph
from tests.assembled import assembled
from tests.models.trees import two_levels


def random_plane(random, node_switch, switches):
    """Return a connected random graph with some double cables, catalogue lengths and either routing."""
    edges = [(i, int(random.integers(i))) for i in range(1, switches)]
    edges += [tuple(random.choice(switches, 2, replace=False).tolist()) for _ in range(random.integers(2 * switches))]
    topology = graph(edges)
    routes = (forwarding_table if random.integers(2) else up_down)(topology)
    lengths = np.zeros(topology.peer.shape, dtype=np.int64)
    for switch, port in np.argwhere(topology.peer >= 0):
        peer = topology.peer[switch, port], topology.peer_port[switch, port]
        lengths[switch, port] = lengths[peer] = random.choice([1000, 2500, 4000])
    return Plane(topology, lengths, node_switch, 1000, routes=routes)


def random_network(seed):
    """Return one or two planes of different sizes with nodes at random switches, some switches without nodes."""
    random = np.random.default_rng(seed)
    nodes = int(random.integers(1, 40))
    planes = []
    for _ in range(random.integers(1, 3)):
        switches = int(random.integers(2, 30))
        planes.append(random_plane(random, random.integers(switches, size=nodes, dtype=np.int32), switches))
    return assembled(f"random {seed}", tuple(planes))


def cable_values(topology, draw):
    """Draw a value per cable, equal at both of its ports; 0 for ports without a cable."""
    found = np.zeros(topology.peer.shape, dtype=np.int64)
    for switch, port in np.argwhere(topology.peer >= 0):
        found[switch, port] = found[topology.peer[switch, port], topology.peer_port[switch, port]] = draw()
    return found


def random_timing(random, topology, links, rated):
    """Return rates of all links if `rated`, and delays of some kinds of links and switches."""

    def or_none(values):
        return values if random.integers(2) else None

    return Timing(
        rate_mbps=cable_values(topology, lambda: random.choice([10_000, 25_000, 40_000])) if rated else None,
        node_rate_mbps=random.choice([12_500, 25_000], links) if rated else None,
        delay_ps=or_none(cable_values(topology, lambda: random.integers(5000))),
        node_delay_ps=or_none(random.integers(20_000, size=links)),
        switch_delay_ps=or_none(random.integers(50_000, 200_000, size=topology.switches)),
    )


def random_policy(random, planes):
    """Return a policy whose loads follow from the routes and in which plane 0 carries packets."""
    shares = (int(random.integers(1, 6)), *random.integers(6, size=planes - 1).tolist())
    return ("nearest", "spray", shares)[random.integers(3)]


def random_rails(seed):
    """Return up to three planes with up to three links per node, random rates, delays and policy."""
    random = np.random.default_rng(seed)
    nodes, rated, policy = int(random.integers(1, 20)), random.integers(2), random_policy(random, random.integers(1, 4))
    count = len(policy) if isinstance(policy, tuple) else int(random.integers(1, 4))
    planes = []
    for number in range(count):
        links = random.integers(number == 0, 4, size=nodes)  # at least one in plane 0, so that all nodes are connected
        links[0] = max(links[0], 1)
        switches = int(random.integers(2, 12))
        plane = random_plane(random, random.integers(switches, size=links.sum(), dtype=np.int32), switches)
        plane = replace(plane, node_start=np.concatenate([[0], np.cumsum(links)]))
        timing = random_timing(random, plane.topology, links.sum(), rated)
        lengths_mm = random.choice([1000, 2500, 4000], links.sum()) if random.integers(2) else None
        planes.append(replace(plane, timing=timing, node_cables_mm=lengths_mm))
    network = assembled(f"rails {seed}", tuple(planes), policy)
    return replace(network, site=Site(prices=PriceList(nics_usd={ports: 100.0 * ports for ports in range(1, 10)})))


def tree(levels=two_levels, **sizes):
    """Return a fat-tree with forwarding tables by destination node."""
    topology, table, node_switch = levels(**sizes)
    lengths = np.where(topology.peer >= 0, 2000, 0)
    return assembled("tree", (Plane(topology, lengths, node_switch, 2000, routes=shared_tables(table, node_switch)),))
