"""Cables of a fabric at the ports of a design, for comparisons that ignore port numbers."""

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.models.arrays import Ints

Pair = tuple[int, int]


def ends_at_designed_ports(mate: Ints, width: int, cables: Sequence[Pair]) -> list[Pair]:
    """Return both ends of each cable of a fabric, at ports chosen so that it differs from a design as little as it can.

    A cable between two devices is one of the design between them, as long as there are any left. Of the others, as
    many as possible share an end with a cable that is missing at the same device: each of these becomes that cable in
    one move. Their other ends are at the ports of further missing cables, or else at ports that should be free.

    Parameters
    ----------
    mate : int64[devices * width]
        The cables of the design, as in `CabledDevices`.
    width
        Larger than any port number, and than the number of ports of the design and of the fabric of any device.
    cables
        The devices at both ends of each cable of the fabric.

    Examples
    --------
    >>> mate = np.full(9, -1)  # three devices with up to two ports; cables 0-1 and 1-2 at ports 1, 2 and 1, 1
    >>> mate[[1, 5, 4, 7]] = [5, 1, 7, 4]
    >>> ends_at_designed_ports(mate, 3, [(2, 1), (0, 2)])
    [(7, 4), (1, 8)]
    """
    left: dict[Pair, deque[Pair]] = {}
    for end in np.flatnonzero(mate > np.arange(len(mate))).tolist():
        other = int(mate[end])
        left.setdefault((end // width, other // width), deque()).append((end, other))
    result: list[Pair | None] = []
    for first, second in cables:
        same = left.get((min(first, second), max(first, second)))
        low_high = same.popleft() if same else None
        result.append(low_high if low_high is None or first <= second else low_high[::-1])
    surplus = [index for index, ends in enumerate(result) if ends is None]
    missing = [ends for same in left.values() for ends in same]
    placed = _placed(mate, width, [cables[index] for index in surplus], missing)
    return [next(placed) if ends is None else ends for ends in result]


def _placed(mate: Ints, width: int, surplus: Sequence[Pair], missing: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the ends of cables that are not in a design, at ports of those that are missing, or at free ones."""
    partners = _partners(surplus, [(first // width, second // width) for first, second in missing])
    kept: list[Pair | None] = []  # the side of a cable at which it shares an end with a missing one, and that end
    for devices, partner in zip(surplus, partners, strict=True):
        ends = () if partner is None else missing[partner]
        kept.append(next(((devices.index(end // width), end) for end in ends if end // width in devices), None))
    taken = {each[1] for each in kept if each is not None}
    free: dict[int, deque[int]] = {}
    for end in (end for ends in missing for end in ends if end not in taken):
        free.setdefault(end // width, deque()).append(end)
    for device in sorted({device for devices in surplus for device in devices}):
        ports = range(device * width + 1, (device + 1) * width)
        free.setdefault(device, deque()).extend(end for end in ports if mate[end] < 0)
    for devices, each in zip(surplus, kept, strict=True):
        first, second = (
            each[1] if each is not None and each[0] == side else free[device].popleft()
            for side, device in enumerate(devices)
        )
        yield first, second


def _partners(surplus: Sequence[Pair], missing: Sequence[Pair]) -> list[int | None]:
    """Return for each of some cables a missing one with a common device, each once, for as many as possible.

    Alternating paths, each found by a breadth-first search, enlarge a matching until it is a maximum one.
    """
    at: dict[int, list[int]] = {}
    for index, devices in enumerate(missing):
        for device in devices:
            at.setdefault(device, []).append(index)
    partner: list[int | None] = [None] * len(surplus)
    owner: list[int | None] = [None] * len(missing)
    # One search from each is enough: a start without an augmenting path has none after later augmentations either.
    for start in range(len(surplus)):
        reached_from: dict[int, int] = {}
        last: int | None = None
        frontier = deque([start])
        while frontier and last is None:
            own = frontier.popleft()
            for target in (target for device in set(surplus[own]) for target in at.get(device, ())):
                if target in reached_from:
                    continue
                reached_from[target] = own
                holder = owner[target]
                if holder is None:
                    last = target
                    break
                frontier.append(holder)
        # Back along the path: each takes the missing cable that it reached, and leaves its former one to the one
        # before.
        while last is not None:
            own = reached_from[last]
            partner[own], owner[last], last = last, own, partner[own]
    return partner
