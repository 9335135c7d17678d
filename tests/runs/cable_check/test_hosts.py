"""Listings with host names, but without names of the design: hosts tie the planes together."""

import re
from pathlib import Path
from random import Random

from isoplane.models import dual_cube
from isoplane.models.failures.node_subsets import spread_nodes
from isoplane.runs.cable_check.output import refused_names
from isoplane.runs.cable_check.sentences import text_lines
from isoplane.runs.imports.given_devices import GivenDevices
from isoplane.runs.imports.import_fabric import imported
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text
from tests.runs.formats.import_sources import source

from .samples import cables_by_plane, checked

NETWORK = dual_cube(5, (3, 5, 9, 17, 31))  # 64 switches, 32 in each plane
PLANES = cables_by_plane(NETWORK)


def text_of_hosts(plane, cables, shown=None):
    """A plane with an adapter of its own for each host, and switches without names; `shown` replaces descriptions."""
    own = [((a, p), (b, q - plane if b[0] == "N" else q)) for (a, p), (b, q) in cables]
    devices = sorted({device for pair in own for device, _ in pair})
    names = {device: f"node{device[1:]} mlx5_{plane}" if device[0] == "N" else "Quantum" for device in devices}
    names |= {device: name for device, name in (shown or {}).items() if device in names}
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


SPARSE = dual_cube(4, (1, 2, 4, 8))  # 64 places at 16 switches in each plane
BOUGHT = 40


@for_each(
    ("is_even", "hosts", "known"),
    [(True, 40, ()), (False, 40, ()), (False, 12, ()), (True, 40, ("P0-S3", "P1-S3"))],
)
def test_adapters_of_a_host_are_one_node_wherever_it_is_so_that_import_takes_the_names(is_even, hosts, known):
    """Two nodes have exchanged their ports in plane 1, and each file has an order of its own."""
    rng = Random(1)
    places = None if is_even else sorted(rng.sample(range(SPARSE.nodes), BOUGHT))
    planes = cables_by_plane(spread_nodes(SPARSE, BOUGHT, places))
    (a, b), (c, d) = planes[1][-1], planes[1][-9]
    planes[1][-1], planes[1][-9] = (a, d), (c, b)
    unknown = {f"N{node}" for node in rng.sample(range(BOUGHT), BOUGHT - hosts)}
    shown = dict.fromkeys(unknown, "MT4123 ConnectX6") | {name: name for name in known}
    texts = [text_of_hosts(plane, rng.sample(cables, len(cables)), shown) for plane, cables in enumerate(planes)]
    check = checked(spread_nodes(SPARSE, BOUGHT), texts)
    names = {hex(device.guid): name for device, name in check.identified}
    fabric = imported(list(map(source, texts)), None, None, GivenDevices(Path("names.csv"), names))
    assert len(fabric.nodes) == BOUGHT
    assert not list(refused_names(check))
    by_cables = [line for line in text_lines(check, "x") if "mlx5" in line and line.endswith(", as its cables show")]
    assert len(by_cables) == (BOUGHT if known else 0)  # one of each host
    if not known and not is_even:
        (line,) = refused_names(checked(spread_nodes(SPARSE, BOUGHT), texts, identify="cables"))
        assert re.match(r"adapters of node\d+ are N\d+ and N\d+, and those of \d+ more hosts? differ as well: ", line)
