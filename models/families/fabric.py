"""Existing fabrics: planes of any cables with port numbers, any attachment of nodes, and separate tables."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from ..cabling.cable_lengths import check_assumed_cable, given_cables_mm
from ..checks import Json, Metres, millimetres
from ..device_names import DeviceNames
from ..errors import InputError
from ..family import Family
from ..family_kinds.fabric_plane import FabricPlane
from ..files.bounded_file import read_input
from ..files.forwarding_tables import add_table_folder, read_table, table_file
from ..planes.plane import Cabling, Plane
from ..planes.routes import Routes
from ..policy import Policy, check_policy
from ..routing import ROUTINGS, balanced_between_nodes, balanced_up_down, check_routing
from ..routing.imported import imported_table
from ..site.site import Site
from .multi_plane import MAX_PLANES

TABLES, BALANCED, BALANCED_UP_DOWN = "tables", "balanced", "balanced_up_down"


@dataclass(frozen=True, kw_only=True)
class Fabric(Family):
    """An existing fabric: planes over the same nodes, each with any cables, links of nodes and tables.

    A config names a file as `isoplane import` writes it; a record holds the planes themselves. Forwarding tables are in
    files beside it, named by their SHA-256.

    Parameters
    ----------
    planes
        The planes; each node has a link in one of them at least.
    routing
        ``tables``: the imported forwarding tables, which packets follow on any virtual channel. Whatever the tables:
        ``up_down``, ``shortest`` or ``hop_classes`` as for a graph; ``balanced`` likewise, but with as few classes of
        virtual channels as routes between switches with nodes need (`balanced_between_nodes`); ``balanced_up_down``
        (of that name). None: the tables if all planes have them, else ``up_down``.
    policy
        Plane policy.
    assumed_cable_m
        Length of cables between switches of unknown length, in metres; None if lengths follow from the layout.
    node_cable_m
        Length of the cable between a node and its switch; None in a direct network, where node i is a part of switch i.
    names
        Names of the devices for display, None if unknown. They are no part of what is compared, and `write` leaves them
        out: a record has them beside the network.

    Examples
    --------
    >>> plane = FabricPlane(switches=2, cables=((0, 3, 1, 5),), nodes=((0, 0, 1), (1, 1, 1)))
    >>> Fabric(planes=(plane,)).title
    'fabric of 2 switches'
    """

    name: ClassVar[str] = "fabric"
    is_imported: ClassVar[bool] = True

    planes: tuple[FabricPlane, ...]
    routing: str | None = None
    policy: Policy = "nearest"
    assumed_cable_m: Metres | None = 1.0
    node_cable_m: Metres | None = 2.0
    names: DeviceNames | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.planes) <= MAX_PLANES:
            raise InputError(f"network.planes: {len(self.planes)} planes; expected 1 to {MAX_PLANES}")
        has_tables = all(plane.tables is not None for plane in self.planes)
        if self.routing is None:
            object.__setattr__(self, "routing", TABLES if has_tables else "up_down")
        check_routing(self.routing, *((TABLES,) if has_tables else ()), BALANCED_UP_DOWN)
        object.__setattr__(self, "policy", check_policy("network.policy", self.policy, len(self.planes)))
        check_assumed_cable(self.assumed_cable_m)
        if self.node_cable_m is not None:
            millimetres("network.node_cable_m", self.node_cable_m)
        if self.assumed_cable_m is None and any(plane.lengths_m is not None for plane in self.planes):
            raise InputError(
                "network.assumed_cable_m=null: expected a length, because cables have lengths of their own"
            )
        attached = np.concatenate([np.diff(plane.node_start(self.nodes)) for plane in self.planes])
        links = attached.reshape(len(self.planes), self.nodes).sum(axis=0)
        if not self.nodes or not links.all():
            missing = int(np.argmin(links)) if self.nodes else 0
            raise InputError(f"network.planes.nodes: node {missing} has no link; expected one in a plane at least")
        if self.names is not None:
            self.names.require_fit(tuple(plane.switches for plane in self.planes), self.nodes)
        self._check_adapter_ports()
        for plane in self.planes:
            plane.topology.require_connected()
        if self.routing == TABLES:
            # At once: a missing file is an error of this network, and not of the first one who asks for its routes.
            _ = self._table_files

    def _check_adapter_ports(self) -> None:
        """Raise an `InputError` if only some planes state ports of nodes, or two links of a node are at one port."""
        stated = [plane.node_adapter_ports for plane in self.planes]
        known = [ports for ports in stated if ports is not None]
        if known and len(known) < len(stated):
            plane = next(number for number, ports in enumerate(stated) if ports is None)
            raise InputError(
                f"network.planes.adapter_ports: none in plane {plane}; expected them in all planes or none"
            )
        if known:
            ends = np.column_stack([np.concatenate([plane.node for plane in self.planes]), np.concatenate(known)])
            unique, uses = np.unique(ends, axis=0, return_counts=True)
            if uses.max(initial=0) > 1:
                node, adapter, port = unique[uses.argmax()].tolist()
                raise InputError(
                    f"network.planes.adapter_ports: port {port} of adapter {adapter} of node {node} is used twice; "
                    "expected one link at each port"
                )

    @cached_property
    def _table_files(self) -> tuple[Path, ...]:
        """The files with the tables of the planes; found once, and kept when pickled."""
        return tuple(table_file(plane.tables) for plane in self.planes)

    def on_one_lane(self) -> Self:
        """Return the same fabric with up*/down* routes over several roots."""
        return replace(self, routing=BALANCED_UP_DOWN)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return 1 + max(plane.highest_node for plane in self.planes)

    @property
    def switches(self) -> int:
        """Number of switches in all planes."""
        return sum(plane.switches for plane in self.planes)

    @property
    def ports(self) -> int:
        """Maximum number of ports that a switch uses."""
        return max(plane.ports_used(self.node_cable_m is not None) for plane in self.planes)

    @property
    def cables(self) -> int:
        """Number of cables between switches in all planes."""
        return sum(len(plane.cables) for plane in self.planes)

    @property
    def size_label(self) -> str:
        """The number of switches of each plane."""
        is_single = self.switches == 1
        return f"of {' + '.join(str(plane.switches) for plane in self.planes)} switch{'' if is_single else 'es'}"

    @property
    def description(self) -> str:
        """The title and the number of nodes."""
        return f"{self.title}, {self.nodes} nodes"

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the planes without their routes; equal ones are one object, so that all of them are measured once."""
        built = {plane: self._cabling(plane) for plane in dict.fromkeys(self.planes)}
        return tuple(built[plane] for plane in self.planes)

    def _cabling(self, plane: FabricPlane) -> Cabling:
        node_switch = plane.node_switch.astype(np.int32)
        if self.assumed_cable_m is None:
            cable_mm = given_cables_mm(plane.topology, None)
        else:
            cable_mm = plane.cables_mm(millimetres("network.assumed_cable_m", self.assumed_cable_m))
        is_direct, starts = self.node_cable_m is None, plane.node_start(self.nodes)
        return Cabling(
            plane.topology,
            cable_mm,
            node_switch,
            None if is_direct else millimetres("network.node_cable_m", self.node_cable_m),
            None if (np.diff(starts) == 1).all() else starts,
            timing=plane.timing,
            node_port=None if is_direct else plane.node_port,
            adapter_ports=None if is_direct else plane.node_adapter_ports,
        )

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the planes with their routes; those that are one object stay one."""
        indices = {id(plane): index for index, plane in enumerate(planes)}
        routed = {key: planes[index].routed(self._routes(index)) for key, index in indices.items()}
        return tuple(routed[id(plane)] for plane in planes)

    def _routes(self, index: int) -> Routes:
        plane = self.planes[index]
        if self.routing == TABLES:
            return imported_table(plane.topology, read_table(self._table_files[index]), plane.node_switch)
        if self.routing in (BALANCED, BALANCED_UP_DOWN):
            return _balanced(plane, self.routing)
        return ROUTINGS[str(self.routing)](plane.topology)

    def write(self) -> Json:
        """Return the fields of a record: planes without their unknown values, and no names."""
        written = super().write()
        del written["network"]["names"]
        planes = [plane.write() for plane in self.planes]
        return {**written, "network": {**written["network"], "planes": planes}}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the fabric of a record, which has planes, or of a config, which names a file."""
        values = dict(keys)
        file = values.pop("file", None)
        if file is not None:
            data = _keys_of_file(Path(str(file)))
            values |= data if values.get("routing") is None else data | {"routing": values["routing"]}
        if not isinstance(values.get("planes"), (list, tuple)):
            raise InputError("network.file=null: expected a file as isoplane import writes it")
        values["planes"] = tuple(
            plane if isinstance(plane, FabricPlane) else FabricPlane.read(plane) for plane in values["planes"]
        )
        if values.get("names") is not None:
            values["names"] = DeviceNames.read(values["names"])
        return super().read(values)


@lru_cache(maxsize=8)
def _balanced(plane: FabricPlane, routing: str) -> Routes:
    """Return balanced routes, which take long to find; the last ones are kept."""
    find = balanced_up_down if routing == BALANCED_UP_DOWN else balanced_between_nodes
    return find(plane.topology, plane.node_switch)


def _keys_of_file(path: Path) -> dict[str, Any]:
    """Return the planes in a file that `isoplane import` wrote, with its routing and the names of devices."""
    try:
        data = json.loads(read_input(path))
    except OSError as error:
        raise InputError(
            f"network.file={path}: {error.strerror}; expected a file as isoplane import writes it"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"network.file={path}: not JSON ({error}); expected a file of isoplane import") from error
    if not isinstance(data, dict) or not isinstance(data.get("planes"), list):
        raise InputError(f"network.file={path}: no planes; expected a file as isoplane import writes it")
    # Tables lie beside the file that names them by their hashes.
    add_table_folder(path.parent)
    return {key: data[key] for key in ("planes", "names", "routing") if key in data}
