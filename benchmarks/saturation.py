"""Saturation of uniform traffic beside the bound of its routes, for a small member of every family.

The bound is the all-to-all throughput per node from the general evaluator, without the packets of a node to itself: the
load at which the busiest link between switches always carries a flit, at most the rate of a node. All members of
`PARAMETERS` but the fat-tree, which has full bandwidth, have so many nodes per switch that links between switches limit
them; other families take part with their defaults.
The saturation is that of `isoplane.simulator.measure.saturation` with the default hardware and
`measurement=standard`, to 2 %.
A network with few busiest links may seem stable while these are overloaded, because the backlog of the whole network
hardly grows. So their own load is measured too, in the stable run with the largest accepted load, and both have to
reach 0.9 of the bound. If one of them does not, the same search follows with doubled channels and with doubled buffers.

With --check the exit code is 1 if a family stays below 0.9 of its bound in all searches, or if
the simulator, which shares no code with the evaluator, computes another bound.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np

from isoplane.models import Network, dual_cube, family_named, family_names, port_aggregate
from isoplane.models.families.hyperx import HyperX
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.objectives.general import LinkLoads, all_to_all_loads
from isoplane.search import Threads
from isoplane.simulator import Hardware, Precision, Report, Scenario, Traffic, saturation, throughput_bound

GOAL = Fraction(9, 10)  # of the bound
TOLERANCE = Fraction(1, 50)
EXCLUDED = "their packets pass over circuits and other nodes, which the flit-level engine does not model"
PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "direct_hypercube": {"n": 5, "nodes_per_switch": 3, "node_cable_m": 2.0},
    "dragonfly": {"switches_per_group": 4, "global_ports": 2, "groups": 9, "nodes_per_switch": 3},
    "fabric": {  # a full mesh of four switches below two without nodes
        "planes": (
            FabricPlane(
                switches=6,
                cables=(
                    *((a, b + 1, b, a + 1) for a in range(4) for b in range(a)),
                    *((leaf, 5 + spine, 4 + spine, leaf + 1) for leaf in range(4) for spine in range(2)),
                ),
                nodes=tuple((node, node // 4, 7 + node % 4) for node in range(16)),
            ),
        ),
        "routing": "balanced",
    },
    "fat_tree": {"switch_ports": 6},
    "full_mesh": {"layers": 4, "uplinks": 5, "nodes_per_leaf": 8},
    "graph": {  # a circulant graph
        "edges": tuple((i, (i + step) % 32) for i in range(32) for step in (1, 6)),
        "nodes_per_switch": 2,
        "node_cable_m": 2.0,
    },
    "hyperx": {"shape": (4, 4), "nodes_per_switch": 6},
    "leaf_spine": {"leaf_switches": 12, "spine_switches": 4, "nodes_per_leaf": 8},
    "megafly": {
        "leaves_per_group": 3,
        "spines_per_group": 3,
        "global_ports": 2,
        "groups": 7,
        "nodes_per_leaf": 4,
    },
    "mesh": {"shape": (6, 6), "nodes_per_switch": 2, "node_cable_m": 2.0},
    "multi_plane": {"plane": HyperX(shape=(4, 4), nodes_per_switch=6)},
    "oft": {"q": 3, "sides": 2, "nodes_per_leaf": 8},
    "polar_fly": {"q": 5, "nodes_per_switch": 4},
    "random_regular": {"switches": 40, "degree": 5, "nodes_per_switch": 3},
    "rdt": {"side": 8, "nodes_per_switch": 2, "node_cable_m": 2.0},
    "slim_fly": {"q": 5, "nodes_per_switch": 5},
    "torus": {"shape": (6, 6), "nodes_per_switch": 2, "node_cable_m": 2.0},
    "xgft": {"children": (4, 4, 4), "parents": (1, 2, 2)},
    "xpander": {"degree": 5, "lift": 6, "nodes_per_switch": 3},
}
MEMBERS: Mapping[str, Network] = {
    **{
        name: Network(family_named(name)(**PARAMETERS.get(name, {})))
        for name in family_names()
        if family_named(name).kind == "switches"
    },
    "hypercube": dual_cube(5, (5, 13, 14, 18, 19), nodes_per_switch=8),
    "folded_hypercube": dual_cube(5, (5, 6, 7, 11, 19), folded=True, nodes_per_switch=8),
    "port_aggregate": port_aggregate(dual_cube(4, (7, 11, 13, 14), nodes_per_switch=8)),
}


@dataclass(frozen=True)
class Bound:
    """The routed all-to-all throughput per node, in units of a link, and the links between switches that limit it.

    Attributes
    ----------
    load
        The bound: `link_load`, at most the rate of a node.
    link_load
        The load at which the busiest links between switches always carry a flit.
    busiest
        These links: element of the simulator and port.
    """

    load: Fraction
    link_load: Fraction
    busiest: frozenset[tuple[int, int]]


def bound_of(network: Network, node_rate: Fraction) -> Bound:
    """Return the bound for nodes of a rate, from the loads if each node sends a packet to each other node."""
    loads = all_to_all_loads(network)
    link_load = Fraction((network.nodes - 1) * loads.peak_parts, loads.peak)
    return Bound(min(link_load, node_rate), link_load, frozenset(_busiest_links(loads)))


def _busiest_links(loads: LinkLoads) -> Iterator[tuple[int, int]]:
    first = 0
    for label, load in zip(loads.label, loads.load, strict=True):
        switch, port = np.nonzero(load[label] == loads.peak)
        yield from zip((first + switch).tolist(), port.tolist(), strict=True)
        first += len(label)


@dataclass(frozen=True)
class Found:
    """Accepted load of the best stable run, and load of its busiest links; both as fractions of the bound."""

    accepted: float
    busiest: float

    @property
    def reaches_goal(self) -> bool:
        """Whether both reach the goal."""
        return min(self.accepted, self.busiest) >= GOAL


def search(scenario: Scenario, bound: Bound) -> Found:
    """Search for the saturation throughput, and return it as a fraction of the bound."""
    reports = saturation(scenario, TOLERANCE, runs_per_round=1).reports
    stable = [report for report in reports if report.stable]
    if not stable:
        return Found(0, 0)
    best = max(stable, key=_accepted)
    links = ((element, port) for element, _, port in best.links.tolist())
    busiest = fmean(load for link, load in zip(links, best.link_load, strict=True) if link in bound.busiest)
    return Found(_accepted(best) / float(bound.load), busiest * float(bound.link_load / bound.load))


def _accepted(report: Report) -> float:
    return report.accepted_load.mean or 0


def result_of(name: str, channels: int, packets: int) -> tuple[str, bool]:
    """Return the row of a member, and whether a search reached the goal."""
    network, hardware = MEMBERS[name], Hardware(virtual_channels=channels)
    scenario = Scenario(network, hardware, Traffic(load=1), Precision(max_packets=packets))
    rate = scenario.max_sent
    bound = bound_of(network, rate)
    found = search(scenario, bound)
    limit = "switches" if bound.load == bound.link_load else "nodes"
    row = (
        f"{name:<16} {network.family.switches:8} {network.nodes:5} {float(bound.load / rate):6.3f} {limit:9} "
        f"{found.accepted * float(bound.load / rate):10.3f} {found.accepted:12.3f} {found.busiest:13.3f}"
    )
    reached = found.reaches_goal
    if not reached:
        for change, other in (
            ("channels", replace(hardware, virtual_channels=2 * channels)),
            ("buffers", replace(hardware, buffer_flits=2 * hardware.buffer)),
        ):
            found = search(replace(scenario, hardware=other), bound)
            reached |= found.reaches_goal
            row += f"  doubled {change} {found.accepted:.3f} {found.busiest:.3f}"
    if (other_bound := throughput_bound(network)) != bound.load:
        return f"{row}  the simulator's bound is {float(other_bound / rate):.3f}", False
    return row, reached


def main() -> int:
    """Search for the saturation of all members, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=sorted(MEMBERS), default=sorted(MEMBERS))
    parser.add_argument("--channels", type=int, choices=range(1, 9), default=Hardware().virtual_channels)
    parser.add_argument("--packets", type=int, default=Precision().max_packets, help="limit of a run")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    print("family           switches nodes  bound limit     saturation of the bound busiest links")
    rows: dict[int, str] = {}
    printed, missed = 0, False
    for done in Threads(options.workers).map(
        lambda name: result_of(name, options.channels, options.packets), options.only
    ):
        if done is None:
            continue
        index, (row, reached) = done
        rows[index], missed = row, missed or not reached
        while printed in rows:
            print(rows[printed], flush=True)
            printed += 1
    for name in sorted({*family_names()} - MEMBERS.keys()):
        print(f"{name}: {EXCLUDED}")
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main())
