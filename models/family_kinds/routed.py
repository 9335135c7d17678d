"""Base classes of uniform families whose routing can be chosen, and of those whose switches have coordinates."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Self

from ..planes.detours import Detours, detours_by_switch
from ..planes.plane import Plane
from ..planes.routes import Routes
from ..routing import ROUTINGS, check_routing
from .uniform import UniformFamily, format_shape, last_topology


class RoutedFamily(UniformFamily):
    """Base class of uniform families with a field `routing`: a routing of the family, or one for any topology.

    Subclasses declare the field, with its default.
    """

    routing: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_routing(self.routing, *self.own_routings())

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routings that only this family has, by name; empty by default."""
        return {}

    def on_one_lane(self) -> Self:
        """Return the same network with up*/down* routes."""
        return replace(self, routing="up_down")  # type: ignore[call-arg]  # a field of subclasses

    def routes(self) -> Routes:
        """Return the routes."""
        routings = self.own_routings()
        if self.routing in routings:
            return routings[self.routing]()
        return _searched(self) if self.routing == "balanced" else ROUTINGS[self.routing](last_topology(self))


class GridFamily(RoutedFamily):
    """Base class of families whose switches are the points of a grid, ids with the first coordinate fastest.

    Subclasses declare a field `shape`, with its default, or have another `grid`.
    """

    shape: tuple[int, ...]

    @property
    def grid(self) -> tuple[int, ...]:
        """Sizes of the coordinates of the switches, the first one fastest."""
        return self.shape

    @property
    def switches(self) -> int:
        """Number of switches."""
        return prod(self.grid)

    @property
    def size_label(self) -> str:
        """Switches along each side of the grid."""
        return format_shape(self.grid)


def detours_over_switches(family: RoutedFamily, planes: tuple[Plane, ...]) -> tuple[Detours, ...]:
    """Return the detours over any other switch, as a method of the families that have them."""
    return tuple(detours_by_switch(plane.topology, plane.routes) for plane in planes)


@lru_cache(maxsize=4)
def _searched(family: RoutedFamily) -> Routes:
    """Return routes that take long to find; the last ones are kept."""
    return ROUTINGS[family.routing](last_topology(family))
