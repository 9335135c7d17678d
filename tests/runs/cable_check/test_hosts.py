"""Listings with host names, but without names of the design: hosts tie the planes together."""

from isoplane.models import dual_cube
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text

from .samples import cables_by_plane, checked

NETWORK = dual_cube(5, (3, 5, 9, 17, 31))  # 64 switches, 32 in each plane
PLANES = cables_by_plane(NETWORK)


def text_of_hosts(plane, cables):
    """A plane with an adapter of its own for each host, and switches without names."""
    own = [((a, p), (b, q - plane if b[0] == "N" else q)) for (a, p), (b, q) in cables]
    devices = sorted({device for pair in own for device, _ in pair})
    names = {device: f"node{device[1:]} mlx5_{plane}" if device[0] == "N" else "Quantum" for device in devices}
    guid = {device: (plane + 1 << 24) + 16 * number for number, device in enumerate(devices)}
    return discovery_text(own, names=names, guid=guid)


@for_each(("first", "second"), [(0, 1), (0, 5), (7, 60)])
def test_nodes_exchanged_in_one_plane_are_seen_by_their_hosts(first, second):
    """Adapters of one host in two planes are of one node, which the cables of a plane do not show."""
    exchanged = PLANES[1].copy()
    to_nodes = [place for place, (_, (other, _)) in enumerate(exchanged) if other[0] == "N"]
    (a, b), (c, d) = (exchanged[to_nodes[place]] for place in (first, second))
    exchanged[to_nodes[first]], exchanged[to_nodes[second]] = (a, d), (c, b)
    for other, kinds in ((PLANES[1], []), (exchanged, ["swapped"])):
        check = checked(NETWORK, [text_of_hosts(0, PLANES[0]), text_of_hosts(1, other)])
        assert [each.kind for each in check.differences] == kinds
        assert check.automorphisms == 32  # translations of both planes at once
