"""Names of switches and nodes: by their numbers, and those of an existing fabric in place of them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from .errors import InputError

SWITCH = re.compile(r"P([0-9]{1,9})-S([0-9]{1,9})")
NODE = re.compile(r"N([0-9]{1,9})")
ADAPTER = re.compile(rf"{NODE.pattern}(?::[0-9]{{1,4}})?")  # a node, or one of its adapters by a port
GUID = re.compile(r"0x[0-9a-fA-F]{1,16}")
PORT = "port "  # before the GUID of a port of a node
Names = tuple[str, ...]
KEYS = {"switches", "nodes"}
ALIASES = "aliases"


@dataclass(frozen=True)
class DeviceNames:
    """The names of all devices, for display and to recognise them: they do not change what a network is.

    Parameters
    ----------
    switches
        Names of the switches of each plane, by id.
    nodes
        Names of the nodes, by id.
    aliases
        What only one device is called: its name, its GUID such as ``0x1f``, its description. Each has the name of the
        device in exports; that of an adapter of a node with several, with a port of the node: ``N5:2``. Empty if only
        names are known.

    Examples
    --------
    >>> names = DeviceNames((("leaf0", "spine0"),), ("host7",), (("0x1f", "N0"), ("host7 mlx5_0", "N0")))
    >>> names.switch(0, 1), names.node(0)
    ('spine0 (P0-S1)', 'host7 (N0)')
    >>> names.guids
    {'N0': '0x1f'}
    """

    switches: tuple[Names, ...]
    nodes: Names
    aliases: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        known: Mapping[str, str],
        switches: Iterable[tuple[int, Iterable[int]]],
        nodes: Iterable[int],
        aliases: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the names of devices by those in exports; devices without one are called as in exports.

        Parameters
        ----------
        known
            The name of some devices by that in exports.
        switches, nodes
            The ids of the switches of each plane, with its number, and of the nodes.
        aliases
            As those of the class; None for none.

        Examples
        --------
        >>> DeviceNames.of({"P0-S2": "leaf2"}, [(0, (2, 5))], [1]).by_device()
        {'P0-S0': 'leaf2', 'P0-S1': 'P0-S5', 'N0': 'N1'}
        """
        by_plane = ([switch_name(plane, switch) for switch in own] for plane, own in switches)
        devices = (*by_plane, map(node_name, nodes))
        *of_switches, of_nodes = (tuple(known.get(device, device) for device in own) for own in devices)
        return cls(tuple(of_switches), of_nodes, tuple(sorted((aliases or {}).items())))

    def switch(self, plane: int, switch: int) -> str:
        """Return the name of a switch, with that in exports if it is another one."""
        return _beside(self.switches[plane][switch], switch_name(plane, switch))

    def node(self, node: int) -> str:
        """Return the name of a node, with that in exports if it is another one."""
        return _beside(self.nodes[node], node_name(node))

    def by_device(self) -> dict[str, str]:
        """Return the name of each device by that in exports.

        Examples
        --------
        >>> DeviceNames((("leaf0",), ("leaf1",)), ("host7",)).by_device()
        {'P0-S0': 'leaf0', 'P1-S0': 'leaf1', 'N0': 'host7'}
        """
        planes = enumerate(self.switches)
        switches = {switch_name(plane, switch): name for plane, own in planes for switch, name in enumerate(own)}
        return {**switches, **{node_name(node): name for node, name in enumerate(self.nodes)}}

    def devices(self) -> dict[str, str]:
        """Return the name in exports by each name, GUID and description that only one device has.

        Examples
        --------
        >>> DeviceNames((("leaf0",), ("leaf0",)), ("host7",)).devices()
        {'host7': 'N0'}
        >>> DeviceNames((("leaf0",), ("leaf0",)), ("host7",), (("0x1f", "P1-S0"),)).devices()
        {'0x1f': 'P1-S0'}
        """
        if self.aliases:
            return {name_key(alias): device for alias, device in self.aliases}
        uses = Counter(self.by_device().values())
        return {name_key(name): device for device, name in self.by_device().items() if uses[name] == 1}

    @cached_property
    def guids(self) -> dict[str, str]:
        """Return the GUID of each device, or adapter such as ``N5:2``, that has only one."""
        known = {(device, name_key(alias)) for alias, device in self.aliases if GUID.fullmatch(alias)}
        uses = Counter(device for device, _ in known)
        return {device: guid for device, guid in known if uses[device] == 1}

    def require_fit(self, switches: tuple[int, ...], nodes: int) -> None:
        """Require a name for each switch of each plane and each node, and aliases of these only."""
        sizes = (*map(len, self.switches), len(self.nodes))
        if sizes != (*switches, nodes):
            shown = [f"{count} switches" for count in switches]
            raise InputError(f"names: of {sizes} devices; expected names of {', '.join(shown)} and {nodes} nodes")
        known = self.by_device()
        for alias, device in self.aliases:
            if device.partition(":")[0] not in known:
                raise InputError(f"names: {alias[:60]!r} is {device}; expected a switch or node of the fabric")

    def write(self) -> dict[str, Any]:
        """Return the names as JSON."""
        written: dict[str, Any] = {"switches": [list(plane) for plane in self.switches], "nodes": list(self.nodes)}
        return {**written, ALIASES: dict(sorted(self.aliases))} if self.aliases else written

    @classmethod
    def read(cls, value: object) -> Self:
        """Return the names in a file or record."""
        keys: Mapping[Any, Any] = value if isinstance(value, Mapping) else {}
        switches, nodes = (keys.get(name, ()) for name in ("switches", "nodes"))
        has_lists = set(keys) - {ALIASES} == KEYS and isinstance(switches, list)
        if not has_lists or not all(map(_is_names, (*switches, nodes))):
            raise InputError("names: not lists of text; expected names of switches, by plane, and of nodes")
        aliases = keys.get(ALIASES, {})
        if not isinstance(aliases, Mapping) or not all(map(_is_device, aliases.values())):
            raise InputError("names.aliases: expected a device such as P0-S12, N5 or N5:2 by each name")
        known: dict[str, tuple[str, str]] = {}
        for alias, device in aliases.items():
            first = known.setdefault(name_key(alias), (alias, device))
            if first[1] != device:
                raise InputError(f"names.aliases: {alias} is {device}, but {first[0]} {first[1]}; expected one device")
        return cls(tuple(tuple(plane) for plane in switches), tuple(nodes), tuple(sorted(aliases.items())))


