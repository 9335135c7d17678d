"""All planes of a design as one graph: switches and nodes are vertices, cables are edges."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Circuits, OpticalSwitch
from isoplane.models.arrays import Floats, Ints
from isoplane.models.cabling.cable_list import CableList, internal_links
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.mathematics.occurrences import occurrences

from .exporter import Exported
from .link_times import link_times

Column = Ints | Floats
Value = str | int | float
Columns = dict[str, list[Value | None]]
CABLE, INTERNAL, CIRCUIT = range(3)
EDGE_KINDS = ("cable", "internal", "circuit")


@dataclass(frozen=True, eq=False)
class DeviceGraph:
    """Switches and nodes with their places, and the links between them.

    Vertices are in this order: the switches of each plane, then the nodes. Edges are in the order of the cable list,
    then the links within the nodes of a direct network, then the circuits of an optical switch; the end of an edge that
    comes first in the order of vertices is its source.

    Attributes
    ----------
    names
        Names of the vertices.
    plane : int64[vertices]
        The plane of each switch; -1 for a node.
    index : int64[vertices]
        The number of each switch within its plane, or of each node.
    floor
        The racks of the vertices; None if the lengths of cables do not follow from a layout.
    ends : int64[edges, 2]
        The vertices at the source and the target of each edge.
    ports : int64[edges, 2]
        The port numbers at both ends, from 1. Circuits take the ports of a node that follow those of all planes.
    edge_kind : int64[edges]
        Index into `EDGE_KINDS`.
    edge_plane : int64[edges]
        The plane; -1 for a circuit.
    length_mm : int64[edges]
        The length of each cable, 0 for a link within a node; -1 for a circuit, and if it is unknown.
    rate_gbps, delay_ns : float64[edges]
        The rate and the delay of each cable, without those of switches, and of each circuit; NaN for a link within a
        node, and for a delay that is unknown.
    """

    names: list[str]
    plane: Ints
    index: Ints
    floor: Floor | None
    ends: Ints
    ports: Ints
    edge_kind: Ints
    edge_plane: Ints
    length_mm: Ints
    rate_gbps: Floats
    delay_ns: Floats

    @property
    def is_node(self) -> NDArray[np.bool_]:
        """Whether each vertex is a node."""
        return self.plane < 0

    def vertex_columns(self) -> Columns:
        """Return the attributes of vertices by name; None where a vertex has none."""
        columns: Columns = {
            "kind": ["node" if node else "switch" for node in self.is_node.tolist()],
            "plane": _known(self.plane),
            "index": self.index.tolist(),
        }
        if self.floor is not None:
            rack = np.concatenate([*self.floor.of_switches, self.floor.of_nodes])
            across, deep = (self.floor.positions_mm[rack] / 1000).T.tolist()
            columns |= {"rack": [self.floor.names[each] for each in rack.tolist()], "x_m": across, "y_m": deep}
        return columns

    def edge_columns(self) -> Columns:
        """Return the attributes of edges by name; None where an edge has none."""
        source, target = self.ports.T.tolist()
        return {
            "kind": [EDGE_KINDS[kind] for kind in self.edge_kind.tolist()],
            "plane": _known(self.edge_plane),
            "source_port": source,
            "target_port": target,
            "length_m": _known(self.length_mm / 1000),
            "rate_gbps": _in_thousandths(self.rate_gbps),
            "delay_ns": _in_thousandths(self.delay_ns),
        }


def rows(columns: Columns) -> Iterator[dict[str, Value]]:
    """Yield the attributes of each element, without attributes that it lacks.

    Examples
    --------
    >>> list(rows({"kind": ["switch", "node"], "plane": [0, None]}))
    [{'kind': 'switch', 'plane': 0}, {'kind': 'node'}]
    """
    for row in zip(*columns.values(), strict=True):
        yield {name: value for name, value in zip(columns, row, strict=True) if value is not None}


def cell(value: Value) -> str:
    """Return a value as text; lengths, rates and delays have at most three decimals.

    Examples
    --------
    >>> cell(0.1 + 0.2), cell(2.0), cell("switch")
    ('0.3', '2', 'switch')
    """
    if not isinstance(value, float):
        return str(value)
    return str(int(value)) if value.is_integer() else f"{value:.3f}".rstrip("0")


def _known(values: Ints | Floats) -> list[Value | None]:
    return [None if value < 0 else value for value in values.tolist()]


def _in_thousandths(values: Floats) -> list[Value | None]:
    """Return values in the units of `Timing`, 1 Mbit/s and 1 ps; None for NaN."""
    return [None if isnan(value) else round(value, 3) for value in values.tolist()]


def device_graph(exported: Exported) -> DeviceGraph:
    """Return the graph of a design."""
    planes = exported.network.cabling
    switches = np.array([plane.topology.switches for plane in planes])
    first = np.concatenate([[0], np.cumsum(switches)])
    nodes = exported.network.nodes
    plane = np.concatenate([np.repeat(np.arange(len(planes)), switches), np.full(nodes, -1)])
    index = np.concatenate([*map(np.arange, switches), np.arange(nodes)])
    names = [
        node_name(number) if level < 0 else switch_name(level, number)
        for level, number in zip(plane.tolist(), index.tolist(), strict=True)
    ]
    floor = exported.floor if exported.network.family.cable_m is None else None
    edges = [
        _cables(exported, first),
        _internal(exported, first),
        *(
            _circuits(exported, first, optical, circuits)
            for optical, circuits in exported.design.optical_switches
            if circuits.pairs
        ),
    ]
    return DeviceGraph(names, plane, index, floor, *map(np.concatenate, zip(*edges, strict=True)))


def _cables(exported: Exported, first: Ints) -> tuple[Column, ...]:
    """Return the edges of cables. Without a layout, lengths that would follow from it are unknown."""
    cables = exported.cables
    rate_gbps, delay_ns, _ = link_times(exported)
    length_mm = cables.length_mm
    if exported.network.family.cable_m is None and exported.network.site.layout is None:
        length_mm = np.where(length_mm > 0, length_mm, -1)
        delay_ns = np.where((length_mm < 0) & (delay_ns == 0), np.nan, delay_ns)
    return *_links(cables, first, CABLE), length_mm, rate_gbps, delay_ns


def _internal(exported: Exported, first: Ints) -> tuple[Column, ...]:
    """Return the edges within nodes, which have neither a rate nor a delay."""
    links = internal_links(exported.network.cabling)
    unknown = np.full(len(links), np.nan)
    return *_links(links, first, INTERNAL), links.length_mm, unknown, unknown


def _links(cables: CableList, first: Ints, kind: int) -> tuple[Ints, ...]:
    """Return the ends, ports, kinds and planes of the edges of cables, or of links within nodes."""
    other = cables.other + np.where(cables.to_node, first[-1], first[cables.plane])
    ends = np.stack([first[cables.plane] + cables.switch, other], axis=1)
    ports = np.stack([cables.switch_port, cables.other_port], axis=1)
    return ends, ports, np.full(len(cables), kind), cables.plane


def _circuits(exported: Exported, first: Ints, optical: OpticalSwitch, circuits: Circuits) -> tuple[Column, ...]:
    """Return the edges of circuits, at the ports of nodes behind those of cables."""
    pairs = np.array(circuits.pairs, dtype=np.int64)
    used = np.zeros(exported.network.nodes, dtype=np.int64)
    for plane, rails in zip(exported.network.cabling, exported.rails, strict=True):
        np.maximum.at(used, plane.node, rails)
    ports = used[pairs] + 1 + occurrences(pairs.ravel()).reshape(-1, 2)
    count = len(pairs)
    none = np.full(count, -1)
    times = (np.full(count, float(value)) for value in (optical.gbps, optical.delay_ns))
    return first[-1] + pairs, ports, np.full(count, CIRCUIT), none, none, *times
