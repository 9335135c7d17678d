"""Routings for any topology, by their names in configs and records."""

from collections.abc import Callable, Mapping

from ..errors import InputError
from ..planes.routes import Routes
from ..planes.topology import Topology
from .balanced import balanced_table
from .hop_classes import hop_classes
from .table import forwarding_table
from .up_down import up_down

ROUTINGS: Mapping[str, Callable[[Topology], Routes]] = {
    "up_down": up_down,
    "shortest": forwarding_table,
    "hop_classes": lambda topology: hop_classes(topology, forwarding_table(topology)),
    "balanced": lambda topology: hop_classes(topology, balanced_table(topology)),
}


def check_routing(routing: object, *family_routings: str) -> None:
    """Check that a routing is one of `ROUTINGS`, or specific to the family.

    Examples
    --------
    >>> check_routing("xy", "dimension_order")
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.routing='xy': expected dimension_order, up_down, shortest, hop_classes, \
balanced
    """
    allowed = (*family_routings, *ROUTINGS)
    if routing not in allowed:
        raise InputError(f"network.routing={routing!r}: expected {', '.join(allowed)}")
