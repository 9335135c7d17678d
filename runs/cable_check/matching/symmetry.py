"""Colours of devices by their surroundings, and the automorphisms of a design that keep port numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.mathematics.components import components

from ..devices import CabledDevices

Colours = NDArray[np.uint64]
ROUNDS = 16
MULTIPLIERS = tuple(np.uint64(value) for value in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))  # of SplitMix64


def _mixed(values: Colours) -> Colours:
    """Return well-mixed 64-bit hashes; colours only select where to look, so that collisions cost time, not truth."""
    for multiplier in MULTIPLIERS:
        values = (values ^ (values >> np.uint64(30))) * multiplier
    return values ^ (values >> np.uint64(31))


def colour_rounds(devices: CabledDevices) -> list[Colours]:
    """Return a colour of each device for each radius from 0.

    Two devices have the same colour at radius r if the devices within r cables of them look the same, walk by walk, by
    kind and port number.
    """
    table = devices.mate.reshape(len(devices), devices.width)
    # The mate -1 of a free port reads the last device; the mask below drops it.
    peer, peer_port = np.divmod(table, devices.width)
    port = np.arange(devices.width, dtype=np.uint64)
    labels = _mixed(port * np.uint64(1 << 20) + peer_port.astype(np.uint64) + np.uint64(1))
    colours = [_mixed(devices.is_switch.astype(np.uint64) + np.uint64(1))]
    for _ in range(ROUNDS):
        last = colours[-1]
        seen = np.where(table >= 0, _mixed(labels + last[peer]), np.uint64(0)).sum(axis=1, dtype=np.uint64)
        colours.append(_mixed(last * np.uint64(3) + seen))
    return colours


def lowest_devices(devices: CabledDevices) -> Ints:
    """Return the lowest device that cables lead to from each device."""
    end = np.flatnonzero(devices.mate >= 0)
    return components(len(devices), end // devices.width, devices.mate[end] // devices.width)


def extension(devices: CabledDevices, device: int, image: int) -> Ints | None:
    """Return the map of the component of a device onto that of its image that keeps kinds and ports.

    It is determined by one image, because cables lead from port to port; -1 outside of the component. None if there is
    no such map.
    """
    table, width = devices.mate.reshape(len(devices), devices.width), devices.width
    images = np.full(len(devices), -1, dtype=np.int64)
    images[device] = image
    frontier = np.array([device])
    if devices.is_switch[device] != devices.is_switch[image]:
        return None
    while len(frontier):
        ends, ends_of_images = table[frontier], table[images[frontier]]
        cabled = ends >= 0
        if not np.array_equal(cabled, ends_of_images >= 0):
            return None
        (peer, port), (target, target_port) = (np.divmod(each[cabled], width) for each in (ends, ends_of_images))
        is_new = images[peer] < 0
        frontier = np.unique(peer[is_new])
        # Two ends may give a device different images; the last one stays, and the comparison below finds the other.
        images[peer[is_new]] = target[is_new]
        same_kind = devices.is_switch[peer] == devices.is_switch[target]
        if not (same_kind.all() and np.array_equal(port, target_port) and np.array_equal(images[peer], target)):
            return None
    return images


def representatives(devices: Sequence[int], generators: Sequence[Ints]) -> list[int]:
    """Return the first device of each orbit of a group; devices of other components are separate orbits."""
    left, chosen = set(devices), []
    for device in devices:
        if device in left:
            chosen.append(device)
            left -= _orbit(device, generators)
    return chosen


def automorphisms(devices: CabledDevices, colours: Colours, members: Ints) -> tuple[int, tuple[Ints, ...]]:
    """Return the number of automorphisms of a component that keep kinds and ports, and maps that generate them.

    The maps are -1 outside of the component. Only the identity fixes a device, as a map is determined by one image.
    Hence there are as many automorphisms as images of any one device.

    Parameters
    ----------
    devices
        All devices.
    colours
        Colours that automorphisms keep.
    members
        The devices of the component.
    """
    _, class_of, sizes = np.unique(colours[members], return_inverse=True, return_counts=True)
    # The rarest colour leaves the fewest images to try.
    first = int(np.argmin(sizes[class_of]))
    base, *others = members[class_of == class_of[first]].tolist()
    generators: list[Ints] = []
    orbit, failed = {base}, set[int]()
    for other in others:
        if other in orbit or other in failed:
            continue
        found = extension(devices, base, other)
        if found is None:
            # Nor can the base reach what known automorphisms make of this device: it could reach this one by their
            # inverses.
            failed |= _orbit(other, generators)
            continue
        generators.append(found)
        orbit = _orbit(base, generators)
    return len(orbit), tuple(generators)


def _orbit(device: int, generators: Sequence[Ints]) -> set[int]:
    orbit, frontier = {device}, np.array([device])
    while len(frontier) and generators:
        images = np.unique(np.concatenate([generator[frontier] for generator in generators]))
        frontier = np.array([image for image in images.tolist() if image >= 0 and image not in orbit], dtype=np.int64)
        orbit.update(frontier.tolist())
    return orbit
