"""The throughput of the nodes that are bought, from exported cables and forwarding tables, packet by packet."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from isoplane.models import Network
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.network import NO_SITE
from isoplane.runs.comparison.compared_design import ComparedDesign, size
from isoplane.runs.comparison.rows import measure
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.sized_design import SizedDesign
from isoplane.runs.comparison.sizes.throughputs import requested_throughput
from tests.cases import for_each
from tests.runs.formats.infiniband.subnets import exported
from tests.runs.formats.infiniband.test_opensm_files import fabric, tables

from .test_sizing import REQUEST


def throughput_of(folder, planes, node_ports):
    """All-to-all throughput of a node, as a fraction of its rate: each sends one packet to each in packet times.

    Of several links of a node, each has its share of the packets, and so have planes, which are identical.
    """
    peak, nodes = Fraction(0), set()
    for number in range(planes):
        ends, _ = fabric(folder / f"plane{number}" / "fabric.ibsim")
        table = tables(folder / f"plane{number}" / "tables.lfts")
        links = sorted((int(name[1:]), port) for name, port in ends if name.startswith("N"))
        nodes = {node for node, _ in links}
        share = Fraction(len(nodes), len(links)) ** 2 / planes
        load = Counter()
        for node, port in links:
            for lid in range(len(table) + 1, len(table) + 1 + len(links)):
                device, _ = ends[f"N{node}", port]
                while device.startswith("P"):
                    out = table[device][lid]
                    load[device, out] += share
                    device, _ = ends[device, out]
        peak = max([peak, *(load[end] for end in load if ends[end][0].startswith("P"))])
    return Fraction(len(nodes)) / peak / node_ports


@for_each(
    ("arrangement", "nodes", "ports", "least"),
    [
        (Arrangement("hyperx", 2), 33, 12, Fraction(9, 10)),
        (Arrangement("hyperx", 1), 41, 14, Fraction(2, 3)),
        (Arrangement("hypercube", 2), 41, 12, Fraction(1, 2)),
        (Arrangement("leaf_spine", 2), 41, 12, Fraction(1, 2)),
        (Arrangement("fat_tree", 2), 33, 12, Fraction(9, 10)),
        (Arrangement("xgft", 1), 41, 14, Fraction(2, 3)),
    ],
)
def test_the_requested_nodes_have_the_throughput_that_is_stated_and_asked_for(
    arrangement, nodes, ports, least, tmp_path
):
    request = replace(REQUEST, nodes=nodes, ports=ports, throughputs=(least,))
    design = size(arrangement, request, least)
    assert isinstance(design, SizedDesign), design
    assert design.family.nodes > nodes
    compared = ComparedDesign(arrangement, least, design, request)
    values = measure((compared, "all"))
    (part := tmp_path / arrangement.title).mkdir()
    folder = exported(Network(design.family, NO_SITE), part, nodes=nodes)
    found = throughput_of(folder, arrangement.planes, request.node_ports)
    assert values["throughput_requested"] == float(found)
    assert min(found, Fraction(values["throughput"])) >= least


@for_each(
    "tree",
    [
        FatTree(switch_ports=6),
        FatTree(switch_ports=8, cables_per_pair=2),
        LeafSpine(leaf_switches=7, spine_switches=4, nodes_per_leaf=4),
        ExtendedFatTree(children=(3, 4, 2), parents=(1, 3, 4)),
    ],
)
def test_trees_of_full_bisection_carry_the_full_rate_of_any_number_of_nodes(tree):
    assert all(requested_throughput(tree, nodes, 1) >= 1 for nodes in range(2, tree.nodes))
