"""A bound from how many circuits join every two groups, for traffic between nearly all nodes.

For networks with one port for each node. A branch and bound of its own: over boxes of counts, by their Lagrangian
relaxation.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .counting import bisect, may_count
from .statement import Left
from .traffic import Traffic

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

MAX_BOXES = 20_000  # of a branch and bound
_BATCH = 256  # boxes at a time
_FINE = 200  # a bound is found to such a part of itself
_FIRST, _LATER = 60, 6  # steps of the relaxation: of the first box, and of parts of one
_ROUNDING = 1e-9  # what sums of floats may be wrong by, relative to all that is sent


def tighten_bound(traffic: Traffic, most: int, bound: int, best: int, left: Left, max_boxes: int = MAX_BOXES) -> int:
    """Return a bottleneck time in ticks that no circuits are below: `bound`, or one that counting circuits proves.

    A message from node s of group A to node t of group B, where circuits connect all groups, has a leg that ends at an
    owner of a circuit besides the one into t if t owns one; unless the circuit of s leads into B, or that of t into A,
    or both into the same third group C. So with x(v, X) = 1 if the circuit of v leads into X, all w(s, t) bits cost

        w · (1 - x(s, B) - x(t, A) + x(s, B) · x(t, A) - Σ x(s, C) · x(t, C)).

    If n(A, B) circuits join two groups, the bits of the fourth term add up to those of the n(A, B) shortest messages
    from s into B at least, and those of the last to the n(B, C) longest at most; or the same of messages into t. The
    mean of both is taken. What owners get in all is what they are sent, and this, less what circuits carry from end to
    end; m owners that keep to a bound get m times the bound at most. The same holds for what they send.

    For counts in a box, which node leads where is a transport problem. Its Lagrangian relaxation excludes the box if
    even the least that owners get, less what they may, is above 0; else the box is split.

    Parameters
    ----------
    traffic
        What is sent.
    most
        How many circuits there may be.
    bound, best
        What is known: a bound, and the bottleneck time of some circuits.
    left
        Tells how many seconds are left.
    most_boxes
        How many boxes are looked at before it is left open whether a bottleneck time is excluded.

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
    spared = _Spared.of(traffic)
    return bisect(traffic, bound, best, left, lambda units: _excluded(spared, most, units, left, max_boxes), _FINE)


@dataclass(frozen=True)
class _Boxes:
    """Least and most circuits between groups, and prices of leading from a group into another: [box, group, group]."""

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
class _Spared:
    """What it spares to own a circuit, and what it costs, in bits.

    Attributes
    ----------
    group : int64[nodes]
    between
        All that is sent between groups.
    own : float64[nodes]
        What a node sends and receives, half of it.
    peak : float64[nodes]
        The larger one of both.
    into : float64[nodes, groups]
        What a circuit into a group spares, whatever else there is.
    few, many : float64[nodes, groups, size + 1]
        The shortest and the longest so many messages from a node into a group, and to it; half of each.
    """

    group: Counts
    between: float
    own: Numbers
    peak: Numbers
    into: Numbers
    few: Numbers
    many: Numbers

    @classmethod
    def of(cls, traffic: Traffic) -> "_Spared":
        """Return what circuits spare of some traffic."""
        hybrid = traffic.hybrid
        nodes, groups, size = hybrid.nodes, hybrid.groups, hybrid.nodes_per_group
        sent, group = traffic.sent.astype(np.float64), np.asarray(hybrid.group)
        blocks = np.stack([sent.reshape(nodes, groups, size), sent.T.reshape(nodes, groups, size)])
        blocks[:, np.arange(nodes), group] = 0
        ascending = np.sort(blocks, axis=3)
        few, many = (
            np.insert(np.cumsum(sums, axis=3), 0, 0, axis=3).sum(axis=0) / 2
            for sums in (ascending, ascending[..., ::-1])
        )
        both = blocks.sum(axis=0)
        into = both.sum(axis=2) + both.max(axis=2) / 2
        ends = np.stack([sent.sum(axis=0), sent.sum(axis=1)])
        return cls(group, float(blocks[0].sum()), ends.mean(axis=0), ends.max(axis=0), into, few, many)

    @property
    def size(self) -> int:
        """Nodes of a group."""
        return int(self.few.shape[2]) - 1

    @property
    def groups(self) -> int:
        """How many there are."""
        return int(self.few.shape[1])

    def costs(self, boxes: _Boxes, units: int) -> Numbers:
        """Return what it costs at least that a node leads into a group: [box, node, group]."""
        node, group = np.arange(len(self.group))[:, None], np.arange(self.groups)
        twice = self.few[node, group, boxes.least[:, self.group]]
        third = self.many[node[..., None], group[:, None], boxes.most[:, None]].sum(axis=2)
        costs: Numbers = (self.own - units)[:, None] - self.into + twice - third
        costs[:, node[:, 0], self.group] = np.inf  # not into its own
        return costs


