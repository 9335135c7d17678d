"""InfiniBand: forwarding tables, LIDs and options for OpenSM, the fabric for ibsim, and topology files for checkers."""

from importlib.resources import files as resources

from ..exporter import PACKETS, Exported, Exporter, Files, as_bytes
from ..infiniband import __name__ as infiniband
from ..infiniband.fabric_files import (
    adapter_system,
    adapter_system_lines,
    ibsim_lines,
    lid_lines,
    switch_system,
    switch_system_lines,
    table_chunks,
    topo_lines,
)
from ..infiniband.forwarding import Forwarding, forwarding_of
from ..infiniband.readme import readme_lines
from ..infiniband.subnet import Subnet, subnets_of


def files(exported: Exported) -> Files:
    """Yield the files of each plane in a separate folder, the check of tables, and the README with all commands."""
    network = exported.network
    subnets, are_placeholders = subnets_of(exported, "opensm"), exported.option("guids") is None
    forwarding = [
        forwarding_of(plane, f"format=opensm: plane {number}", network.family.names, number)
        for number, plane in enumerate(network.planes)
    ]
    yield "README", as_bytes(readme_lines(network.title, subnets, forwarding, are_placeholders=are_placeholders))
    yield "check_tables.py", [_resource("check_tables.py")]
    for subnet, tables in zip(subnets, forwarding, strict=True):
        yield from _plane_files(f"plane{subnet.number}", subnet, tables)


def _plane_files(folder: str, subnet: Subnet, forwarding: Forwarding) -> Files:
    yield f"{folder}/fabric.ibsim", as_bytes(ibsim_lines(subnet))
    yield f"{folder}/guid2lid", as_bytes(lid_lines(subnet))
    yield f"{folder}/tables.lfts", table_chunks(subnet, forwarding)
    yield f"{folder}/opensm.conf", [_resource("opensm.conf")]
    yield f"{folder}/fabric.topo", as_bytes(topo_lines(subnet))
    yield f"{folder}/{switch_system(subnet)}.ibnl", as_bytes(switch_system_lines(subnet))
    yield f"{folder}/{adapter_system(subnet)}.ibnl", as_bytes(adapter_system_lines(subnet))


def _resource(name: str) -> bytes:
    return (resources(infiniband) / name).read_bytes()


EXPORTER = Exporter(
    "InfiniBand subnet of each plane for OpenSM", "OpenSM, ibsim, ibtracert, ibdmchk", files, kinds=PACKETS
)
