"""Assembles the planes of a fabric from the parts in files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.cabling.cable_list import rails_of
from isoplane.models.checks import decimal_number
from isoplane.models.device_names import (
    GUID,
    PORT,
    DeviceNames,
    is_guid,
    name_key,
    node_name,
    node_port_name,
    switch_name,
)
from isoplane.models.family_kinds.fabric_plane import FabricPlane

from .fabric_names import natural, sorted_names
from .fabric_parts import ListedPlane
from .given_devices import GivenDevices
from .importer import CableEntry, NodeEnd
from .node_adapters import adapter_ports, are_default, port_numbers, with_node_ports


@dataclass(frozen=True, eq=False)
class ImportedFabric:
    """An imported fabric.

    Parameters
    ----------
    parts
        The devices and links of its planes.
    planes
        Its planes, without tables.
    node_links
        The end at the node of each link of a node, for each plane in its order.
    adapters
        The number of the adapter of each of these.
    nodes
        Names of nodes, by id.
    tables
        The port of each switch for each node link, for each plane; empty without tables.
    notes
        What the files have that is not in the fabric, in words.
    """

    parts: Sequence[ListedPlane]
    planes: Sequence[FabricPlane]
    node_links: Sequence[Sequence[NodeEnd]]
    adapters: Sequence[Sequence[int]]
    nodes: tuple[str, ...]
    tables: tuple[NDArray[np.integer], ...] = ()
    notes: tuple[str, ...] = ()

    def named_devices(self) -> Iterator[tuple[str, str]]:
        """Yield names in the files and the devices that they are, such as ``spine0`` and ``P0-S12``.

        Devices are in the order of planes and ids, nodes last, each with its own name first. If switches of several
        planes have one name, the plane is added. An adapter of a node with several is named by a port: ``N5:2``. What
        several devices have is left out: descriptions, and GUIDs, as simulated planes may have them.
        """
        aliases, names = self._aliases(), list(self._names())
        users: dict[str, set[str]] = {}
        for device, known in (*((device, [name]) for name, device in names if not is_guid(name)), *aliases.items()):
            for name in known:
                users.setdefault(name_key(name), set()).add(device)
        left_out = {name for part in self.parts for name in part.shared}
        for name, device in names:
            for alias, shown in ((name, device), *sorted(aliases.get(device, {}).items())):
                key = name_key(alias)
                if users.get(key, {device}) == {device} and alias not in left_out:
                    users[key] = set()  # once
                    yield alias, shown

    def device_names(self) -> DeviceNames:
        """Return the names of all devices, with what `named_devices` yields."""
        aliases = tuple(sorted(self.named_devices()))
        return DeviceNames(tuple(part.switches for part in self.parts), self.nodes, aliases)

    def _aliases(self) -> dict[str, dict[str, str]]:
        """Return the GUIDs and descriptions of each device, with the device or its adapter."""
        found: dict[str, dict[str, set[str]]] = {}
        adapters = self._adapters()
        for number, part in enumerate(self.parts):
            devices = {name: node_name(node) for node, name in enumerate(self.nodes)}  # of any plane
            devices |= {name: switch_name(number, switch) for switch, name in enumerate(part.switches)}
            for alias, (name, adapter) in part.aliases.items():
                if name in devices:
                    shown = adapters.get((name, adapter), devices[name])
                    found.setdefault(devices[name], {}).setdefault(alias, set()).add(shown)
        return {
            device: {
                alias: next(iter(shown)) if len(shown) == 1 else device
                for alias, shown in known.items()
                if len(shown) == 1 or not GUID.fullmatch(alias)
            }
            for device, known in found.items()
        }

    def named_ports(self) -> Iterator[tuple[str, str]]:
        """Yield the GUIDs of ports of nodes that the files state, such as ``port 0x1f``, and these ports: ``N5:2``.

        In the order of planes and links. GUIDs of several ports, which simulated planes may have, are left out.
        """
        ids = {name: number for number, name in enumerate(self.nodes)}
        guids = [{end: guid for guid, end in part.guids.items()} for part in self.parts]
        links = [
            (known.get((name, adapter, port)), ids[name])
            for known, ends in zip(guids, self.node_links, strict=True)
            for name, adapter, port in ends
        ]
        found: dict[int, list[str]] = {}
        for (guid, node), rail in zip(links, self._rails().tolist(), strict=True):
            if guid is not None:
                found.setdefault(guid, []).append(node_port_name(node, rail))
        yield from ((f"{PORT}{guid:#x}", ports[0]) for guid, ports in found.items() if len(ports) == 1)

    def _rails(self) -> NDArray[np.int64]:
        """Return the port of its node for each link of a node, in the order of planes."""
        stated = [plane.node_adapter_ports for plane in self.planes]
        known = [ports for ports in stated if ports is not None]
        node = np.concatenate([plane.node for plane in self.planes])
        return rails_of(node, np.concatenate(known) if known else None)

    def _adapters(self) -> dict[tuple[str, str], str]:
        """Return the devices of adapters, by node and adapter, of nodes with several; none for one name of several."""
        first: dict[tuple[str, str], dict[int, int]] = {}
        ends, numbers = chain(*self.node_links), chain(*self.adapters)
        for (name, adapter, _), number, rail in zip(ends, numbers, self._rails().tolist(), strict=True):
            ports = first.setdefault((name, adapter), {})
            ports[number] = min(rail, ports.get(number, rail))
        count = Counter(name for (name, _), ports in first.items() for _ in ports)
        ids = {name: number for number, name in enumerate(self.nodes)}
        return {
            (name, adapter): f"{node_name(ids[name])}:{min(ports.values())}"
            for (name, adapter), ports in first.items()
            if count[name] > 1 and len(ports) == 1
        }

    def _names(self) -> Iterator[tuple[str, str]]:
        count = Counter(name for part in self.parts for name in part.switches)
        for number, part in enumerate(self.parts):
            for switch, name in enumerate(part.switches):
                yield name if count[name] == 1 else f"{name} (plane {number})", switch_name(number, switch)
        for node, name in enumerate(self.nodes):
            yield name, node_name(node)


def assembled(parts: Sequence[ListedPlane], given: GivenDevices | None = None) -> ImportedFabric:
    """Return the fabric of some planes, whose nodes are matched by their names.

    Parameters
    ----------
    parts
        The planes.
    given
        The ids of devices; None for the natural order of names.

    Raises
    ------
    InputError
        If a port is used twice, there are no nodes, a value is known for some links only, or ids are wrong.
    """
    nodes = sorted_names({link.ends[1] for part in parts for link in part.attached})
    if not nodes:
        raise InputError(
            f"file={parts[0].source.path}: no nodes; expected nodes at some switches, or nodes_per_switch="
        )
    if given is not None:
        parts, nodes = given.ordered(parts, nodes)
    node_ids = {name: number for number, name in enumerate(nodes)}
    parts = with_node_ports(parts)
    placed = [_placed(part, node_ids) for part in parts]
    planes, node_links = [plane for plane, _ in placed], [ends for _, ends in placed]
    ports = adapter_ports(node_links)
    if not are_default([plane.node for plane in planes], ports):
        stated = ([(adapter, port) for adapter, port in found.tolist()] for found in ports)
        planes = [replace(plane, adapter_ports=tuple(own)) for plane, own in zip(planes, stated, strict=True)]
    return ImportedFabric(parts, planes, node_links, [found[:, 0].tolist() for found in ports], nodes)


def _placed(part: ListedPlane, node_ids: Mapping[str, int]) -> tuple[FabricPlane, list[NodeEnd]]:
    """Return a plane without the ports of adapters, and the end at the node of each link of a node."""
    source, switch_ids = part.source, {name: number for number, name in enumerate(part.switches)}
    ports = port_numbers(source, (*part.cables, *part.attached))
    cable_ports, node_ports = ports[: len(part.cables)], ports[len(part.cables) :]
    cables = tuple(
        (switch_ids[link.ends[0]], here, switch_ids[link.ends[1]], there)
        for link, (here, there) in zip(part.cables, cable_ports, strict=True)
    )
    ends = [(link.ends[1], link.adapter, port) for link, (_, port) in zip(part.attached, node_ports, strict=True)]
    keys = [(node_ids[name], natural(adapter), port) for name, adapter, port in ends]
    order = sorted(range(len(ends)), key=lambda link: keys[link])
    attached = [part.attached[i] for i in order]
    plane = FabricPlane(
        switches=len(part.switches),
        cables=cables,
        nodes=tuple(
            (node_ids[link.ends[1]], switch_ids[link.ends[0]], node_ports[i][0])
            for i, link in zip(order, attached, strict=True)
        ),
        lengths_m=_numbers([link.length_m for link in part.cables]),
        rates_gbps=_numbers([link.rate_gbps for link in part.cables]),
        delays_ns=_delays(part, part.cables),
        node_rates_gbps=_numbers([link.rate_gbps for link in attached]),
        node_delays_ns=_delays(part, attached),
    )
    return plane, [ends[i] for i in order]


def _numbers(values: Sequence[Fraction | None]) -> tuple[int | float | None, ...] | None:
    """Return numbers as records hold them; None if none is known."""
    if all(value is None for value in values):
        return None
    return tuple(None if value is None else decimal_number("length", value) for value in values)


def _delays(part: ListedPlane, links: Sequence[CableEntry]) -> tuple[int | float | None, ...] | None:
    """Return the delays of links as records hold them; None if none is known."""
    missing = [link for link in links if link.delay_ns is None]
    if missing and len(missing) < len(links):
        raise part.source.wrong(missing[0].line, "a link without a delay", "a delay for all links or for none")
    return _numbers([link.delay_ns for link in links])
