"""What the page of any network of switches is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any

from isoplane.models import Design, Network
from isoplane.objectives import metrics_of
from isoplane.objectives.general import Distances, LinkLoads, all_distances, all_to_all_loads
from isoplane.runs.records import network_of


@dataclass(frozen=True)
class NetworkData:
    """A record, its network, and what is computed of it.

    Attributes
    ----------
    record
        The record, or the content of one.
    network, metrics
        The network with its metrics.
    distances, loads
        Pairs of nodes by distance, and what every link carries under all-to-all traffic.
    """

    record: Mapping[str, Any]
    network: Network
    metrics: Mapping[str, float | None]
    distances: Distances
    loads: LinkLoads

    @property
    def throughput(self) -> float | None:
        """What every node can send to all nodes evenly, in link capacities."""
        peak = self.loads.peak
        return self.loads.parts * self.network.nodes / peak if peak else None

    def disagreements(self) -> list[str]:
        """Return the names of all metrics for which the record holds another value than is computed here."""
        recorded = self.record.get("metrics", self.metrics)
        return [name for name, value in self.metrics.items() if not _agree(recorded.get(name), value)]


def network_data_of(record: Mapping[str, Any]) -> NetworkData:
    """Evaluate the network of a record, or of the content of one.

    Raises
    ------
    InputError
        If the models refuse a value, or the catalogue lacks a cable or an interface.
    """
    network = network_of(dict(record))
    return NetworkData(record, network, metrics_of(Design(network)), all_distances(network), all_to_all_loads(network))


def _agree(recorded: object, value: float | None) -> bool:
    if value is None or not isinstance(recorded, (int, float)):
        return recorded is value
    return isclose(recorded, value, rel_tol=1e-9)
