"""The ports of a design that is made from a built one: cables between the same two devices stay."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from isoplane.models import Design, InputError, Network
from isoplane.models.arrays import rows_of
from isoplane.models.cabling.cable_list import CableList, cable_list
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.checks import shown
from isoplane.models.device_names import DeviceNames
from isoplane.models.failures.node_subsets import spread_nodes
from isoplane.models.planes.plane import Cabling, Plane
from isoplane.models.planes.port_numbers import Cables, at_ports

from ..config.config_values import distinct_paths
from ..records import design_of_record, read_record
from .built_design import built_places, require_built_devices
from .built_racks import in_racks

Devices = tuple[int, int, bool, int]  # plane, switch, whether the other end is a node, and this end
Switch = tuple[int, int]  # plane and number
Pairs = Mapping[int, int]  # the index of a built cable by that of the one of the design that it becomes
PORTS = ("switch_port", "other_port")


@dataclass(frozen=True)
class _Rewired(Network):
    """A network at the ports of a built one, as `rewired` finds them."""

    plain: Network = field(kw_only=True)
    built: Network = field(kw_only=True)
    states_ports: bool = field(kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        rewire = partial(_Rewired, plain=self.plain, built=self.built, states_ports=self.states_ports)
        return rewire, (self.family, self.site)

    @cached_property
    def cabling(self) -> tuple[Cabling, ...]:
        return tuple(self._at_ports(number, plane) for number, plane in enumerate(self.plain.cabling))

    @cached_property
    def planes(self) -> tuple[Plane, ...]:
        return tuple(self._at_ports(number, plane) for number, plane in enumerate(self.plain.planes))

    @cached_property
    def floor(self) -> Floor | None:
        return self.plain.floor

    @property
    def nodes(self) -> int:
        return self.plain.nodes

    @property
    def title(self) -> str:
        return self.plain.title

    @cached_property
    def names(self) -> DeviceNames | None:
        """Those of the built network before those of the design; further devices are called as in exports."""
        known = [network.names for network in (self.plain, self.built) if network.names is not None]
        if not known:
            return None
        name_of, aliases = dict[str, str](), dict[str, str]()
        for names in known:
            name_of |= names.by_device()
            aliases |= names.devices()
        switches = enumerate(range(plane.topology.switches) for plane in self.cabling)
        return DeviceNames.of(name_of, switches, range(self.nodes), aliases)

    @cached_property
    def _cables(self) -> tuple[CableList, CableList]:
        """The cables of the design, and the same ones at the ports of the built one."""
        new, old = (cable_list(network.cabling) for network in (self.plain, self.built))
        pairs = _pairs(new, old, at_equal_ports=self.states_ports)
        moved = new if self.states_ports else _at_built_ports(new, old, pairs)
        if old.adapter.any() and not new.adapter.any():
            moved = _at_built_adapters(moved, old, pairs)
        return new, moved

    def _at_ports(self, number: int, plane: Cables) -> Cables:
        new, moved = (cables.where(cables.plane == number) for cables in self._cables)
        nodes, between = new.to_node, ~new.to_node
        if moved.adapter.any():
            plane = replace(plane, adapter_ports=np.column_stack([moved.adapter, moved.adapter_port])[nodes])
        is_moved = (new.switch_port != moved.switch_port) | (between & (new.other_port != moved.other_port))
        if not is_moved.any():
            return plane
        port = np.full(plane.topology.peer.shape, -1, dtype=np.int64)
        port[new.switch[between], new.switch_port[between] - 1] = moved.switch_port[between] - 1
        port[new.other[between], new.other_port[between] - 1] = moved.other_port[between] - 1
        return at_ports(plane, port, None if plane.node_cable_mm is None else moved.switch_port[nodes] - 1)


def rewired(network: Network, built: Network | None, nodes: int | None = None) -> Network:
    """Return a network at the ports that are in use, if it is made from a built one, whose devices it has all.

    As many cables as possible stay where they are: each that joins two devices that the design joins, of several links
    of a node to one switch those at the same ports of the node. Those that are moved take the ports that this frees, of
    the same numbers as in the design where these are free, or else in order; only switches that need more ports use
    further ones. Switches that the built network does not have keep the ports of the design, and so does a network that
    states ports, as an imported one does. If the built network states the ports of its adapters and the new one does
    not, links of nodes that stay have these, and the others the remaining ports of the node in the plane, in order; a
    further node has one adapter. Devices stay in the racks of the built network, and others stand beside them
    (`in_racks`); cables fit these. If the built network has fewer nodes than the new one has places, they keep their
    numbers, and `nodes` of them, all by default, are at its `built_places`.

    Raises
    ------
    InputError
        If the network lacks a device of the built one (`require_built_devices`).
    """
    if built is None:
        return network
    return rewired_at(network, built, built_places(network, built, network.nodes if nodes is None else nodes))


def rewired_at(network: Network, built: Network, places: tuple[int, ...] | None) -> Network:
    """Return what `rewired` does, with nodes at known `built_places`."""
    count = network.nodes if places is None else len(places)
    require_built_devices(built, spread_nodes(network, count, places))
    plain = spread_nodes(in_racks(network, built, places), count, places)
    states_ports = any(plane.node_port is not None for plane in network.cabling)
    return _Rewired(plain.family, plain.site, plain=plain, built=built, states_ports=states_ports)


def require_unnamed_nodes(network: Network, nodes: int) -> None:
    """Raise an `InputError` if fewer nodes are bought than there are, and these have names at their site.

    Those that are left have other numbers than before (`spread_nodes`), and would have the names of others.
    """
    if nodes < network.nodes and network.family.names is not None:
        raise InputError(
            f"nodes={nodes}: {network.title} has {network.nodes} nodes with names; expected all of them, or a file of "
            "the fabric without the others"
        )


def built_design(given: object, nodes: int | None) -> Design:
    """Return the design of the record of ``rewired_from``, or of the last one of a list, each of which became the next.

    Each but the first has the ports of those before it, as `rewired` finds them, and their nodes if the design that
    they become has a given number of `nodes`.
    """
    built: Design | None = None
    files = given if isinstance(given, list) else [given]
    for path in distinct_paths("rewired_from", files):
        design = design_of_record(read_record(path, option="rewired_from"))
        if built is not None:
            same = None if nodes is None else min(built.network.nodes, nodes)
            design = replace(design, network=rewired(design.network, built.network, same))
        built = design
    if built is None:
        raise InputError(f"rewired_from={shown(given)}: expected a record, or a list of those that were built in turn")
    return built


def _rows(cables: CableList, *, at_equal_ports: bool) -> Iterator[tuple[Devices, tuple[int, int]]]:
    """Yield the devices that each cable joins, and the ports that are alike where a cable stays.

    Those of both ends between switches. At the link of a node that of the switch if `at_equal_ports`, because that of
    the node follows, and else that of the node, because that of the switch follows; the other one is 0.
    """
    near, far = (cables.switch_port, 0) if at_equal_ports else (0, cables.other_port)
    ports = np.where(cables.to_node, near, cables.switch_port), np.where(cables.to_node, far, cables.other_port)
    rows = rows_of(cables.plane, cables.switch, cables.to_node, cables.other, *ports)
    return (((plane, *ends), (port, far_port)) for plane, *ends, port, far_port in rows)


def _pairs(new: CableList, old: CableList, *, at_equal_ports: bool) -> dict[int, int]:
    """Return the built cable that becomes each new one: one at equal ports, or else of the same devices, if allowed."""
    left: defaultdict[Devices, dict[tuple[int, int], int]] = defaultdict(dict)
    for index, (devices, ports) in enumerate(_rows(old, at_equal_ports=at_equal_ports)):
        left[devices][ports] = index
    rows = list(enumerate(_rows(new, at_equal_ports=at_equal_ports)))
    pairs = {index: left[devices].pop(ports) for index, (devices, ports) in rows if ports in left[devices]}
    for index, (devices, _) in rows if not at_equal_ports else ():
        if index not in pairs and left[devices]:
            pairs[index] = left[devices].pop(next(iter(left[devices])))
    return pairs


def _at_built_ports(new: CableList, old: CableList, pairs: Pairs) -> CableList:
    """Return new cables at ports of switches: those of the built ones where they stay, else `_assigned`."""
    in_use: defaultdict[Switch, set[int]] = defaultdict(set)
    for switch, column, index in _switch_ends(old):
        in_use[switch].add(int(getattr(old, column)[index]))
    ends: defaultdict[Switch, list[tuple[str, int]]] = defaultdict(list)
    for switch, column, index in _switch_ends(new):
        ends[switch].append((column, index))
    columns = {name: getattr(new, name).copy() for name in PORTS}
    for switch, own in ends.items():
        wanted = [int(getattr(new, column)[index]) for column, index in own]
        kept = [int(getattr(old, column)[pairs[index]]) if index in pairs else None for column, index in own]
        for (column, index), port in zip(own, _assigned(wanted, kept, in_use[switch]), strict=True):
            columns[column][index] = port
    return replace(new, **columns)


def _switch_ends(cables: CableList) -> Iterator[tuple[Switch, str, int]]:
    """Yield the ends of cables at switches: the switch, and the column and the index of the port."""
    every, between = np.arange(len(cables)), np.flatnonzero(~cables.to_node)
    for column, switches, at in zip(PORTS, (cables.switch, cables.other), (every, between), strict=True):
        rows = rows_of(cables.plane[at], switches[at], at)
        yield from (((plane, switch), column, index) for plane, switch, index in rows)


def _assigned(wanted: Sequence[int], kept: Sequence[int | None], in_use: Collection[int]) -> list[int]:
    """Return the port of each cable of a switch.

    Parameters
    ----------
    wanted
        The ports in the design.
    kept
        The port of each cable that stays; None for others.
    in_use
        The ports that are in use so far.

    Examples
    --------
    The second cable stays at port 4. The first takes port 1, which it has in the design; the third one that is freed,
    and the fourth one that no cable had so far.

    >>> _assigned([1, 2, 3, 5], [None, 4, None, None], {1, 4, 7})
    [1, 4, 7, 2]
    """
    if not in_use:
        return list(wanted)
    free = set(in_use).difference(kept)
    found = [own if port is None and own in free else port for own, port in zip(wanted, kept, strict=True)]
    others = chain(sorted(free.difference(found)), sorted(set(wanted).difference(in_use)))
    return [next(others) if port is None else port for port in found]


def _at_built_adapters(new: CableList, old: CableList, pairs: Pairs) -> CableList:
    """Return new cables whose ends at nodes have ports of adapters of the built network."""
    links, built = (
        [(index, node) for index, *node in rows_of(at, cables.plane[at], cables.other[at])]
        for cables, at in ((cables, np.flatnonzero(cables.to_node)) for cables in (new, old))
    )
    taken = set(pairs.values())
    left: defaultdict[tuple[int, ...], deque[int]] = defaultdict(deque)
    for index, node in built:
        if index not in taken:
            left[tuple(node)].append(index)
    known = {tuple(node) for _, node in built}
    stay = [(index, node) for index, node in links if tuple(node) in known]
    source = [pairs[index] if index in pairs else left[tuple(node)].popleft() for index, node in stay]
    at, further = [index for index, _ in stay], [index for index, node in links if tuple(node) not in known]
    columns = {name: getattr(new, name).copy() for name in ("other_port", "adapter", "adapter_port")}
    columns["adapter"][further] = 1
    for name, column in columns.items():
        column[at] = getattr(old, name)[source]
    return replace(new, **columns)