def _excluded(spared: _Spared, most: int, units: int, left: Left, max_boxes: int) -> bool:
    """Whether no circuits keep all links of owners to so many bits."""
    shape = (1, spared.groups, spared.groups)
    whole = np.where(np.eye(spared.groups, dtype=bool), 0, min(spared.size, most))[None]
    waiting, judged = _Boxes(np.zeros(shape, dtype=np.int64), whole, np.zeros(shape)), 0
    while len(waiting):
        if judged > max_boxes or left() <= 0:
            return False
        waiting, boxes = waiting[:-_BATCH], waiting[-_BATCH:]  # the last ones first: they are the smallest
        judged += len(boxes)
        boxes, values = _relaxed(spared, boxes, most, units)
        boxes = boxes[values <= _ROUNDING * (spared.between + spared.own.sum())]
        if (boxes.least == boxes.most).all(axis=(1, 2)).any():
            return False
        waiting = waiting + _halved(boxes, spared.size, most)
    return True


def _relaxed(spared: _Spared, boxes: _Boxes, most: int, units: int) -> tuple[_Boxes, Numbers]:
    """Return boxes with better prices, and what owners get at least beyond what they may."""
    costs, alone = spared.costs(boxes, units), np.where(spared.peak > units, np.inf, 0.0)
    steps = _FIRST if len(boxes) == 1 else _LATER
    best, value = boxes, np.full(len(boxes), -np.inf)
    price = boxes.price
    scale = spared.between / len(spared.group)
    for step in range(steps):
        priced = costs + price[:, spared.group]
        choice = priced.argmin(axis=2)
        least = np.take_along_axis(priced, choice[..., None], axis=2)[..., 0]
        owns = least < alone
        counted, paid = _counted(boxes, price, most)
        found = spared.between + np.where(owns, least, alone).sum(axis=1) - paid
        better = found > value
        value = np.where(better, found, value)
        best = _Boxes(boxes.least, boxes.most, np.where(better[:, None, None], price, best.price))
        leads = owns[..., None] & (choice[..., None] == np.arange(spared.groups))
        chosen = leads.reshape(len(boxes), spared.groups, spared.size, spared.groups).sum(axis=2)
        price = price + scale / (2 + step) * (chosen - counted) / spared.size
    return best, value


def _counted(boxes: _Boxes, price: Numbers, most: int) -> tuple[Counts, Numbers]:
    """Return the counts in boxes, at most so many together, for which most is paid, and how much that is."""
    pairs = list(combinations(range(price.shape[1]), 2))
    one, other = (np.array(ends) for ends in zip(*pairs, strict=True))
    paid = price[:, one, other] + price[:, other, one]
    order = np.argsort(-paid, axis=1)
    least, highest = (np.take_along_axis(counts[:, one, other], order, axis=1) for counts in (boxes.least, boxes.most))
    ordered = np.take_along_axis(paid, order, axis=1)
    room = np.where(ordered > 0, highest - least, 0)
    before = np.cumsum(room, axis=1) - room
    left = np.maximum(most - least.sum(axis=1), 0)[:, None]
    count = least + np.clip(left - before, 0, room)
    counted = np.zeros_like(boxes.least)
    back = np.empty_like(count)
    np.put_along_axis(back, order, count, axis=1)
    counted[:, one, other] = counted[:, other, one] = back
    return counted, (count * ordered).sum(axis=1)


def _halved(boxes: _Boxes, size: int, most: int) -> _Boxes:
    """Return both halves of every box along its widest side, as far as there are ports and circuits for them."""
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
    circuits = most - least.sum(axis=(1, 2)) // 2
    highest = np.minimum(highest, least + np.minimum(free, circuits[:, None, None]))
    there = (highest >= least).all(axis=(1, 2))
    return _Boxes(least, highest, np.concatenate([boxes.price, boxes.price]))[there]
