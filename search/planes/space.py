"""The space of the places that switches have in the planes of a network."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import ceil, lcm, prod
from typing import ClassVar, Self

import numpy as np

from isoplane.models import Design, InputError, Network, Variable
from isoplane.models.arrays import Ints
from isoplane.models.families.multi_plane import grid_of
from isoplane.models.families.relabelled import Relabelled, relabelled_of
from isoplane.models.network import NO_SITE
from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.models.paths.transmission_times import transmission_times_of
from isoplane.models.search_variables import PlacesVariable
from isoplane.models.site.site import Site
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds.distance_bound import mixed_sum_bound, pair_load_bound, relabelled_sum_bound
from isoplane.objectives.bounds.grid_bound import relabelled_grid_bound
from isoplane.objectives.scoring.metric_scopes import needing

from ..core.space import Candidate, Space, variable_of
from .linear_links import links_of_routes
from .objectives import HOPS, LOAD, PLANES, by_load, is_measured, least_delay

MAX_HOPS = 255  # a byte


@dataclass(frozen=True)
class Relabellings(Space):
    """All places of the switches with nodes in the further planes; a candidate has those of plane 1, then of plane 2.

    Places are numbered among the switches with nodes; the others keep theirs. In a search by cables, those of
    *stacks* in the racks follow: where each switch of plane 0 stands, with those of the other planes that share its id.

    Parameters
    ----------
    family
        Any of the networks: all but its places.
    site
        The site.

    Raises
    ------
    InputError
        If the switches with nodes have different numbers of them, or are too far apart.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> space = Relabellings(Relabelled(plane=Torus(shape=(5,), node_cable_m=2.0)))
    >>> space.candidate(space.baseline), space.least_hops
    ((0, 1, 2, 3, 4), 20)
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({PlacesVariable})
    varies: ClassVar[str] = "relabelled planes"
    objectives: ClassVar[str] = (
        "any but fronts; max_traffic, aspl_and_traffic, 'min peak_load, then aspl' of linear planes alone"
    )

    family: Relabelled
    site: Site = NO_SITE

    def __post_init__(self) -> None:
        counts = np.unique(self.node_counts[self.node_switches])
        if len(counts) > 1:
            raise InputError(
                f"network.plane: switches with {counts[0]} and {counts[-1]} nodes; expected the same at each"
            )

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the places in the planes of a network.

        Raises
        ------
        InputError
            If there is a workload.
        """
        if workload is not None:
            raise InputError("workload: has no effect on a search of relabelled planes; expected null")
        variable_of(variables, PlacesVariable)
        return cls(relabelled_of(network), network.site)

    @property
    def baseline(self) -> Design:
        """The identical planes."""
        return Design(Network(self.family.baseline, self.site))

    @cached_property
    def node_counts(self) -> Ints:
        """Number of nodes at each switch of a plane."""
        plane = self.baseline.network.cabling[0]
        return np.bincount(plane.node_switch, minlength=plane.topology.switches)

    @cached_property
    def node_switches(self) -> Ints:
        """The switches with nodes."""
        return np.flatnonzero(self.node_counts)

    @cached_property
    def distances(self) -> Ints:
        """Hops between every two of the switches with nodes in plane 0."""
        return self.distances_of_places(0)

    def distances_of_places(self, plane: int) -> Ints:
        """Return the hops between the places of every two of the switches with nodes in a plane."""
        topology = self.baseline.network.cabling[plane].topology
        hops = switch_hops(topology)[np.ix_(self.node_switches, self.node_switches)].astype(np.int64)
        if hops.max() > MAX_HOPS:
            raise InputError(f"network.plane: switches are {hops.max()} hops apart; expected at most {MAX_HOPS}")
        return hops

    @property
    def least_hops(self) -> int:
        """A lower bound of the sum of distances over all ordered pairs of nodes.

        No more pairs are within i hops over all planes than over each added up: Σ over i of the pairs beyond i hops
        is at least Σ max(0, all - within i, added up), for pairs of different switches. For planes of cubes the linear
        program of `relabelled_sum_bound` can be stronger, and that of `relabelled_grid_bound` for two of tori and
        similar grids.
        """
        least = max(self._counted_hops, self._programmed_hops)
        return int(self.node_counts.max()) ** 2 * (least + least % 2)  # both orders of a pair are equally far apart

    @cached_property
    def _counted_hops(self) -> int:
        """The bound by counts, for one node at each switch."""
        switches = len(self.node_switches)
        folded = self.family.folded or ()
        within = np.zeros(int(self.distances.max()) + 1, dtype=np.int64)  # a folded cube is not wider than plane 0
        for plane, planes in ((0, self.family.planes - len(folded)), *((plane, len(folded)) for plane in folded[:1])):
            hops = self.distances_of_places(plane)
            within += planes * (np.cumsum(np.bincount(hops.ravel(), minlength=len(within))) - switches)
        return int(np.maximum(0, switches * (switches - 1) - within).sum())

    @cached_property
    def _programmed_hops(self) -> int:
        """The bound by the linear program, for one node at each switch; 0 without one."""
        cube, grid = self.family.cube, grid_of(self.family.plane)
        if self.family.folded is not None:
            switches, folded = len(self.node_switches), len(self.family.folded)
            kinds = self.family.planes - folded, folded
            return ceil(switches * mixed_sum_bound(switches.bit_length() - 1, kinds))
        if cube is not None:
            return ceil(len(self.node_switches) * relabelled_sum_bound(cube.n, cube.folded, self.family.planes))
        if self.family.planes != 2 or grid is None or not self._are_alike(grid):
            return 0
        return ceil(len(self.node_switches) * relabelled_grid_bound(grid, tuple(self.distances[0].tolist())))

    def _are_alike(self, shape: tuple[int, ...]) -> bool:
        """Whether distances depend on differences of coordinates only, modulo the shape of the grid."""
        if prod(shape) != len(self.distances):
            return False
        point = np.stack(np.unravel_index(np.arange(len(self.distances)), shape, order="F"))
        differences = (point[:, None, :] - point[:, :, None]) % np.array(shape)[:, None, None]
        return np.array_equal(
            self.distances[0][np.ravel_multi_index(tuple(differences), shape, order="F")], self.distances
        )

    def varies_stacks(self, objective: Lexicographic) -> bool:
        """Whether a search varies the places of stacks: by cables with lengths from the layout, unless by loads."""
        has_lengths = self.site.layout is not None and self.family.assumed_cable_m is None and is_measured(objective)
        return has_lengths and bool(needing("layout", objective.scope) & set(objective.metrics))

    def with_stacks(self, candidate: Candidate, are_varied: bool = True) -> Candidate:
        """Return a candidate with the places of stacks, by id unless it has them, or without them."""
        others = (self.family.planes - 1) * (switches := len(self.node_switches))
        return candidate[:others] + ((candidate[others:] or tuple(range(switches))) if are_varied else ())

    def design(self, candidate: Candidate) -> Design:
        """Return the network with these places."""
        switches = len(self.node_switches)
        further, stacks = np.split(np.reshape(candidate, (-1, switches)), [self.family.planes - 1])
        moved = [np.argsort(places) for places in stacks if not np.array_equal(places, np.arange(switches))]
        for switch_at in moved:  # the switch of plane 0 at each place in the racks
            further = further[:, switch_at]
        places = np.tile(np.arange(self.family.plane.switches), (len(moved) + len(further), 1))
        places[:, self.node_switches] = self.node_switches[np.array([*moved, *further])]
        return Design(Network(replace(self.family, places=tuple(map(tuple, places.tolist()))), self.site))

    def candidate(self, design: Design) -> Candidate:
        """Return the places of a design, with those of stacks if these are not by id.

        Raises
        ------
        InputError
            If it is another network, or its planes are others.
        """
        family = relabelled_of(design.network, "warm_start: a record of ")
        if family.baseline != self.family.baseline:
            raise InputError(f"warm_start: {family.title}; expected {self.family.title}")
        first, *further = np.searchsorted(self.node_switches, np.array(family.permutations)[:, self.node_switches])
        stack = np.argsort(first)
        places = [*np.array(further)[:, stack], *([stack] if family.moves_stacks else [])]
        return tuple(np.concatenate(places).tolist())

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the candidate: equal designs of other places are not recognised."""
        return candidate

    @property
    def least_load(self) -> int:
        """A lower bound of the load of the busiest link, in parts of a packet.

        Each packet loads as many links as it takes hops, so that the mean load of all links, in both directions, is at
        least `least_hops` over their number, of which one counts less by the time that it takes for a packet. For two
        cubes that differ `pair_load_bound` is stronger. All packets between two switches load the same links.
        """
        planes, times = self.baseline.network.cabling, self.times
        links = sum(Fraction(int((p.topology.peer >= 0).sum()), time) for p, time in zip(planes, times, strict=True))
        packets, parts = int(self.node_counts.max()) ** 2, lcm(*range(1, self.family.planes + 1))
        of_pair = self._differing_pair
        least = Fraction(0) if of_pair is None else pair_load_bound(*of_pair)
        return packets * ceil(parts * max(self.least_hops / (packets * links), least))

    @property
    def _differing_pair(self) -> tuple[int, tuple[bool, bool], tuple[int, int]] | None:
        """The dimension of two cubes that differ, whether each is folded, and their times."""
        cube, folded = self.family.cube, self.family.folded
        if self.family.planes != 2 or (folded is None and (cube is None or self.family.are_equally_fast)):
            return None
        are_folded = (False, True) if cube is None else (cube.folded, cube.folded)
        first, second = self.times
        return len(self.node_switches).bit_length() - 1, are_folded, (first, second)

    @cached_property
    def times(self) -> tuple[int, ...]:
        """The time of a packet on a link of each plane, in units of `TransmissionTimes`."""
        return tuple(int(times.max()) for times in transmission_times_of(self.baseline.network).link)

    @cached_property
    def links(self) -> tuple[int, ...] | None:
        """The links of the routes as `links_of_routes` returns them, of a plane or, one after the other, of mixed ones.

        None for planes that have no such.
        """
        planes, switches = self.baseline.network.planes, self.family.plane.switches
        if len(self.node_switches) < switches or switches.bit_count() > 1 or self.family.routing is not None:
            return None
        links = [links_of_routes(plane) for plane in planes[: 1 if self.family.folded is None else None]]
        return None if None in links else tuple(chain.from_iterable(filter(None, links)))

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return the bound by counting pairs, and those of loads and, for cables of one length, delays that follow."""
        fitted = self.fitted(objective)
        load = self.least_load if LOAD in fitted.metrics else None
        lost = self._least_hops_without_plane if PLANES in fitted.metrics else None
        hops = self.least_hops  # a bound of `cable_fault_hops`, too: no loss makes a distance shorter
        alike = "delay" in fitted.metrics and self.family.assumed_cable_m is not None
        delay = least_delay(self.baseline.network, hops) if alike else None
        return fitted.bounds({HOPS: hops, "cable_fault_hops": hops, LOAD: load, PLANES: lost, "delay": delay}.get)

    @cached_property
    def _least_hops_without_plane(self) -> int:
        """A lower bound of the sum of distances after the loss of any one plane: that of one plane less."""
        if self.family.planes == 2:
            return int(self.node_counts.max()) ** 2 * max(int(self.distances_of_places(each).sum()) for each in (0, 1))
        fewer = replace(self.family, planes=self.family.planes - 1, folded=None, places=None, rates_gbps=None)
        return self.least_hops if self.family.folded else Relabellings(fewer).least_hops

    @property
    def bounded_by(self) -> str:
        """The count of pairs, or the linear program of planes of cubes or of two grids that wrap around."""
        is_program = self._programmed_hops > self._counted_hops or self._differing_pair is not None
        return "the linear program of Delsarte" if is_program else "counts of pairs of switches"

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective.

        Raises
        ------
        InputError
            If walks do not minimise it, or packets do not take the nearest plane.
        """
        if objective.front or (by_load(objective) and self.links is None):
            raise InputError(f"objective={objective.name}: {self.varies} expect {self.objectives}")
        if self.family.policy != "nearest":
            raise InputError(f"network.policy={self.family.policy}: {self.varies} expect nearest")
        return objective.without_layout() if is_measured(objective) and self.site.layout is None else objective
