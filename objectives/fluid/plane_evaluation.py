"""Exact times of a workload on any network of switches."""

from dataclasses import fields, replace
from functools import lru_cache

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Floats, Ints
from isoplane.models.workloads import Workload, parts_of
from isoplane.models.workloads.message_starts import messages_begun_by

from ..scoring.metric import MetricValues
from ..scoring.metric_scopes import metrics_in
from .link_timing import link_timing
from .plane_model import NetworkFluidModel
from .times import Times

HEAVIEST = "heaviest_load_bytes"  # not a time: a maximum instead of a sum in a mix


def plane_times(network: Network, workload: Workload) -> Times:
    """Return the exact times of a workload on a network of switches; of a mix, the sums over its weighted parts.

    Raises
    ------
    InputError
        As for `NetworkFluidModel`.
    """
    weighted = [(weight, _times_of(network, part)[0]) for weight, part in parts_of(workload)]
    sums = {
        field.name: sum(weight * getattr(times, field.name) for weight, times in weighted)
        for field in fields(Times)
        if field.name != HEAVIEST
    }
    return Times(**sums, heaviest_load_bytes=max(times.heaviest_load_bytes for _, times in weighted))


def plane_runs_ns(
    network: Network, workload: Workload, messages_start: str = "sender", sharing: str = "equal"
) -> list[int]:
    """Return the completion of each of the 9 runs, of which `plane_times` has the median, the shortest and the longest.

    Runs of the same number on another network have the same jitter.

    Parameters
    ----------
    network, workload
        As for `plane_times`.
    messages_start
        What messages begin with, as in `messages_begun_by`.
    sharing
        How transfers share links, as in `NetworkFluidModel`.

    Raises
    ------
    InputError
        As for `plane_times`, `messages_begun_by` and `NetworkFluidModel`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import stencil
    >>> runs = plane_runs_ns(Network(Torus(shape=(2, 2))), stencil((2, 2), 1_250_000, iterations=1))
    >>> len(runs), sorted(runs)[4]
    (9, 100095)
    """
    weighted = [
        [weight * ns for ns in _runs_of(network, part, messages_start, sharing)[0]]
        for weight, part in parts_of(workload)
    ]
    return [sum(of_parts) for of_parts in zip(*weighted, strict=True)]


def plane_busy_ns(network: Network, workload: Workload) -> Floats:
    """Return how long each link is busy at its full rate, in the order of `isoplane.models.planes.links`.

    8 · bytes / rate, in ns; of a mix, the sums over its weighted parts. Errors as for `plane_times`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> ring = Network(Torus(shape=(4,), node_cable_m=2.0))
    >>> plane_busy_ns(ring, ring_all_reduce(4, 4000))[:2].tolist()  # 6 messages of 1000 bytes at 100 Gbit/s
    [480.0, 0.0]
    """
    timing, busy = link_timing(network), np.zeros(sum(links.links for links in network.plane_links))
    gbps = np.array([float(rate) for rate in timing.rates_gbps])[timing.rate]
    for weight, part in parts_of(workload):
        busy += weight * 8 * NetworkFluidModel(network, part.message_list()).loads_bytes() / gbps
    return busy


def plane_look_ups(
    network: Network, workload: Workload, messages_start: str = "sender", sharing: str = "equal"
) -> tuple[Ints, Ints]:
    """Return the look-ups of a workload at each input port, and those that hit; of a mix, sums over its weighted parts.

    They are those of `NetworkFluidModel.look_ups`, and none where no packet can miss. Parameters and errors are as for
    `plane_runs_ns`.

    Examples
    --------
    >>> from isoplane.models import RoutingCache, Site, SwitchModel
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache(start="cold"))
    >>> ring = Network(Torus(shape=(4,), node_cable_m=2.0), Site(switch=switch))
    >>> look_ups, hits = plane_look_ups(ring, ring_all_reduce(4, 4000))  # 6 messages from each node to the next one
    >>> look_ups.tolist(), hits.tolist()
    ([6, 0, 6, 0, 6, 0, 6, 0, 6, 6, 6, 6], [5, 0, 5, 0, 5, 0, 5, 0, 5, 5, 5, 5])
    """
    weighted = [(weight, _runs_of(network, part, messages_start, sharing)[1]) for weight, part in parts_of(workload)]
    look_ups, hits = (sum(weight * counts[index] for weight, counts in weighted) for index in range(2))
    return np.asarray(look_ups), np.asarray(hits)


@lru_cache(maxsize=64)
def _runs_of(
    network: Network, workload: Workload, messages_start: str, sharing: str
) -> tuple[list[int], tuple[Ints, Ints]]:
    """Return the completion of each run, and where packets may miss the look-ups and hits of ports."""
    if (messages_start, sharing) == ("sender", "equal"):
        return _times_of(network, workload)[1:]
    model = NetworkFluidModel(network, messages_begun_by(workload, messages_start), sharing=sharing)
    return model.runs_ns, _port_counts(network, model)


@lru_cache(maxsize=64)
def _times_of(network: Network, workload: Workload) -> tuple[Times, list[int], tuple[Ints, Ints]]:
    """Return the times, the completion of each run, and where packets may miss the look-ups and hits of ports."""
    model = NetworkFluidModel(network, workload.message_list())
    heaviest = int(model.loads_bytes().max())
    times = replace(model.times(), synchronised_ns=model.synchronised_ns(), heaviest_load_bytes=heaviest)
    return times, model.runs_ns, _port_counts(network, model)


def _port_counts(network: Network, model: NetworkFluidModel) -> tuple[Ints, Ints]:
    """Return the look-ups and hits of each input port; none where no packet can miss."""
    if network.site.switch.never_misses(network.nodes):
        return (np.zeros(0, dtype=np.int64),) * 2
    _, look_ups, hits = model.look_ups
    return look_ups, hits


def plane_score_ns(network: Network, workload: Workload, components: tuple[str, ...]) -> tuple[int, ...]:
    """Return the requested times; without the completion no run is needed. Errors as for `plane_times`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import stencil
    >>> network, work = Network(Torus(shape=(2, 2))), stencil((2, 2), 1_250_000, iterations=1)
    >>> plane_score_ns(network, work, ("synchronised", "total"))
    (100000, 800000)
    """
    weighted = [(weight, _score_ns(network, part, frozenset(components))) for weight, part in parts_of(workload)]
    return tuple(sum(weight * times[name] for weight, times in weighted) for name in components)


@lru_cache(maxsize=64)
def _score_ns(network: Network, workload: Workload, names: frozenset[str]) -> dict[str, int]:
    """Return the bottleneck and total times, and what takes longer only if it is among the names."""
    model = NetworkFluidModel(network, workload.message_list())
    times = dict(zip(("bottleneck", "total"), model.busy_ns(), strict=True))
    if "completion" in names:
        times["completion"] = model.times().completion_ns
    if "synchronised" in names:
        times["synchronised"] = model.synchronised_ns()
    return times


def plane_metrics(network: Network, workload: Workload) -> MetricValues:
    """Return the times of a workload on a network of switches, as metrics of a design.

    Raises
    ------
    InputError
        As for `NetworkFluidModel`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import stencil
    >>> times = plane_metrics(Network(Torus(shape=(2, 2))), stencil((2, 2), 1_250_000, iterations=1))
    >>> times["completion_ns"], times["bottleneck_ns"], times["heaviest_load_bytes"]
    (100095, 100000, 1250000)
    """
    times = plane_times(network, workload)
    return {
        name: getattr(times, name) for name, (metric, _) in metrics_in("times").items() if "judge" not in metric.needs
    }
