"""Networks of which only some nodes, or some links of nodes, are used."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Ints
from ..cabling.cable_list import node_ports
from ..cabling.floor_plan import Floor
from ..checks import check_int
from ..errors import InputError
from ..family_kinds.optical import refuse_circuits
from ..family_kinds.planes import PlanesFamily
from ..mathematics.spans import spans, starts_of
from ..network import Network
from ..paths.transmission_times import transmission_times_of
from ..planes.plane import Cabling, Plane
from ..planes.spread_places import spread_order, spread_places

Cables = TypeVar("Cables", bound=Cabling)


def with_nodes(network: Network, nodes: ArrayLike) -> Network:
    """Return the network of some of its nodes: all switches, cables and routes, with only these nodes attached.

    Node i of the result is the i-th of the given nodes in ascending order. A plane to which none of them is attached is
    left out. The nodes of a direct network get cables of length 0 to their switches.

    Parameters
    ----------
    network
        A network without circuits.
    nodes : int[...]
        Different nodes, at least one.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> part = with_nodes(Network(Torus(shape=(5,), nodes_per_switch=2, node_cable_m=2.0)), [9, 0, 1])
    >>> part.nodes, part.planes[0].node_switch.tolist()
    (3, [0, 0, 4])
    """
    require_no_circuits(network)
    chosen = np.array(nodes)
    if chosen.ndim != 1 or not chosen.size or not np.issubdtype(chosen.dtype, np.integer):
        raise InputError(f"nodes: {chosen.dtype} of shape {chosen.shape}; expected a list of different nodes")
    chosen = np.unique(chosen)
    check_int("nodes", int(chosen[0]), 0, network.nodes - 1)
    check_int("nodes", int(chosen[-1]), 0, network.nodes - 1)
    if len(chosen) != np.size(nodes):
        raise InputError(f"nodes: {np.size(nodes)}, of which {len(chosen)} differ; expected different nodes")
    links = [_links_of(plane, chosen) for plane in network.planes]
    is_complete = len(chosen) == network.nodes
    planes = {
        # A direct plane needs a node at every switch.
        number: with_links(network, plane, kept, chosen, is_direct=is_complete and network.node_cable_mm is None)
        for number, (plane, kept) in enumerate(zip(network.planes, links, strict=True))
        if len(kept)
    }
    return of_planes(network, planes)


@dataclass(frozen=True)
class _SpreadNodes(Network):
    """A network of which only some places have nodes, as `spread_nodes` returns it."""

    every: Network = field(kw_only=True)
    count: int = field(kw_only=True)
    given_places: tuple[int, ...] | None = field(kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return spread_nodes, (self.every, self.count, self.given_places)

    @property
    def nodes(self) -> int:
        return self.count

    @property
    def title(self) -> str:
        if self.count == self.every.nodes:
            return self.every.title
        spread = ", evenly spread" if self.given_places is None else ""
        return f"{self.every.title}, with {self.count} of its {self.every.nodes} nodes{spread}"

    @cached_property
    def planes(self) -> tuple[Plane, ...]:
        return self._with_nodes(self.every.planes)

    @cached_property
    def cabling(self) -> tuple[Cabling, ...]:
        return self._with_nodes(self.every.cabling)

    @cached_property
    def floor(self) -> Floor | None:
        floor = self.every.floor
        return None if floor is None else replace(floor, of_nodes=floor.of_nodes[self.places])

    @cached_property
    def places(self) -> Ints:
        """The place of each node in `every`."""
        given = self.given_places
        return spread_places(self.every.cabling, self.count) if given is None else np.array(given)

    def _with_nodes(self, planes: Sequence[Cables]) -> tuple[Cables, ...]:
        different = {id(plane): plane for plane in planes}  # equal planes are often one object, and stay one
        found = {key: self._plane_with_nodes(plane) for key, plane in different.items()}
        return tuple(found[id(plane)] for plane in planes)

    def _plane_with_nodes(self, plane: Cables) -> Cables:
        kept = _links_of(plane, self.places)
        part = with_links(self.every, plane, kept, self.places, is_direct=False)
        ports = node_ports(plane)[kept]  # other places can get nodes at the ports between
        return part if np.array_equal(node_ports(part), ports) else replace(part, node_port=ports - 1)


def spread_nodes(network: Network, nodes: int, places: Sequence[int] | None = None) -> Network:
    """Return a network as it is built with fewer nodes than places: the others have neither nodes nor cables.

    The places with nodes are those of `spread_places`, evenly many at all switches, and stay when the network grows.
    Node i is at the i-th of them. Switches, racks, ports and the lengths of cables are those of the network with all
    its nodes.

    Parameters
    ----------
    network
        A network whose nodes have cables, without circuits.
    nodes
        Number of nodes, up to that of the network, which is returned itself if it has no more and no `places`.
    places
        The place of each node, all different, if they are not spread evenly, such as those of a built fabric.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> part = spread_nodes(Network(Torus(shape=(5,), nodes_per_switch=2, node_cable_m=2.0)), 7)
    >>> part.title, part.planes[0].node_switch.tolist()
    ('torus 5, with 7 of its 10 nodes, evenly spread', [0, 0, 1, 2, 2, 3, 4])
    """
    if check_int("nodes", nodes, 1, network.nodes) == network.nodes and places is None:
        return network
    require_no_circuits(network)
    if network.node_cable_mm is None:
        raise InputError(
            f"nodes={nodes}: {network.title} has a node in each switch; expected {network.nodes}, all of them"
        )
    given = None if places is None else tuple(places)
    part = _SpreadNodes(network.family, network.site, every=network, count=nodes, given_places=given)
    for number, plane in enumerate(network.cabling):
        if not np.isin(plane.node, part.places).any():
            first = int(np.argmax(np.diff(plane.starts)[spread_order(network.cabling)] > 0))
            expected = f"expected at least {first + 1}"
            raise InputError(f"nodes={nodes}: none of these nodes has a link in plane {number}; {expected}")
    return part


def require_no_circuits(network: Network) -> None:
    """Raise an `InputError` if a network has an optical switch, which given planes cannot represent."""
    refusal = f"network.family={network.name}: circuits between nodes; expected a network of switches only"
    refuse_circuits(network.family, refusal)


def _links_of(plane: Cabling, nodes: Ints) -> Ints:
    """Return the node links of some nodes, in the order of these."""
    return spans(plane.starts[nodes], np.diff(plane.starts)[nodes])


def with_links(network: Network, plane: Cables, kept: Ints, nodes: NDArray[np.integer], *, is_direct: bool) -> Cables:
    """Return a plane with some of its nodes, renumbered, and some of their links; routes, if any, do not change.

    Parameters
    ----------
    network, plane
        A network, and one of its planes.
    kept : int[...]
        The node links that remain, at least one, in the order of `nodes`.
    nodes : int[...]
        The remaining nodes: the i-th of them is node i of the result.
    is_direct
        Whether the plane remains direct: all nodes remain parts of their switches. Otherwise nodes without cables get
        cables of length 0, at the rate of the reference link (`TransmissionTimes`).
    """
    timing, changed = plane.timing, dict[str, Any]()
    if isinstance(plane, Plane) and plane.routes.column is not None:
        changed["routes"] = replace(plane.routes, column=plane.routes.column[kept])
    links = np.bincount(plane.node[kept], minlength=int(nodes.max()) + 1)[nodes]
    node_rate = timing.node_rate_mbps
    if plane.node_cable_mm is None and timing.rate_mbps is not None:
        node_rate = np.full(len(plane.node_switch), transmission_times_of(network).reference_mbps, dtype=np.int64)
    return replace(
        plane,
        node_switch=plane.node_switch[kept],
        node_port=None if plane.node_port is None else plane.node_port[kept],
        adapter_ports=None if plane.adapter_ports is None else plane.adapter_ports[kept],
        node_start=None if (links == 1).all() else starts_of(links),
        node_cable_mm=0 if plane.node_cable_mm is None and not is_direct else plane.node_cable_mm,
        node_cables_mm=None if plane.node_cables_mm is None else plane.node_cables_mm[kept],
        timing=replace(
            timing,
            node_rate_mbps=None if node_rate is None else node_rate[kept],
            node_delay_ps=None if timing.node_delay_ps is None else timing.node_delay_ps[kept],
        ),
        **changed,
    )


def of_planes(network: Network, planes: dict[int, Plane]) -> Network:
    """Return a network of modified planes, by index of the original plane, with its title, site and policy."""
    policy = network.policy
    shares = policy if isinstance(policy, str) else tuple(policy[number] for number in planes)
    return Network(PlanesFamily(network.title, tuple(planes.values()), shares), network.site)
