"""Networks: a family with its parameters, on a site."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .family import Family
from .policy import Policy
from .site import Site

if TYPE_CHECKING:
    from .cubes import Cubes
    from .families.hybrid import Hybrid
    from .network_links import PlaneLinks
    from .plane import Plane

MAX_NODES_PER_SWITCH = 1024
NO_SITE = Site(layout=None)


@dataclass(frozen=True)
class Network:
    """One or more planes over one set of nodes: all of it follows from its family and its site.

    Compared, hashed and pickled by both.

    Parameters
    ----------
    family
        The parameters.
    site
        Where it is built; of no influence, and left out, for a family that states rates and delays itself.

    Examples
    --------
    >>> from .dual_cube import dual_cube
    >>> dual_cube(3, (3, 5, 7)).nodes
    32
    """

    family: Family
    site: Site = field(default_factory=Site)

    def __post_init__(self) -> None:
        if not self.family.sited:
            object.__setattr__(self, "site", NO_SITE)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is built on first use."""
        return Network, (self.family, self.site)

    @cached_property
    def planes(self) -> "tuple[Plane, ...]":
        """Switches, cables, routes and nodes of each plane; built on first use.

        Raises
        ------
        InputError
            If there are none, they are over different numbers of nodes, or their nodes have cables of different
            lengths.
        """
        planes = self.family.build(self.site)
        sizes = sorted({plane.nodes for plane in planes})
        if len(sizes) != 1:
            raise InputError(f"network.planes: planes of {sizes} nodes; expected planes over the same nodes")
        if len({plane.node_cable_mm for plane in planes}) != 1:
            raise InputError("network.planes: node cables of several lengths; expected one for all planes")
        return planes

    @cached_property
    def plane_links(self) -> "tuple[PlaneLinks, ...]":
        """The links of each plane, in one numbering for the network; found on first use."""
        from .network_links import links_of_planes

        return links_of_planes(self.planes)

    def links(
        self, source: NDArray[np.integer], destination: NDArray[np.integer], plane: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the links that the routes of a plane take, the links of nodes included.

        Parameters
        ----------
        source, destination : int[routes]
            Node links of the plane: the nodes themselves where each has one.
        plane
            Which plane.

        Returns
        -------
        int64[routes + 1], int64[...]
            Route i takes the links ``link[start[i]:start[i + 1]]``, in this order, as `PlaneLinks` numbers them.

        Raises
        ------
        InputError
            If a route loops, takes a port without a cable or ends at the wrong switch, or there is no such node link.

        Examples
        --------
        >>> from .families.torus import Torus
        >>> start, link = Network(Torus(shape=(5,), node_cable_m=2.0)).links([4, 0], [1, 1], 0)
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
        return self.planes[0].node_cable_mm

    @property
    def policy(self) -> Policy:
        """Which plane a packet takes."""
        return self.family.policy

    @property
    def title(self) -> str:
        """What people call it."""
        return self.family.title

    @property
    def name(self) -> str:
        """Name of the family."""
        return self.family.name

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.family.nodes

    @property
    def cubes(self) -> "Cubes":
        """The planes as cubes; an `InputError` where they are none."""
        return self.family.cubes

    @property
    def hybrid(self) -> "Hybrid":
        """Groups, links and optical switch; an `InputError` where there are no circuits."""
        return self.family.hybrid

    @property
    def baseline(self) -> "Network":
        """The plainest network of the family with the same parts, on the same site."""
        return Network(self.family.baseline, self.site)
