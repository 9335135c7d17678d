"""Reference metrics and exact values of any design."""

from collections.abc import Callable
from fractions import Fraction

from isoplane.models import Design, Network
from isoplane.models.families.hybrid import tree_in
from isoplane.models.family_kinds.cube import cubes_of, has_kernels
from isoplane.models.workloads import Workload

from .cubes import cube_metrics, measure_cubes
from .faults import cube_fault_integers, fault_integers, rack_integers
from .fluid_times import overlay_times, tree_times
from .general import measure_general
from .graph import plane_graph, topology_graph
from .lookups import lookup_integers, lookup_metrics

Exact = dict[str, int | None]
MetricValues = dict[str, int | float | None]


def reference_metrics(network: Network) -> MetricValues:
    """Return the metrics of a network of switches under the names of a record, in its order.

    One or two cube planes have their own metrics; all others have those of any network.

    Raises
    ------
    InputError
        If the layout does not fit, or the catalogue lacks a required cable or interface.
    RuntimeError
        If the reference is inconsistent.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> reference_metrics(Network(Torus(shape=(4, 4))))["diameter"]
    4
    """
    _, metrics = _of(network)
    return metrics(network)


def general_metrics(network: Network) -> MetricValues:
    """Return the metrics of any network under the names of a record, in its order, each rounded once.

    Raises
    ------
    InputError
        If the catalogue lacks a required cable or interface.
    RuntimeError
        If a route does not reach its destination.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> general_metrics(dual_cube(3, (3, 5, 7), nodes_per_switch=1))["aspl"]
    1.0
    """
    exact, nodes, per_ns = measure_general(network), network.nodes, network.delay_units.per_ns
    cables = sum(int((plane.topology.peer >= 0).sum()) for plane in network.planes) // 2
    mean_mm = None if exact.cable_length_mm is None or not cables else Fraction(exact.cable_length_mm, cables)
    delay = None if exact.delay is None else exact.delay / per_ns
    largest = None if exact.max_delay is None else float(exact.max_delay / per_ns)
    has_stages = network.site.switch.routing_ns is not None
    return {
        "aspl": float(Fraction(exact.total_hops, nodes**2)),
        "total_hops": int(exact.total_hops * exact.hop_parts),
        "diameter": exact.diameter,
        "peak_load": int(exact.peak_load * exact.parts),
        "throughput_per_node": float(nodes / exact.peak_load) if exact.peak_load else None,
        "cable_length_m": None if mean_mm is None else float(mean_mm / 1000),
        "delay_ns": None if delay is None else float(delay),
        **({"max_delay_ns": largest} if has_stages else {}),
        "cost_usd_per_node": None if exact.cost_cents is None else float(Fraction(exact.cost_cents, 100 * nodes)),
        **lookup_metrics(network, exact.miss_rate),
    }


def reference_exact(network: Network, after_losses: bool = False, of_racks: bool = False) -> Exact:
    """Return the exact integers of which scores are products; None if they need a layout and there is none.

    Errors are those of `reference_metrics`.

    Parameters
    ----------
    network
        The network.
    after_losses
        Whether those after losses are returned, too: all cables, switches and planes are taken out in turn.
    of_racks
        Whether those after the loss of a rack are returned, too.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> reference_exact(Network(Torus(shape=(4, 4))))["peak_load"]
    12
    """
    measure, _ = _of(network)
    exact = measure(network)
    if after_losses:
        exact |= (cube_fault_integers if has_kernels(network) else fault_integers)(network)
    return exact | (rack_integers(network) if of_racks else {})


def requested_metrics(exact: Exact, network: Network) -> MetricValues:
    """Return the metrics of a network that few records state, from `reference_exact`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> torus = Network(Torus(shape=(4, 4)))
    >>> requested_metrics(reference_exact(torus), torus)
    {'diameter': 4, 'longest_cable_m': 1.0, 'switches': 16, 'cables': 32}
    """
    longest_mm = exact["longest_cable"]
    return {
        "diameter": exact["diameter"],
        "longest_cable_m": None if longest_mm is None else longest_mm / 1000,
        "switches": exact["switches"],
        "cables": exact["cables"],
        **_after_losses(exact, network),
    }


