"""Rates, lengths and prices of the links of any network, link by link."""

from collections import Counter
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network, PriceList


def slowness_of(network: Network) -> tuple[list[NDArray[np.object_]], int]:
    """Return the rate of node links relative to each link's own rate, and a common denominator of all these ratios."""
    is_direct = network.node_cable_mm is None
    cabled = [plane.topology.peer >= 0 for plane in network.planes]
    rates = [plane.timing.rate_mbps for plane in network.planes]
    if all(each is None for each in rates):
        return [is_cable.astype(int).astype(object) for is_cable in cabled], 1
    stated = [np.where(is_cable, 0 if each is None else each, 0) for is_cable, each in zip(cabled, rates, strict=True)]
    # Nodes of a direct network have no links of their own to compare with.
    fastest = stated if is_direct else [np.array(plane.timing.node_rate_mbps) for plane in network.planes]
    reference = max(int(each.max()) for each in fastest)
    ratio = np.frompyfunc(lambda rate: Fraction(reference, int(rate)) if rate else Fraction(0), 1, 1)
    slower = [np.asarray(ratio(each), dtype=object) for each in stated]
    all_links = [*slower, *([] if is_direct else [ratio(each) for each in fastest])]
    return slower, lcm(*{ratio_of_link.denominator for each in all_links for ratio_of_link in each.ravel()})


def cables_of(network: Network) -> tuple[int, int, int]:
    """Return the total length of the cables between switches, the price of the network, and its longest cable."""
    prices = network.site.prices
    length_mm, cents, longest_mm = 0, 0, 0
    switches = [
        (number, switch) for number, plane in enumerate(network.planes) for switch in range(len(plane.cable_mm))
    ]
    ports_used = Counter(dict.fromkeys(switches, 0))
    for number, plane in enumerate(network.planes):
        for (switch, port), peer in np.ndenumerate(plane.topology.peer):
            ports_used[number, switch] += int(peer >= 0)
            if peer < 0:
                continue
            # Every cable is seen from both of its ends.
            if (switch, port) < (peer, plane.topology.peer_port[switch, port]):
                cable_mm = int(plane.cable_mm[switch, port])
                length_mm += cable_mm
                longest_mm = max(longest_mm, cable_mm)
                cents += prices.cable_for_mm(cable_mm)[1]
    if network.node_cable_mm is not None:  # nodes of a direct network need no interface
        for node in range(network.nodes):
            links = sum(int(plane.starts[node + 1] - plane.starts[node]) for plane in network.planes)
            cents += prices.nic_cents(links)
        for number, plane in enumerate(network.planes):
            cents += sum(prices.cable_for_mm(mm)[1] for mm in plane.node_lengths_mm.tolist())
            longest_mm = max([longest_mm, *plane.node_lengths_mm.tolist()])
            ports_used.update((number, switch) for switch in plane.node_switch.tolist())
    return length_mm, cents + sum(switch_cents(prices, ports) for ports in ports_used.values()), longest_mm


def switch_cents(prices: PriceList, ports: int) -> int:
    """Return the price of a switch: of its used ports, of the cheapest one with enough ports, or of a whole one."""
    if prices.by == "switch":
        if prices.switch_ports is None or ports > prices.switch_ports:
            raise InputError(f"a switch of {ports} ports: expected at most {prices.switch_ports}")
        ports = prices.switch_ports
    if not prices.switches_usd:
        # By the digits of the price list: a float of 0.1 is not a tenth.
        return int(ports * Fraction(str(prices.switch_port_usd)) * 100)
    allowed = [Fraction(str(usd)) for size, usd in prices.switches_usd.items() if size >= ports]
    if not allowed:
        raise InputError(f"a switch of {ports} ports: expected at most {max(prices.switches_usd)}")
    return int(min(allowed) * 100)
