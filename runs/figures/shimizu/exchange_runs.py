"""The testbed of the paper, and runs of FT and exchanges of a fixed amount of data on it, with their times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np

from isoplane.models import MessageList, Network, Site, SwitchModel
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.routing import leaf_spine_routes
from isoplane.models.steps import step
from isoplane.models.workloads.npb.benchmarks import ft
from isoplane.models.workloads.npb.problem import Problem
from isoplane.objectives.fluid.plane_model import NetworkFluidModel
from isoplane.simulator import Hardware, Simulation

LINK_GBPS = 32  # the data rate of InfiniBand QDR 4x
UPLINKS, SERVERS_PER_LEAF = 3, 2
LAYER = (UPLINKS + 1) * SERVERS_PER_LEAF
ORDERS = ("shift", "contention_free")
SEED = 1  # of the packet simulator, which has no random choices here
TICKS = 1 << 50
AMOUNT = 1 << 31  # bytes of all servers together, those that stay where they are included
AMOUNT_TITLE = "2 GiB"
MIB = 1 << 20
SHORT_BYTES = 16384  # of a message that is also simulated packet by packet


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
    with step(f"exchange of {servers} servers by {order}"):
        messages = messages_of(servers, order, barriers, message_bytes)
        return NetworkFluidModel(network_of(servers), messages).times().completion_ns


def packets_ns(servers: int, order: str, barriers: bool, message_bytes: int) -> Fraction:
    """Return the time of an exchange in the packet simulator: when the last flit of all messages has arrived."""
    hardware = Hardware(link_gbps=LINK_GBPS)
    with step(f"exchange of {servers} servers by {order}, packet by packet"):
        messages = messages_of(servers, order, barriers, message_bytes)
        simulation = Simulation(network_of(servers), hardware, messages, SEED)
        simulation.run(TICKS)
    return int(simulation.listed_arrived().max()) * hardware.tick_ns


@dataclass(frozen=True)
class Run:
    """A benchmark that alternates between computing and an exchange.

    Attributes
    ----------
    title
        Class of FT, or the amount of data of a single exchange.
    servers, order, barriers, message_bytes
        The exchange, as in `messages_of`.
    exchanges
        Number of exchanges.
    exchange_ns
        Time of each of them, in the fluid model.
    computing_ns
        Time between exchanges, in all.
    """

    title: str
    servers: int
    order: str
    barriers: bool
    message_bytes: int
    exchanges: int
    exchange_ns: int
    computing_ns: int

    @property
    def communication_ns(self) -> int:
        """Time of all exchanges."""
        return self.exchanges * self.exchange_ns

    @property
    def total_ns(self) -> int:
        """Time of the run."""
        return self.communication_ns + self.computing_ns

    @property
    def share(self) -> Fraction:
        """Share of communication in the time of the run."""
        return Fraction(self.communication_ns, self.total_ns)

    @property
    def throughput(self) -> Fraction:
        """MiB that a server sends to others in a second of an exchange."""
        return Fraction((self.servers - 1) * self.message_bytes * 10**9, self.exchange_ns * MIB)


PacketCheck = tuple[Run, Fraction]  # an exchange of short messages, and its time in ns in the simulator


def exchanges_of(servers: Sequence[int]) -> Iterator[tuple[int, str, bool]]:
    """Yield servers, order and barriers of all exchanges among so many servers."""
    return product(servers, ORDERS, (True, False))


def transform_runs(problem_class: str, servers: Sequence[int], gflops: Fraction) -> Iterator[Run]:
    """Yield the runs of FT of a class: a transform before the clock, one after it, and one in each iteration.

    Between two exchanges, the servers divide the operations of a transform, as the benchmark counts them. Reductions of
    16 bytes are left out.

    Examples
    --------
    >>> run = next(transform_runs("B", [8], Fraction(27, 10)))
    >>> run.message_bytes, run.exchanges, run.exchange_ns
    (8388608, 22, 20973900)
    """
    operations, transforms = ft.operations(problem_class), ft.ITERATIONS[problem_class] + 2
    for count, order, barriers in exchanges_of(servers):
        exchange = count, order, barriers, 16 * ft.points(problem_class) // count**2
        problem = Problem(problem_class, count, transforms, gflops)
        computing_ns = transforms * problem.compute_ps(operations) // 1000
        yield Run(problem_class, *exchange, transforms, fluid_ns(*exchange), computing_ns)


def amount_runs(servers: Sequence[int]) -> Iterator[Run]:
    """Yield single exchanges of `AMOUNT`, of which each server has an equal part for each server.

    Examples
    --------
    >>> [run.message_bytes for run in amount_runs([8, 16])][::4]
    [33554432, 8388608]
    """
    for count, order, barriers in exchanges_of(servers):
        yield _exchange(AMOUNT_TITLE, count, order, barriers, AMOUNT // count**2)


def packet_checks(servers: Sequence[int]) -> Iterator[PacketCheck]:
    """Yield all exchanges with messages of `SHORT_BYTES`, beside their times in the simulator."""
    for settings in exchanges_of(servers):
        yield _exchange("short messages", *settings, SHORT_BYTES), packets_ns(*settings, SHORT_BYTES)


def _exchange(title: str, servers: int, order: str, barriers: bool, message_bytes: int) -> Run:
    """Return a run that is a single exchange."""
    exchange = servers, order, barriers, message_bytes
    return Run(title, *exchange, 1, fluid_ns(*exchange), 0)