def _beside(name: str, device: str) -> str:
    return device if name == device else f"{name} ({device})"


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_device(value: object) -> bool:
    return isinstance(value, str) and bool(SWITCH.fullmatch(value) or ADAPTER.fullmatch(value))


def is_guid(name: str) -> bool:
    """Whether a name in a file is a GUID, or that of a port.

    Examples
    --------
    >>> is_guid("0x1f"), is_guid("port 0x1f"), is_guid("leaf 0x1f")
    (True, True, False)
    """
    return GUID.fullmatch(name.removeprefix(PORT)) is not None


def name_key(name: str) -> str:
    """Return what a name or GUID in a file is looked up by: GUIDs, also those of ports, in their shortest form.

    Examples
    --------
    >>> name_key("0x00C1"), name_key("port 0x01"), name_key("leaf0")
    ('0xc1', 'port 0x1', 'leaf0')
    """
    prefix = PORT if name.startswith(PORT) else ""
    return f"{prefix}{int(name.removeprefix(prefix), 16):#x}" if is_guid(name) else name


def shown_port(names: DeviceNames | None, plane: int, switch: int, port: int) -> str:
    """Return a port of a switch, counted from 1, with the name and GUID that the switch has at a site, if any.

    Examples
    --------
    >>> shown_port(None, 0, 1, 4), shown_port(DeviceNames((("leaf0", "spine0"),), ("host7",)), 0, 1, 4)
    ('P0-S1:5', 'spine0:5 (P0-S1:5)')
    """
    device = switch_name(plane, switch)
    name, guid = (device, None) if names is None else (names.switches[plane][switch], names.guids.get(device))
    others = ([f"{device}:{port + 1}"] if name != device else []) + ([guid] if guid not in (None, name) else [])
    return f"{name}:{port + 1}" + (f" ({', '.join(others)})" if others else "")


def switch_name(plane: int, switch: int) -> str:
    """Return the name of a switch, which is unique in the network.

    Examples
    --------
    >>> switch_name(1, 12)
    'P1-S12'
    """
    return f"P{plane}-S{switch}"


def node_name(node: int) -> str:
    """Return the name of a node.

    Examples
    --------
    >>> node_name(5)
    'N5'
    """
    return f"N{node}"


def node_port_name(node: int, port: int) -> str:
    """Return the name of a port of a node, which is counted from 1 over all planes.

    Examples
    --------
    >>> node_port_name(5, 1)
    'N5:1'
    """
    return f"{node_name(node)}:{port}"
