"""The published designs: the numbers of the paper by network."""

from dataclasses import dataclass
from fractions import Fraction

from .table import published

NODES_PER_SWITCH = 4  # in section 3, whose traffic is that of section 2 divided by this number


@dataclass(frozen=True)
class PublishedDesign:
    """Numbers of the paper for one network at one size; None if not stated.

    Attributes
    ----------
    network
        The paper's name: D- for identical planes, DI- for isomorphic ones, -r for those optimised with cables.
    aspl
        Average shortest distance in hops.
    max_traffic
        All-to-all maximum traffic in link capacities per node, with one node per switch.
    delay_paper_ns
        Average shortest delay.
    cable_length_m
        Mean cable length.
    switch_cable_usd_per_node, cost_usd_per_node
        Price of the cables between switches, and of the whole network.
    """

    network: str
    aspl: float | None
    max_traffic: float | None
    delay_paper_ns: float | None
    cable_length_m: float | None
    switch_cable_usd_per_node: float | None
    cost_usd_per_node: float | None


def published_points(folded: bool, n: int) -> list[PublishedDesign]:
    """Return the published designs of a family and size, identical planes first; none if the paper has no numbers.

    If only the traffic with 4 nodes per switch is printed, `max_traffic` is 4 times that.

    References
    ----------
    Hosomi et al. 2021, sections 2.4, 3.2.2 and 3.3.2.

    Examples
    --------
    >>> [(design.network, design.max_traffic) for design in published_points(False, 12)]
    [('D-HC', 4.0), ('DI-HC', 4.8), ('DI-HC-r', 4.76)]
    >>> published_points(False, 9)
    []
    """
    cube = "FHC" if folded else "HC"
    numbers = {(point.network, point.metric): point.value for point in published() if point.n == n}
    designs = (_design(network, numbers) for network in (f"D-{cube}", f"DI-{cube}", f"DI-{cube}-r"))
    return [design for design in designs if design is not None]


def _design(network: str, numbers: dict[tuple[str, str], Fraction]) -> PublishedDesign | None:
    def number(metric: str, factor: int = 1) -> float | None:
        value = numbers.get((network, metric))
        return None if value is None else float(value * factor)

    traffic = number("max_traffic")
    found = PublishedDesign(
        network,
        aspl=number("aspl"),
        max_traffic=number("max_traffic / 4", NODES_PER_SWITCH) if traffic is None else traffic,
        delay_paper_ns=number("delay_paper"),
        cable_length_m=number("mean cable length"),
        switch_cable_usd_per_node=number("switch cable cost", 1000),
        cost_usd_per_node=number("network cost", 1000),
    )
    nothing = PublishedDesign(network, None, None, None, None, None, None)
    return None if found == nothing else found
