"""The README of an exported InfiniBand fabric: what is where, and the commands."""

from collections.abc import Iterator, Sequence
from importlib.resources import files

from ..names import node_name
from .forwarding import Forwarding
from .subnet import Subnet

LIDS_AT_ONCE = 64  # in a message that reads the table of a switch


def readme_lines(title: str, subnets: Sequence[Subnet], forwarding: Sequence[Forwarding]) -> Iterator[str]:
    """Yield the lines of the README of a network."""
    text = (files(__package__) / "readme.txt").read_text(encoding="utf-8")
    yield f"{title}: {len(subnets)} subnets, one for each plane" if len(subnets) > 1 else f"{title}: one subnet"
    yield from text.splitlines()
    for subnet, tables in zip(subnets, forwarding, strict=True):
        yield ""
        yield from _plane_lines(subnet, tables)


def _plane_lines(subnet: Subnet, forwarding: Forwarding) -> Iterator[str]:
    folder, lids, links = f"plane{subnet.number}", subnet.lids, len(subnet.plane.node_switch)
    ports = subnet.switches * (subnet.switch_ports + 1) + links * (subnet.adapter_ports + 1)
    source, last = subnet.switches + 1, lids
    yield f"{folder}: {subnet.switches} switches (LIDs 1 to {subnet.switches}), {links} links of nodes (to {last})"
    if not forwarding.is_managed:
        yield "  There are entries for packets between nodes only: with those of management, packets could deadlock."
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
    yield "  ibdmchk -s run/opensm-subnet.lst -f run/opensm.fdbs -m run/opensm.mcfdbs"
    first = int(subnet.plane.node[0])
    yield f"  IBDM_IBNL_PATH=$PWD ibdmchk -t fabric.topo -n {node_name(first)}/U{int(subnet.adapter_port[0])} -p 1"
    yield "  kill $!"
