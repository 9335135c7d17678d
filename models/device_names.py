"""Names of the switches and nodes of an existing fabric, in place of their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from .errors import InputError
from .names import node_name, switch_name

Names = tuple[str, ...]


@dataclass(frozen=True)
class DeviceNames:
    """The names of all devices, for display: they do not change what a network is.

    Parameters
    ----------
    switches
        Names of the switches of each plane, by id.
    nodes
        Names of the nodes, by id.

    Examples
    --------
    >>> names = DeviceNames((("leaf0", "spine0"),), ("host7",))
    >>> names.switch(0, 1), names.node(0)
    ('spine0 (P0-S1)', 'host7 (N0)')
    """

    switches: tuple[Names, ...]
    nodes: Names

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

    def require_fit(self, switches: tuple[int, ...], nodes: int) -> None:
        """Require a name for each switch of each plane and each node.

        Raises
        ------
        InputError
            If there are more or fewer.
        """
        found = (*map(len, self.switches), len(self.nodes))
        if found != (*switches, nodes):
            shown = [f"{each} switches" for each in switches]
            raise InputError(f"names: of {found} devices; expected names of {', '.join(shown)} and {nodes} nodes")

    def write(self) -> dict[str, Any]:
        """Return the names as JSON."""
        return {"switches": [list(plane) for plane in self.switches], "nodes": list(self.nodes)}

    @classmethod
    def read(cls, value: object) -> Self:
        """Return the names in a file or record.

        Raises
        ------
        InputError
            If they are not lists of text.
        """
        keys: Mapping[Any, Any] = value if isinstance(value, Mapping) else {}
        switches, nodes = (keys.get(name, ()) for name in ("switches", "nodes"))
        has_lists = set(keys) == {"switches", "nodes"} and isinstance(switches, list)
        if not has_lists or not all(map(_is_names, (*switches, nodes))):
            raise InputError("names: not lists of text; expected names of switches, by plane, and of nodes")
        return cls(tuple(tuple(plane) for plane in switches), tuple(nodes))


def _beside(name: str, device: str) -> str:
    return device if name == device else f"{name} ({device})"


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
