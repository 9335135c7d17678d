"""What was simulated, beside what follows from the routes without simulation."""

from collections.abc import Sequence
from dataclasses import dataclass

from isoplane.models import Network
from isoplane.objectives import ingredients, metrics
from isoplane.simulator import Report, Saturation


@dataclass(frozen=True)
class Compared:
    """A simulated number beside a computed one.

    Attributes
    ----------
    quantity, unit
        What they are.
    simulated, computed
        The numbers.
    """

    quantity: str
    unit: str
    simulated: float
    computed: float

    @property
    def error(self) -> float:
        """Return the error of the computed number, relative to the simulated one."""
        return self.computed / self.simulated - 1


def compared(network: Network, reports: Sequence[Report], found: Saturation | None) -> list[Compared]:
    """Hold the delay and the traffic of a cube against its simulation under uniform traffic.

    The latency in the network is that of the lowest load. Delay and traffic count the node itself as a destination.

    Parameters
    ----------
    network
        The cube.
    reports
        By ascending load.
    found
        The saturation, if it was looked for.
    """
    numbers = metrics(network, ingredients(network))
    rows = []
    lowest = next((report for report in reports if report.stable), None)
    if lowest is not None and lowest.network_latency_ns.mean:
        for name in ("delay", "delay_paper"):
            if (value := numbers[f"{name}_ns"]) is not None:
                title = f"latency at load {lowest.offered_load:g}, against {name}"
                rows.append(Compared(title, "ns", lowest.network_latency_ns.mean, float(value)))
    traffic = numbers["max_traffic"]
    if found is not None and found.throughput and traffic is not None:
        title = "saturation throughput, against max_traffic of a node"
        rows.append(Compared(title, "link rates", found.throughput, traffic / network.nodes_per_switch))
    return rows
