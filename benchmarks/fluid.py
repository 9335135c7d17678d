"""Checks that two programs for the fluid model of hybrid networks agree with each other and with rational arithmetic.

Random networks of 16 and 32 nodes, with random placements and numbers of circuits: for each of them every rule of the
search assigns circuits, and one design is random. A record of each is written and verified; an independent program
recomputes every completion time bit for bit, including those of the shortest and the longest run. Each line shows, for
a workload, the number of records verified and rejected, the median and largest spread of their runs with relay by
messages, and the time. Then designs whose recorded spread is below 1 ns are computed in rational arithmetic, and the
last line shows a chaotic case.

With --check the exit code is 1 if a record is rejected, a rational time differs by more than 1 ns, or the runs of the
chaotic case do not enclose the rational time or lie more than 12 % apart.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import monotonic

import numpy as np

from isoplane.models import Circuits, Design, Hybrid, Network, Placement
from isoplane.models.placement import by_switch
from isoplane.models.workloads import (
    Workload,
    all_to_all,
    dense,
    from_matrix,
    recursive_doubling,
    ring_all_reduce,
    sparse,
    stencil,
)
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.objectives.fluid import FluidModel
from isoplane.objectives.reference.rationals import completion_ns
from isoplane.runs.records import provenance, record_of, verify
from isoplane.search.circuits.rule_rounds import RULES, rule_candidates
from isoplane.search.circuits.space import CircuitSpace

NODES = (16, 32)
WORKLOADS: dict[str, Callable[[int], Workload]] = {
    "stencil": lambda nodes: stencil((4, nodes // 4), iterations=2),
    "sparse": sparse,
    "dense": dense,
    "all_to_all": all_to_all,
    "ring_all_reduce": ring_all_reduce,
    "recursive_doubling": recursive_doubling,
    "matrix": lambda nodes: from_matrix(np.random.default_rng(1).integers(0, 10**6, (nodes, nodes)), iterations=2),
}
CHAOTIC_CASE = Circuits(((0, 8), (1, 16), (2, 24), (9, 17))), Hybrid(4, 8, up_gbps=10), 213_997_769
MAX_SPREAD, MAX_DEVIATION_NS = 0.12, 1


def random_network(nodes: int, random: np.random.Generator) -> Hybrid:
    """Return a network with two to eight groups, one to three ports, and slow or fast uplinks."""
    groups, ports = int(random.choice([2, 4, 8])), int(random.choice([1, 2, 3]))
    return Hybrid(groups, nodes // groups, ports, up_gbps=float(random.choice([2.5, 7.3, 10, 25, 64])))


def random_design(hybrid: Hybrid, max_circuits: int, random: np.random.Generator) -> Design:
    """Return at most `max_circuits` circuits, with a placement of any kind.

    Either any two free ports are joined, or nodes are paired and all their ports joined: parallel circuits.
    """
    nodes, ports = np.arange(hybrid.nodes), hybrid.ports_per_node
    if random.integers(2):
        ends = random.permutation(np.repeat(nodes, ports)).reshape(-1, 2)
    else:
        ends = np.repeat(random.permutation(nodes).reshape(-1, 2), ports, axis=0)
    pairs = tuple((a, b) for a, b in ends[:max_circuits].tolist() if hybrid.group_of(a) != hybrid.group_of(b))
    random_placement = Placement(tuple(random.permutation(hybrid.nodes).tolist()))
    return Design(Network(hybrid), Circuits(pairs), random_placement if random.integers(2) else by_switch(hybrid.nodes))


def designs(nodes: int, work: Workload, random: np.random.Generator) -> Iterator[Design]:
    """Yield the design of every rule for a random network, and a random design."""
    hybrid = random_network(nodes, random)
    max_circuits = int(random.integers(1, hybrid.max_circuits, endpoint=True))
    space = CircuitSpace(hybrid, work, max_circuits, str(random.choice(["by_switch", "by_communication"])))
    for rule in RULES:
        yield space.design(rule_candidates(space, rule)[-1])
    yield random_design(hybrid, max_circuits, random)


def spread_and_mismatches(design: Design, work: Workload) -> tuple[float, int]:
    """Return the spread of a design, relative to its median, and the number of mismatches in its record."""
    objective = Lexicographic("completion", (("completion",), ("completion_by_packets",)), CIRCUITS, work)
    found = objective(design)
    origin = provenance(1, "drawn", {})
    record = record_of(design, found, objective=objective.name, status="feasible", provenance=origin, workload=work)
    times = found.metrics
    return (times["completion_max_ns"] - times["completion_min_ns"]) / times["completion_ns"], len(verify(record))


def records(count: int, nodes: tuple[int, ...], names: list[str], seed: int) -> int:
    """Print one line per workload and size; return the number of rejected records."""
    total = 0
    for size in nodes:
        for name in names:
            work, random, start_time = WORKLOADS[name](size), np.random.default_rng(seed), monotonic()
            found = [
                spread_and_mismatches(design, work) for _ in range(count) for design in designs(size, work, random)
            ]
            spreads, rejected = [spread for spread, _ in found], sum(wrong > 0 for _, wrong in found)
            total += rejected
            print(
                f"{name:18} {size:3} nodes {len(found):5} records {rejected:3} rejected   "
                f"spread: median {median(spreads):9.2e}, largest {max(spreads):9.2e} {monotonic() - start_time:6.0f} s",
                flush=True,
            )
    return total


def max_exact_deviation_ns(count: int, seed: int) -> float:
    """Return the largest difference from rational arithmetic of designs with a spread below 1 ns, in ns."""
    random, deviations = np.random.default_rng(seed), []
    while len(deviations) < count:
        name = str(random.choice(list(WORKLOADS)))
        work = WORKLOADS[name](8)
        hybrid = random_network(8, random)
        design, messages = random_design(hybrid, int(random.integers(5)), random), work.message_list()
        relay = "messages" if random.integers(2) else "packets"
        circuits, placement = design.assignment
        times = FluidModel(hybrid, messages, relay).times(circuits, placement)
        if times.completion_max_ns - times.completion_min_ns < 1:
            exact = completion_ns(hybrid, messages, circuits, placement, relay)
            deviations.append(abs(float(times.completion_ns - exact)))
    return max(deviations)


def main() -> int:
    """Print all lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--designs", type=int, default=20, help="random networks per workload and size, each with several designs"
    )
    parser.add_argument("--rational", type=int, default=50, help="designs to compare with rational numbers")
    parser.add_argument("--nodes", type=int, nargs="+", choices=NODES, default=NODES)
    parser.add_argument("--workload", nargs="+", choices=list(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.designs < 1 or options.rational < 1:
        parser.error("expected at least one design")
    rejected = records(options.designs, tuple(options.nodes), options.workload, options.seed)
    deviation_ns = max_exact_deviation_ns(options.rational, options.seed)
    print(
        f"{options.rational} designs with a spread below 1 ns: at most {deviation_ns:.3f} ns from rational numbers",
        flush=True,
    )
    circuits, hybrid, exact = CHAOTIC_CASE
    found = FluidModel(hybrid, all_to_all(32).message_list()).times(circuits)
    low, high = found.completion_min_ns, found.completion_max_ns
    spread = (high - low) / found.completion_ns
    print(
        f"chaotic case: {low:,} to {high:,} ns, median {found.completion_ns:,}: {spread:.1%} apart, exactly {exact:,}"
    )
    passed = rejected == 0 and deviation_ns <= MAX_DEVIATION_NS and low <= exact <= high and spread <= MAX_SPREAD
    return int(options.check and not passed)


if __name__ == "__main__":
    sys.exit(main())
