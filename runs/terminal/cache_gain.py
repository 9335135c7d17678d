"""What caches of the routing table gain, on the terminal."""

from dataclasses import replace
from statistics import median

from isoplane.models import Design, Network
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import plane_runs_ns


def cache_gain_text(design: Design, workload: Workload | None) -> str | None:
    """Return how much longer a workload takes without the caches of its switches; None without caches or workload.

    The ratio is that of the medians of 9 runs: the relative MOPS of a benchmark, whose operations are the same. Beside
    it are the ratios run by run. Equal jitter does not make two runs alike, so a gain counts only if it is larger than
    the difference of these ratios.

    Examples
    --------
    >>> from isoplane.models import RoutingCache, Site, SwitchModel
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> switch = SwitchModel(delay_ns=100, endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache())
    >>> ring = Network(Torus(shape=(4,), node_cable_m=2.0), Site(switch=switch))
    >>> print(cache_gain_text(Design(ring), ring_all_reduce(4, 4000)))  # 6 steps of 305 ns instead of 259 ns
    without caches 1.178 times as long (1.178 to 1.178 run by run): 1830 ns
    """
    network = design.network
    if network.site.switch.cache is None or workload is None or design.circuits is not None:
        return None
    conventional = replace(network.site, switch=replace(network.site.switch, cache=None))
    runs, others = plane_runs_ns(network, workload), plane_runs_ns(Network(network.family, conventional), workload)
    ratios = [other / run for run, other in zip(runs, others, strict=True)]
    ratio = median(others) / median(runs)
    text = f"without caches {ratio:.3f} times as long ({min(ratios):.3f} to {max(ratios):.3f} run by run)"
    if abs(ratio - 1) <= max(ratios) - min(ratios):
        text += ", which is within the differences between runs"
    return f"{text}: {median(others)} ns"
