"""Networks of many kinds for the tests of formats, and the files that a format makes of them."""

from collections.abc import Mapping

from isoplane.models import Design, Network, dual_cube
from isoplane.models.circuits import Circuits
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.placement import Placement
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named

TORUS = Torus(shape=(3, 4), nodes_per_switch=2, assumed_cable_m=1.5, node_cable_m=2.0)
NETWORKS: Mapping[str, Network] = {
    "cube": dual_cube(3, (3, 5, 7)),
    "direct": Network(Torus(shape=(3, 4))),
    "torus": Network(TORUS),
    "tree": Network(FatTree(switch_ports=4)),
    "rails": Network(MultiPlane(plane=TORUS, planes=2, links_per_node=2)),
    "parallel": Network(HyperX(shape=(3, 2), cables_per_pair=(2, 1), node_cable_m=2.0)),
}


def exported(network: Network, **options: object) -> Exported:
    """A network, ready to be exported."""
    return exported_design(Design(network), **options)


def exported_design(design: Design, **options: object) -> Exported:
    """A design, ready to be exported."""
    return Exported(design, {"id": "0" * 64}, options)


def hybrid_design() -> Design:
    """Two groups of two nodes, with a port for each of two parallel circuits."""
    network = Network(Hybrid(2, 2, ports_per_node=2))
    return Design(network, Circuits(((0, 2), (0, 2), (1, 3))), Placement((0, 1, 2, 3)))


def texts(format_name: str, given: Exported) -> dict[str, str]:
    """The files of a format by name."""
    files = exporter_named(format_name).begun(format_name, given)
    return {name: b"".join(content).decode("utf-8") for name, content in files}
