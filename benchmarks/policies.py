"""What relabelled planes are worth under each plane policy, for a small network of every family that has them.

Each line is a network of two planes. The places of the switches in the second one come from a search for the shortest
paths (`network=relabelled`) of a fixed number of evaluations; in hypercubes that are called linear, from the best known
connection set. The number under a policy is the saturation of uniform traffic over that of identical planes, which are
equally near, so that no policy gains anything there; the bound is that of the busiest link under `nearest`, likewise
over that of identical planes. Planned are the planes and routes of all pairs (`network.routing=planned`). The last
columns show how many ports a node can use that alone sends to another: for `nearest` and `spray`, the mean over some
pairs from their routes; for policies that look at queues, the least of some simulated pairs.

Buffers are short, because long ones hide for a long time that a few links are overloaded.

`--write` replaces the table in the documentation. With --check the exit code is 1 if `spill` misses a goal on a
dual-plane cube: saturation at least 0.97 of that of `nearest`, 1.9 ports for a lone pair; or if `spray` gains anything.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from pages import replace_table

from isoplane.models import ConnectionSet, Cube, Family, Network, cube_planes, dual_cube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.policy import NamedPolicy, depends_on_queues
from isoplane.objectives import SWITCHES, Lexicographic
from isoplane.objectives.general import GeneralExact
from isoplane.search import Auto, Limits, Threads, solve
from isoplane.search.planes.space import Relabellings
from isoplane.simulator import Hardware, Precision, Scenario, Traffic, saturation, throughput_bound

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "simulator.md"
POLICIES: tuple[NamedPolicy, ...] = ("nearest", "spray", "adaptive", "spill")
OBJECTIVE = Lexicographic("aspl", (("total_hops",),), SWITCHES)
PAIRS, SIMULATED_PAIRS = 64, 3
TOLERANCE = Fraction(1, 100)
HARDWARE = Hardware(longest_cable_m=10)
LEAST_SATURATION, LEAST_PORTS = 0.97, 1.9
PLANNED: tuple[NamedPolicy, ...] = ("nearest", "spill")
NO_GAIN = 1.03  # the most that the saturation of spray can be of that of identical planes

# Few nodes, but so many at each switch that the links between switches limit them, also under `nearest`.
PLANES: Mapping[str, Family] = {
    "hypercube": cube_planes((Cube(ConnectionSet.unit(6)),), nodes_per_switch=6),
    "hypercube_7": cube_planes((Cube(ConnectionSet.unit(7)),), nodes_per_switch=4),
    "torus": Torus(shape=(6, 6), nodes_per_switch=4, node_cable_m=2.0),
    "hyperx": HyperX(shape=(5, 5), nodes_per_switch=8),
    "dragonfly": Dragonfly(switches_per_group=4, global_ports=2, groups=9, nodes_per_switch=4),
    "slim_fly": SlimFly(q=5, nodes_per_switch=6),
    "random_regular": RandomRegular(switches=64, degree=6, nodes_per_switch=5),
}
# Hypercubes with the best known connection set of the second plane, for which there are goals.
CUBES: Mapping[str, Network] = {
    "cubes_6": dual_cube(6, (5, 13, 24, 26, 34, 35), nodes_per_switch=6),
    "cubes_7": dual_cube(7, (6, 26, 33, 41, 70, 93, 112), nodes_per_switch=4),
    "cubes_8": dual_cube(8, (7, 11, 28, 44, 112, 176, 193, 194), nodes_per_switch=4),
}


def network_of(name: str, evaluations: int, seed: int) -> Network:
    """Return a network of two planes: cubes, or planes whose switches have the places that a search finds."""
    if name in CUBES:
        return CUBES[name]
    space = Relabellings(Relabelled(plane=PLANES[name]))
    *_, last = solve(space, OBJECTIVE, Auto(), Limits(evaluations=evaluations), seed)
    return last.design.network


def with_policy(network: Network, policy: NamedPolicy) -> Network:
    """Return a network under another policy."""
    return Network(replace(network.family, policy=policy), network.site)  # type: ignore[type-var]  # a dataclass


def saturation_of(network: Network, precision: Precision, seed: int) -> float:
    """Return the saturation throughput of a node under uniform traffic, in link rates."""
    scenario = Scenario(network, HARDWARE, Traffic(load=1), precision, seed=seed)
    return saturation(scenario, TOLERANCE, runs_per_round=1).throughput


def ports_of_a_pair(network: Network, precision: Precision, seed: int) -> float:
    """Return the throughput of a node that alone sends, to one other node, in link rates.

    Over routes, it is the mean over `PAIRS` pairs; if the policy looks at queues, the least of `SIMULATED_PAIRS`.
    """
    simulated, found = depends_on_queues(network.policy), []
    step = network.nodes // ((SIMULATED_PAIRS if simulated else PAIRS) + 1)
    # Nodes of a switch are consecutive, and those of the first one are left out.
    first = network.nodes // network.plane_switches[0]
    for destination in range(max(step, first), network.nodes, step):
        traffic = Traffic("pair", load=len(network.planes), pair=(0, destination))
        if simulated:
            report = Scenario(network, HARDWARE, traffic, precision, seed=seed).run(None)
            found.append(report.accepted_load.mean or 0)
        else:
            found.append(float(throughput_bound(network, traffic)))
    return min(found) if simulated else fmean(found)


@dataclass(frozen=True)
class Row:
    """Measured values of a network of two planes.

    Attributes
    ----------
    title
        The network.
    relabelled, identical
        Mean distance in hops of the planes, and of identical ones.
    bound, planned_bound
        Throughput bound of `nearest`, over that of identical planes; also with planned routes, None if they are not.
    saturation, planned
        By policy, over that of identical planes; also with planned routes.
    ports
        By policy, the throughput of a lone pair, in link rates.
    """

    title: str
    relabelled: float
    identical: float
    bound: float
    planned_bound: float | None
    saturation: Mapping[str, float]
    planned: Mapping[str, float]
    ports: Mapping[str, float]

    @property
    def cells(self) -> list[str]:
        """The cells of a table."""
        by_policy = (*self.saturation.values(), self.planned_bound, *map(self.planned.get, PLANNED))
        measured = (self.bound, *by_policy, *self.ports.values())
        hops = f"{self.relabelled:.3f} / {self.identical:.3f}"
        return [self.title, hops, *("-" if each is None else f"{each:.2f}" for each in measured)]

    @property
    def reaches_goals(self) -> bool:
        """Whether `spill` keeps what `nearest` gains and gives a pair both ports, and `spray` gains nothing."""
        keeps = self.saturation["spill"] >= LEAST_SATURATION * self.saturation["nearest"]
        return keeps and self.ports["spill"] >= LEAST_PORTS and self.saturation["spray"] <= NO_GAIN


def row_of(name: str, packets: int, evaluations: int, seed: int) -> Row:
    """Measure a network under all policies."""
    network, precision = network_of(name, evaluations, seed), Precision(max_packets=packets)
    family, identical = network.family, network.baseline
    by_policy = {policy: with_policy(network, policy) for policy in POLICIES}
    whole, bound = saturation_of(identical, precision, seed), throughput_bound(identical)
    planned = (
        {policy: Network(replace(family, policy=policy, routing="planned"), network.site) for policy in PLANNED}
        if isinstance(family, Relabelled)
        else {}
    )
    own_hops, other_hops = (GeneralExact(each).total_hops / network.nodes**2 for each in (network, identical))
    return Row(
        family.plane.title if isinstance(family, Relabelled) else f"{network.title}, linear",
        own_hops,
        other_hops,
        float(throughput_bound(network) / bound),
        float(throughput_bound(planned["nearest"]) / bound) if planned else None,
        {policy: saturation_of(each, precision, seed) / whole for policy, each in by_policy.items()},
        {policy: saturation_of(each, precision, seed) / whole for policy, each in planned.items()},
        {policy: ports_of_a_pair(each, precision, seed) for policy, each in by_policy.items()},
    )


def main() -> int:
    """Measure the networks, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = (*PLANES, *CUBES)
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--packets", type=int, default=400_000, help="limit of a run")
    parser.add_argument("--evaluations", type=int, default=2_000_000, help="of a search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the table into docs/simulator.md")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    rows: dict[str, Row] = {}
    for done in Threads(options.workers).map(
        lambda name: row_of(name, options.packets, options.evaluations, options.seed), options.only
    ):
        if done is not None:
            rows[options.only[done[0]]] = done[1]
    columns = [
        *("two planes", "mean hops", "bound", *POLICIES),
        *("planned: bound", *(f"planned, {policy}" for policy in PLANNED)),
        *(f"lone pair, {policy}" for policy in POLICIES),
    ]
    cells = [columns, ["---"] * len(columns), *(rows[name].cells for name in options.only)]
    table = [f"| {' | '.join(line)} |" for line in cells]
    print("\n".join(table))
    if options.write:
        replace_table(PAGE, "policies", table)
    return int(options.check and not all(row.reaches_goals for name, row in rows.items() if name in CUBES))


if __name__ == "__main__":
    sys.exit(main())
