"""The segment bound: a program smaller than the whole one, for the segments inside groups that circuits can save.

Its only decisions are the groups that the circuit of each node leads into. For networks with one port per node.
"""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from .bisection import bisect, may_count
from .integer_program import IntegerProgram, Solve, TimeLeft
from .traffic import ScaledTraffic

MAX_MESSAGES = 2000  # between groups; with more, the LP relaxation takes minutes and is weak
STEPS = 4096  # maximum bits of the busiest node, scaled down if necessary: large coefficients make solvers slow


def applies(traffic: ScaledTraffic) -> bool:
    """Whether the bound applies: one port per node, few groups, and not too many messages."""
    return may_count(traffic) and len(traffic.pairs) <= MAX_MESSAGES


def tighten_bound(
    traffic: ScaledTraffic,
    max_circuits: int,
    bound: int,
    best: int,
    solve: Solve,
    seconds_left: TimeLeft,
    *,
    floating: bool = False,
    log: bool = False,
) -> int:
    """Return a lower bound of the bottleneck time in ticks: the larger of `bound` and the segment bound.

    Parameters
    ----------
    traffic
        The traffic.
    max_circuits
        Maximum number of circuits.
    bound, best
        A known lower bound, and the bottleneck time of known circuits.
    solve
        A solver of integer programs.
    seconds_left
        Returns the seconds left.
    floating
        Whether the solver computes in floating point: an excess of less than one step is then not a proof.
    log
        Whether the solver prints its log.

    Examples
    --------
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import sparse
    >>> from .solvers.cp_sat import solve
    >>> from .traffic import traffic_of
    >>> traffic = traffic_of(Hybrid(2, 8), sparse(16, 4).message_list())
    >>> tighten_bound(traffic, 3, 0, 320, solve, lambda: 10.0)
    105
    """
    if not applies(traffic):
        return bound

    margin = int(floating)  # in steps: far above the rounding error, as coefficients are at most a few thousand

    def excludes(target: int) -> bool:
        result = solve(_SegmentProgram(traffic, max_circuits, target, margin).build(), 0, _half(seconds_left), {}, log)
        return result.status == "infeasible" or (result.bound or 0) > margin

    return bisect(traffic, bound, best, seconds_left, excludes)


def _half(seconds_left: TimeLeft) -> TimeLeft:
    """Return half of the time left: a target without a proof uses up all that it gets."""
    reserved = max(seconds_left(), 0.0) / 2
    return lambda: seconds_left() - reserved


