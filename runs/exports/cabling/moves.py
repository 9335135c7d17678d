"""The order in which cables are moved from one wiring of a plane to another, so that it stays connected.

A cable of the old wiring is unplugged once, and one of the new wiring is plugged as soon as both of its ports are free,
so an order of the cables to unplug decides all moves.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Literal

from .move_walk import Action, Walk
from .plugged_plane import Cable

MAX_ENUMERATED = 10  # cables to unplug, of which all orders are tried
MAX_RESTARTED, RESTARTS = 300, 20  # cables to unplug for which random orders are tried, and their number
# When the switches of a plane are connected; its nodes may lose their last cable for a step. ``not in any order`` was
# proven for those without temporary cables, by trying all.
Outcome = Literal["in every step", "not in any order", "no order found"]


def plan_moves(
    old: frozenset[Cable],
    new: frozenset[Cable],
    other_links: Mapping[int, int],
    spare_ports: Mapping[int, Sequence[int]],
) -> tuple[Sequence[Action], Outcome]:
    """Return the actions from the old to the new wiring, given as for `Walk`, in an order, and when it is connected.

    All orders are tried if they are few, else that of the chains and some random ones. If none keeps the plane
    and its nodes connected, temporary cables between spare ports replace those that are needed; without spare ports,
    the order of the chains is taken, with the loss of connectivity that `Action.parts` and `Action.nodes_off` give.

    Examples
    --------
    A square becomes one with a crossing: while two of its four cables are replaced, it cannot stay connected without
    spare ports.

    >>> kept = [Cable(((0, 1), (1, 1)), True), Cable(((2, 1), (3, 1)), True)]
    >>> old = frozenset([*kept, Cable(((1, 2), (2, 2)), True), Cable(((0, 2), (3, 2)), True)])
    >>> new = frozenset([*kept, Cable(((1, 2), (3, 2)), True), Cable(((0, 2), (2, 2)), True)])
    >>> plan_moves(old, new, {}, {})[1]
    'not in any order'
    >>> actions, connected = plan_moves(old, new, {}, {switch: [3] for switch in range(4)})
    >>> connected, sum(action.temporary for action in actions)
    ('in every step', 2)
    """
    start = partial(Walk, old, new, other_links, spare_ports)
    order = list(_chains(old - new, new - old))
    few = len(order) <= MAX_ENUMERATED
    found = _enumerated(start(), order) if few else None
    if found is not None:
        return start().in_order(found).actions, "in every step"
    for tried in [] if few else _orders(order):
        walk = start()
        if not walk.greedy(tried):
            return walk.actions, "in every step"
    walk = start()
    if spare_ports and not walk.greedy(order, use_spare_ports=True):
        return walk.actions, "in every step"
    walk = start()
    walk.with_loss(walk.greedy(order))
    if all(action.parts == 1 for action in walk.actions):  # only nodes lose their last cable for some steps
        return walk.actions, "in every step"
    # Nodes that count as connected elsewhere: an order in which only they lose their last cable.
    links = {device: 1 for cable in old if not cable.between_switches for device, _ in cable.ends[1:]}
    found = _enumerated(Walk(old, new, links, spare_ports), order) if few else None
    if found is not None:
        return start().in_order(found).actions, "in every step"
    return walk.actions, "not in any order" if few else "no order found"


def _orders(order: Sequence[Cable]) -> Iterator[Sequence[Cable]]:
    """Yield orders to try: the given one, and if it is short, random ones."""
    yield order
    for seed in range(RESTARTS if len(order) <= MAX_RESTARTED else 0):
        yield Random(seed).sample(order, len(order))


def _chains(removed: frozenset[Cable], added: frozenset[Cable]) -> Iterator[Cable]:
    """Yield the cables to unplug: each followed by those whose ports the same new cables need."""
    old_at, new_at = ({end: cable for cable in some for end in cable.ends} for some in (removed, added))
    seen: set[Cable] = set()
    # Ties by the cable itself, since the order of a set is no rule.
    by_neighbours = sorted(removed, key=lambda cable: (sum(end in new_at for end in cable.ends), cable))
    for start in by_neighbours:  # the ends of open chains first
        stack = [start]
        while stack:
            cable = stack.pop()
            if cable in seen:
                continue
            seen.add(cable)
            yield cable
            for new in (new_at[end] for end in reversed(cable.ends) if end in new_at):
                stack += [old_at[end] for end in new.ends if end in old_at]


def _enumerated(walk: Walk, cables: Sequence[Cable]) -> list[Cable] | None:
    """Return an order that keeps the plane connected, found by depth-first search over sets of cables; None if none."""
    plane, order, failed = walk.plugged, list[Cable](), set[frozenset[Cable]]()

    def search() -> bool:
        unplugged = frozenset(order)
        if len(order) == len(cables):
            return True
        if unplugged in failed:
            return False
        for cable in cables:
            if cable in unplugged or plane.is_needed(cable):
                continue
            order.append(cable)
            plane.remove(cable)
            plugged = walk.released(cable)
            for new in plugged:
                plane.add(new)
            if search():
                return True
            order.pop()
            plane.add(cable)
            for new in plugged:
                plane.remove(new)
            walk.released(cable, -1)
        # What is plugged depends on which cables are unplugged, not on their order: no other order of these can
        # succeed.
        failed.add(unplugged)
        return False

    return order if search() else None
