"""A plane of an existing fabric, as plain values: cables with their ports, attachments of nodes, tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..arrays import Ints
from ..checks import check_int, exact_number, millimetres
from ..errors import InputError
from ..mathematics.grid import MAX_SWITCHES
from ..planes.link_rates import Timing
from ..planes.topology import Topology

Values = tuple[int | float | None, ...]
MAX_PORT = 4096
MAX_NODES = 1 << 20
INT64_BITS = 64
MAX_PLACES = 1 << 24  # ports of all switches, as arrays have them: the highest number of a port for each switch


@dataclass(frozen=True, kw_only=True)
class FabricPlane:
    """The cables of a plane between ports of switches, and its nodes.

    Parameters
    ----------
    switches
        Number of switches.
    cables
        Two switches with their ports: (switch, port, switch, port). Ports are numbered from 1.
    nodes
        Links of nodes, ascending by node: (node, switch, port).
    lengths_m
        Length of each cable between switches, None where it is unknown; None if all are.
    rates_gbps, delays_ns
        Rate and delay of each cable between switches, in units of 1 Mbit/s and 1 ps; None if unknown.
    node_rates_gbps, node_delays_ns
        Rate and delay of each link of a node; None if unknown.
    adapter_ports
        Adapter of the node and number of its port at each link of a node, both from 1, as in `Plane`; None if the ports
        of a node are numbered in the order of planes and links.
    tables
        SHA-256 of the file with the forwarding tables; None without tables.

    Examples
    --------
    >>> plane = FabricPlane(switches=2, cables=((0, 3, 1, 5),), nodes=((0, 0, 1), (1, 1, 1)))
    >>> plane.topology.peer.tolist()
    [[-1, -1, 1, -1, -1], [-1, -1, -1, -1, 0]]
    """

    switches: int
    cables: tuple[tuple[int, int, int, int], ...]
    nodes: tuple[tuple[int, int, int], ...]
    lengths_m: Values | None = None
    rates_gbps: Values | None = None
    delays_ns: Values | None = None
    node_rates_gbps: Values | None = None
    node_delays_ns: Values | None = None
    adapter_ports: tuple[tuple[int, int], ...] | None = None
    tables: str | None = None

    def __post_init__(self) -> None:
        check_int("network.planes.switches", self.switches, 1, MAX_SWITCHES)
        cables, nodes = self._cables, self._nodes
        switches = np.concatenate([cables[:, [0, 2]].ravel(), nodes[:, 1]])
        ports = np.concatenate([cables[:, [1, 3]].ravel(), nodes[:, 2]])
        for name, values, low, high in (
            ("switch", switches, 0, self.switches - 1),
            ("port", ports, 1, MAX_PORT),
            ("node", nodes[:, 0], 0, MAX_NODES - 1),
        ):
            wrong = values[(values < low) | (values > high)]
            if len(wrong):
                check_int(f"network.planes: {name}", int(wrong[0]), low, high)
        highest = int(cables[:, [1, 3]].max(initial=1))
        if self.switches * highest > MAX_PLACES:
            raise InputError(
                f"network.planes: {self.switches} switches with cables at ports up to {highest}; expected a product of "
                f"at most {MAX_PLACES}"
            )
        self._require_distinct_ports(switches, ports)
        if (np.diff(nodes[:, 0]) < 0).any():
            raise InputError("network.planes.nodes: not ascending by node; expected links in the order of nodes")
        self._check_lengths()
        self._check_adapter_ports()

    def _require_distinct_ports(self, switches: Ints, ports: Ints) -> None:
        """Raise an `InputError` that names a port that is used twice."""
        key = switches * (MAX_PORT + 1) + ports
        unique, counts = np.unique(key, return_counts=True)
        if counts.max(initial=0) > 1:
            switch, port = divmod(int(unique[counts.argmax()]), MAX_PORT + 1)
            raise InputError(
                f"network.planes: port {port} of switch {switch} is used twice; expected one cable at each port"
            )

    def _check_lengths(self) -> None:
        """Raise an `InputError` if there is not one value for each cable or link of a node."""
        sizes = {"lengths_m": len(self.cables), "rates_gbps": len(self.cables), "delays_ns": len(self.cables)}
        sizes |= {"node_rates_gbps": len(self.nodes), "node_delays_ns": len(self.nodes)}
        for name, size in sizes.items():
            values = getattr(self, name)
            if values is None:
                continue
            if len(values) != size or (None in values and name != "lengths_m"):
                raise InputError(f"network.planes.{name}: {len(values)} values; expected a number for each of {size}")
            for value in set(values) - {None}:
                exact_number(f"network.planes.{name}", value, high=10**7)

    def _check_adapter_ports(self) -> None:
        ports = self.node_adapter_ports
        if ports is None:
            return
        if len(ports) != len(self.nodes):
            raise InputError(
                f"network.planes.adapter_ports: {len(ports)} pairs; expected an adapter and a port for each of "
                f"{len(self.nodes)}"
            )
        for column, name in zip(ports.T, ("adapter", "port"), strict=True):
            wrong = column[(column < 1) | (column > MAX_PORT)]
            if len(wrong):
                check_int(f"network.planes.adapter_ports: {name}", int(wrong[0]), 1, MAX_PORT)

    @cached_property
    def node_adapter_ports(self) -> Ints | None:
        """The adapter and its port at each link of a node, as int64[node links, 2]; None if they are not stated."""
        return None if self.adapter_ports is None else _rows("adapter_ports", self.adapter_ports, 2)

    @cached_property
    def _cables(self) -> Ints:
        return _rows("cables", self.cables, 4)

    @cached_property
    def _nodes(self) -> Ints:
        return _rows("nodes", self.nodes, 3)

    @cached_property
    def topology(self) -> Topology:
        """The cables between switches; port p of the topology has number p + 1, and ports of nodes have no cable.

        A plane of one switch has one port without a cable.
        """
        cables = self._cables
        peer = self._at_ports(cables[:, 2], cables[:, 0], -1)
        peer_port = self._at_ports(cables[:, 3] - 1, cables[:, 1] - 1, -1)
        return Topology(peer.astype(np.int32), peer_port.astype(np.int32))

    def _at_ports(self, at_first: Ints, at_second: Ints, other: int) -> Ints:
        """Return values of the two ends of cables by switch and port."""
        cables = self._cables
        values = np.full((self.switches, int(cables[:, [1, 3]].max(initial=1))), other, dtype=np.int64)
        values[cables[:, 0], cables[:, 1] - 1] = at_first
        values[cables[:, 2], cables[:, 3] - 1] = at_second
        return values

    @property
    def node(self) -> Ints:
        """The node of each link of a node, ascending."""
        return self._nodes[:, 0]

    @property
    def node_switch(self) -> Ints:
        """The switch of each link of a node."""
        return self._nodes[:, 1]

    @property
    def node_port(self) -> Ints:
        """The port of the switch at each link of a node, from 0."""
        return self._nodes[:, 2] - 1

    @property
    def highest_node(self) -> int:
        """The highest id of a node; -1 without nodes."""
        return int(self._nodes[:, 0].max(initial=-1))

    def node_start(self, nodes: int) -> Ints:
        """Return the first link of each of a number of nodes, as in `Plane`."""
        return np.searchsorted(self._nodes[:, 0], np.arange(nodes + 1)).astype(np.int64)

    def ports_used(self, with_nodes: bool) -> int:
        """Return the maximum number of ports that a switch uses, with or without those of nodes."""
        ends = self._cables[:, [0, 2]].ravel()
        return int(np.bincount(np.concatenate([ends, self.node_switch]) if with_nodes else ends).max(initial=0))

    def cables_mm(self, otherwise_mm: int) -> Ints:
        """Return the length of the cable at each port; a given one where it is unknown."""
        lengths = self.lengths_m or (None,) * len(self.cables)
        values = np.array(
            [otherwise_mm if length is None else millimetres("network.planes.lengths_m", length) for length in lengths]
        )
        return self._at_ports(values, values, 0)

    @property
    def timing(self) -> Timing:
        """Rates and delays of the links, as far as they are known."""
        return Timing(
            rate_mbps=self._at_cables("rates_gbps", "Mbit/s"),
            node_rate_mbps=_in_plane_units("node_rates_gbps", self.node_rates_gbps, "Mbit/s"),
            delay_ps=self._at_cables("delays_ns", "ps"),
            node_delay_ps=_in_plane_units("node_delays_ns", self.node_delays_ns, "ps"),
        )

    def _at_cables(self, name: str, unit: str) -> Ints | None:
        values = _in_plane_units(name, getattr(self, name), unit)
        return None if values is None else self._at_ports(values, values, 0)

    def write(self) -> dict[str, Any]:
        """Return the fields for a record, without fields that are None."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def read(cls, keys: object) -> Self:
        """Return a plane from a record; lists become tuples."""
        allowed = [field.name for field in fields(cls)]
        if not isinstance(keys, Mapping) or not {"switches", "cables", "nodes"} <= set(keys) <= set(allowed):
            shown = f"keys {', '.join(map(str, keys))}" if isinstance(keys, Mapping) else repr(keys)
            raise InputError(f"network.planes: {shown}; expected switches, cables, nodes and some of {allowed[3:]}")
        return cls(**{name: _as_tuples(value) for name, value in keys.items()})


def _rows(name: str, rows: Sequence[Sequence[int]], width: int) -> Ints:
    """Return rows of integers as an array."""
    for row in rows:
        # Not isinstance: true and false would pass as 1 and 0.
        is_row = isinstance(row, tuple) and len(row) == width and all(type(value) is int for value in row)
        if not is_row or any(value.bit_length() >= INT64_BITS for value in row):
            raise InputError(f"network.planes.{name}={row!r}: expected {width} integers of 64 bits")
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


def _in_plane_units(name: str, values: Values | None, unit: str) -> Ints | None:
    """Return numbers in Gbit/s or ns in thousandths, which must be whole."""
    if values is None:
        return None
    thousandths = {value: exact_number(f"network.planes.{name}", value) * 1000 for value in set(values)}
    for value, number in thousandths.items():
        if number.denominator != 1 or (unit == "Mbit/s" and not number):
            raise InputError(f"network.planes.{name}={value}: expected a positive whole number of {unit}")
    whole: Mapping[Any, Fraction] = thousandths
    return np.array([whole[value].numerator for value in values], dtype=np.int64)


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, (list, tuple)) else value
