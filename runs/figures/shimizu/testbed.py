"""The testbed of the paper: a multi-layer full mesh, its two orders of an exchange, and their times."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from isoplane.models import MessageList, Network, Site, SwitchModel
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.routing import leaf_spine_routes
from isoplane.objectives.fluid.plane_model import NetworkFluidModel
from isoplane.simulator import Hardware, Simulation

LINK_GBPS = 32  # the data rate of InfiniBand QDR 4x
UPLINKS, SERVERS_PER_LEAF = 3, 2
LAYER = (UPLINKS + 1) * SERVERS_PER_LEAF
ORDERS = ("shift", "contention_free")
SEED = 1  # of the packet simulator, which has no random choices here
TICKS = 1 << 50


def layers_of(servers: int) -> FullMesh:
    """Return the layers of the testbed that so many servers use."""
    return FullMesh(layers=servers // LAYER, uplinks=UPLINKS, nodes_per_leaf=SERVERS_PER_LEAF)


@lru_cache
def network_of(servers: int) -> Network:
    """Return the network of so many servers, numbered by layer.

    Messages between leaves at one position i go to server m of a leaf over the spine of positions i and i + 1 + m,
    modulo 4.

    Examples
    --------
    >>> network_of(32).nodes, sum(network_of(32).plane_switches)
    (32, 22)
    """
    mesh = layers_of(servers)
    site = Site(switch=SwitchModel(link_gbps=LINK_GBPS))
    (plane,) = Network(mesh, site).planes
    leaf, server = np.divmod(np.arange(servers), SERVERS_PER_LEAF)
    position = leaf % (UPLINKS + 1)
    other = (position + 1 + server % UPLINKS) % (UPLINKS + 1)
    uplink = other - (other > position)  # a leaf has none to its own position
    routes = leaf_spine_routes(mesh.topology(), mesh.leaves, plane.node_switch, uplink)
    return Network(PlanesFamily(f"testbed of {servers} servers", (replace(plane, routes=routes),)), site)


@lru_cache
def exchange_order(servers: int, name: str) -> ExchangeOrder:
    """Return one of the two orders among all servers."""
    return order_named(name, range(servers)) if name == "shift" else layers_of(servers).contention_free_order()


def messages_of(servers: int, order: str, barriers: bool, message_bytes: int) -> MessageList:
    """Return the messages of an all-to-all exchange on the testbed.

    Parameters
    ----------
    servers
        Number of servers, a multiple of 8: as many full layers.
    order
        One of `ORDERS`.
    barriers
        Whether there is a barrier after each phase; otherwise a server begins a phase when its messages of earlier ones
        have arrived.
    message_bytes
        Length of each message.
    """
    phases = exchange_order(servers, order)
    if barriers:
        return phases.with_barriers(servers, message_bytes)
    return phases.workload(message_bytes).message_list()


@lru_cache
def fluid_ns(servers: int, order: str, barriers: bool, message_bytes: int) -> int:
    """Return the time of an exchange in the fluid model.

    Examples
    --------
    >>> [fluid_ns(8, order, True, 4_000_000) for order in ORDERS]  # 1 ms for a message alone
    [10002380, 7002150]
    """
    messages = messages_of(servers, order, barriers, message_bytes)
    return NetworkFluidModel(network_of(servers), messages).times().completion_ns


def packets_ns(servers: int, order: str, barriers: bool, message_bytes: int) -> Fraction:
    """Return the time of an exchange in the packet simulator: when the last flit of all messages has arrived."""
    hardware = Hardware(link_gbps=LINK_GBPS)
    messages = messages_of(servers, order, barriers, message_bytes)
    simulation = Simulation(network_of(servers), hardware, messages, SEED)
    simulation.run(TICKS)
    return int(simulation.listed_arrived().max()) * hardware.tick_ns
