"""Packets of contention-free phases never wait: every message takes as long as it does alone in the network."""

from functools import cache

import numpy as np

from isoplane.models import MessageList, Network
from isoplane.models.exchanges.contention_free_order import contention_free_order
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.objectives.exchanges import check_order
from isoplane.simulator import Hardware, Simulation
from tests.cases import for_each

PACKET_BYTES = 256  # of the default hardware


def simulated(network, messages):
    """Return the finished simulation of some messages, and the ticks that each between nodes is in the network."""
    simulation = Simulation(network, Hardware(), messages, seed=1)
    simulation.run(1 << 40)
    assert simulation.ended
    assert simulation.audit() is None
    return simulation, (simulation.listed_arrived() - simulation.listed_created())[~messages.local]


@cache
def time_alone(network, source, destination, length_bytes):
    """Return the time of a single message in the empty network."""
    (ends, none) = (np.array([source]), np.array([destination])), np.zeros(0, dtype=np.int64)
    alone = MessageList(network.nodes, *ends, np.array([length_bytes]), np.array([0]), np.array([0, 0]), none)
    return int(simulated(network, alone)[1][0])


def collisions_at_switches(network, simulation):
    """Return the collisions at each switch; packets of one message queue at their node, before its only link."""
    return simulation.collisions_at()[: sum(network.plane_switches)]


@for_each("packets", [1, 16])
@for_each(
    ("family", "nodes"),
    [
        (OrthogonalFatTree(q=2, sides=1, nodes_per_leaf=3), None),
        (OrthogonalFatTree(q=2, sides=2, nodes_per_leaf=3), None),
        (FullMesh(), None),
        (FullMesh(), range(8, 24)),
        (FatTree(switch_ports=4), None),
        (FatTree(switch_ports=4), range(4, 12)),
        (FatTree(switch_ports=8, cables_per_pair=(2, 4)), None),
        (DirectHypercube(n=4, node_cable_m=2.0), None),
    ],
)
def test_messages_of_known_orders_take_as_long_as_alone(family, nodes, packets):
    network, length = Network(family), packets * PACKET_BYTES
    messages = contention_free_order(network, nodes).with_barriers(network.nodes, length)
    simulation, times = simulated(network, messages)
    source, destination = messages.source[~messages.local], messages.destination[~messages.local]
    pairs = zip(source.tolist(), destination.tolist(), strict=True)
    start, _ = network.route_links(source, destination, 0)
    hops = np.diff(start)  # cables are equally long, so messages of equal hops take equal times
    first = {int(hop): pair for hop, pair in zip(hops[::-1], list(pairs)[::-1], strict=True)}
    expected = {hop: time_alone(network, *pair, length) for hop, pair in first.items()}
    assert times.tolist() == [expected[hop] for hop in hops.tolist()]
    assert not collisions_at_switches(network, simulation).any()


def test_packets_of_the_shift_order_collide_on_the_full_mesh_at_the_switches_that_the_check_names():
    network = Network(FullMesh())
    order = order_named("shift", range(32))
    simulation, _ = simulated(network, order.with_barriers(32, PACKET_BYTES))
    collisions = collisions_at_switches(network, simulation)
    titles = check_order(network, order).where(most=1000)
    named = {int(title.split("over switch ")[1].split()[0]) for title in titles}
    # Messages that share both cables meet on the first one only.
    found = set(np.flatnonzero(collisions).tolist())
    assert set(range(16)) < found <= named == set(range(22))  # all leaves, and some of the spines


def test_a_barrier_separates_phases_completely():
    network = Network(FullMesh())
    order = contention_free_order(network)
    messages = order.with_barriers(32, 4 * PACKET_BYTES)
    simulation, _ = simulated(network, messages)
    phase, _, _ = order.messages()
    for number in range(1, order.phases):
        begun = simulation.listed_created()[~messages.local][phase == number]
        arrived = simulation.listed_arrived()[~messages.local][phase == number - 1]
        assert begun.min() >= arrived.max()
