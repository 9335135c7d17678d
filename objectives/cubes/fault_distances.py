"""Distances after the loss of any one cable, switch, plane or rack of one or two planes of cubes."""

from math import comb

from isoplane.models import Cubes, Network
from isoplane.models.family_kinds.cube import cubes_of

from .. import _native


def after_plane_loss(cubes: Cubes) -> tuple[int | None, int | None]:
    """Return the diameter of the other plane, and its sum of distances: of a cube, whatever its generators."""
    if len(cubes.planes) == 1:
        return None, None
    n, links = cubes.n, cubes.n + cubes.folded
    hops = [min(differing, links - differing) if cubes.folded else differing for differing in range(n + 1)]
    return max(hops), sum(away * comb(n, differing) for differing, away in enumerate(hops)) << n


def after_losses(cubes: Cubes, sum_of_distances: int, diameter: int) -> tuple[int, int, int]:
    """Return the largest distance after the loss of a cable, and of a switch, and the sum of distances without a cable.

    Any offset of two or more hops has several shortest paths without a common cable or switch, so that a lost cable
    parts its two ends alone: over three other cables of its plane, in a folded square over two, or over another plane.
    All cables of a generator are alike, since adding an offset to all switches is an automorphism of all planes. The
    nodes of a lost switch have the diameter of the other plane.
    """
    links = [plane.links for plane in cubes.planes]
    reach = [(set(each), {a ^ b for a in each for b in each}) for each in links]
    longest = 2 if cubes.folded and cubes.n == 2 else 3
    hops = 1
    for plane, generators in enumerate(links):
        others = [near for number, near in enumerate(reach) if number != plane]
        for link in generators:
            near = [1 if link in one else 2 if link in two else longest for one, two in others]
            hops = max(hops, min([longest, *near]))
    switches = cubes.plane_switches
    of_plane = (cubes.n + 1) // 2 if cubes.folded else cubes.n
    after_switch = diameter if len(links) == 1 else of_plane
    return max(diameter, hops), after_switch, switches * sum_of_distances + 2 * (hops - 1)


def after_rack_loss(network: Network) -> tuple[int, int] | None:
    """Return the largest distance, and the largest mean in 10^-9 hops, between switches left by the loss of any rack.

    None for other networks than two planes of which the first has unit generators, in two or more racks: searches have
    such, and the general evaluator knows all.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> after_rack_loss(dual_cube(3, (3, 5, 7)))  # one rack of two is left, a full mesh of four
    (1, 750000000)
    """
    cubes, layout = cubes_of(network), network.site.layout
    first, *others = [plane.connections.generators for plane in cubes.planes]
    if layout is None or len(others) != 1 or first != tuple(1 << i for i in range(cubes.n)):
        return None
    if layout.racks(cubes.plane_switches) < 2:
        return None
    return _native.rack_loss(list(others[0]), cubes.folded, layout.switches_per_rack)
