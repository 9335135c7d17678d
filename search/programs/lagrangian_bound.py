"""The Lagrangian bound: branch and bound over the numbers of circuits between groups, by Lagrangian relaxation.

For networks with one port per node and traffic between nearly all nodes.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .bisection import bisect, may_count
from .integer_program import TimeLeft
from .traffic import ScaledTraffic

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

MAX_BOXES = 20_000  # nodes of the branch-and-bound tree
_BATCH = 256  # boxes evaluated together
_INVERSE_TOLERANCE = 200  # the bisection stops within 1 / 200 of the bound
_ROOT_STEPS, _LATER_STEPS = 60, 6  # subgradient steps for the root box, and for later ones
_ROUNDING = 1e-9  # rounding error of sums of floats, relative to the total traffic


def tighten_bound(
    traffic: ScaledTraffic, max_circuits: int, bound: int, best: int, seconds_left: TimeLeft, max_boxes: int = MAX_BOXES
) -> int:
    """Return a lower bound of the bottleneck time in ticks: the larger of `bound` and the Lagrangian bound.

    A message from node s of group A to node t of group B, if circuits connect all groups, enters some owner of a
    circuit over a segment inside a group, in addition to the segment into t if t is an owner; unless the circuit of s
    leads into B, or that of t into A, or both into the same third group C. So with x(v, X) = 1 if the circuit of v
    leads into X, the w(s, t) bits add at least the following to the load of the links of owners:

        w · (1 - x(s, B) - x(t, A) + x(s, B) · x(t, A) - Σ x(s, C) · x(t, C)).

    If n(A, B) circuits join two groups, the savings counted twice (fourth term) are bounded below by the n(A, B)
    shortest messages from s into B, and the savings via a common third group (last term) above by the n(B, C) longest;
    likewise for messages into t. The mean of both is used. The load of all owners is the traffic addressed to them plus
    these segments, less the traffic carried end to end by circuits; if it must exceed m · T for m owners, no assignment
    reaches the target T. The same holds for the traffic that owners send.

    For counts n in a box, the choice of a group for each node is a transportation problem. Its Lagrangian relaxation
    prunes the box if the minimum of load less m · T is above 0; otherwise the box is split.

    Parameters
    ----------
    traffic
        The traffic.
    max_circuits
        Maximum number of circuits.
    bound, best
        A known lower bound, and the bottleneck time of known circuits.
    seconds_left
        Returns the seconds left.
    max_boxes
        Maximum number of boxes before the test of a target is abandoned.

    References
    ----------
    Fisher, The Lagrangian relaxation method for solving integer programming problems, 1981; Held, Wolfe and Crowder,
    Validation of subgradient optimization, 1974. The relaxation itself is original to this project.

    Examples
    --------
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import dense
    >>> from .traffic import traffic_of
    >>> traffic = traffic_of(Hybrid(4, 8), dense(32).message_list())
    >>> tighten_bound(traffic, 8, 0, 10**12, lambda: 60.0) > 0
    True
    """
    if not may_count(traffic):
        return bound
    savings = _Savings.of(traffic)

    def excludes(target: int) -> bool:
        return _is_excluded(savings, max_circuits, target, seconds_left, max_boxes)

    return bisect(traffic, bound, best, seconds_left, excludes, _INVERSE_TOLERANCE)


@dataclass(frozen=True)
class _Boxes:
    """Ranges of the numbers of circuits between groups, and their Lagrange multipliers: [box, group, group]."""

    least: Counts
    most: Counts
    price: Numbers

    def __getitem__(self, chosen: NDArray[np.bool_] | slice) -> "_Boxes":
        return _Boxes(self.least[chosen], self.most[chosen], self.price[chosen])

    def __len__(self) -> int:
        return len(self.least)

    def __add__(self, other: "_Boxes") -> "_Boxes":
        least, most = np.concatenate([self.least, other.least]), np.concatenate([self.most, other.most])
        return _Boxes(least, most, np.concatenate([self.price, other.price]))


@dataclass(frozen=True)
class _Savings:
    """The effect of owning a circuit on the load of owners, in bits.

    Attributes
    ----------
    group : int64[nodes]
        Group of each node.
    between
        Total traffic between groups.
    own : float64[nodes]
        Mean of the traffic that a node sends and receives.
    peak : float64[nodes]
        Maximum of the two.
    circuit_saving : float64[nodes, groups]
        Saving of a circuit into a group, without savings counted twice.
    shortest_sums, longest_sums : float64[nodes, groups, size + 1]
        Sums of the k shortest and k longest messages between a node and a group, the mean of both directions.
    """

    group: Counts
    between: float
    own: Numbers
    peak: Numbers
    circuit_saving: Numbers
    shortest_sums: Numbers
    longest_sums: Numbers

    @classmethod
    def of(cls, traffic: ScaledTraffic) -> "_Savings":
        """Return the savings for some traffic."""
        hybrid = traffic.hybrid
        nodes, groups, size = hybrid.nodes, hybrid.groups, hybrid.nodes_per_group
        sent, group = traffic.sent.astype(np.float64), np.asarray(hybrid.group)
        blocks = np.stack([sent.reshape(nodes, groups, size), sent.T.reshape(nodes, groups, size)])
        blocks[:, np.arange(nodes), group] = 0
        ascending = np.sort(blocks, axis=3)
        shortest_sums, longest_sums = (
            np.insert(np.cumsum(sums, axis=3), 0, 0, axis=3).sum(axis=0) / 2
            for sums in (ascending, ascending[..., ::-1])
        )
        mutual = blocks.sum(axis=0)
        circuit_saving = mutual.sum(axis=2) + mutual.max(axis=2) / 2
        ends = np.stack([sent.sum(axis=0), sent.sum(axis=1)])
        return cls(
            group,
            float(blocks[0].sum()),
            ends.mean(axis=0),
            ends.max(axis=0),
            circuit_saving,
            shortest_sums,
            longest_sums,
        )

    @property
    def size(self) -> int:
        """Number of nodes per group."""
        return int(self.shortest_sums.shape[2]) - 1

    @property
    def groups(self) -> int:
        """Number of groups."""
        return int(self.shortest_sums.shape[1])

    def costs(self, boxes: _Boxes, target: int) -> Numbers:
        """Return lower bounds of load less target, for a circuit from a node into a group: [box, node, group]."""
        node, group = np.arange(len(self.group))[:, None], np.arange(self.groups)
        counted_twice = self.shortest_sums[node, group, boxes.least[:, self.group]]
        via_third = self.longest_sums[node[..., None], group[:, None], boxes.most[:, None]].sum(axis=2)
        costs: Numbers = (self.own - target)[:, None] - self.circuit_saving + counted_twice - via_third
        costs[:, node[:, 0], self.group] = np.inf  # not into its own group
        return costs


def _is_excluded(savings: _Savings, max_circuits: int, target: int, seconds_left: TimeLeft, max_boxes: int) -> bool:
    """Whether no circuits keep the links of all owners to a target number of bits, by branch and bound."""
    shape = (1, savings.groups, savings.groups)
    upper = np.where(np.eye(savings.groups, dtype=bool), 0, min(savings.size, max_circuits))[None]
    waiting, evaluated = _Boxes(np.zeros(shape, dtype=np.int64), upper, np.zeros(shape)), 0
    while len(waiting):
        if evaluated > max_boxes or seconds_left() <= 0:
            return False
        waiting, boxes = waiting[:-_BATCH], waiting[-_BATCH:]  # depth first: the last boxes are the smallest
        evaluated += len(boxes)
        boxes, values = _relax(savings, boxes, max_circuits, target)
        # A minimum above 0 by no more than rounding errors excludes nothing.
        boxes = boxes[values <= _ROUNDING * (savings.between + savings.own.sum())]
        if (boxes.least == boxes.most).all(axis=(1, 2)).any():
            return False  # a single point that the relaxation does not exclude
        waiting = waiting + _split(boxes, savings.size, max_circuits)
    return True


def _relax(savings: _Savings, boxes: _Boxes, max_circuits: int, target: int) -> tuple[_Boxes, Numbers]:
    """Return boxes with better multipliers, and lower bounds of the load of owners less the target for each.

    The constraint that x agrees with the counts n is relaxed by a multiplier per ordered pair of groups. Then each node
    picks its cheapest group, or none, by itself, and the counts are chosen greedily; subgradient steps follow the
    violation. By weak duality the bound is valid for all multipliers.
    """
    # A node that sends or receives more than the target cannot do without a circuit.
    costs, ownerless_cost = savings.costs(boxes, target), np.where(savings.peak > target, np.inf, 0.0)
    steps = _ROOT_STEPS if len(boxes) == 1 else _LATER_STEPS
    best, value = boxes, np.full(len(boxes), -np.inf)
    price = boxes.price
    scale = savings.between / len(savings.group)
    for step in range(steps):
        priced = costs + price[:, savings.group]
        choice = priced.argmin(axis=2)
        least = np.take_along_axis(priced, choice[..., None], axis=2)[..., 0]
        owns = least < ownerless_cost
        counted, paid = _best_counts(boxes, price, max_circuits)
        load = savings.between + np.where(owns, least, ownerless_cost).sum(axis=1) - paid
        better = load > value
        value = np.where(better, load, value)
        best = _Boxes(boxes.least, boxes.most, np.where(better[:, None, None], price, best.price))
        leads = owns[..., None] & (choice[..., None] == np.arange(savings.groups))
        chosen = leads.reshape(len(boxes), savings.groups, savings.size, savings.groups).sum(axis=2)
        # Steps tend to 0 and their sum diverges, as convergence of a subgradient method requires.
        price = price + scale / (2 + step) * (chosen - counted) / savings.size
    return best, value


def _best_counts(boxes: _Boxes, price: Numbers, max_circuits: int) -> tuple[Counts, Numbers]:
    """Return the counts in boxes with the maximum price, at most `max_circuits` in total, and that price."""
    pairs = list(combinations(range(price.shape[1]), 2))
    one, other = (np.array(ends) for ends in zip(*pairs, strict=True))
    # Every circuit counts the same against the limit, so filling the dearest pairs first is optimal.
    paid = price[:, one, other] + price[:, other, one]
    order = np.argsort(-paid, axis=1)
    least, highest = (np.take_along_axis(counts[:, one, other], order, axis=1) for counts in (boxes.least, boxes.most))
    ordered = np.take_along_axis(paid, order, axis=1)
    room = np.where(ordered > 0, highest - least, 0)
    room_before = np.cumsum(room, axis=1) - room
    remaining = np.maximum(max_circuits - least.sum(axis=1), 0)[:, None]
    count = least + np.clip(remaining - room_before, 0, room)
    counted = np.zeros_like(boxes.least)
    by_pair = np.empty_like(count)
    np.put_along_axis(by_pair, order, count, axis=1)
    counted[:, one, other] = counted[:, other, one] = by_pair
    return counted, (count * ordered).sum(axis=1)


def _split(boxes: _Boxes, size: int, max_circuits: int) -> _Boxes:
    """Return both halves of every box along its widest side, reduced to the ports and circuits available."""
    groups = boxes.least.shape[1]
    width = np.triu(boxes.most - boxes.least).reshape(len(boxes), groups * groups)
    one, other = np.divmod(width.argmax(axis=1), groups)
    box = np.arange(len(boxes))
    middle = (boxes.least[box, one, other] + boxes.most[box, one, other]) // 2
    lower, upper = boxes.most.copy(), boxes.least.copy()
    lower[box, one, other] = lower[box, other, one] = middle
    upper[box, one, other] = upper[box, other, one] = middle + 1
    least, highest = np.concatenate([boxes.least, upper]), np.concatenate([lower, boxes.most])
    ports = size - least.sum(axis=2)
    free = np.minimum(ports[:, :, None], ports[:, None, :])
    circuits = max_circuits - least.sum(axis=(1, 2)) // 2
    highest = np.minimum(highest, least + np.minimum(free, circuits[:, None, None]))
    nonempty = (highest >= least).all(axis=(1, 2))
    return _Boxes(least, highest, np.concatenate([boxes.price, boxes.price]))[nonempty]
