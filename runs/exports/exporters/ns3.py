"""The text format of ns-3 simulations of RDMA fabrics."""

from collections.abc import Iterator

from isoplane.models import InputError
from isoplane.models.arrays import rows_of

from ..device_graph import cell
from ..exporter import PACKETS, Exported, Exporter, Files, as_bytes
from ..link_times import link_times
from ..reader_paths import fewest_hops
from ..simple_networks import require_no_parallel_links

ERROR_RATE = 0


def files(exported: Exported) -> Files:
    """Yield one file: nodes have the ids from 0, then follow the switches of each plane."""
    if exported.network.node_cable_mm is None:
        raise InputError(
            "format=ns3: nodes are part of their switches; expected nodes with cables, such as network.node_cable_m=2"
        )
    require_no_parallel_links("ns3", exported)
    yield "topology.txt", as_bytes(_lines(exported))


def _lines(exported: Exported) -> Iterator[str]:
    cables, nodes = exported.cables, exported.network.nodes
    rate_gbps, _, hop_ns = link_times(exported)
    first = [nodes]
    for plane in exported.wired.cabling:
        first.append(first[-1] + plane.topology.switches)
    yield f"{first[-1]} {first[-1] - nodes} {len(cables)}"
    yield " ".join(map(str, range(nodes, first[-1])))
    for plane, switch, to_node, other, gbps, ns in rows_of(
        cables.plane, cables.switch, cables.to_node, cables.other, rate_gbps, hop_ns
    ):
        ends = (other, first[plane] + switch) if to_node else (first[plane] + switch, first[plane] + other)
        yield f"{ends[0]} {ends[1]} {cell(gbps)}Gbps {cell(ns)}ns {ERROR_RATE}"


EXPORTER = Exporter("topology file of ns-3 (HPCC), all planes", None, files, fewest_hops, kinds=PACKETS)
