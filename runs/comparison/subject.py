"""What is measured: a design, and the request it answers."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from isoplane.models import Family, Network
from isoplane.models.network import NO_SITE

from .arrangements import Arrangement
from .request import Request
from .sizing import Sized, Unsized, cheapest, on_site


@dataclass(frozen=True)
class Subject:
    """A design that was chosen for a request.

    Parameters
    ----------
    arrangement
        Its family and number of planes.
    least
        The throughput for which it was sized, as a fraction of the rate of a node.
    design
        The design.
    request
        The request.
    """

    arrangement: Arrangement
    least: Fraction
    design: Sized
    request: Request

    @property
    def family(self) -> Family:
        """The design as a family with its parameters."""
        return self.design.family

    @cached_property
    def network(self) -> Network:
        """The design on its site."""
        return on_site(self.family, self.request.site)

    @cached_property
    def unplaced(self) -> Network:
        """The design without a layout."""
        return Network(self.family, NO_SITE)

    def grown(self, nodes: int) -> Sized | Unsized:
        """Return the design of the same arrangement for more nodes."""
        return size(self.arrangement, replace(self.request, nodes=nodes, budget_cents=None), self.least)


def size(arrangement: Arrangement, request: Request, least: Fraction) -> Sized | Unsized:
    """Return the cheapest design of an arrangement that has a throughput."""
    return cheapest(arrangement.members(request, least), request, least)
