"""What is measured: a design, and the request it answers."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from isoplane.models import Family, Network
from isoplane.models.families.multi_plane import MultiPlane
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

    @cached_property
    def identical_planes(self) -> tuple[Network, int]:
        """One of several identical planes as a network, and their number; the whole network and 1 if planes differ."""
        family, planes = self.family, self.network.planes
        if isinstance(family, MultiPlane) and len(planes) > 1:
            return Network(replace(family, planes=1), NO_SITE), len(planes)
        return self.network, 1

    def grown(self, nodes: int) -> Sized | Unsized:
        """Return the design of the same arrangement for more nodes."""
        return size(self.arrangement, replace(self.request, nodes=nodes, budget_cents=None), self.least)


def size(arrangement: Arrangement, request: Request, least: Fraction) -> Sized | Unsized:
    """Return the cheapest design of an arrangement that has a throughput."""
    return cheapest(arrangement.members(request, least), request, least)
