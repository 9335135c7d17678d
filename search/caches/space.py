"""The space of networks whose switches have one of some routing-table caches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self

from isoplane.models import CacheVariable, Design, InputError, Network, RoutingCache, Variable
from isoplane.models.checks import fraction_of
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import BoundSource
from isoplane.objectives.scoring.sums import terms_of

from ..core.space import Candidate, Space, space_of, variable_of
from .constants import constant_values, fixed_parts, split, without_constants

Bound = tuple[int | None, ...]


@dataclass(frozen=True)
class CacheChoice(Space):
    """The designs of a space, each with every one of some caches: the same space on several sites.

    A candidate is the number of the cache, followed by the candidate of that space.

    Parameters
    ----------
    spaces
        The space on the site with each cache.

    Raises
    ------
    InputError
        If delays with the caches have no common unit.

    Examples
    --------
    >>> from isoplane.models import RoutingCache, Site, SwitchModel, dual_cube
    >>> small, large = RoutingCache(entries=64), RoutingCache(entries=2048)
    >>> switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, cache=small)
    >>> network = Network(dual_cube(3, (1, 2, 4)).family, Site(switch=switch))
    >>> limits = {"generators": None, "switch.cache": (small, large)}
    >>> space = space_of(network, {key: found.within(key, limits[key]) for key, found in network.variables.items()})
    >>> space.design((1, 3, 5, 7)).network.site.switch.cache.entries
    2048
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({CacheVariable})
    varies: ClassVar[str] = "caches of switches"

    spaces: tuple[Space, ...]

    def __post_init__(self) -> None:
        if len({space.baseline.network.delay_units.per_ns for space in self.spaces}) > 1:
            raise InputError("switch.cache.hit_ns: times in different units; expected at most 3 decimals")

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the other variables, with each of the caches."""
        others = {key: variable for key, variable in variables.items() if not isinstance(variable, CacheVariable)}
        switches = (replace(network.site.switch, cache=cache) for cache in variable_of(variables, CacheVariable).caches)
        return cls(tuple(space_of(network.with_switch(switch), others, workload) for switch in switches))

    @property
    def caches(self) -> tuple[RoutingCache, ...]:
        """The caches, by number."""
        switches = (space.baseline.network.site.switch for space in self.spaces)
        return tuple(switch.cache for switch in switches if switch.cache is not None)

    @property
    def subject(self) -> str:
        """What varies, in words."""
        return f"{self.spaces[0].subject} and {self.varies}"

    @property
    def site_scope(self) -> str:
        """The caches, as a proof covers them."""
        return CacheVariable(self.caches).scope

    @property
    def remark(self) -> str:
        """How many caches there are, and what is said of a search with each of them."""
        count = f"{len(self.caches)} caches, of equal ones the first"
        remarks = list(dict.fromkeys(space.remark for space in self.spaces if space.remark))
        others = "; so for other sizes" if len(remarks) > 1 else ""
        return f"{count}; {remarks[0]}{others}" if remarks else count

    @property
    def default_objective(self) -> str:
        """That of the space."""
        return self.spaces[0].default_objective

    @property
    def baseline(self) -> Design:
        """That of the space, with the first cache."""
        return self.spaces[0].baseline

    def reference_point(self, objective: Lexicographic) -> tuple[int, ...]:
        """Return the greatest values of the baselines with all caches."""
        return tuple(map(max, zip(*(space.reference_point(objective) for space in self.spaces), strict=True)))

    def design(self, candidate: Candidate) -> Design:
        """Return the design of a candidate."""
        return self.spaces[candidate[0]].design(candidate[1:])

    def candidate(self, design: Design) -> Candidate:
        """Return the candidate of a design; a design on another site gets the first cache."""
        cache = design.network.site.switch.cache
        number = self.caches.index(cache) if cache in self.caches else 0
        return (number, *self.spaces[number].candidate(design))

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the canonical encoding of a candidate's design."""
        return (candidate[0], *self.spaces[candidate[0]].canonical(candidate[1:]))

    def bounds(self, objective: Lexicographic) -> Bound:
        """Return the least of the bounds with each cache."""
        return least([part.outer(part.space.bounds(part.objective)) for part in self.parts(objective)])

    @property
    def bounded_by(self) -> str:
        """That of the space."""
        return self.spaces[0].bounded_by

    def bound_source(self, objective: Lexicographic) -> BoundSource | None:
        """Return the source of the bounds: that of all caches."""
        part = self.parts(objective)[0]
        return part.space.bound_source(part.objective)

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective restricted to the components that designs have; power and area of look-ups remain.

        Raises
        ------
        InputError
            If it does not evaluate such designs, or power or area is that of one of several sizes of caches.
        """
        _require_constants(self.caches, objective)
        inner = self.spaces[0].fitted(without_constants(self.spaces[0], objective)[0])
        for space in self.spaces[1:]:
            space.fitted(without_constants(space, objective)[0])
        constants = constant_values(self.spaces[0], objective)
        parts = [(component, split(component, constants)[1]) for component in objective.components]
        kept = tuple(component for component, varying in parts if not varying or varying in inner.components)
        return replace(objective, components=kept)

    def parts(self, objective: Lexicographic) -> "tuple[CachePart, ...]":
        """Return the searches that together cover all caches: one for all that score every design alike.

        Power and area that do not depend on the design scale its score, or add to it. So of caches that otherwise score
        alike, the one with the least of them has the best score with every design; for a front, all of them count. A
        cache that exceeds limits with every design by more than another one does is left out.
        """
        alike: dict[tuple[Any, ...], list[int]] = {}
        for number, space in enumerate(self.spaces):
            inner, _ = without_constants(space, objective)
            # Sums and limits depend on the power and area that are part of them.
            sums = tuple(component for component in inner.components if terms_of(component) == component)
            alike.setdefault((_times_key(space, objective), sums, inner.limits), []).append(number)
        parts = tuple(_part(self.spaces, tuple(numbers), objective) for numbers in alike.values())
        fixed = [part.excess for part in parts if not part.objective.limits]
        return tuple(part for part in parts if part.excess <= min(fixed, default=part.excess))


class CachePart(NamedTuple):
    """The search with some caches that score designs alike, up to constant factors.

    Attributes
    ----------
    numbers
        The caches of the designs that it proposes.
    space, objective
        What is searched, without these factors.
    excess
        The excess over limits that follows from the cache alone; of a front, the least one.
    factors
        The constant factor of each component of the whole score; of a front, the least ones.
    places
        The component of `objective` of each of those of the whole score; None if all of it is constant.
    has_limits
        Whether the whole score begins with an excess.
    """

    numbers: tuple[int, ...]
    space: Space
    objective: Lexicographic
    excess: int
    factors: tuple[int, ...]
    places: tuple[int | None, ...]
    has_limits: bool

    def outer(self, bound: Sequence[int | None]) -> Bound:
        """Return the bound of the whole score, from one of the score of `objective`."""
        inner = self.objective.first
        values = (1 if place is None else bound[inner + place] for place in self.places)
        parts = tuple(None if value is None else f * value for f, value in zip(self.factors, values, strict=True))
        return (self.excess + ((bound[0] or 0) if inner else 0), *parts) if self.has_limits else parts

    def candidates(self, designs: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Return designs with each of the caches."""
        return tuple((number, *design) for design in designs for number in self.numbers)