@dataclass
class _SegmentProgram:
    """The program that decides whether circuits can keep the links of all owners to a target number of bits.

    A message between connected groups crosses circuits, with segments inside groups before and after. One segment is
    enough only if the circuit of its source leads into the group of its destination, or that of the destination into
    the group of the source, or both into the same third group; none is needed if a circuit joins its ends. A
    segment starts and ends at owners of circuits, except at a source or destination without a circuit; owners also send
    and receive messages inside groups. No link carries more than `target`, so the links of m owners carry at most
    m · `target` together: a relaxation of the model. If even its optimum exceeds that, no circuits reach the target.

    Bits are counted in steps, with each term rounded down, so that sums never exceed the true ones: unscaled if they
    are small, or in equal fractions of a bit if a margin of whole steps is kept.
    """

    traffic: ScaledTraffic
    max_circuits: int
    target: int
    margin: int
    integers: IntegerProgram = field(default_factory=IntegerProgram)
    # (node, group): whether its circuit leads there.
    leads_into: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sent = self.traffic.sent
        busiest = max(int(sent.sum(axis=0).max()), int(sent.sum(axis=1).max()), 1)
        if busiest > STEPS:
            self._scale = STEPS, busiest
        else:
            self._scale = STEPS // busiest if self.margin else 1, 1

    def build(self) -> IntegerProgram:
        """Return a program that minimises the excess of links over `target` in steps: 0 if some circuits reach it.

        It is infeasible if the excess is more than one step above the margin.
        """
        hybrid = self.traffic.hybrid
        for node in range(hybrid.nodes):
            for group in range(hybrid.groups):
                if group != hybrid.group_of(node):
                    self.leads_into[node, group] = self.integers.variable()
        self._add_owners()
        second, direct = self._second_segments(), self._direct()
        excess = self.integers.variable(self.margin + 1)  # an objective makes solvers use the LP relaxation
        for ends in (0, 1):
            self._add_links(ends, second, direct, excess)
        self.integers.objectives, self.integers.strong_relaxation = (((excess, 1),), ()), True
        return self.integers

    def _owner(self, node: int, factor: int) -> list[tuple[int, int]]:
        """Return terms that add up to `factor` if a node owns a circuit, else to 0."""
        groups = range(self.traffic.hybrid.groups)
        return [(self.leads_into[node, group], factor) for group in groups if (node, group) in self.leads_into]

    def _add_owners(self) -> None:
        hybrid, sent = self.traffic.hybrid, self.traffic.sent
        # Without a circuit, the link of a node carries all that the node sends or receives.
        busy = np.maximum(sent.sum(axis=0), sent.sum(axis=1)) > self.target
        nodes = range(hybrid.nodes)
        for node in nodes:
            self.integers.row(self._owner(node, 1), lower=int(busy[node]), upper=1)
        self.integers.row([term for node in nodes for term in self._owner(node, 1)], upper=2 * self.max_circuits)
        for a, b in combinations(range(hybrid.groups), 2):
            # Each circuit between two groups has one end in either.
            leave = [(self.leads_into[node, b], 1) for node in nodes if hybrid.group_of(node) == a]
            enter = [(self.leads_into[node, a], -1) for node in nodes if hybrid.group_of(node) == b]
            self.integers.row([*leave, *enter], lower=0, upper=0)

    def _second_segments(self) -> dict[tuple[int, int], int]:
        """Return the variables for a second segment of a message, by source and destination."""
        hybrid, second = self.traffic.hybrid, {}
        for source, destination in self.traffic.pairs:
            source_group, destination_group = hybrid.group_of(source), hybrid.group_of(destination)
            second[source, destination] = self.integers.variable()
            saved = [(self.leads_into[source, destination_group], 1), (self.leads_into[destination, source_group], 1)]
            for third in set(range(hybrid.groups)) - {source_group, destination_group}:
                saved.append((self._both((source, third), (destination, third)), 1))
            self.integers.row([(second[source, destination], 1), *saved], lower=1)
        return second

    def _direct(self) -> dict[tuple[int, int], int]:
        """Return the variables for a circuit that joins source and destination; at most one per node."""
        hybrid = self.traffic.hybrid
        direct: dict[tuple[int, int], int] = {}
        for a, b in self.traffic.pairs:
            if (b, a) in direct:
                direct[a, b] = direct[b, a]
            else:
                direct[a, b] = self._both((a, hybrid.group_of(b)), (b, hybrid.group_of(a)))
        for node in range(hybrid.nodes):
            # A set, since both directions of a pair share one variable, which must count once.
            of_node = {(variable, 1) for pair, variable in direct.items() if node in pair}
            self.integers.row([*of_node, *self._owner(node, -1)], upper=0)
        return direct

    def _both(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """Return a variable that is 1 only if the circuits of both nodes lead into the given groups."""
        both = self.integers.variable()
        for key in (one, other):
            self.integers.row([(self.leads_into[key], 1), (both, -1)], lower=0)
        return both

    def _add_links(
        self, end: int, second: dict[tuple[int, int], int], direct: dict[tuple[int, int], int], excess: int
    ) -> None:
        """Add the total load of the links of owners: out (end 0) or in (end 1)."""
        sent = self.traffic.sent
        excess_bits = (sent.sum(axis=1 - end) - self.target).tolist()
        shared = []
        for pair, variable in second.items():
            bits = int(sent[pair])
            shared += [(variable, self._steps(bits)), (direct[pair], self._steps(-bits))]
        excesses = [self._steps(bits) for bits in excess_bits]
        # A coefficient below minus the sum of all others makes the row slack by itself, so it is limited to that value.
        all_others = sum(max(steps, 0) for steps in (*excesses, *(steps for _, steps in shared)))
        carried = [term for node, steps in enumerate(excesses) for term in self._owner(node, max(steps, -all_others))]
        self.integers.row([*carried, *shared, (excess, -1)], upper=0)

    def _steps(self, bits: int) -> int:
        numerator, denominator = self._scale
        return bits * numerator // denominator