def _after_losses(exact: Exact, network: Network) -> MetricValues:
    """Return the metrics after losses, if their integers are known."""
    values: MetricValues = {name: value for name, value in exact.items() if name.endswith("_fault_diameter")}
    pairs = (cubes_of(network).plane_switches if has_kernels(network) else network.nodes) ** 2
    for part in ("cable", "plane"):
        if (hops := exact.get(f"{part}_fault_hops")) is not None:
            values[f"{part}_fault_aspl"] = float(Fraction(hops, pairs))
    if (billionths := exact.get("rack_fault_aspl")) is not None:
        values["rack_fault_aspl"] = billionths / 10**9
    return values


def _of(network: Network) -> tuple[Callable[[Network], Exact], Callable[[Network], MetricValues]]:
    """Return what computes the exact integers and the metrics of a network."""
    return (_exact_of_cubes, cube_metrics) if has_kernels(network) else (_exact_of_any, general_metrics)


def _exact_of_cubes(network: Network) -> Exact:
    cubes, graphs = measure_cubes(network), [plane_graph(cube) for cube in cubes_of(network).planes]
    return {
        "sum_of_distances": cubes.sum_of_distances,
        "max_load": cubes.max_load,
        "cable_length": cubes.cable_length_mm,
        "delay": cubes.delay,
        "delay_paper": cubes.delay_paper,
        "cost": cubes.cost_cents,
        "diameter": cubes.diameter,
        "longest_cable": cubes.longest_cable_mm,
        "switches": sum(graph.vcount() for graph in graphs),
        "cables": sum(graph.ecount() for graph in graphs),
        **lookup_integers(network, cubes.miss_rate),
    }


def _exact_of_any(network: Network) -> Exact:
    exact, graphs = measure_general(network), [topology_graph(plane) for plane in network.planes]
    return {
        "total_hops": int(exact.total_hops * exact.hop_parts),
        "diameter": exact.diameter,
        "peak_load": int(exact.peak_load * exact.parts),
        "cable_length": exact.cable_length_mm,
        "delay": None if exact.delay is None else int(exact.delay * exact.parts * network.nodes**2),
        "cost": exact.cost_cents,
        "longest_cable": exact.longest_cable_mm,
        "switches": sum(graph.vcount() for graph in graphs),
        "cables": sum(graph.ecount() for graph in graphs) // 2,  # an edge for each end
        **lookup_integers(network, exact.miss_rate),
    }


def reference_circuit_metrics(design: Design, workload: Workload) -> dict[str, float]:
    """Return the metrics of a design with circuits under the names of a record; busy times are unrounded.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ, or a rate is less than 2^-20 of the fastest.

    Examples
    --------
    >>> from isoplane.models import Circuits, Hybrid, Placement
    >>> from isoplane.models.workloads import stencil
    >>> design = Design(Network(Hybrid(2, 2)), Circuits(((0, 2),)), Placement((0, 1, 2, 3)))
    >>> reference_circuit_metrics(design, stencil((2, 2), 1_250_000, iterations=1))["bottleneck_ns"]
    2000000.0
    """
    messages = workload.message_list()
    circuits, placement = design.assignment
    network = design.network
    tree = tree_in(network.family)
    by_messages, by_packets = (
        tree_times(tree, messages, circuits, placement, relay)
        if tree is not None  # its two-level tree has rates and delays of its own, without planes
        else overlay_times(network, messages, circuits, placement, relay)
        for relay in ("messages", "packets")
    )
    return {
        "circuits": len(circuits),
        "completion_ns": by_messages["completion_ns"],
        "completion_min_ns": by_messages["completion_min_ns"],
        "completion_max_ns": by_messages["completion_max_ns"],
        "completion_by_packets_ns": by_packets["completion_ns"],
        "completion_by_packets_min_ns": by_packets["completion_min_ns"],
        "completion_by_packets_max_ns": by_packets["completion_max_ns"],
        "synchronised_ns": by_messages["synchronised_ns"],
        "bottleneck_ns": by_messages["bottleneck_ns"],
        "total_ns": by_messages["total_ns"],
        "heaviest_load_bytes": by_messages["heaviest_load_bytes"],
        "mean_hops": by_messages["hops"] / int((~messages.local).sum()),
    }
