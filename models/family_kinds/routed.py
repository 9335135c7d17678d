"""Base class of uniform families whose routing can be chosen."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from ..planes.routes import Routes
from ..routing import ROUTINGS, check_routing
from .uniform import UniformFamily, last_topology


class RoutedFamily(UniformFamily):
    """Base class of uniform families with a field `routing`: a routing of the family, or one for any topology.

    Subclasses declare the field, with its default.

    Raises
    ------
    InputError
        If the routing is unknown, or a value is out of range as in `UniformFamily`.
    """

    routing: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_routing(self.routing, *self.own_routings())

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routings that only this family has, by name; empty by default."""
        return {}

    def routes(self) -> Routes:
        """Return the routes."""
        own = self.own_routings()
        if self.routing in own:
            return own[self.routing]()
        return _searched(self) if self.routing == "balanced" else ROUTINGS[self.routing](last_topology(self))


@lru_cache(maxsize=4)
def _searched(family: RoutedFamily) -> Routes:
    """Return routes that take long to find; the last ones are kept."""
    return ROUTINGS[family.routing](last_topology(family))
