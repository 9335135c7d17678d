"""Comparison of simulation results with analytic results that follow from the routes."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from isoplane.models import Design, Network
from isoplane.models.paths.transmission_times import transmission_times_of
from isoplane.models.policy import depends_on_queues
from isoplane.objectives import evaluator_of, metrics_of
from isoplane.objectives.general import zero_load_and_throughput
from isoplane.simulator import Hardware, Report, Saturation, Scenario, Traffic, throughput_bound

from .link_unit import simulated_unit

UNIFORM = ("uniform", "all_to_all")  # patterns for which results follow from the routes
LOW = Fraction(1, 4)  # fraction of the throughput bound below which packets hardly wait
ROUNDED = 1e-9  # relative rounding error of equal numbers


Computed = tuple[dict[str, float], float | None, str]
Compared = tuple[str, str, float, float]  # a quantity and its unit, the simulated number and the computed one


def compared(
    network: Network, scenario: Scenario, reports: Sequence[Report], found: Saturation | None
) -> list[Compared]:
    """Compare the computed delay and traffic of a network with its simulation under uniform traffic.

    The latency in the network is that of the lowest load. It is left out if packets wait for each other, which
    delays do not include: above a quarter of the throughput bound, or if messages have several packets. Delay and
    traffic include the node itself as a destination.

    Parameters
    ----------
    network
        The network.
    scenario
        The simulated scenario.
    reports
        By ascending load.
    found
        The saturation, if it was searched for.
    """
    if depends_on_queues(network.policy) or scenario.hardware.path_selection != "minimal":
        return []  # loads depend on queues, or paths are not those of the metrics
    delays, traffic, reference_name = _compute(network, scenario.hardware)
    bound = throughput_bound(scenario.network, hardware=scenario.hardware)
    rows: list[Compared] = []
    lowest = next((report for report in reports if report.stable), None)
    if lowest is not None and lowest.network_latency_ns.mean and _hardly_waits(lowest, bound, scenario):
        for name, value in delays.items():
            title = f"latency at load {lowest.offered_load:g}{_packet_notes(scenario)}, against {name}"
            rows.append((title, "ns", lowest.network_latency_ns.mean, value))
    if found is not None and found.throughput and traffic is not None:
        computed = traffic
        # They differ only in traffic of a node to itself, unless links of nodes are the busiest.
        if float(bound) < computed * (network.nodes - 1) / network.nodes * (1 - ROUNDED):
            computed, reference_name = float(bound), "the links of a node"
        title = f"saturation throughput, against {reference_name}"
        rows.append((title, simulated_unit(network, scenario.hardware), found.throughput, computed))
    return rows


def beyond_bound(scenario: Scenario, found: Saturation | None) -> list[str]:
    """Return a line that marks a saturation under uniform traffic above its bound by the busiest link; else none.

    Parameters
    ----------
    scenario, found
        The simulated scenario, and its saturation, if it was searched for.
    """
    traffic = scenario.traffic
    if found is None or not isinstance(traffic, Traffic) or traffic.pattern not in UNIFORM:
        return []
    if depends_on_queues(scenario.network.policy) or scenario.hardware.path_selection != "minimal":
        return []  # no bound
    bound = throughput_bound(scenario.network, hardware=scenario.hardware)
    if found.throughput <= bound:
        return []
    return [
        f"saturation {found.throughput:.4f} is above the bound {float(bound):.4f}, at which the mean load of uniform "
        "traffic fills the busiest link: short runs, as by measurement=rough, end before queues there have grown; "
        "measurement=standard is nearer"
    ]


def _compute(network: Network, hardware: Hardware) -> Computed:
    """Return delays by name, the throughput of a node under uniform traffic in link rates, and its name."""
    return COMPUTED.get(evaluator_of(Design(network)).scope, _compute_any)(network, hardware)


def _compute_any(network: Network, hardware: Hardware) -> Computed:
    delay, throughput = zero_load_and_throughput(network)
    if throughput is not None and (reference := transmission_times_of(network).reference_mbps) is not None:
        throughput *= reference / (1000 * float(hardware.link_gbps))
    return {} if delay is None else {"delay": delay}, throughput, "throughput_per_node"


def _compute_cubes(network: Network, hardware: Hardware) -> Computed:
    numbers = metrics_of(Design(network))
    delays = {name: value for name in ("delay", "delay_paper") if (value := numbers[f"{name}_ns"]) is not None}
    traffic = numbers["max_traffic"]
    assert traffic is not None
    return delays, traffic / (network.nodes // network.plane_switches[0]), "max_traffic of a node"


# By scope of metrics; the others have those of any network.
COMPUTED: Mapping[str, Callable[[Network, Hardware], Computed]] = {"cubes": _compute_cubes}


def _hardly_waits(report: Report, bound: Fraction, scenario: Scenario) -> bool:
    """Whether packets hardly wait for each other."""
    traffic, hardware = scenario.random_traffic, scenario.hardware
    one_packet = traffic.message_bytes is None or 8 * traffic.message_bytes[1] <= hardware.payload_bits
    return one_packet and report.offered_load <= LOW * bound


def _packet_notes(scenario: Scenario) -> str:
    """Return notes on packets that differ from those for which delays are defined."""
    usual, hardware = Hardware(), scenario.hardware
    packet_ns = scenario.random_traffic.mean_flits(hardware) * hardware.flit_ns
    usual_ns = usual.packet_flits * usual.flit_ns
    notes = [f"packets of {float(packet_ns):.4g} ns, not {float(usual_ns):.4g} ns"] if packet_ns != usual_ns else []
    if hardware.flow_control == "store_and_forward":
        notes.append(hardware.flow_control)
    return f" ({', '.join(notes)})" if notes else ""
