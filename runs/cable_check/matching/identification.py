"""Which device of a design each device of a fabric is, from the cables."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.runs.imports.fabric_names import natural

from ..devices import CabledDevices
from .symmetry import Colours, automorphisms, colour_rounds, lowest_devices, representatives

SAME_PORT = 16  # votes of a cable whose far end has the port number of the design, and of one that has not
OTHER_PORT = 1
MIN_STARTS, MAX_STARTS = 2, 16  # devices of the fabric from which the identification is tried
DEVICES = 8192  # of all trials together, if more than the fewest are made
FULL_TRIALS = 8  # images of each of them for which it is completed
SHORT = 64  # devices of a trial that selects these


def agreeing_ends(design: CabledDevices, found: CabledDevices, device: Ints) -> NDArray[np.bool_]:
    """Return which ends of a fabric have a cable that is in the design, as bool[ends]; both have the same width."""
    width = design.width
    result = np.zeros(len(found.mate), dtype=np.bool_)
    end = np.flatnonzero(found.mate >= 0)
    own, far = device[end // width], device[found.mate[end] // width]
    known = (own >= 0) & (far >= 0)
    target = own * width + end % width
    # Unknown devices have -1: they look up end 0, and the mask drops what it says.
    result[end] = known & (design.mate[np.where(known, target, 0)] == far * width + found.mate[end] % width)
    return result


def agreeing(design: CabledDevices, found: CabledDevices, device: Ints) -> int:
    """Return the number of cables of a fabric that are in the design."""
    return int(agreeing_ends(design, found, device).sum()) // 2


def grown(
    design: CabledDevices,
    found: CabledDevices,
    device: Ints,
    start: Iterable[tuple[int, int]],
    limit: int | None = None,
) -> Ints:
    """Return an identification extended along cables, port by port.

    Every cable of an identified device votes for the device at its other end. The pair with the most votes is next, so
    that a wrong cable is outvoted by the others of the devices at its ends.

    Parameters
    ----------
    design, found
        Of the same width.
    device
        The identification so far.
    start
        Pairs of a device of the fabric and one of the design to begin with.
    limit
        Number of devices to identify, at most.
    """
    width, mate, far_mate = design.width, design.mate.tolist(), found.mate.tolist()
    kinds, far_kinds = design.is_switch.tolist(), found.is_switch.tolist()
    result, taken = device.tolist(), {*device[device >= 0].tolist()}
    votes: dict[tuple[int, int], int] = {}
    # The count of pushes decides between equal votes, so that the same files give the same identification.
    heap = [(-SAME_PORT, order, *pair) for order, pair in enumerate(start)]
    fixed = [pair for pair in enumerate(result) if pair[1] >= 0]
    order, left = len(heap), len(result) if limit is None else limit
    while True:
        for own, target in fixed:
            for port in range(1, width):
                end, wanted = far_mate[own * width + port], mate[target * width + port]
                if end < 0 or wanted < 0:
                    continue
                pair = other, image = end // width, wanted // width
                if result[other] >= 0 or image in taken or far_kinds[other] != kinds[image]:
                    continue
                votes[pair] = votes.get(pair, 0) + (SAME_PORT if end % width == wanted % width else OTHER_PORT)
                # Entries with fewer votes stay in the heap: they come out later, when the pair is decided.
                heapq.heappush(heap, (-votes[pair], order, *pair))
                order += 1
        fixed = []
        while heap and not fixed and left:
            _, _, own, target = heapq.heappop(heap)
            if result[own] < 0 and target not in taken:
                result[own] = target
                taken.add(target)
                fixed = [(own, target)]
                left -= 1
        if not fixed:
            return np.array(result, dtype=np.int64)


def identified(
    design: CabledDevices, found: CabledDevices, device: Ints, *, is_named: bool, hosts: Sequence[str] | None = None
) -> tuple[Ints, int, int]:
    """Return an identification of all devices that agrees with the design in as many cables as can be found.

    Without pinned devices it starts at a device whose surroundings are those of a device of the design out to the
    largest distance, since wrong cables are far from it, and tries all devices of the design that may be its image, one
    for each orbit of the automorphisms.

    Parameters
    ----------
    design, found
        Of the same width. Devices of the fabric in a plane have images in that plane.
    device
        The pinned devices; -1 for others.
    is_named
        Whether names pin some. Else devices that no cable identifies are identified in order.
    hosts
        The host of each device of the fabric, empty where it is unknown, for devices that are identified in order: its
        adapters are of one node.

    Returns
    -------
    int64[devices of the fabric]
        The device of the design; -1 for devices that are not in the design.
    int
        Number of automorphisms of the design that keep port numbers: this is one of as many identifications that agree
        equally. It is 1 if some devices are pinned.
    int
        Number of devices that no cable identifies: they have been identified in order.
    """
    if is_named:
        return grown(design, found, device, ()), 1, 0
    hosts = hosts or [""] * len(found)
    if (device >= 0).any():
        result = grown(design, found, device, ())
        return result, 1, _guess(design, found, result, hosts)
    result = device.copy()
    rounds = colour_rounds(design), colour_rounds(found)
    component = lowest_devices(design)
    groups = {
        int(root): automorphisms(design, rounds[0][-1], np.flatnonzero(component == root))
        for root in np.unique(component[design.is_switch])
    }
    total = len(np.flatnonzero(found.mate >= 0)) // 2
    # One component at a time, since a start identifies only what its cables reach.
    while (result[found.is_switch] < 0).any():
        best, best_score = result, agreeing(design, found, result)
        for own, images in _starts(design, found, result, rounds):
            for image in _promising(design, found, result, own, _first_of_orbits(images, component, groups)):
                trial = _regrown(design, found, grown(design, found, result, [(own, image)]))
                if (score := agreeing(design, found, trial)) > best_score:
                    best, best_score = trial, score
            # No identification can agree in more cables than the fabric has.
            if best_score == total:
                break
        if best is result:
            break
        result = best
    guesses = _guess(design, found, result, hosts)
    return result, prod(order for order, _ in groups.values()), guesses


def switches_in_order(design: CabledDevices, found: CabledDevices) -> Ints | None:
    """Return the switches of each plane of a fabric with the numbers that an import gives them: by their names.

    Returns
    -------
    int64[devices of the fabric] or None
        The switch of the design, -1 for adapters; None if a plane has another number of switches, or some alike names.
    """
    device = np.full(len(found), -1, dtype=np.int64)
    for plane in np.unique(design.plane[design.is_switch]):
        listed = np.flatnonzero(found.is_switch & (found.plane == plane)).tolist()
        switches = np.flatnonzero(design.is_switch & (design.plane == plane))
        if len({found.names[each] for each in listed}) < len(listed) or len(listed) != len(switches):
            return None
        device[sorted(listed, key=lambda each: natural(found.names[each]))] = switches
    return device


def _regrown(design: CabledDevices, found: CabledDevices, device: Ints) -> Ints:
    """Return an identification improved by identifying devices again that have a cable that is not in the design.

    Adjacent devices may have been exchanged together with their adapters, which are therefore identified again as well.
    """
    score, width = agreeing(design, found, device), found.width
    while True:
        wrong = (found.mate >= 0) & ~agreeing_ends(design, found, device)
        doubtful = np.zeros(len(found), dtype=np.bool_)
        doubtful[np.flatnonzero(wrong) // width] = True
        neighbours = found.mate.reshape(-1, width)[doubtful]
        adapters = neighbours[neighbours >= 0] // width
        doubtful[adapters[~found.is_switch[adapters]]] = True
        kept = np.where(doubtful, -1, device)
        if not doubtful.any() or (kept < 0).all():
            return device
        trial = grown(design, found, kept, ())
        # Strictly better in every round, so that the loop ends.
        if (better := agreeing(design, found, trial)) <= score:
            return device
        device, score = trial, better


def _starts(
    design: CabledDevices, found: CabledDevices, device: Ints, rounds: tuple[Sequence[Colours], Sequence[Colours]]
) -> Iterator[tuple[int, list[int]]]:
    """Yield switches of a fabric far from wrong cables, each with its possible images, in order of preference."""
    left, free = found.is_switch & (device < 0), design.is_switch.copy()
    free[device[device >= 0]] = False
    depth = np.full(len(found), -1)
    for radius, (colours, far_colours) in enumerate(zip(*rounds, strict=True)):
        depth[left & np.isin(far_colours, colours[free])] = radius
    # The first ones would be neighbours: take starts that are spread evenly over the list.
    starts = min(max(DEVICES // len(found), MIN_STARTS), MAX_STARTS)
    order = np.flatnonzero((depth >= 0) & (depth == depth.max(initial=0)))
    for own in order[np.unique(np.linspace(0, max(len(order) - 1, 0), starts).astype(int))[: len(order)]].tolist():
        same = free & (rounds[0][depth[own]] == rounds[1][depth[own]][own])
        if found.plane[own] >= 0:
            same &= design.plane == found.plane[own]
        yield own, np.flatnonzero(same).tolist()


def _first_of_orbits(images: list[int], component: Ints, groups: dict[int, tuple[int, tuple[Ints, ...]]]) -> list[int]:
    """Return one image for each orbit."""
    by_component: dict[int, list[int]] = {}
    for image in images:
        by_component.setdefault(int(component[image]), []).append(image)
    return [image for root, part in by_component.items() for image in representatives(part, groups[root][1])]


def _promising(
    design: CabledDevices, found: CabledDevices, device: Ints, own: int, images: Sequence[int]
) -> Sequence[int]:
    """Return the images for which the first devices agree best."""
    if len(images) <= FULL_TRIALS:
        return images

    def score(image: int) -> int:
        return agreeing(design, found, grown(design, found, device, [(own, image)], SHORT))

    # Stable in reverse too: images with equal scores stay in the order of the design.
    return sorted(images, key=score, reverse=True)[:FULL_TRIALS]


def _guess(design: CabledDevices, found: CabledDevices, device: Ints, hosts: Sequence[str]) -> int:
    """Identify the remaining devices of each kind in order, those of a plane in that plane; return their number.

    An adapter is of the node that others of its host are; without any, of a node that nothing is yet, if there is one.
    Hosts with a node come first and devices without hosts last, so that they do not take the places of others.
    """
    free = np.ones(len(design), dtype=np.bool_)
    free[device[device >= 0]] = False
    node = np.unique(np.array(design.names), return_inverse=True)[1]
    is_new = np.ones(len(design), dtype=np.bool_)
    is_new[node[~free]] = False
    node_of = {hosts[own]: int(node[device[own]]) for own in np.flatnonzero(device >= 0).tolist() if hosts[own]}
    left, guesses = np.flatnonzero(device < 0).tolist(), 0
    for own in sorted(left, key=lambda each: (not hosts[each], hosts[each] not in node_of)):
        same = free & (design.is_switch == found.is_switch[own])
        if found.plane[own] >= 0 and (in_plane := same & (design.plane == found.plane[own])).any():
            same = in_plane
        known = node_of.get(hosts[own])
        of_host = same & (is_new[node] if known is None else node == known)
        if hosts[own] and of_host.any():
            same = of_host
        if same.any():
            target = device[own] = int(np.argmax(same))
            free[target] = is_new[node[target]] = False
            guesses += 1
            if hosts[own]:
                node_of.setdefault(hosts[own], int(node[target]))
    return guesses
