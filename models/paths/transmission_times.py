"""How long links take to transmit, relative to a reference link, as integers over a common unit."""

from dataclasses import dataclass
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Ints
from ..errors import InputError

if TYPE_CHECKING:
    from ..network import Network


MAX_PRODUCT = 1 << 62  # of `whole` and the reference rate, so that all times are 64-bit integers


@dataclass(frozen=True, eq=False)
class TransmissionTimes:
    """Transmission time of a packet on each link, as an integer in units of 1 / `whole` of that on the reference link.

    The reference is the fastest link of a node or, in a direct network, the fastest link between switches. If no
    plane states rates, all links have the rate of the hardware and are as fast as the reference.

    Parameters
    ----------
    reference_mbps
        Rate of the reference; None if it is that of the hardware.
    whole
        Time on the reference link: the least number for which the times on all links are integers.
    link : int64[switches, ports], one per plane
        The time on the link at each port, ``whole · reference / rate``; 0 without a cable.
    node_link : int64[node links], one per plane
        The time on each link of a node.
    """

    reference_mbps: int | None
    whole: int
    link: tuple[Ints, ...]
    node_link: tuple[Ints, ...]


def transmission_times_of(network: "Network") -> TransmissionTimes:
    """Return the link rates of a network relative to the reference.

    Raises
    ------
    InputError
        If some links state a rate and others use that of the hardware, which is unknown here; or the common multiple of
        the rates exceeds 64 bits.

    Examples
    --------
    >>> from ..families._dual_cube import dual_cube
    >>> transmission_times_of(dual_cube(2, (1, 3))).whole
    1
    """
    is_direct, stated = network.node_cable_mm is None, _stated(network)
    if len(stated) > 1:
        raise InputError(
            "plane.rate_mbps: some links state a rate and others do not; expected rates for all links, including those "
            "of nodes, or for none"
        )
    cabled = [plane.topology.peer >= 0 for plane in network.planes]
    attached = [np.ones(len(plane.node_switch), dtype=np.int64) for plane in network.planes]
    if stated != {True}:
        return TransmissionTimes(None, 1, tuple(values.astype(np.int64) for values in cabled), tuple(attached))
    links = [
        np.zeros(is_cable.shape, dtype=np.int64)
        if plane.timing.rate_mbps is None
        else plane.timing.rate_mbps * is_cable
        for plane, is_cable in zip(network.planes, cabled, strict=True)
    ]
    nodes = [plane.timing.node_rate_mbps for plane in network.planes if plane.timing.node_rate_mbps is not None]
    reference = max(int(rates.max(initial=0)) for rates in (links if is_direct else nodes))
    rates = sorted(
        {int(rate) for values in (*links, *([] if is_direct else nodes)) for rate in np.unique(values)} - {0}
    )
    whole = lcm(*(rate // gcd(rate, reference) for rate in rates))
    if whole * reference > MAX_PRODUCT:
        raise InputError(
            f"plane.rate_mbps: {len(rates)} rates without a common multiple below 2^{MAX_PRODUCT.bit_length() - 1}; "
            "expected rates with a smaller one"
        )
    times = {0: 0} | {rate: whole * reference // rate for rate in rates}
    return TransmissionTimes(
        reference,
        whole,
        tuple(_map_rates(values, times) for values in links),
        tuple(whole * values for values in attached)
        if is_direct
        else tuple(_map_rates(values, times) for values in nodes),
    )


def are_rates_comparable(network: "Network") -> bool:
    """Whether all links state a rate, or none does, so that rates can be compared without that of the hardware."""
    return len(_stated(network)) < 2


def fastest_link_mbps(network: "Network") -> int | None:
    """Return the rate of the fastest link, of nodes or between switches, in Mbit/s; None unless all links state one.

    Examples
    --------
    >>> from ..families.multi_plane import MultiPlane
    >>> from ..network import Network
    >>> fastest_link_mbps(Network(MultiPlane(rates_gbps=(400, 200))))
    400000
    """
    if _stated(network) != {True}:
        return None
    timings = [plane.timing for plane in network.cabling]
    rates = [each for timing in timings for each in (timing.rate_mbps, timing.node_rate_mbps) if each is not None]
    return max(int(each.max(initial=0)) for each in rates)


def _stated(network: "Network") -> set[bool]:
    """Return a set that contains True if some links state a rate, and False if some do not."""
    stated = set()
    for plane in network.cabling:
        if (plane.topology.peer >= 0).any():
            stated.add(plane.timing.rate_mbps is not None)
        if network.node_cable_mm is not None:
            stated.add(plane.timing.node_rate_mbps is not None)
    return stated


def _map_rates(rates: Ints, times: dict[int, int]) -> Ints:
    """Map each rate to its time."""
    values, index = np.unique(rates, return_inverse=True)
    return np.array([times[rate] for rate in values.tolist()], dtype=np.int64)[index].reshape(rates.shape)
