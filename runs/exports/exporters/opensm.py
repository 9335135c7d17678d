"""InfiniBand: forwarding tables, LIDs and options for OpenSM, the fabric for ibsim, and topology files for checkers."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import partial
from importlib.resources import files as resources

from isoplane.models import Family
from isoplane.models.device_names import node_name

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
from ..infiniband.subnet import Subnet, subnets_of

LIDS_AT_ONCE = 64  # in a message that reads the table of a switch
PLACEHOLDERS = """\
GUIDs are placeholders: 0002 and the plane in the upper half and the switch in the lower one; 0001, the node and the
port. For hardware, export with guids=FILE, which has the GUIDs of its switches and of the ports of its nodes."""
NOTE = (
    "opensm: GUIDs are placeholders, for simulators; for hardware give guids=FILE, such as the names.csv that isoplane "
    "import writes"
)
GIVEN = "GUIDs are those of the files in guids=."
UNMANAGED = """
In {planes} there are entries for packets between nodes only: with those of management, packets could deadlock. OpenSM
needs no others, since it reaches switches by directed routes, and nodes reach its node. But packets to the LID of a
switch without nodes have no route: perfquery, ibtracert and smpquery (without -D) fail there, and PerfMgr has no
counters of it. Its traps arrive only if it has an entry for the node of OpenSM; without one, OpenSM notices a failed
cable by the trap of the switch at its other end, or else in its next sweep (every 10 seconds).
"""


def files(exported: Exported) -> Files:
    """Yield the files of each plane in a separate folder, the check of tables, and the README with all commands."""
    network = exported.wired
    subnets, are_placeholders = subnets_of(exported, "opensm"), exported.option("guids") is None
    if are_placeholders:
        exported.notes.append(NOTE)
    tables_of: dict[int, Forwarding] = {}  # equal planes are often one object, and their tables are the same
    of_one_lane = partial(_options_of_one_lane, network.family)
    for number, plane in enumerate(network.planes):
        if id(plane) not in tables_of:
            name = f"format=opensm: plane {number}"
            tables_of[id(plane)] = forwarding_of(plane, name, network.family.names, number, of_one_lane)
    forwarding = [tables_of[id(plane)] for plane in network.planes]
    yield "README", as_bytes(_readme_lines(network.title, subnets, forwarding, are_placeholders=are_placeholders))
    yield "check_tables.py", [_resource("check_tables.py")]
    for subnet, tables in zip(subnets, forwarding, strict=True):
        yield from _plane_files(f"plane{subnet.number}", subnet, tables)


def _options_of_one_lane(family: Family, prefix: str = "network") -> Iterator[str]:
    """Yield the options that give the routes of a family, or of its planes, one lane."""
    plane = getattr(family, "plane", None)
    if isinstance(plane, Family):
        yield from _options_of_one_lane(plane, f"{prefix}.plane")
        return
    other = family.on_one_lane()
    values = ((field.name, getattr(other, field.name)) for field in fields(family))  # type: ignore[arg-type]  # a dataclass
    yield from (f"{prefix}.{key}={value}".lower() for key, value in values if value != getattr(family, key))


def _plane_files(folder: str, subnet: Subnet, forwarding: Forwarding) -> Files:
    yield f"{folder}/fabric.ibsim", as_bytes(ibsim_lines(subnet))
    yield f"{folder}/guid2lid", as_bytes(lid_lines(subnet))
    yield f"{folder}/tables.lfts", table_chunks(subnet, forwarding)
    yield f"{folder}/opensm.conf", [_resource("opensm.conf")]
    yield f"{folder}/fabric.topo", as_bytes(topo_lines(subnet))
    yield f"{folder}/{switch_system(subnet)}.ibnl", as_bytes(switch_system_lines(subnet))
    yield f"{folder}/{adapter_system(subnet)}.ibnl", as_bytes(adapter_system_lines(subnet))


def _readme_lines(
    title: str, subnets: Sequence[Subnet], forwarding: Sequence[Forwarding], *, are_placeholders: bool
) -> Iterator[str]:
    """Yield the lines of the README of a network.

    Parameters
    ----------
    title
        What the network is.
    subnets, forwarding
        Its planes and their tables.
    are_placeholders
        Whether the GUIDs are none of hardware.
    """
    yield f"{title}: {len(subnets)} subnets, one for each plane" if len(subnets) > 1 else f"{title}: one subnet"
    planes = [subnet.number for subnet, tables in zip(subnets, forwarding, strict=True) if not tables.is_managed]
    yield from (
        _resource("readme.txt")
        .decode()
        .format(
            guids=PLACEHOLDERS if are_placeholders else GIVEN,
            management=UNMANAGED.format(planes=", ".join(f"plane{each}" for each in planes)) if planes else "",
        )
        .splitlines()
    )
    for subnet in subnets:
        yield ""
        yield from _plane_lines(subnet)


def _plane_lines(subnet: Subnet) -> Iterator[str]:
    folder, lids, links = f"plane{subnet.number}", subnet.lids, subnet.links
    ports = subnet.switches * (subnet.switch_ports + 1) + links * (subnet.adapter_ports + 1)
    source, last = subnet.switches + 1, lids
    yield f"{folder}: {subnet.switches} switches (LIDs 1 to {subnet.switches}), {links} links of nodes (to {last})"
    yield f"  cd {folder} && mkdir run && cp guid2lid run/"
    yield "  export IBSIM_SOCKNAME=isoplane-$$ OSM_CACHE_DIR=$PWD/run OSM_TMP_DIR=$PWD/run"
    size = f"-N {lids + 1} -S {subnet.switches + 1} -P {ports + 1} -L {max(30720, lids + 1)}"
    yield f"  ibsim -s -n {size} fabric.ibsim > run/ibsim.log 2>&1 &"
    yield '  while kill -0 $! && ! grep -q "$IBSIM_SOCKNAME" /proc/net/unix; do sleep 0.1; done'
    preload = "LD_PRELOAD=$(echo /usr/lib/*/umad2sim/libumad2sim.so)"
    yield f'  sim() {{ {preload} SIM_HOST={subnet.switch_name(0)} timeout -k 9 300 "$@"; }}'
    yield '  sim opensm -o -F opensm.conf -f "$PWD/run/opensm.log"'
    yield "  python3 ../check_tables.py tables.lfts run/opensm-lfts.dump run/opensm.log"
    if last % LIDS_AT_ONCE:  # else dump_fts leaves out the last LID
        yield "  sim dump_fts > run/switches.fts"
        yield "  python3 ../check_tables.py tables.lfts run/switches.fts run/opensm.log"
    yield f"  sim ibtracert {source} {last}"
    yield "  ibdmchk -s run/opensm-subnet.lst -f run/opensm.fdbs -m run/opensm.mcfdbs  # these tables"
    first = int(subnet.plane.node[0])
    system = f"{node_name(first)}/U{int(subnet.adapter_port[0])}"
    yield f"  IBDM_IBNL_PATH=$PWD ibdmchk -t fabric.topo -n {system} -p 1  # cables only"
    yield "  kill $!"


def _resource(name: str) -> bytes:
    return (resources(infiniband) / name).read_bytes()


EXPORTER = Exporter(
    "InfiniBand subnet of each plane for OpenSM", "OpenSM, ibsim, ibtracert, ibdmchk", files, kinds=PACKETS
)
