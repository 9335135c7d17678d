"""Copies of networks of other families, link by link, as files and as fabrics."""

import numpy as np

from isoplane.models.cabling.cable_list import cable_list, interface_ports, node_ports
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane


def rows(network):
    """Every cable as plane, switch, port, whether it leads to a node, other device, its port, and millimetres."""
    cables = cable_list(network.cabling)
    columns = (getattr(cables, name).tolist() for name in list(cables.__dataclass_fields__)[:7])
    return list(zip(*columns, strict=True))


def copied_fabric(network, routing):
    """The fabric with the same cables at the same ports."""
    planes = []
    for number, plane in enumerate(network.cabling):
        here = [row for row in rows(network) if row[0] == number]
        planes.append(
            FabricPlane(
                switches=plane.topology.switches,
                cables=tuple((row[1], row[2], row[4], row[5]) for row in here if not row[3]),
                nodes=tuple(sorted((row[4], row[1], row[2]) for row in here if row[3])),
            )
        )
    return Fabric(planes=tuple(planes), routing=routing)


def tables_of(network):
    """The port of each switch for each node link, from 1, found by following a route from each switch with nodes."""
    tables = []
    for number, plane in enumerate(network.planes):
        switches, links = plane.topology.switches, len(plane.node_switch)
        table = np.zeros((switches, links), dtype=np.int64)
        ports = np.argwhere(plane.topology.peer >= 0)
        before = sum(each.links for each in network.plane_links[:number])
        for source in [int(np.flatnonzero(plane.node_switch == s)[0]) for s in np.unique(plane.node_switch)]:
            start, link = network.route_links(np.full(links, source), np.arange(links), number)
            for destination in range(links):
                for each in link[start[destination] : start[destination + 1]] - before:
                    if each < len(ports):  # the links of nodes follow those between switches
                        table[ports[each][0], destination] = ports[each][1] + 1
        table[plane.node_switch, np.arange(links)] = node_ports(plane)
        tables.append(table)
    return tables


def graphml_text(network, planes=None, with_ports=True, port_names=("source_port", "target_port")):
    """GraphML as other programs write it: a vertex for each device, an edge for each cable."""
    keys = {"kind": "node", "label": "node", "length_m": "edge"} | dict.fromkeys(port_names, "edge")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'  <key id="{key}" for="{what}" attr.name="{key}" attr.type="string"/>' for key, what in keys.items()]
    lines.append('  <graph edgedefault="undirected">')
    chosen = [row for row in rows(network) if planes is None or row[0] in planes]
    vertices = {}
    for plane, switch, _, is_node, other, _, _ in chosen:
        vertices[switch_name(plane, switch)] = "switch"
        vertices[node_name(other) if is_node else switch_name(plane, other)] = "node" if is_node else "switch"
    ids = {name: f"n{number}" for number, name in enumerate(vertices)}
    for name, kind in vertices.items():
        data = f'<data key="kind">{kind}</data><data key="label">{name}</data>'
        lines.append(f'    <node id="{ids[name]}">{data}</node>')
    for plane, switch, port, is_node, other, other_port, length_mm in chosen:
        ends = ids[switch_name(plane, switch)], ids[node_name(other) if is_node else switch_name(plane, other)]
        lines.append(f'    <edge source="{ends[0]}" target="{ends[1]}">')
        data = {"length_m": length_mm / 1000} | (
            dict(zip(port_names, (port, other_port), strict=True)) if with_ports else {}
        )
        lines += [f'      <data key="{key}">{value}</data>' for key, value in data.items()]
        lines.append("    </edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def cable_ends(network, plane):
    """The cables of a plane as pairs of named devices with ports."""
    return [
        ((switch_name(plane, row[1]), row[2]), (node_name(row[4]) if row[3] else switch_name(plane, row[4]), row[5]))
        for row in rows(network)
        if row[0] == plane
    ]


def dump_lines(network, plane):
    """The forwarding tables of a plane as OpenSM dumps them, without GUIDs of nodes that are known elsewhere."""
    built, table = network.planes[plane], tables_of(network)[plane]
    rails = interface_ports(network.cabling)[plane]
    lines = []
    for switch, row in enumerate(table.tolist()):
        name = switch_name(plane, switch)
        lines.append(
            f"Unicast lids [0-{len(row)}] of switch Lid {len(row) + switch + 1} guid 0x{switch + 1:016x} ('{name}'):"
        )
        entries = []
        for link, (port, node, rail) in enumerate(zip(row, built.node.tolist(), rails.tolist(), strict=True)):
            if port:
                guid = f"0x{(node << 8) + rail:016x}"
                entries.append(f"0x{link + 1:04x} {port:03d} # Channel Adapter portguid {guid}: '{node_name(node)}'")
        lines += [*entries, f"{len(entries)} lids dumped"]
    return lines
