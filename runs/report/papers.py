"""Published numbers of the paper's designs, in the units of a record."""

from collections.abc import Mapping

from isoplane.models import Network, Site
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.runs.published import PublishedDesign, published

# Names of the metrics of a record in the paper's data, and their units relative to those of a record.
PRINTED_AS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "aspl": (("aspl", 1),),
    "max_traffic": (("max_traffic", 1), ("max_traffic / 4", 4)),
    "cable_length_m": (("mean cable length", 1),),
    "delay_paper_ns": (("delay_paper", 1),),
    "cost_usd_per_node": (("network cost", 1000),),
}
SITE_METRICS = frozenset({"cable_length_m", "delay_paper_ns", "cost_usd_per_node"})


def as_in_the_paper(network: Network) -> bool:
    """Whether racks, catalogue, delays and nodes are those for which the paper states delay and cost."""
    return (network.site, cubes_of(network).nodes_per_switch) == (Site(), 4)


def published_precision(network: str, n: int, metric: str) -> float:
    """Return half the last printed digit of a published number, in the unit of the metric of a record.

    Examples
    --------
    >>> published_precision("DI-HC-r", 8, "delay_paper_ns"), published_precision("DI-HC-r", 8, "max_traffic")
    (0.5, 0.02)
    """
    for name, factor in PRINTED_AS[metric]:
        for point in published():
            if (point.network, point.n, point.metric) == (network, n, name):
                return float(point.precision * factor)
    return 0.0


def printed_value(design: PublishedDesign, metric: str, network: Network) -> tuple[float | None, float]:
    """Return the published value of a design on a network, and its precision; None if there is none.

    The traffic of a node is a share of that of a switch; lengths, delays and costs are given only for the paper's
    racks.
    """
    divisor, source = (
        (cubes_of(network).nodes_per_switch, "max_traffic") if metric == "throughput_per_node" else (1, metric)
    )
    if source not in PRINTED_AS or (source in SITE_METRICS and not as_in_the_paper(network)):
        return None, 0.0
    printed = getattr(design, source)
    precision = published_precision(design.network, cubes_of(network).n, source)
    return (None, precision) if printed is None else (printed / divisor, precision / divisor)
