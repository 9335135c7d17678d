"""Routing algorithms and tables, with routes in one common representation."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from ..deadlock.cycles import channel_cycle, describe_cycle, detour_channel_cycle
from ..errors import InputError
from ..installed.entry_points import ROUTING_POINTS, function_at, points_of
from ..planes.detours import Detours, detours_by_switch
from ..planes.route_walk import hops, links_of_route
from ..planes.routes import ARRIVED, NO_ROUTE, ChannelRule, Paths, Routes
from ..planes.shared_tables import shared_tables
from ..planes.topology import Topology
from .balanced import balanced_between_nodes, balanced_table
from .balanced_up_down import balanced_up_down
from .grids.hyperx_order import hyperx_order
from .grids.torus_order import dimension_order, mesh_order, torus_order
from .grids.torus_parity import torus_parity_order
from .grids.turn_classes import table_turn_classes, turn_classes
from .grids.vector import vector_routing
from .groups.dragonfly import dragonfly_detours, dragonfly_heaviest_loads, dragonfly_minimal
from .groups.megafly import megafly_heaviest_load, megafly_minimal
from .hop_classes import hop_classes
from .table import forwarding_table
from .trees.leaf_spine import leaf_spine_routes
from .trees.up_choices import check_up_routing, destination_hashes, require_d_mod_k, up_choices
from .trees.xgft_routes import xgft_heaviest_load, xgft_routes
from .up_down import up_down

BUILT_IN: Mapping[str, Callable[[Topology], Routes]] = {
    "up_down": up_down,
    "shortest": forwarding_table,
    "hop_classes": lambda topology: hop_classes(topology, forwarding_table(topology)),
    "balanced": lambda topology: hop_classes(topology, balanced_table(topology)),
}


class _Routings(Mapping[str, Callable[[Topology], Routes]]):
    """Built-in routings and, after these, those of installed packages, which are imported when they are first used."""

    def __getitem__(self, name: str) -> Callable[[Topology], Routes]:
        if name in BUILT_IN:
            return BUILT_IN[name]
        return _checked(name, function_at(f"network.routing={name}", points_of(ROUTING_POINTS, BUILT_IN)[name]))

    def __iter__(self) -> Iterator[str]:
        return iter([*BUILT_IN, *points_of(ROUTING_POINTS, BUILT_IN)])

    def __len__(self) -> int:
        return len(list(iter(self)))


def _checked(name: str, function: Callable[[Topology], Routes]) -> Callable[[Topology], Routes]:
    """Return a function that requires what the function of a package returns to be routes."""

    def routing(topology: Topology) -> Routes:
        routes = function(topology)
        if not isinstance(routes, Routes):
            raise InputError(f"network.routing={name}: returned {type(routes).__name__}; expected Routes")
        return routes

    return routing


# Routings for any topology, by their names in configs and records.
ROUTINGS: Mapping[str, Callable[[Topology], Routes]] = _Routings()


def check_routing(routing: object, *family_routings: str) -> None:
    """Check that a routing is one of `ROUTINGS`, or specific to the family.

    Examples
    --------
    >>> check_routing("xy", "dimension_order")
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.routing='xy': expected dimension_order, up_down, shortest, hop_classes, \
balanced
    """
    names = (*family_routings, *BUILT_IN)
    _require_no_other(names, tuple(sys.path))
    if routing in names:
        return
    allowed = (*names, *points_of(ROUTING_POINTS, names))
    if routing not in allowed:
        raise InputError(f"network.routing={routing!r}: expected {', '.join(allowed)}")


@lru_cache(maxsize=64)  # families are made by the thousand
def _require_no_other(names: tuple[str, ...], path: tuple[str, ...]) -> None:
    """Require that no package in the path of Python has a routing of one of these names."""
    points_of(ROUTING_POINTS, names)


__all__ = [
    "ARRIVED",
    "NO_ROUTE",
    "ROUTINGS",
    "ChannelRule",
    "Detours",
    "Paths",
    "Routes",
    "balanced_between_nodes",
    "balanced_table",
    "balanced_up_down",
    "channel_cycle",
    "check_routing",
    "check_up_routing",
    "describe_cycle",
    "destination_hashes",
    "detour_channel_cycle",
    "detours_by_switch",
    "dimension_order",
    "dragonfly_detours",
    "dragonfly_heaviest_loads",
    "dragonfly_minimal",
    "forwarding_table",
    "hop_classes",
    "hops",
    "hyperx_order",
    "leaf_spine_routes",
    "links_of_route",
    "megafly_heaviest_load",
    "megafly_minimal",
    "mesh_order",
    "require_d_mod_k",
    "shared_tables",
    "table_turn_classes",
    "torus_order",
    "torus_parity_order",
    "turn_classes",
    "up_choices",
    "up_down",
    "vector_routing",
    "xgft_heaviest_load",
    "xgft_routes",
]
