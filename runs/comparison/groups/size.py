"""Numbers of parts."""

from collections.abc import Mapping

from isoplane.models import Network

from ..column import Column, Group, Value
from ..request import Request
from ..sizing import Sized

ORDER = 10


def values(design: Sized, request: Request) -> Mapping[str, Value]:
    """Return the numbers of parts; spare ports are those of all switches, for switches of the requested size."""
    family = design.family
    used = sum(int(plane.ports_used.sum()) for plane in Network(family, request.site).planes)
    return {
        "nodes": family.nodes,
        "switches": family.switches,
        "ports": family.ports,
        "spare_ports": family.switches * request.ports - used,
        "cables": family.cables,
    }


GROUP = Group(
    "Parts",
    "Spare ports are those of all switches together. Nodes beyond the requested number are spare places.",
    (
        Column("nodes", "nodes"),
        Column("switches", "switches"),
        Column("ports", "ports used", "per switch, at most"),
        Column("spare_ports", "spare ports"),
        Column("cables", "cables", "between switches"),
    ),
    values,
)
