"""A bound from a program smaller than the whole: how many legs circuits can spare.

It knows only into which group the circuit of each node leads. For networks with one port for each node.
"""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from .counting import bisect, may_count
from .statement import Builder, Left, Solve, Statement
from .traffic import Traffic

MAX_MESSAGES = 2000  # between groups; with more, its linear relaxation takes minutes and tells little
STEPS = 4096  # in which the bits of the busiest node are counted, if they are more: larger factors make solvers slow


def counts(traffic: Traffic) -> bool:
    """Whether `tighten_bound` has anything to say."""
    return may_count(traffic) and len(traffic.pairs) <= MAX_MESSAGES


def tighten_bound(
    traffic: Traffic,
    most: int,
    bound: int,
    best: int,
    solve: Solve,
    left: Left,
    *,
    floating: bool = False,
    log: bool = False,
) -> int:
    """Return a bottleneck time in ticks that no circuits are below: `bound`, or one that counting legs proves.

    Parameters
    ----------
    traffic
        What is sent.
    most
        How many circuits there may be.
    bound, best
        What is known: a bound, and the bottleneck time of some circuits.
    solve
        A solver of statements.
    left
        Tells how many seconds are left.
    floating
        Whether the solver computes in floating point: what exceeds a limit by less than a step proves nothing then.
    log
        Whether the solver tells what it does.

    Examples
    --------
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import sparse
    >>> from .cp_sat import solve
    >>> from .traffic import traffic_of
    >>> traffic = traffic_of(Hybrid(2, 8), sparse(16, 4).message_list())
    >>> tighten_bound(traffic, 3, 0, 320, solve, lambda: 10.0)
    105
    """
    if not counts(traffic):
        return bound

    margin = int(floating)  # in steps: far more than such a solver is wrong by, as factors are a few thousand

    def excludes(units: int) -> bool:
        outcome = solve(_Legs(traffic, most, units, margin).statement(), 0, _half(left), {}, log)
        return outcome.status == "infeasible" or (outcome.bound or 0) > margin

    return bisect(traffic, bound, best, left, excludes)


def _half(left: Left) -> Left:
    """Return a clock for half of the time that is left: what cannot be proven takes all that it gets."""
    kept = max(left(), 0.0) / 2
    return lambda: left() - kept


@dataclass
class _Legs:
    """A message between groups that circuits connect crosses circuits, and has a leg inside a group before or after.

    Bits are counted in steps, each term rounded so that a sum is never above what it should be: as they are where they
    are few, or in equal parts of them where a margin of whole steps is kept.

    One leg is enough only if the circuit of its source leads into the group of its destination, or that of the
    destination into the group of the source, or both into the same third group. None is needed if a circuit joins its
    ends. Every leg but those of nodes without a circuit begins and ends at an owner of one; so do messages inside
    groups. No link carries more than `units`, so those of m owners do not carry more than m · `units` together.
    """

    traffic: Traffic
    most: int
    units: int
    margin: int
    builder: Builder = field(default_factory=Builder)
    into: dict[tuple[int, int], int] = field(default_factory=dict)  # node and group: whether its circuit leads there

    def __post_init__(self) -> None:
        sent = self.traffic.sent
        busiest = max(int(sent.sum(axis=0).max()), int(sent.sum(axis=1).max()), 1)
        if busiest > STEPS:
            self._scale = STEPS, busiest
        else:
            self._scale = STEPS // busiest if self.margin else 1, 1

    def statement(self) -> Statement:
        """Return a program that minimises how many steps links carry beyond `units`: 0 if some circuits keep to them.

        It has no solution if they are more than one beyond the margin.
        """
        hybrid = self.traffic.hybrid
        for node in range(hybrid.nodes):
            for group in range(hybrid.groups):
                if group != hybrid.group_of(node):
                    self.into[node, group] = self.builder.variable()
        self._add_owners()
        second, direct = self._second_legs(), self._direct()
        excess = self.builder.variable(self.margin + 1)  # minimised: so that a solver looks at the linear relaxation
        for ends in (0, 1):
            self._add_links(ends, second, direct, excess)
        return self.builder.build(((excess, 1),), (), tight=True)

    def _owner(self, node: int, factor: int) -> list[tuple[int, int]]:
        """Return `factor` times whether a node owns a circuit."""
        groups = range(self.traffic.hybrid.groups)
        return [(self.into[node, group], factor) for group in groups if (node, group) in self.into]

    def _add_owners(self) -> None:
        hybrid, sent = self.traffic.hybrid, self.traffic.sent
        busy = np.maximum(sent.sum(axis=0), sent.sum(axis=1)) > self.units
        nodes = range(hybrid.nodes)
        for node in nodes:
            self.builder.row(self._owner(node, 1), least=int(busy[node]), most=1)
        self.builder.row([term for node in nodes for term in self._owner(node, 1)], most=2 * self.most)
        for a, b in combinations(range(hybrid.groups), 2):
            leave = [(self.into[node, b], 1) for node in nodes if hybrid.group_of(node) == a]
            enter = [(self.into[node, a], -1) for node in nodes if hybrid.group_of(node) == b]
            self.builder.row([*leave, *enter], least=0, most=0)

    def _second_legs(self) -> dict[tuple[int, int], int]:
        """Return by source and destination whether a message has a second leg."""
        hybrid, second = self.traffic.hybrid, {}
        for source, destination in self.traffic.pairs:
            home, away = hybrid.group_of(source), hybrid.group_of(destination)
            second[source, destination] = self.builder.variable()
            spared = [(self.into[source, away], 1), (self.into[destination, home], 1)]
            for third in set(range(hybrid.groups)) - {home, away}:
                spared.append((self._both((source, third), (destination, third)), 1))
            self.builder.row([(second[source, destination], 1), *spared], least=1)
        return second

    def _direct(self) -> dict[tuple[int, int], int]:
        """Return by source and destination whether a circuit joins them; each node has one at most."""
        hybrid = self.traffic.hybrid
        direct: dict[tuple[int, int], int] = {}
        for a, b in self.traffic.pairs:
            if (b, a) in direct:
                direct[a, b] = direct[b, a]
            else:
                direct[a, b] = self._both((a, hybrid.group_of(b)), (b, hybrid.group_of(a)))
        for node in range(hybrid.nodes):
            own = {(variable, 1) for pair, variable in direct.items() if node in pair}
            self.builder.row([*own, *self._owner(node, -1)], most=0)
        return direct

    def _both(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """Return a variable that is 1 only if both circuits lead there."""
        both = self.builder.variable()
        for key in (one, other):
            self.builder.row([(self.into[key], 1), (both, -1)], least=0)
        return both

    def _add_links(
        self, end: int, second: dict[tuple[int, int], int], direct: dict[tuple[int, int], int], excess: int
    ) -> None:
        """Add what the links of owners carry together: out (end 0) or in (end 1)."""
        sent = self.traffic.sent
        beyond = (sent.sum(axis=1 - end) - self.units).tolist()
        shared = []
        for pair, variable in second.items():
            bits = int(sent[pair])
            shared += [(variable, self._steps(bits)), (direct[pair], self._steps(-bits))]
        own = [self._steps(bits) for bits in beyond]
        # An owner that makes up for all others keeps the row by itself: no need for a larger factor.
        all_others = sum(max(steps, 0) for steps in (*own, *(steps for _, steps in shared)))
        carried = [term for node, steps in enumerate(own) for term in self._owner(node, max(steps, -all_others))]
        self.builder.row([*carried, *shared, (excess, -1)], most=0)

    def _steps(self, bits: int) -> int:
        times, parts = self._scale
        return bits * times // parts
