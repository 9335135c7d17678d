"""Times of a workload beside those of its metrics: by other rules, by repeated steps, and without caches."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from isoplane.models import Design, InputError, Network, RoutingCache
from isoplane.models.workloads import MappedWorkload, ProgramWorkload, Workload, all_to_all
from isoplane.objectives.fluid import plane_look_ups, plane_runs_ns, step_runs

MAX_EXCHANGE = 1 << 22  # messages: with more, its nine runs take minutes and many gigabytes


def fluid_rules_text(design: Design, workload: Workload | None, messages_start: str, sharing: str) -> str | None:
    """Return the completion of a workload under other rules than those of its metrics; None under these.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import stencil
    >>> torus, work = Design(Network(Torus(shape=(2, 2)))), stencil((2, 2), 1_250_000, iterations=1)
    >>> print(fluid_rules_text(torus, work, "both", "cm02"))
    with messages_start=both sharing=cm02: completion 100095 ns (100095 to 100095 in nine runs)
    """
    if workload is None or (messages_start, sharing) == ("sender", "equal"):
        return None
    runs = plane_runs_ns(design.network, workload, messages_start, sharing)
    return f"with messages_start={messages_start} sharing={sharing}: {_completion_text(runs)}"


def cache_gain_text(
    design: Design, workload: Workload | None, messages_start: str = "sender", sharing: str = "equal"
) -> str | None:
    """Return how much longer a workload takes without the caches of its switches; None without caches or workload.

    The ratio is that of the medians of 9 runs: the relative MOPS of a benchmark, whose operations are the same. Beside
    it are the ratios run by run. Equal jitter does not make two runs alike, so a gain counts only if it is larger than
    the difference of these ratios. Lines before it are the share of look-ups that hit, where packets may miss, and the
    time of the exchange that warms the caches, if one does. The rules are those of `plane_runs_ns`.

    Examples
    --------
    >>> from isoplane.models import RoutingCache, Site, SwitchModel
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> switch = SwitchModel(delay_ns=100, endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache())
    >>> ring = Network(Torus(shape=(4,), node_cable_m=2.0), Site(switch=switch))
    >>> print(cache_gain_text(Design(ring), ring_all_reduce(4, 4000)))  # 6 steps of 305 ns instead of 259 ns
    without caches 1.178 times as long (1.178 to 1.178 run by run): 1830 ns
    >>> cold = Network(ring.family, Site(switch=replace(switch, cache=RoutingCache(start="cold"))))
    >>> print(cache_gain_text(Design(cold), ring_all_reduce(4, 4000)))  # the first step takes 50 ns more
    look-ups that hit: 83.333 % of 48
    without caches 1.141 times as long (1.141 to 1.141 run by run): 1830 ns
    """
    network = design.network
    cache = network.site.switch.cache
    if cache is None or workload is None or design.circuits is not None:
        return None
    runs, others = (
        plane_runs_ns(shown, workload, messages_start, sharing) for shown in (network, _with_cache(network, None))
    )
    return "\n".join([*_hit_lines(network, cache, workload, messages_start, sharing), _ratio_text(runs, others)])


def _ratio_text(runs: Sequence[int], others: Sequence[int]) -> str:
    ratios = [other / run for run, other in zip(runs, others, strict=True)]
    ratio = median(others) / median(runs)
    text = f"without caches {ratio:.3f} times as long ({min(ratios):.3f} to {max(ratios):.3f} run by run)"
    if abs(ratio - 1) <= max(ratios) - min(ratios):
        text += ", which is within the differences between runs"
    return f"{text}: {median(others)} ns"


def step_times_text(design: Design, workload: Workload) -> str:
    """Return the completion of a program by `step_runs`, which simulates few of its steps, and what caches gain.

    Raises
    ------
    InputError
        If the workload is no program, or the design has circuits.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import npb
    >>> torus = Design(Network(Torus(shape=(2, 2))))
    >>> print(step_times_text(torus, npb("lu", "S", 4, gflops=10, eager_bytes=0)))
    by repeated steps: completion 3492999 ns (3492981 to 3493002 in nine runs), periodic (6 steps)
    """
    if not isinstance(workload, ProgramWorkload | MappedWorkload) or design.circuits is not None:
        raise InputError("steps=repeated: expected a workload that is a program, such as npb, and no circuits")
    times = step_runs(design.network, workload)
    runs = times.runs_ns
    text = f"by repeated steps: {_completion_text(runs)}, {times.text}"
    if design.network.site.switch.cache is None:
        return text
    others = step_runs(_with_cache(design.network, None), workload)
    return f"{text}\n{_ratio_text(runs, others.runs_ns)}, {others.text}"


def _hit_lines(
    network: Network, cache: RoutingCache, workload: Workload, messages_start: str, sharing: str
) -> Iterator[str]:
    """Yield how many look-ups hit, unless none can miss, and how long the exchange takes that comes before them."""
    if not network.site.switch.never_misses(network.nodes):
        look_ups, hits = (int(counts.sum()) for counts in plane_look_ups(network, workload, messages_start, sharing))
        yield f"look-ups that hit: {100 * hits / max(1, look_ups):.3f} % of {look_ups}"
    messages = network.nodes * (network.nodes - 1)
    if cache.start == "exchange" and messages > MAX_EXCHANGE:
        yield f"exchange of one byte before, with empty caches: not simulated with {messages} > {MAX_EXCHANGE} messages"
    elif cache.start == "exchange":
        before = _with_cache(network, replace(cache, start="cold"))
        exchange_ns = median(plane_runs_ns(before, all_to_all(network.nodes, 1), messages_start, sharing))
        yield f"exchange of one byte before, with empty caches: {exchange_ns} ns"


def _completion_text(runs: Sequence[int]) -> str:
    return f"completion {median(runs)} ns ({min(runs)} to {max(runs)} in nine runs)"


def _with_cache(network: Network, cache: RoutingCache | None) -> Network:
    return network.with_switch(replace(network.site.switch, cache=cache))
