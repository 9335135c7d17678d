"""Agreement of the fluid model of hybrid networks with the packet simulation.

Two kinds of designs of the network of Takizawa, Endo and Matsuoka, 128 nodes in 4 groups: random ones (circuits between
nodes of different groups and, in half of them, a random placement), and the designs of each rule of the search for
several numbers of circuits and both placements. The messages of each workload are scaled down, so that a simulation
takes a second. Both sides have a spread: that of the 9 runs of the fluid model, and that of several packet simulations,
in which messages begin up to 15 ps later, at random, except in the first one. Each line shows, over the designs of a
workload and a relay mode, the error of the median of the fluid model relative to that of the packets: median, maximum,
number of designs with at most 3 %, and maximum over the steady designs, those whose fluid time changes by at most 1 %
when each message is longer or shorter by up to half a packet, at random: less than a fluid model can resolve. Next come
the median error of the fluid model with those perturbed lengths, the largest spread of either side, and the number of
designs in which some run on one side is within 3 % of some run on the other. The last column counts, of the pairs of
designs whose packet times differ by more than 5 % for every choice of runs, those in which both sides rank the same
design first.

With --check the exit code is 1 if a steady design, or any design with relay by packets, has no run within 3 % of a run
on the other side, or both sides have the same winner in less than 95 % of the pairs.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from statistics import median

import numpy as np

from isoplane.models import MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement, by_switch
from isoplane.models.workloads import Workload, sparse, stencil
from isoplane.objectives import Lexicographic, evaluators
from isoplane.objectives.fluid import RELAYS, FluidModel, Times
from isoplane.objectives.fluid.circuits.model import RelayBy
from isoplane.search.circuits.rule_rounds import RULES, rule_candidates
from isoplane.search.circuits.space import PLACEMENTS as ALL_PLACEMENTS
from isoplane.search.circuits.space import CircuitSpace
from isoplane.simulator import simulate_hybrid

WORKLOADS = {
    "stencil": stencil(iterations=1),
    "stencil, periodic": stencil(periodic=True, iterations=1),
    "stencil, 5 times": stencil(),
    "sparse, 4 partners": sparse(),
    "sparse, 8 partners": sparse(partners=8),
}
CIRCUITS = (0, 8, 16, 24, 32, 40, 48, 56)  # of random designs
RULE_CIRCUITS = (8, 16, 32, 48, 64)
PLACEMENTS = [name for name in ALL_PLACEMENTS if name != "free"]
HEADER = (
    "workload            designs   relay      error: median  largest  within 3 %  of steady designs  other lengths"
    "   spread: packets    fluid  within both   same winner"
)
MAX_ERROR, STEADY, DIFFERENT, LEAST_AGREEMENT = 0.03, 0.01, 0.05, 0.95
MAX_DELAY_PS = 15


@dataclass(frozen=True)
class Comparison:
    """The times of a design: by packets, ascending; by the fluid model; and by that with perturbed lengths."""

    packets_runs_ns: tuple[float, ...]
    fluid: Times
    perturbed_ns: float

    @property
    def packets_ns(self) -> float:
        """The median by packets."""
        return median(self.packets_runs_ns)

    @property
    def fluid_ns(self) -> int:
        """The median of the fluid model."""
        return self.fluid.completion_ns

    @property
    def packets_spread(self) -> float:
        """Relative spread of the packet runs."""
        return (self.packets_runs_ns[-1] - self.packets_runs_ns[0]) / self.packets_ns

    @property
    def fluid_spread(self) -> float:
        """Relative spread of the runs of the fluid model."""
        return (self.fluid.completion_max_ns - self.fluid.completion_min_ns) / self.fluid_ns

    @property
    def within_both(self) -> bool:
        """Whether some run on one side is within 3 % of some run on the other."""
        low = self.fluid.completion_min_ns / self.packets_runs_ns[-1] - 1
        high = self.fluid.completion_max_ns / self.packets_runs_ns[0] - 1
        return low <= MAX_ERROR and high >= -MAX_ERROR

    @property
    def error(self) -> float:
        """Relative error of the fluid model."""
        return abs(self.fluid_ns / self.packets_ns - 1)

    @property
    def perturbed_error(self) -> float:
        """Relative error of the fluid model with perturbed lengths."""
        return abs(self.perturbed_ns / self.packets_ns - 1)

    @property
    def steady(self) -> bool:
        """Whether the fluid time does not depend on single packets."""
        return abs(self.perturbed_ns / self.fluid_ns - 1) <= STEADY


def random_circuits(hybrid: Hybrid, count: int, random: np.random.Generator) -> Circuits:
    """Return `count` circuits between nodes with one port, or fewer if no two groups with free nodes are left."""
    free, pairs = random.permutation(hybrid.nodes).tolist(), []
    while len(pairs) < count and len({hybrid.group_of(node) for node in free}) > 1:
        first = free.pop()
        other = next(node for node in reversed(free) if hybrid.group_of(node) != hybrid.group_of(first))
        free.remove(other)
        pairs.append((first, other))
    return Circuits(tuple(pairs))


def designs(hybrid: Hybrid, count: int, seed: int) -> Iterator[tuple[Circuits, Placement]]:
    """Yield random designs: all numbers of circuits in turn, every second one with a random placement."""
    random = np.random.default_rng(seed)
    for number in range(count):
        circuits = random_circuits(hybrid, CIRCUITS[number // 2 % len(CIRCUITS)], random)
        random_placement = Placement(tuple(random.permutation(hybrid.nodes).tolist()))
        yield circuits, random_placement if number % 2 else by_switch(hybrid.nodes)


def designs_of_rules(hybrid: Hybrid, work: Workload, circuits: Sequence[int]) -> list[tuple[Circuits, Placement]]:
    """Return the best design that each rule produces, without duplicates."""
    objective, found = Lexicographic("completion", (("completion",),), evaluators.CIRCUITS, work), {}
    for max_circuits, placement, rule in product(circuits, PLACEMENTS, RULES):
        space = CircuitSpace(hybrid, work, max_circuits, placement)
        candidates = [space.design(candidate) for candidate in rule_candidates(space, rule)]
        found[min(candidates, key=objective.point).assignment] = None
    return list(found)


def perturbed_lengths(hybrid: Hybrid, messages: MessageList) -> MessageList:
    """Return messages that are longer or shorter by up to half a packet, at random."""
    half = hybrid.packet_bytes // 2
    change = np.random.default_rng(0).integers(-half, half, messages.messages, endpoint=True)
    return replace(messages, length_bytes=np.maximum(messages.length_bytes + change, 1))


def delayed(messages: MessageList, run: int) -> MessageList:
    """Return messages that begin up to 15 ps later, at random; unchanged in run 0."""
    if run == 0:
        return messages
    change = np.random.default_rng(run).integers(0, MAX_DELAY_PS, messages.messages, endpoint=True)
    return replace(messages, delay_ps=messages.delay_ps + change)


def compare(
    hybrid: Hybrid, work: Workload, relay: RelayBy, compared: list[tuple[Circuits, Placement]], runs: int
) -> list[Comparison]:
    """Return the times of the given designs."""
    messages = work.message_list()
    variants = [delayed(messages, run) for run in range(runs)]
    model, perturbed = (
        FluidModel(hybrid, messages, relay),
        FluidModel(hybrid, perturbed_lengths(hybrid, messages), relay),
    )
    return [
        Comparison(
            tuple(
                sorted(
                    float(simulate_hybrid(hybrid, circuits, run, placement, relay).completion_ns) for run in variants
                )
            ),
            model.times(circuits, placement),
            perturbed.times(circuits, placement).completion_ns,
        )
        for circuits, placement in compared
    ]


def agreement(comparisons: list[Comparison]) -> tuple[int, int]:
    """Return the number of pairs with the same winner, and of pairs that differ enough to have one."""
    same = total = 0
    for one, other in combinations(comparisons, 2):
        faster, slower = sorted((one.packets_runs_ns, other.packets_runs_ns))
        if slower[0] <= (1 + DIFFERENT) * faster[-1]:
            continue
        total += 1
        same += (one.packets_ns < other.packets_ns) == (one.fluid_ns < other.fluid_ns)
    return same, total


def line(comparisons: list[Comparison]) -> str:
    """Return the line of text for a set of designs."""
    errors = [comparison.error for comparison in comparisons]
    steady = [comparison.error for comparison in comparisons if comparison.steady]
    close, (same, total) = sum(error <= MAX_ERROR for error in errors), agreement(comparisons)
    perturbed = median(comparison.perturbed_error for comparison in comparisons)
    packets_spread = max(comparison.packets_spread for comparison in comparisons)
    fluid_spread = max(comparison.fluid_spread for comparison in comparisons)
    both = f"{sum(comparison.within_both for comparison in comparisons)} of {len(comparisons)}"
    return (
        f"{median(errors):14.2%} {max(errors):8.2%} {f'{close} of {len(comparisons)}':>11} "
        f"{f'{max(steady, default=0):.2%} of {len(steady)}':>18} "
        f"{perturbed:14.2%} {packets_spread:17.2%} {fluid_spread:8.2%} {both:>12} "
        f"{f'{same} of {total}':>13}"
    )


def passes(comparisons: list[Comparison], relay: RelayBy) -> bool:
    """Whether steady designs (all, with relay by packets) are close enough, and enough pairs have the same winner."""
    same, total = agreement(comparisons)
    close = all(comparison.within_both for comparison in comparisons if comparison.steady or relay == "packets")
    return close and same >= LEAST_AGREEMENT * total


def main() -> int:
    """Print one line per workload and relay mode."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=32, help="random designs per workload and relay mode")
    parser.add_argument(
        "--shorten", type=int, default=10, help="number by which the message length of 40 MB is divided"
    )
    parser.add_argument("--workload", nargs="+", choices=list(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument(
        "--circuits",
        nargs="*",
        type=int,
        default=RULE_CIRCUITS,
        help="maximum numbers of circuits, for designs of rules",
    )
    parser.add_argument("--runs", type=int, default=3, help="packet simulations per design")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    hybrid, passed = Hybrid(), True
    if min(arguments.designs, arguments.runs) < 1 or not all(
        0 <= count <= hybrid.max_circuits for count in arguments.circuits
    ):
        parser.error(f"expected at least one design and run, and 0 to {hybrid.max_circuits} circuits")
    print(HEADER)
    for name in arguments.workload:
        work = WORKLOADS[name].scaled(arguments.shorten)
        kinds = {"random": list(designs(hybrid, arguments.designs, arguments.seed))}
        if arguments.circuits:
            kinds["of rules"] = designs_of_rules(hybrid, work, arguments.circuits)
        for kind, compared in kinds.items():
            for relay in RELAYS:
                found = compare(hybrid, work, relay, compared, arguments.runs)
                print(f"{name:19} {kind:9} {relay:9} {line(found)}", flush=True)
                passed &= passes(found, relay)
    return int(arguments.check and not passed)


if __name__ == "__main__":
    sys.exit(main())
