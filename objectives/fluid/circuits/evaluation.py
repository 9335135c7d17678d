"""Exact metrics of designs with circuits and a placement under a workload."""

from dataclasses import replace
from functools import lru_cache
from threading import local

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Design, Network
from isoplane.models.checks import fraction_of
from isoplane.models.families.hybrid import tree_in
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.planes.links import CABLE, INTO, OUT, link_kinds
from isoplane.models.workloads import Workload

from ...scoring.metric import MetricValues
from ...scoring.metric_scopes import metric_values
from ..link_timing import link_timing
from ..times import Times
from .model import RELAYS, FluidModel, LinkBytes, PerLink, RelayBy


def model_of(network: Network, workload: Workload, relay: RelayBy) -> FluidModel:
    """Return the fluid model of a network under a workload, cached per thread because it stores the last design."""
    return _MODELS.model(network, workload, relay)


def _make_model(network: Network, workload: Workload, relay: RelayBy) -> FluidModel:
    return FluidModel(optical_of(network), workload.message_list(), relay, network.site)


class _Models(local):
    """Cache of the models of a thread."""

    def __init__(self) -> None:
        self.model = lru_cache(maxsize=8)(_make_model)


_MODELS = _Models()


def circuit_times(design: Design, workload: Workload) -> Times:
    """Return the exact metrics of a design under a workload.

    Raises
    ------
    InputError
        If the network is not hybrid, or its number of nodes is not the workload's number of processes.

    Examples
    --------
    >>> from isoplane.models import Circuits, Hybrid, Network, Placement
    >>> from isoplane.models.workloads import stencil
    >>> design = Design(Network(Hybrid(2, 2)), Circuits(((0, 2),)), Placement((0, 1, 2, 3)))
    >>> circuit_times(design, stencil((2, 2), 1_250_000, iterations=1)).bottleneck_ns
    2000000
    """
    by_messages, by_packets = (_times(design, workload, relay) for relay in RELAYS)
    heaviest = max(max(loads, default=0) for loads in circuit_loads(design, workload).all())
    return replace(
        by_messages,
        synchronised_ns=_synchronised_ns(design, workload),
        heaviest_load_bytes=heaviest,
        circuits=len(design.assignment[0]),
        completion_by_packets_ns=by_packets.completion_ns,
        completion_by_packets_min_ns=by_packets.completion_min_ns,
        completion_by_packets_max_ns=by_packets.completion_max_ns,
    )


def circuit_score_ns(design: Design, workload: Workload, components: tuple[str, ...]) -> tuple[int, ...]:
    """Return the requested times, computing no others; errors as for `circuit_times`."""
    if "completion" in components:
        times = _times(design, workload, "messages")
        times_ns = {"completion": times.completion_ns, "bottleneck": times.bottleneck_ns, "total": times.total_ns}
    else:  # the routes suffice; for all-to-all traffic this takes a thousandth of the time
        busy = model_of(design.network, workload, "messages").busy_times_ns(*design.assignment)
        times_ns = dict(zip(("bottleneck", "total"), busy, strict=True))
    if "synchronised" in components:
        times_ns["synchronised"] = _synchronised_ns(design, workload)
    if "completion_by_packets" in components:
        times_ns["completion_by_packets"] = _times(design, workload, "packets").completion_ns
    return tuple(times_ns[name] for name in components)


def circuit_loads(design: Design, workload: Workload) -> LinkBytes:
    """Return the bytes over every link of a design; errors as for `circuit_times`."""
    return model_of(design.network, workload, "messages").loads(*design.assignment)


def rates_gbps(network: Network) -> PerLink[float | NDArray[np.float64]]:
    """Return the rates of all links of a network with circuits: one for those of a kind, or one per link."""
    hybrid = optical_of(network)
    circuit, tree = float(fraction_of(hybrid.circuit_gbps)), tree_in(hybrid)
    if tree is not None:
        node, up, _ = map(float, tree.rates_gbps)
        return PerLink(node, node, up, up, circuit, circuit, up)
    kind, timing = link_kinds(network.plane_links), link_timing(network)
    gbps = np.array([float(rate) for rate in timing.rates_gbps])[timing.rate]
    return PerLink(gbps[kind == OUT], gbps[kind == INTO], circuit, circuit, circuit, circuit, gbps[kind == CABLE])


def _synchronised_ns(design: Design, workload: Workload) -> int:
    return model_of(design.network, workload, "messages").synchronised_ns(*design.assignment)


def _times(design: Design, workload: Workload, relay: RelayBy) -> Times:
    return model_of(design.network, workload, relay).times(*design.assignment)


def circuit_metrics(design: Design, exact: Times, workload: Workload) -> MetricValues:
    """Return the named metrics of a record of a hybrid network, in its order.

    `mean_hops` is the mean number of segments per message: 1 if sent directly or over a circuit between its ends.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 3.
    """
    return metric_values("circuits", exact, design.network, workload)
