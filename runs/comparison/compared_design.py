"""What is measured: a design, and the request it answers."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from isoplane.models import Design, Family, InputError, Network
from isoplane.models.families.multi_plane import one_plane
from isoplane.models.network import NO_SITE
from isoplane.objectives import bill_of
from isoplane.runs.records import Record, record_of_given

from .existing import Existing
from .request import Request, request_json
from .sizes.plane_counts import Arrangement
from .sizes.racks import in_order_of_ids, on_site, price, shown_cents
from .sizes.sized_design import Miss, SizedDesign
from .sizes.sizing import cheapest
from .sizes.throughputs import routed_throughput

ONE_SIZE = "an existing design has no other sizes to grow to"
SEARCHED = "a search looks for these nodes alone"
OF_SITE = ("layout", "prices", "switch", "existing")  # keys of a request that say nothing of how a design is chosen


@dataclass(frozen=True)
class ComparedDesign:
    """A design that was chosen for a request.

    Parameters
    ----------
    arrangement
        Its family and number of planes, or the existing design that it is.
    least
        The throughput for which it was sized, as a fraction of the rate of a node; None for an existing design.
    design
        The design.
    request
        The request.
    """

    arrangement: Arrangement | Existing
    least: Fraction | None
    design: SizedDesign
    request: Request

    @property
    def family(self) -> Family:
        """The design as a family with its parameters."""
        return self.design.family

    @cached_property
    def network(self) -> Network:
        """The design on its site; with racks filled in order if other racks break a limit or make it dearer."""
        network, in_order = on_site(self.family, self.request.site), in_order_of_ids(self.family, self.request.site)
        try:
            is_better = price(network, self.request) <= self.design.price_cents
        except InputError:  # other racks can need longer cables
            is_better = False
        return network if is_better else in_order

    @cached_property
    def unplaced(self) -> Network:
        """The design without a layout."""
        return Network(self.family, NO_SITE)

    @cached_property
    def identical_planes(self) -> tuple[Network, int]:
        """One of several identical planes as a network, and their number; the whole network and 1 if planes differ."""
        one, planes = one_plane(self.family)
        return Network(one, NO_SITE), planes

    def record(self) -> Record | str:
        """Return its record, with which every verb takes it with the racks and prices of the comparison, or why none.

        A family of a package may have no form in records.
        """
        others = OF_SITE if self.arrangement.searched else (*OF_SITE, "search")
        config = {key: value for key, value in request_json(self.request).items() if key not in others}
        try:
            return record_of_given(Design(self.network), config, by="compare", seed=self.request.seed)
        except InputError as error:
            return f"no record: {error}"

    def of_node_rate(self, rate: Fraction | None) -> float | None:
        """Return a rate per node link of one of the identical planes, as a fraction of that of a node; None stays."""
        _, planes = self.identical_planes
        return None if rate is None else float(rate * planes / self.request.node_ports)

    def grown(self, nodes: int) -> "ComparedDesign | str":
        """Return the design of the same arrangement for more nodes, or why there is none."""
        if isinstance(self.arrangement, Existing):
            return ONE_SIZE
        if self.arrangement.searched:
            return SEARCHED
        request = replace(self.request, nodes=nodes, budget_cents=None, switches=None)
        design = size(self.arrangement, request, self.least)
        if isinstance(design, Miss):
            return design.text
        return ComparedDesign(self.arrangement, self.least, design, request)


def size(source: Arrangement | Existing, request: Request, least: Fraction | None) -> SizedDesign | Miss:
    """Return the cheapest design of an arrangement that has a throughput, or why there is none.

    An existing design is returned whatever its numbers.

    Parameters
    ----------
    source
        The arrangement, or the existing design.
    request
        The limits, which an existing design may break.
    least
        Least throughput; None for an existing design.
    """
    if isinstance(source, Existing):
        return _priced(source.design, request)
    assert least is not None  # only existing designs have none
    return cheapest(source.members(request, least), request, least)


def _priced(family: Family, request: Request) -> SizedDesign | Miss:
    """Return a family with its throughput and price, or the reason why it has none."""
    try:
        throughput = routed_throughput(family, request.node_ports)
        bill = bill_of(in_order_of_ids(family, request.site), request.nodes)
        return SizedDesign(family, throughput, shown_cents(family, bill.total_cents, request))
    except InputError as error:
        return Miss(str(error))