def least(bounds: Sequence[Bound]) -> Bound:
    """Return the least bound of each component; None where one is unknown.

    Examples
    --------
    >>> least([(3, 5), (4, None)])
    (3, None)
    """
    columns = zip(*bounds, strict=True)
    return tuple(None if None in column else min(low for low in column if low is not None) for column in columns)


def _require_constants(caches: Sequence[RoutingCache], objective: Lexicographic) -> None:
    metrics = {*objective.metrics, *(objective.front or ())}
    sizes = sorted({cache.entries for cache in caches})
    for metric, names in {"cache_area": ("area_mm2",), "lookup_power": ("lookup_nj", "static_mw")}.items():
        for name in names if metric in metrics and len(sizes) > 1 else ():
            values = {getattr(cache, name) for cache in caches}
            if len(values) == 1:
                value = "null" if None in values else values.pop()
                raise InputError(
                    f"switch.cache.{name}={value}: {metric} of caches of {', '.join(map(str, sizes))} entries; "
                    "expected a list with a value for each of them"
                )


def _part(spaces: Sequence[Space], numbers: tuple[int, ...], objective: Lexicographic) -> CachePart:
    fixed = {number: fixed_parts(spaces[number], objective) for number in numbers}
    if objective.front is None:
        numbers = (min(numbers, key=lambda number: (fixed[number], number)),)
    space = spaces[numbers[0]]
    inner = space.fitted(without_constants(space, objective)[0])
    constants = constant_values(space, objective)
    varying = [split(component, constants)[1] for component in objective.components]
    places = tuple(inner.components.index(component) if component else None for component in varying)
    lowest = tuple(map(min, zip(*(fixed[number][1] for number in numbers), strict=True)))
    excess = min(fixed[number][0] for number in numbers)
    return CachePart(numbers, space, inner, excess, lowest, places, bool(objective.limits))


def _times_key(space: Space, objective: Lexicographic) -> tuple[Any, ...]:
    """Return what delays and power depend on, of a cache: caches that miss nothing differ in the time of a hit only.

    Zero-load delays know no conflicts and no order of look-ups, but times of a workload do.
    """
    network = space.baseline.network
    switch, cache = network.site.switch, network.site.switch.cache
    assert cache is not None
    hit_ns: Fraction = fraction_of(cache.hit_ns)
    if objective.evaluator.needs_workload:
        return (hit_ns,) if switch.never_misses(network.nodes) else (replace(cache, area_mm2=None, interval_ns=None),)
    if switch.misses_none_of(network.nodes - 1):
        return (hit_ns,)
    return hit_ns, cache.entries, cache.lookup_nj, cache.static_mw
