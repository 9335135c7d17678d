"""Several planes of one topology whose switches have other places in each."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Ints
from ..checks import Json, shown
from ..cubes.cube import Cube
from ..errors import InputError
from ..exchanges.all_to_all import ExchangeOrder
from ..family import Family, plane_count
from ..family_kinds.cube import Cubes
from ..network import NO_SITE, Network
from ..planes.plane import Cabling, Plane
from ..planes.relabelling import relabelled_cabling, relabelled_routes
from ..routing import dimension_order
from ..routing.planned import planned_planes
from ..search_variables import PlacesVariable, Variable
from ..site.site import Site
from .folded_hypercube import FoldedHypercube
from .hypercube import Hypercube
from .hyperx import HyperX
from .multi_plane import MultiPlane

Part = TypeVar("Part")

PLANNED = "planned"
MAX_SWITCHES = 4096  # of a plane: each further one has a table of routes between all pairs


@dataclass(frozen=True, kw_only=True)
class Relabelled(MultiPlane):
    """Planes over the same nodes, of one topology in which the switches have other places in each plane.

    A plane joins switches x and y if the topology joins p(x) and p(y), where p is its permutation of the switches. So
    two nodes that are far apart in one plane can be near in another. Of hypercubes the linear permutations are those of
    `Hypercube`; others can be better. Racks are filled by id with stacks of switches, one of each plane: p of plane 0
    says where in the racks the switches of the topology stand.

    Parameters
    ----------
    plane
        The network of plane 0; it must have one plane, one link per node, and at most 4,096 switches.
    planes
        Number of planes, from 2.
    places
        A permutation for each further plane, after one for plane 0 unless switches keep their places there, as those
        without nodes do in all planes; None for identical planes, the reference of searches.
    folded
        The further planes, ascending from 1, that are folded hypercubes beside the hypercube of plane 0; None for none.
    policy
        Plane policy.
    routing
        ``planned``: the plane and the routes of each pair of switches are planned together, by `planned_planes`, which
        the policy ``nearest`` follows, and ``spill`` while no queue is long. None: each plane has the routes of its
        family.

    Examples
    --------
    >>> from .torus import Torus
    >>> two = Relabelled(plane=Torus(shape=(5,), node_cable_m=2.0), places=((0, 2, 4, 1, 3),))
    >>> two.nodes, two.switches, two.cables
    (5, 10, 10)
    """

    name: ClassVar[str] = "relabelled"

    plane: Family = field(default_factory=HyperX)
    places: tuple[tuple[int, ...], ...] | None = None
    folded: tuple[int, ...] | None = None
    routing: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        switches = self.plane.switches
        if self.planes < 2:
            raise InputError(f"network.planes={self.planes}: expected 2 or more, which can differ")
        if self.links_per_node > 1:
            raise InputError(f"network.links_per_node={self.links_per_node}: expected 1")
        if switches > MAX_SWITCHES:
            raise InputError(f"network.plane: {switches} switches; expected at most {MAX_SWITCHES}")
        if self.places is not None and len(self.places) not in (self.planes - 1, self.planes):
            raise InputError(
                f"network.places: {len(self.places)} permutations; expected {self.planes - 1} for the further planes, "
                f"or {self.planes} with plane 0"
            )
        if self.folded is not None:
            if not isinstance(self.plane, Hypercube):
                raise InputError(f"network.folded={list(self.folded)}: expected null, or planes of hypercubes")
            if (
                self.folded != tuple(plane for plane in range(1, self.planes) if plane in self.folded)
                or not self.folded
            ):
                raise InputError(
                    f"network.folded={list(self.folded)}: expected ascending planes from 1 to {self.planes - 1}"
                )
        if self.routing not in (None, PLANNED):
            raise InputError(f"network.routing={self.routing}: expected null or {PLANNED}")
        if self.routing == PLANNED and self.policy not in ("nearest", "spill"):
            shown_policy = list(self.policy) if isinstance(self.policy, tuple) else self.policy
            raise InputError(f"network.policy={shown_policy}: expected nearest, spill with network.routing={PLANNED}")
        if self.routing == PLANNED and not self.are_equally_fast:
            raise InputError(
                f"network.routing={PLANNED}: network.rates_gbps={list(self.rates_gbps or ())} differ; expected null"
            )
        for places in self.places or ():
            if sorted(places) != list(range(switches)):
                raise InputError(f"network.places={shown(list(places))}: expected a permutation of 0 to {switches - 1}")

    def _require_one_plane(self, inner: Family) -> None:
        if plane_count(inner) != 1 or inner.kind not in ("switches", "cubes") or not inner.uses_site:
            raise InputError(f"network.plane.family={inner.name}: expected a family of one plane, such as torus")

    @cached_property
    def folded_plane(self) -> FoldedHypercube | None:
        """The network of the folded planes; None without any."""
        if self.folded is None or not isinstance(self.plane, Hypercube):
            return None
        (cube,) = self.plane.planes
        return FoldedHypercube((replace(cube, folded=True),), self.plane.nodes_per_switch)

    @property
    def topologies(self) -> list[Family]:
        """The network whose cables each plane has, between the places of its switches."""
        return [self.plane, *self._further(self.plane, self.folded_plane)]

    def _further(self, plane: Part, folded: Part | None) -> list[Part]:
        """Return what belongs to each further plane, of that for one like plane 0 and that for a folded one."""
        are_folded = (number in (self.folded or ()) for number in range(1, self.planes))
        return [folded if folded is not None and is_folded else plane for is_folded in are_folded]

    @property
    def cables(self) -> int:
        """Number of cables between switches in all planes."""
        return sum(topology.cables for topology in self.topologies)

    @property
    def ports(self) -> int:
        """Maximum number of ports that a switch uses."""
        return max(topology.ports for topology in self.topologies)

    @property
    def baseline_title(self) -> str:
        """Display name of the baseline."""
        return "identical planes" if self.folded is None and self.are_equally_fast else "identical places"

    @cached_property
    def permutations(self) -> list[Ints]:
        """The places of the switches in each plane."""
        identity = tuple(range(self.plane.switches))
        given = self.places or ()
        return [np.array(places) for places in (*(identity,) * (self.planes - len(given)), *given)]

    @property
    def moves_stacks(self) -> bool:
        """Whether places are given for plane 0, too, which moves stacks of switches in the racks."""
        return self.places is not None and len(self.places) == self.planes

    @property
    def cube(self) -> Cube | None:
        """The cube of which all planes are; None for planes of another family, or of several."""
        return self.plane.planes[0] if isinstance(self.plane, Cubes) and self.folded is None else None

    @property
    def size_label(self) -> str:
        """The number of planes, and the first one, with those that are folded."""
        folded = "" if self.folded is None else f", folded in plane {', '.join(map(str, self.folded))}"
        return f"{self.planes} relabelled planes of {self.plane.title}{folded}{self._rates_label}"

    @property
    def baseline(self) -> Self:
        """The planes with the same places in all."""
        return replace(self, places=None)

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The places in the further planes."""
        return {"places": PlacesVariable()}

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Raise an `InputError`: what is free of contention in one plane need not be so in another."""
        raise InputError("network=relabelled: no contention-free order; expected multi_plane")

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the planes without their routes.

        Raises
        ------
        InputError
            If racks are not filled by the ids of switches: each holds those of all planes.
        """
        if site.layout is not None and self.assumed_cable_m is None:
            site.layout.require_filled_by_id("relabelled planes")
        plane = self._one_cabling(site)
        folded = None if self.folded_plane is None else self.folded_plane.build(site)[0]
        first, *places = self.permutations
        further = map(relabelled_cabling, self._further(plane, folded), places)
        return self._rated((relabelled_cabling(plane, first) if self.moves_stacks else plane, *further))

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the planes with their routes."""
        if self.routing == PLANNED:
            return planned_planes(planes, isinstance(self.plane, Cubes))
        # A family routes the cables of its own switches, whose lengths do not matter.
        own = (self._one_cabling(NO_SITE),) if self.moves_stacks else planes[:1]
        with self._keys_of_plane:
            (first,) = self.plane.routed(own)
        folded = None if self.folded_plane is None else dimension_order(self.folded_plane.planes[0])
        parts = zip(planes, (first.routes, *self._further(first.routes, folded)), self.permutations, strict=True)
        relabelled = [
            plane.routed(relabelled_routes(routes, places, plane.node_switch)) for plane, routes, places in parts
        ]
        return tuple(relabelled) if self.moves_stacks else (first, *relabelled[1:])

    @property
    def are_identical(self) -> bool:
        """Whether no places are given, and all planes have the same routes and rate."""
        return self.places is None and self.routing is None and self.folded is None and self.are_equally_fast

    def write(self) -> Json:
        """Return the fields of a record, with the permutations."""
        written = super().write()
        places = None if self.places is None else [list(places) for places in self.places]
        routing = {} if self.routing is None else {"routing": self.routing}
        folded = {} if self.folded is None else {"folded": list(self.folded)}
        return {**written, "network": {**written["network"], "places": places, **folded, **routing}}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record or config."""
        places = keys.get("places")
        if places is not None and not (
            isinstance(places, (list, tuple))
            and all(isinstance(each, (list, tuple)) and {type(place) for place in each} == {int} for each in places)
        ):
            raise InputError(f"network.places={shown(places)}: expected a list of permutations")
        folded = keys.get("folded")
        if folded is not None and not (
            isinstance(folded, (list, tuple)) and {type(plane) for plane in folded} == {int}
        ):
            raise InputError(f"network.folded={shown(folded)}: expected a list of planes")
        tuples = {
            "places": None if places is None else tuple(map(tuple, places)),
            "folded": None if folded is None else tuple(folded),
        }
        return super().read({**keys, **tuples})


def relabelled_of(network: Network, source: str = "") -> Relabelled:
    """Return the family of a network of relabelled planes; errors begin with its source."""
    if not isinstance(network.family, Relabelled):
        raise InputError(f"{source}network={network.name}: expected {Relabelled.name}")
    return network.family
