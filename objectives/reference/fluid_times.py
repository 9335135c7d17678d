"""Reference times of a network under a workload, independent of the native code."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import floor

from isoplane.models import MessageList, Network
from isoplane.models.checks import fraction_of
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.placement import Placement

from .fluid_simulation import FluidSimulation, Grid, bits_over_links, grid_for, grid_of
from .transfers.cache_misses import may_miss, with_misses
from .transfers.hybrid_transfers import Link, Transfer, rates_of, transfers_of
from .transfers.overlay_transfers import overlay_transfers
from .transfers.plane_transfers import link_rates, plane_transfers, share_paths


def level_sum_ns(transfers: Sequence[Transfer], rates: Mapping[Link, Fraction], messages: MessageList) -> Fraction:
    """Return the sum over levels of dependencies of the longest busy time of a link.

    Parameters
    ----------
    transfers
        The transfers of all messages in order; those that name no message are of the one before.
    rates
        The rate of each link in Gbit/s.
    messages
        The messages.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> from .transfers.plane_transfers import plane_transfers
    >>> messages = ring_all_reduce(4, 5_000).message_list()
    >>> level_sum_ns(*plane_transfers(Network(Torus(shape=(4,))), messages, by_switch(4)), messages)
    Fraction(600, 1)
    """
    level, message = _levels(messages), 0
    bits: list[dict[Link, int]] = [{} for _ in range(max(level) + 1)]
    for transfer in transfers:
        message = message if transfer.message is None else transfer.message
        loads = bits[level[message]]
        for link in transfer.links:
            loads[link] = loads.get(link, 0) + transfer.bits
    busiest = (max((load / rates[link] for link, load in loads.items()), default=Fraction(0)) for loads in bits)
    return sum(busiest, Fraction(0))


def _levels(messages: MessageList) -> list[int]:
    """Return the number of messages in the longest chain that ends before each message, by depth-first search."""
    start, dependency = messages.dependency_start.tolist(), messages.dependency.tolist()
    level: dict[int, int] = {}
    for message in range(messages.messages):
        # A stack of its own: chains of thousands of messages exceed Python's limit of recursion.
        stack = [message]
        while stack:
            earlier = dependency[start[stack[-1]] : start[stack[-1] + 1]]
            missing = [each for each in earlier if each not in level]
            if missing:
                stack += missing
            else:
                level[stack.pop()] = max((level[each] + 1 for each in earlier), default=0)
    return [level[message] for message in range(messages.messages)]


RUNS = 9


# By the names of `isoplane.objectives.fluid.Times`. On planes of switches all times are to the nearest ns, and hops are
# segments of all parts of messages; with circuits, busy times are unrounded.
Times = dict[str, float]


def tree_times(hybrid: Hybrid, messages: MessageList, circuits: Circuits, placement: Placement, relay: str) -> Times:
    """Return the times of a workload: completion times exactly, the others to a few units in the last place.

    Parameters
    ----------
    hybrid, messages, circuits, placement, relay
        As in `isoplane.objectives.fluid.FluidModel`.

    Raises
    ------
    InputError
        If a rate is less than 2^-20 of the fastest.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2: every transfer of a max-min fair allocation has a
    saturated link on which no other transfer is faster.

    Examples
    --------
    >>> import numpy as np
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()
    >>> tree_times(Hybrid(2, 1), work, Circuits(), by_switch(2), "messages")["completion_ns"]
    2340
    """
    transfers = transfers_of(hybrid, messages, circuits, placement, relay)
    rates = rates_of(hybrid, transfers)
    busy = [bits / float(rates[link]) for link, bits in _bits(transfers).items()]
    busiest = float(level_sum_ns(transfers, rates, messages)), max(busy, default=0), sum(busy)
    return _times(transfers, rates, grid_of(hybrid, messages), busiest)


def plane_times(network: Network, messages: MessageList, placement: Placement) -> Times:
    """Return the exact times of a workload on planes of switches.

    Parameters
    ----------
    network, messages, placement
        As in `isoplane.objectives.fluid.NetworkFluidModel`.

    Raises
    ------
    InputError
        As for `NetworkFluidModel`.

    Examples
    --------
    >>> import numpy as np
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()  # 10,000 bits at 100 Gbit/s plus 95 ns
    >>> plane_times(Network(Torus(shape=(2,))), work, by_switch(2))["completion_ns"]
    195
    """
    transfers, rates = plane_transfers(network, messages, placement)
    busy = [bits / rates[link] for link, bits in _bits(transfers).items()]
    total = sum(busy, Fraction(0))

    def grid_of_transfers() -> Grid:
        longest = total + len(transfers) * (max(sum(each.delays, Fraction(32)) for each in transfers))
        return grid_for(sorted(set(rates.values())), longest, messages)

    grid, half = grid_of_transfers(), Fraction(1, 2)
    if may_miss(network):
        nodes = [placement.nodes[process] for process in messages.destination.tolist()]
        transfers = with_misses(network, transfers, nodes, FluidSimulation(rates, transfers, grid).begin_ticks(0))
        grid = grid_of_transfers()
    exact = level_sum_ns(transfers, rates, messages), max(busy, default=Fraction(0)), total
    return _times(transfers, rates, grid, [floor(ns + half) for ns in exact])


def overlay_times(
    network: Network, messages: MessageList, circuits: Circuits, placement: Placement, relay: str
) -> Times:
    """Return the exact times of a workload on planes of switches with circuits.

    Parameters
    ----------
    network, messages, circuits, placement, relay
        As in `isoplane.objectives.fluid.FluidModel`.

    Raises
    ------
    InputError
        As for `FluidModel`.

    Examples
    --------
    >>> import numpy as np
    >>> from isoplane.models import OpticalOverlay
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()  # 10,000 bits at 40 Gbit/s plus 80 ns
    >>> network = Network(OpticalOverlay(packet=Torus(shape=(2,)), circuit_gbps=40))
    >>> overlay_times(network, work, Circuits(((0, 1),)), by_switch(2), "messages")["completion_ns"]
    330
    """
    hybrid, bits = optical_of(network), bits_over_links(messages)
    transfers, rates, hops = overlay_transfers(network, hybrid, messages, circuits, placement, relay)
    circuit = fraction_of(hybrid.circuit_gbps)
    paths = [path for a, b in permutations(range(network.nodes), 2) for path, _ in share_paths(network, a, b)]
    slowest = max(sum((1 / rates[link] for link in path.links), Fraction(0)) for path in paths)
    longest_delay = max(*(path.delay for path in paths), fraction_of(hybrid.circuit_ns))
    longest = bits * (hybrid.groups * (1 / circuit + slowest) + slowest)
    longest += messages.messages * network.nodes * (longest_delay + 32)
    grid = grid_for({*link_rates(network).values(), circuit}, longest, messages)
    busy = [float(load / rates[link]) for link, load in _bits(transfers).items()]
    busiest = float(level_sum_ns(transfers, rates, messages)), max(busy, default=0), sum(busy)
    # A message that is divided among paths counts the segments of its route only once.
    return {**_times(transfers, rates, grid, busiest), "hops": hops}


def _bits(transfers: Sequence[Transfer]) -> dict[Link, int]:
    """Return the bits over each link."""
    loads: dict[Link, int] = {}
    for transfer in transfers:
        for link in transfer.links:
            loads[link] = loads.get(link, 0) + transfer.bits
    return loads


def _times(
    transfers: Sequence[Transfer], rates: Mapping[Link, Fraction], grid: Grid, busy_ns: Sequence[float]
) -> Times:
    simulation = FluidSimulation(rates, transfers, grid)
    runs = sorted(simulation.completion_ns(run) for run in range(RUNS))
    return {
        "completion_ns": runs[RUNS // 2],
        "completion_min_ns": runs[0],
        "completion_max_ns": runs[-1],
        **dict(zip(("synchronised_ns", "bottleneck_ns", "total_ns"), busy_ns, strict=True)),
        "heaviest_load_bytes": max(_bits(transfers).values(), default=0) // 8,
        "hops": sum(len(transfer.delays) for transfer in transfers),
    }
