"""Numbers of parts."""

from collections.abc import Mapping

from ..column import Column, Group, Value
from ..compared_design import ComparedDesign

ORDER = 10


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return the numbers of parts; spare ports are those of all switches, bought whole or of the requested ports."""
    family, request = compared.family, compared.request
    ports = request.site.prices.switch_ports or request.ports
    used = sum(int(plane.ports_used.sum()) for plane in compared.network.planes)
    return {
        "nodes": family.nodes,
        "switches": family.switches,
        "ports": family.ports,
        "spare_ports": family.switches * ports - used,
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
        Column("cables", "cables between switches"),
    ),
    values,
)
