"""Small test networks with policies, rates, delays and several links per node, and messages that depend on others."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from isoplane.models import MessageList, Network, Plane, Site, SwitchModel, Timing
from isoplane.models.routing import forwarding_table, up_down
from isoplane.models.topologies import graph
from tests.assembled import Assembled


def with_policy(planes, policy="nearest", switch=None):
    """Return a network of planes with a policy."""
    return Network(Assembled("drawn", tuple(planes), policy), Site(layout=None, switch=switch or SwitchModel()))


def cable_values(random, topology, values):
    """Draw a value per cable, equal at both ends."""
    found = np.zeros(topology.peer.shape, dtype=np.int64)
    for switch, port in np.argwhere(topology.peer >= 0):
        peer = topology.peer[switch, port], topology.peer_port[switch, port]
        found[switch, port] = found[peer] = random.choice(values)
    return found


def random_timing(random, topology, links):
    """Draw rates and delays, some of them left unstated."""
    drawn = Timing(
        rate_mbps=cable_values(random, topology, [10_000, 25_000, 64_001]),
        node_rate_mbps=random.choice([9_999, 40_000], size=links),
        delay_ps=cable_values(random, topology, [0, 12_345, 20_000]),
        node_delay_ps=random.choice([1, 20_000], size=links),
        switch_delay_ps=random.choice([0, 419_999], size=topology.switches),
    )
    left_out = [name for name in vars(drawn) if random.integers(3) == 0]
    return replace(drawn, **dict.fromkeys(left_out))


def random_plane(random, nodes, every_node):
    """Return a connected random graph with some double cables; nodes have up to two links to it."""
    switches = int(random.integers(2, 7))
    edges = [(i, int(random.integers(i))) for i in range(1, switches)]
    edges += [tuple(random.choice(switches, 2, replace=False).tolist()) for _ in range(random.integers(switches))]
    topology = graph(edges)
    routes = (forwarding_table if random.integers(2) else up_down)(topology)
    counts = random.choice([1, 1, 2] if every_node else [0, 1, 1, 2], size=nodes)
    counts[0] = max(counts[0], 1)
    links = int(counts.sum())
    return Plane(
        topology,
        cable_values(random, topology, [1000, 2500, 4000]),
        random.integers(switches, size=links).astype(np.int32),
        1500,
        np.concatenate([[0], np.cumsum(counts)]),
        random_timing(random, topology, links),
        routes=routes,
    )


def random_network(seed):
    """Return one to three planes under any policy; the first reaches every node and has a nonzero share."""
    random = np.random.default_rng(seed)
    nodes, planes = int(random.integers(2, 7)), int(random.integers(1, 4))
    shares = (int(random.integers(1, 4)), *random.integers(4, size=planes - 1).tolist())
    policy = ("nearest", "spray", shares)[random.integers(3)]
    switch = SwitchModel(delay_ns="33.3333", cable_delay_ns_per_m="4.75", link_gbps=random.choice(["100", "12.8"]))
    return with_policy([random_plane(random, nodes, number == 0) for number in range(planes)], policy, switch)


DELAYS_PS = (0, 0, 1, 488, 489, 10**6, 10**9)  # 1 / 2048 ns, half a tick, is between 488 and 489 ps


@st.composite
def message_lists(draw, nodes, max_messages=12):
    """Draw messages, each after up to three earlier ones."""
    rows, after = [], []
    for number in range(draw(st.integers(1, max_messages))):
        source, destination = (draw(st.integers(0, nodes - 1)) for _ in range(2))
        length = draw(st.integers(0 if source == destination else 1, 10**6))
        rows.append((source, destination, length, draw(st.sampled_from(DELAYS_PS))))
        after.append(draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True)) if number else [])
    starts = np.cumsum([0, *map(len, after)])
    flat = [message for messages in after for message in messages]
    return MessageList(nodes, *np.array(rows).T, starts, np.array(flat, dtype=np.int32))
