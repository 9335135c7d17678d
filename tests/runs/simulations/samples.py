"""Reports of simulations, for the tests of files and figures made from them."""

from functools import cache

from isoplane.models import dual_cube
from isoplane.simulator import Hardware, Precision, Scenario, Traffic, sweep

NETWORK = dual_cube(3, (3, 5, 7), nodes_per_switch=2)
PAIRS = ((0, 15), (3, 4))
ROUGH = Precision(latency=0.1, accepted=0.1, max_packets=1 << 12)
SCENARIO = Scenario(NETWORK, Hardware(longest_cable_m=10), Traffic(load=1), ROUGH, PAIRS, check_deadlock=False)
LOADS = (0.25, 0.5, 4)  # the last one is beyond what the two planes can carry


@cache
def reports():
    """One report for each load."""
    return tuple(sweep(SCENARIO, LOADS))
