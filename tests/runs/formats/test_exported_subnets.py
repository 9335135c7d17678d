"""Subnets that are exported for OpenSM are imported again: the same cables, and the tables of the routes."""

import numpy as np
import pytest

from isoplane.models import Network, dual_cube
from isoplane.models.cabling.cable_list import cable_list, node_ports
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.planes.route_steps import route_steps
from isoplane.runs.imports.import_fabric import FABRIC, imported, write_fabric
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import source_of

from .exported import exported, texts

NETWORKS = {
    "cube": dual_cube(3, (3, 5, 7)),
    "tree": Network(FatTree(switch_ports=4)),
    "trunks": Network(FatTree(switch_ports=8, cables_per_pair=(2, 4))),
    "tapered trunks": Network(
        ExtendedFatTree(children=(4, 2, 2), parents=(1, 1, 2), cables_per_pair=(3, 2), routing="random", seed=3)
    ),
    "rails": Network(MultiPlane(plane=HyperX(shape=(3, 2), nodes_per_switch=2, node_cable_m=2.0), links_per_node=2)),
}


def paths(plane):
    """The switches and ports, from 1, on the routes from all switches with nodes to all links of nodes."""
    starts = np.unique(plane.node_switch)
    targets = plane.routes.targets(plane.node_switch)
    source, target = starts.repeat(len(targets)), np.tile(targets, len(starts))
    found = [[] for _ in source]
    for route, switch, port in route_steps(plane.topology, plane.routes, source, target):
        for each, hop in zip(route.tolist(), zip(switch.tolist(), (port + 1).tolist(), strict=True), strict=True):
            found[each].append(hop)
    return found


@pytest.mark.parametrize("name", NETWORKS)
def test_imported_subnets_have_the_cables_and_the_routes_that_were_exported(name, tmp_path):
    network = NETWORKS[name]
    for file, text in texts("opensm", exported(network)).items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    planes = range(len(network.planes))
    fabric = imported([source_of("file", tmp_path / f"plane{plane}/fabric.ibsim") for plane in planes], None, None)
    tables = [source_of("tables", tmp_path / f"plane{plane}/tables.lfts") for plane in reversed(planes)]
    write_fabric(with_tables(fabric, tables), tmp_path)
    again = Network(Fabric.read({"file": tmp_path / FABRIC}))
    assert again.family.routing == "tables"
    ends = [
        {
            (plane, *sorted([(0, a, p), (int(to_node), b, q)]))
            for plane, a, p, to_node, b, q in zip(
                *(getattr(cables, each).tolist() for each in list(cables.__dataclass_fields__)[:6]), strict=True
            )
        }
        for cables in (cable_list(network.cabling), cable_list(again.cabling))
    ]
    assert ends[0] == ends[1]
    for old, new in zip(network.planes, again.planes, strict=True):
        assert (node_ports(old) == node_ports(new)).all()
        assert paths(old) == paths(new)
