"""All planes of a design as one graph: switches and nodes are vertices, cables are edges."""

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from isoplane.models import Circuits, OpticalSwitch
from isoplane.models.arrays import Floats, Ints
from isoplane.models.cabling.cable_list import CableList, internal_links
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.mathematics.occurrences import occurrences

from .exporter import Exported
from .link_times import link_times

Column = Ints | Floats
Value = str | int | float
Columns = dict[str, Sequence[Value | None]]
CABLE, INTERNAL, CIRCUIT = range(3)
EDGE_KINDS = ("cable", "internal", "circuit")


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


def device_graph(exported: Exported) -> tuple[Columns, Columns]:
    """Return the attributes of the vertices and of the edges of a design by name; None where one has none.

    Vertices are in this order: the switches of each plane, then the nodes. They have an ``id``, which is their name, a
    ``kind``, the ``plane`` of a switch and the ``index`` within it or of the node, a ``label`` if devices have names at
    the site, and a ``rack`` and its place, if the lengths of cables follow from a layout.

    Edges are in the order of the cable list, then the links within the nodes of a direct network, then the circuits of
    an optical switch; the end that comes first in the order of vertices is the ``source``. Ports are from 1; circuits
    take the ports of a node that follow those of all planes. Rates and delays are those of cables, without those of
    switches, and of circuits; links within a node have none, and a length of 0.
    """
    first = np.cumsum([0, *(plane.topology.switches for plane in exported.network.cabling)])
    vertices = _vertices(exported, first)
    edges = [
        _cables(exported, first),
        _internal(exported, first),
        *(
            _circuits(exported, first, optical, circuits)
            for optical, circuits in exported.design.optical_switches
            if circuits.pairs
        ),
    ]
    ends, ports, kind, plane, length_mm, rate_gbps, delay_ns = map(np.concatenate, zip(*edges, strict=True))
    source, target = ([vertices["id"][end] for end in side] for side in ends.T.tolist())
    source_port, target_port = ports.T.tolist()
    return vertices, {
        "source": source,
        "target": target,
        "kind": [EDGE_KINDS[number] for number in kind.tolist()],
        "plane": _known(plane),
        "source_port": source_port,
        "target_port": target_port,
        "length_m": _known(length_mm / 1000),
        "rate_gbps": _in_thousandths(rate_gbps),
        "delay_ns": _in_thousandths(delay_ns),
    }


def _vertices(exported: Exported, first: Ints) -> Columns:
    """Return the vertices, given the number of the first switch of each plane, and of the first node."""
    network, switches = exported.wired, np.diff(first)
    has_layout_lengths = network.family.assumed_cable_m is None
    floor = network.floor if has_layout_lengths else None
    plane = np.concatenate([np.repeat(np.arange(len(switches)), switches), np.full(network.nodes, -1)])
    index = np.concatenate([*map(np.arange, switches), np.arange(network.nodes)]).tolist()
    columns: Columns = {
        "id": [
            node_name(number) if level < 0 else switch_name(level, number)
            for level, number in zip(plane.tolist(), index, strict=True)
        ],
        "kind": ["node" if level < 0 else "switch" for level in plane.tolist()],
        "plane": _known(plane),
        "index": index,
    }
    if exported.site_names:
        columns["label"] = [exported.site_names.get(str(name)) for name in columns["id"]]
    if floor is not None:
        rack = np.concatenate([*floor.of_switches, floor.of_nodes])
        across, deep = (floor.positions_mm[rack] / 1000).T.tolist()
        columns |= {"rack": [floor.names[each] for each in rack.tolist()], "x_m": across, "y_m": deep}
    return columns


def _cables(exported: Exported, first: Ints) -> tuple[Column, ...]:
    """Return ends, ports, kinds, planes, lengths, rates and delays of cables.

    Without a layout, lengths that would follow from it are unknown, which is -1, and NaN for delays.
    """
    cables = exported.cables
    rate_gbps, delay_ns, _ = link_times(exported)
    length_mm = cables.length_mm
    if exported.network.family.assumed_cable_m is None and exported.wired.site.layout is None:
        length_mm = np.where(length_mm > 0, length_mm, -1)
        delay_ns = np.where((length_mm < 0) & (delay_ns == 0), np.nan, delay_ns)
    return *_links(cables, first, CABLE), length_mm, rate_gbps, delay_ns


def _internal(exported: Exported, first: Ints) -> tuple[Column, ...]:
    """Return the edges within nodes, which have neither a rate nor a delay."""
    links = internal_links(exported.wired.cabling)
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
    for plane, rails in zip(exported.wired.cabling, exported.rails, strict=True):
        np.maximum.at(used, plane.node, rails)
    ports = used[pairs] + 1 + occurrences(pairs.ravel()).reshape(-1, 2)
    count = len(pairs)
    none = np.full(count, -1)
    times = (np.full(count, float(value)) for value in (optical.gbps, optical.delay_ns))
    return first[-1] + pairs, ports, np.full(count, CIRCUIT), none, none, *times
