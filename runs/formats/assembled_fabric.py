"""Assembles the planes of a fabric from the parts in files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.checks import decimal_number
from isoplane.models.fabric_plane import FabricPlane

from .fabric_names import sorted_names
from .fabric_parts import Part
from .fabric_ports import port_numbers
from .importer import FoundLink


@dataclass(frozen=True, eq=False)
class PlacedPlane:
    """A plane of an imported fabric, with the names and ids of its devices.

    Parameters
    ----------
    part
        The devices and links.
    plane
        The plane, without tables.
    node_links
        Name of the node and number of its port for each link of a node, in the order of the plane.
    """

    part: Part
    plane: FabricPlane
    node_links: tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class ImportedFabric:
    """An imported fabric.

    Parameters
    ----------
    placed
        Its planes.
    nodes
        Names of nodes, by id.
    tables
        The port of each switch for each node link, for each plane; empty without tables.
    """

    placed: tuple[PlacedPlane, ...]
    nodes: tuple[str, ...]
    tables: tuple[NDArray[np.integer], ...] = field(default=())

    @property
    def names(self) -> dict[str, Any]:
        """The names of switches, by plane and id, and of nodes, as JSON."""
        return {"switches": [list(each.part.switches) for each in self.placed], "nodes": list(self.nodes)}


def assembled(parts: Sequence[Part]) -> ImportedFabric:
    """Return the fabric of some planes, whose nodes are matched by their names.

    Raises
    ------
    InputError
        If a port is used twice, there are no nodes, or a value is known for some links only.
    """
    nodes = sorted_names({link.ends[1] for part in parts for link in part.attached})
    if not nodes:
        raise InputError(
            f"file={parts[0].source.path}: no nodes; expected nodes at some switches, or nodes_per_switch="
        )
    node_ids = {name: number for number, name in enumerate(nodes)}
    return ImportedFabric(tuple(_placed(part, node_ids) for part in parts), nodes)


def _placed(part: Part, node_ids: Mapping[str, int]) -> PlacedPlane:
    source, switch_ids = part.source, {name: number for number, name in enumerate(part.switches)}
    if not part.cables:
        raise InputError(f"file={source.path}: switch {part.switches[0]} has no cable to another switch; expected one")
    ports = port_numbers(source, (*part.cables, *part.attached))
    cable_ports, node_ports = ports[: len(part.cables)], ports[len(part.cables) :]
    cables = tuple(
        (switch_ids[link.ends[0]], here, switch_ids[link.ends[1]], there)
        for link, (here, there) in zip(part.cables, cable_ports, strict=True)
    )
    order = sorted(range(len(part.attached)), key=lambda i: (node_ids[part.attached[i].ends[1]], node_ports[i][1]))
    attached = [part.attached[i] for i in order]
    plane = FabricPlane(
        switches=len(part.switches),
        cables=cables,
        nodes=tuple(
            (node_ids[link.ends[1]], switch_ids[link.ends[0]], node_ports[i][0])
            for i, link in zip(order, attached, strict=True)
        ),
        lengths_m=_numbers([link.length_m for link in part.cables]),
        rates_gbps=_complete(part, "rate", part.cables, [link.rate_gbps for link in part.cables]),
        delays_ns=_complete(part, "delay", part.cables, [link.delay_ns for link in part.cables]),
        node_rates_gbps=_complete(part, "rate", attached, [link.rate_gbps for link in attached]),
        node_delays_ns=_complete(part, "delay", attached, [link.delay_ns for link in attached]),
    )
    return PlacedPlane(part, plane, tuple((part.attached[i].ends[1], node_ports[i][1]) for i in order))


def _numbers(values: Sequence[Fraction | None]) -> tuple[int | float | None, ...] | None:
    """Return numbers as records hold them; None if none is known."""
    if all(value is None for value in values):
        return None
    return tuple(None if value is None else decimal_number("length", value) for value in values)


def _complete(
    part: Part, what: str, links: Sequence[FoundLink], values: Sequence[Fraction | None]
) -> tuple[int | float | None, ...] | None:
    """Return numbers as records hold them; None if none is known.

    Raises
    ------
    InputError
        If some are unknown.
    """
    missing = [link for link, value in zip(links, values, strict=True) if value is None]
    if missing and len(missing) < len(links):
        raise part.source.wrong(missing[0].line, f"a link without a {what}", f"a {what} for all links or for none")
    return _numbers(values)
