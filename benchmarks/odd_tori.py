"""Destinations and zero-load latencies of tori of odd K against the closed forms of Hirasawa et al. 2020.

`python benchmarks/odd_tori.py` counts the destinations of every input port of the tori K × ... × K of N dimensions, K =
3, 5, ..., 31 and N = 1..4, along their routes, and compares them with equation (2), and the largest and mean latency
with equations (1), (3) and (4), as exact fractions. A line for each torus has the seconds of both; the exit code is 1
if any number differs. All take about a minute on one core and 1.6 GB; `--nodes` leaves larger tori out.
"""

import argparse
import sys
from fractions import Fraction
from time import process_time

import numpy as np

from isoplane.models import Network, RoutingCache, Site, SwitchModel
from isoplane.models.families.torus import Torus
from isoplane.objectives.general.exact import GeneralExact
from isoplane.objectives.general.port_destinations import port_destinations

ENTRIES, CABLE_M = 2048, 4.0
HIT_NS, MISS_NS, CABLE_NS = 77, 25, 20  # case study 1: a hit, the look-up of a miss beside it, and a link


def differences(k: int, n: int) -> list[str]:
    """Return what differs from the closed forms on a torus."""
    switch = SwitchModel(
        delay_ns=100, endpoint_delay_ns=None, packet_bytes=0, routing_ns=MISS_NS, cache=RoutingCache(ENTRIES, 4)
    )
    network = Network(Torus(shape=(k,) * n, assumed_cable_m=CABLE_M, node_cable_m=CABLE_M), Site(switch=switch))
    links, node_links, _ = port_destinations(network)
    at_node, by_dimension = k**n - 1, [k ** (n - i) * (k // 2) for i in range(1, n + 1)]
    found = [] if (links[0] == np.repeat(by_dimension, 2)).all() else ["destinations of ports"]
    found += [] if (node_links[0] == at_node).all() else ["destinations of nodes"]
    exact, per_ns = GeneralExact(network), network.delay_units.per_ns
    misses = [1 - min(Fraction(1), Fraction(ENTRIES, count)) for count in (at_node, *by_dimension)]
    through = [HIT_NS + MISS_NS * miss + CABLE_NS for miss in misses]
    # The longest way has k // 2 hops in each dimension; the mean, over all positions, (k² - 1) / (4 k).
    largest = CABLE_NS + through[0] + k // 2 * sum(through[1:])
    mean = CABLE_NS + through[0] + Fraction(k * k - 1, 4 * k) * sum(through[1:])
    if Fraction(exact.max_delay or 0, exact.max_delay_parts * per_ns) != largest:
        found.append("largest latency")
    if Fraction(exact.delay or 0, exact.delay_parts * per_ns * network.nodes**2) != mean:
        found.append("mean latency")
    return found


def main() -> int:
    """Compare all tori, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=31**4, help="largest number of nodes")
    limit = parser.parse_args().nodes
    differs = False
    for k, n in [(k, n) for n in range(1, 5) for k in range(3, 32, 2) if k**n <= limit]:
        began = process_time()
        found = differences(k, n)
        differs |= bool(found)
        print(f"{k:2}-ary {n}-cube  {k**n:7} nodes  {process_time() - began:6.1f} s  {', '.join(found) or 'equal'}")
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
