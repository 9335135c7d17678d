"""Cross-connects of an optical switch: its circuits, the fibres of nodes, the placement, and a RESTCONF body."""

import json
from collections import Counter
from collections.abc import Iterator

from isoplane.models import Design, OpticalSwitch
from isoplane.models.files.exact_text import as_csv

from ..exporter import Exported, Exporter, Files

CIRCUITS = (
    "circuit",
    *(f"{what}_{end}" for end in "ab" for what in ("node", "node_port", "switch_port", "process", "group")),
)
FIBRES = ("node", "node_port", "switch_port", "from_node_to_ingress", "from_egress_to_node")
PLACEMENT = ("process", "node")


def files(exported: Exported) -> Files:
    """Yield the circuits, the fibres between nodes and the optical switch, the placement, and the body for Polatis.

    Port k of node i is at port i·P + k of the optical switch, both from 1, with P ports per node. With E such ports in
    all, port p sends into ingress p and receives from egress E + p.
    """
    design = exported.design
    ((optical, _),) = design.optical_switches
    yield "cross_connects.csv", as_csv(CIRCUITS, _circuits(design, optical))
    yield "fibres.csv", as_csv(FIBRES, _fibres(optical))
    yield "placement.csv", as_csv(PLACEMENT, enumerate(design.assignment[1].nodes))
    yield "polatis.json", [_polatis(design, optical)]


def _ends(design: Design, optical: OpticalSwitch) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """Yield node, its port and the port of the optical switch at both ends of each circuit; ports are from 1."""
    used: Counter[int] = Counter()
    per_node = optical.ports_per_node
    for pair in design.assignment[0].pairs:
        used.update(pair)
        a, b = ((node, used[node], node * per_node + used[node]) for node in pair)
        yield a, b


def _circuits(design: Design, optical: OpticalSwitch) -> Iterator[tuple[int, ...]]:
    process = design.assignment[1].processes.tolist()
    for number, (a, b) in enumerate(_ends(design, optical)):
        yield number, *a, process[a[0]], optical.group[a[0]], *b, process[b[0]], optical.group[b[0]]


def _fibres(optical: OpticalSwitch) -> Iterator[tuple[int, ...]]:
    per_node = optical.ports_per_node
    duplex = optical.nodes * per_node
    for port in range(1, duplex + 1):
        yield (port - 1) // per_node, (port - 1) % per_node + 1, port, port, duplex + port


def _polatis(design: Design, optical: OpticalSwitch) -> bytes:
    """Return the body that replaces all cross-connects; each is one way, so that a circuit is two of them."""
    duplex = optical.nodes * optical.ports_per_node
    pairs = [
        {"ingress": ingress, "egress": duplex + egress}
        for a, b in _ends(design, optical)
        for ingress, egress in ((a[2], b[2]), (b[2], a[2]))
    ]
    return (json.dumps({"optical-switch:cross-connects": {"pair": pairs}}, indent=1) + "\n").encode()


EXPORTER = Exporter("cross-connects of an optical switch", None, files, kinds=("circuits",))
