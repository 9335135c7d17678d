"""What a report is about: a design, evaluated, beside the networks it is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any

from isoplane.models import InputError, Layout, Network, Site, port_aggregate
from isoplane.objectives import CubeObjective, ExactMetrics, exact_metrics, metrics
from isoplane.runs.published import PublishedDesign, published, published_points
from isoplane.runs.records import network_of

LARGEST_N = 16  # of the kernels

# What the paper's data calls the metrics of a record, and how many of its units one of theirs is.
PRINTED_AS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "aspl": (("aspl", 1),),
    "max_traffic": (("max_traffic", 1), ("max_traffic / 4", 4)),
    "cable_length_m": (("mean cable length", 1),),
    "delay_paper_ns": (("delay_paper", 1),),
    "cost_usd_per_node": (("network cost", 1000),),
}


@dataclass(frozen=True)
class EvaluatedNetwork:
    """A network with its exact integers and its metrics."""

    title: str
    network: Network
    exact: ExactMetrics
    metrics: Mapping[str, int | float | None]

    @property
    def max_traffic_per_node(self) -> float:
        """All-to-all maximum traffic divided by the nodes of a switch, in link capacities per node (section 3.2.2)."""
        return 2 * self.network.cubes.plane_switches / (self.exact.max_load * self.network.cubes.nodes_per_switch)


@dataclass(frozen=True)
class ReportData:
    """A record, its network, and everything it is compared with.

    Attributes
    ----------
    objective
        What was searched for; None for a network that no search found.
    port_aggregate
        The baseline with both ports in one plane, or None; `missing` then says why.
    published
        Designs of the paper for this size and family.
    """

    record: Mapping[str, Any]
    objective: CubeObjective | None
    design: EvaluatedNetwork
    identical: EvaluatedNetwork
    port_aggregate: EvaluatedNetwork | None
    published: tuple[PublishedDesign, ...]
    missing: tuple[str, ...]

    @property
    def network(self) -> Network:
        """The network of the design."""
        return self.design.network

    def layout(self) -> Layout:
        """Return the layout of a network that has one."""
        if self.network.site.layout is None:
            raise InputError("layout=none: this part of the report needs a layout")
        return self.network.site.layout

    def disagreements(self) -> list[str]:
        """Return the names of all metrics for which the record holds another value than is computed here."""
        recorded = self.record.get("metrics", self.design.metrics)
        return [name for name, value in self.design.metrics.items() if not _agree(recorded.get(name), value)]


def report_data_of(record: Mapping[str, Any]) -> ReportData:
    """Rate the network of a record, or of the content of one, and its baselines.

    Raises
    ------
    InputError
        If the network has one plane only: there is nothing to compare.
    """
    network = network_of(dict(record))
    if len(network.cubes.planes) != 2:
        raise InputError(f"network.planes={len(network.cubes.planes)}: allowed for a report are two planes")
    aggregate, missing = _port_aggregate(network)
    return ReportData(
        record,
        _objective(record) if "objective" in record else None,
        evaluated("This design", network),
        evaluated("Identical planes", network.baseline),
        aggregate,
        _published(network),
        missing,
    )


def _objective(record: Mapping[str, Any]) -> CubeObjective:
    return CubeObjective(record["objective"], tuple(tuple(name.split("*")) for name in record["score_names"]))


def evaluated(title: str, network: Network) -> EvaluatedNetwork:
    """Rate a network through the kernels."""
    exact = exact_metrics(network)
    return EvaluatedNetwork(title, network, exact, metrics(network, exact))


def as_in_the_paper(network: Network) -> bool:
    """Whether racks, catalogue, delays and nodes are those for which the paper printed delay and cost."""
    return (network.site, network.cubes.nodes_per_switch) == (Site(), 4)


def _port_aggregate(network: Network) -> tuple[EvaluatedNetwork | None, tuple[str, ...]]:
    if network.cubes.n == LARGEST_N:
        return None, (f"Port-Aggregate is left out: it would be a cube of dimension {LARGEST_N + 1}.",)
    try:
        return evaluated("Port-Aggregate", port_aggregate(network)), ()
    except InputError as error:
        return None, (f"Port-Aggregate is left out: {error}.",)


def _published(network: Network) -> tuple[PublishedDesign, ...]:
    """Return the paper's optimised designs; its identical planes are computed here instead."""
    return tuple(
        design for design in published_points(network.cubes.folded, network.cubes.n) if design.network.startswith("DI-")
    )


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


def _agree(recorded: object, value: float | None) -> bool:
    if value is None or not isinstance(recorded, (int, float)):
        return recorded is value
    return isclose(recorded, value, rel_tol=1e-9)
