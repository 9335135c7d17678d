"""Networks: a family with its parameters, on a site."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .family import Family, is_own, require_members, returned
from .policy import Policy
from .site.site import Site
from .site.switch_model import DelayUnits, SwitchModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .cabling.floor_plan import Floor
    from .device_names import DeviceNames
    from .optical_switch import OpticalSwitch
    from .planes.detours import Detours
    from .planes.links import PlaneLinks
    from .planes.plane import Cabling, Plane
    from .search_variables import Variable

Cables = TypeVar("Cables", bound="Cabling")

NO_SITE = Site(layout=None)


@dataclass(frozen=True)
class Network:
    """One or more planes over one set of nodes, built from a family and a site.

    Comparison, hash and pickle use only the family and the site.

    Parameters
    ----------
    family
        The parameters.
    site
        The site; ignored for a family that states rates and delays itself.

    Examples
    --------
    >>> from .families._dual_cube import dual_cube
    >>> dual_cube(3, (3, 5, 7)).nodes
    32
    """

    family: Family
    site: Site = field(default_factory=Site)

    def __post_init__(self) -> None:
        require_members(self.family)
        if not self.family.uses_site:  # equal families are equal networks then, wherever they stand
            object.__setattr__(self, "site", NO_SITE)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the cached properties."""
        return Network, (self.family, self.site)

    @cached_property
    def planes(self) -> "tuple[Plane, ...]":
        """Switches, cables, routes and nodes of each plane; built on first use.

        Raises
        ------
        InputError
            If there are none, their numbers of nodes differ, or the lengths of their node cables differ.
        """
        return self.family.routed(self.cabling)

    @cached_property
    def cabling(self) -> "tuple[Cabling, ...]":
        """Switches, cables and nodes of each plane, without the routes unless the family builds both together.

        Lengths that follow from the layout are those of `floor`, which has whole nodes in its racks.
        """
        from .cabling.cable_lengths import laid_out

        planes = self._planes_of_family
        if self.site.switch.cache is not None:
            _require_no_switch_delays(planes)
        if self.family.assumed_cable_m is not None or self.floor is None:
            return planes
        return laid_out(planes, self.floor, self.site.prices)

    @property
    def longest_cable_mm(self) -> int:
        """Length of the longest cable, those of nodes included, in millimetres."""
        lengths = (mm for plane in self.cabling for mm in (plane.cable_mm, plane.node_lengths_mm))
        return max(int(mm.max(initial=0)) for mm in lengths)

    @cached_property
    def floor(self) -> "Floor | None":
        """The racks with their switches and nodes; None without a layout. Built on first use."""
        from .cabling.floor_plan import floor_of

        layout = self.site.layout
        return None if layout is None else floor_of(self._planes_of_family, layout)

    @cached_property
    def _planes_of_family(self) -> "tuple[Cabling, ...]":
        """The planes without the lengths that follow from the layout."""
        from .planes.plane import Cabling

        planes = self.family.build(self.site)
        for plane in returned(type(self.family), "build", planes, tuple):
            returned(type(self.family), "build", plane, Cabling)
        if is_own(type(self.family)):
            _require_numbers_of(planes, self.family)
        return _over_same_nodes(planes)

    @cached_property
    def detours(self) -> "tuple[Detours, ...] | None":
        """The non-minimal paths of each plane, None if the family has none; built on first use."""
        return self.family.detours(self.planes)

    @cached_property
    def plane_links(self) -> "tuple[PlaneLinks, ...]":
        """The links of each plane, numbered consecutively over the network; built on first use."""
        from .planes.links import links_of_planes

        return links_of_planes(self.planes)

    def route_links(
        self, source: NDArray[np.integer], destination: NDArray[np.integer], plane: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the links on the routes of a plane, including the links of nodes.

        Parameters
        ----------
        source, destination : int[routes]
            Node links of the plane; equal to the nodes if each has one link.
        plane
            Index of the plane.

        Returns
        -------
        int64[routes + 1], int64[...]
            Route i takes the links ``link[start[i]:start[i + 1]]``, in this order, numbered as in `PlaneLinks`.

        Raises
        ------
        InputError
            If a route loops, takes a port without a cable or ends at the wrong switch, or a node link does not exist.

        Examples
        --------
        >>> from .families.torus import Torus
        >>> start, link = Network(Torus(shape=(5,), node_cable_m=2.0)).route_links([4, 0], [1, 1], 0)
        >>> start.tolist(), link.tolist()  # 10 links between switches, 5 out of nodes and 5 into them
        ([0, 4, 7], [14, 8, 0, 16, 10, 0, 16])
        """
        return self.plane_links[plane].of_routes(source, destination)

    @property
    def plane_switches(self) -> tuple[int, ...]:
        """Switches of each plane."""
        return tuple(plane.topology.switches for plane in self.planes)

    @property
    def node_cable_mm(self) -> int | None:
        """Length of the cable between a node and its switch; None in a direct network."""
        return self.cabling[0].node_cable_mm

    @property
    def delay_units(self) -> DelayUnits:
        """Delays of switches and cables as integers in a common unit."""
        switch = self.site.switch
        # Only a computed endpoint delay needs the cables, which take time to build.
        return switch.units(0 if switch.endpoint_delay_ns is not None else self.node_cable_mm or 0)

    @property
    def policy(self) -> Policy:
        """Plane policy."""
        return self.family.policy

    @property
    def title(self) -> str:
        """Display name."""
        return self.family.title

    @property
    def names(self) -> "DeviceNames | None":
        """Names of the devices at their site, if these are known."""
        return self.family.names

    @property
    def name(self) -> str:
        """Name of the family."""
        return self.family.name

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.family.nodes

    @property
    def optical_switches(self) -> "tuple[OpticalSwitch, ...]":
        """The optical switches, which connect nodes by circuits: one or none."""
        optical = self.family.optical
        return () if optical is None else (optical,)

    def with_switch(self, switch: SwitchModel) -> "Network":
        """Return the network with another switch model."""
        return Network(self.family, replace(self.site, switch=switch))

    @property
    def variables(self) -> "Mapping[str, Variable]":
        """Search variables of the family and of the site, by the config keys that narrow their limits."""
        return {**self.family.variables, **self.site.variables}

    @property
    def baseline(self) -> "Network":
        """The baseline of the family, on the same site."""
        return Network(self.family.baseline, self.site)


def _require_no_switch_delays(planes: "tuple[Cabling, ...]") -> None:
    for number, plane in enumerate(planes):
        if plane.timing.switch_delay_ps is not None:
            raise InputError(
                f"switch.cache: plane {number} states the delays of its switches, but not what part of them is the "
                "look-up in the routing table; expected null"
            )


def _require_numbers_of(planes: "tuple[Cabling, ...]", family: Family) -> None:
    """Require that planes have the numbers of a family of the user's own, with which they would be divided."""
    built = {
        "switches": sum(plane.topology.switches for plane in planes),
        "cables": sum(int((plane.topology.peer >= 0).sum()) // 2 for plane in planes),
        "nodes": max((plane.nodes for plane in planes), default=0),
    }
    for name, count in built.items():
        stated = getattr(family, name)
        if stated != count:
            degree = f", whose mean degree is {2 * count / built['switches']:g}" if name == "cables" else ""
            raise InputError(
                f"{type(family).__name__}.{name}: {stated}; expected {count}, as in what it builds{degree}"
            )


def _over_same_nodes(planes: "tuple[Cables, ...]") -> "tuple[Cables, ...]":
    sizes = sorted({plane.nodes for plane in planes})
    if len(sizes) != 1:
        raise InputError(f"network.planes: planes of {sizes} nodes; expected planes over the same nodes")
    if len({plane.node_cable_mm for plane in planes}) != 1:
        raise InputError("network.planes: node cables of several lengths; expected one for all planes")
    return planes
