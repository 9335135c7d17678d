"""Adapters of one host in several planes: they are of one node, which cables alone do not show."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from isoplane.models.arrays import Ints

from ..devices import CabledDevices

LINKS = 3  # between two adapters of a host: it outweighs their cables, a wrong one of which does not rename the host


def tied(
    design: CabledDevices, found: CabledDevices, hosts: Sequence[str], device: Ints
) -> tuple[CabledDevices, CabledDevices] | None:
    """Return both sides with links between the adapters of a node in consecutive planes; None without such hosts.

    An identification that keeps these links names the planes by one automorphism of the whole fabric, so that nodes
    that are exchanged in one plane differ from the design. So it is with few hosts: those without links lose nothing.

    Parameters
    ----------
    design, found
        Of the same width.
    hosts
        The host of each device of the fabric; empty for switches and where it is unknown.
    device
        The pinned devices; -1 for others.
    """
    nodes = ["" if is_switch else name for name, is_switch in zip(design.names, design.is_switch, strict=True)]
    linked, expected = _links(replace(found, plane=_planes(design, found, device)), hosts), _links(design, nodes)
    if not linked or not expected:
        return None
    return _with_links(design, expected), _with_links(found, linked)


def _planes(design: CabledDevices, found: CabledDevices, device: Ints) -> Ints:
    """Return the plane of each device of a fabric: that of its file, or of most of the pinned devices of that."""
    result = found.plane.copy()
    for file in np.unique(result[result >= 0]):
        planes = design.plane[device[(found.plane == file) & (device >= 0)]]
        if (planes >= 0).any():
            result[found.plane == file] = np.bincount(planes[planes >= 0]).argmax()
    return result


def _links(devices: CabledDevices, hosts: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of adapters of one host, each the only one in its plane, in a plane and the next."""
    at: dict[tuple[str, int], list[int]] = {}
    for device, (host, plane) in enumerate(zip(hosts, devices.plane.tolist(), strict=True)):
        if host and plane >= 0:
            at.setdefault((host, plane), []).append(device)
    pairs = ((first, at.get((host, plane + 1), [])) for (host, plane), first in at.items())
    return [(first[0], second[0]) for first, second in pairs if len(first) == len(second) == 1]


def _with_links(devices: CabledDevices, links: Sequence[tuple[int, int]]) -> CabledDevices:
    width = devices.width + 2 * LINKS
    mate = devices.widened(width)
    first, second = (np.array(side, dtype=np.int64) * width for side in zip(*links, strict=True))
    for number in range(LINKS):
        up, down = first + devices.width + number, second + devices.width + LINKS + number
        mate[up], mate[down] = down, up
    return replace(devices, width=width, mate=mate)
