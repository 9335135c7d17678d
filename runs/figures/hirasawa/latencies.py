"""Figs. 11 and 12: the largest zero-load latency of 3-D tori against their size, and the entries of a cache.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, section 6.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from isoplane.models import Network, Site, SwitchModel
from isoplane.models.families.torus import Torus
from isoplane.models.site.routing_cache import MAX_ENTRIES
from isoplane.models.steps import step
from isoplane.objectives.general.exact import GeneralExact
from isoplane.objectives.general.zero_load import misses_of
from isoplane.runs.drawing.drawing import LIGHT, integer_axis, label
from isoplane.runs.figures.checked import Checked, CheckedStatement, verdict
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.published import hirasawa_numbers
from isoplane.runs.terminal.table import Table

from .beside_paper import Ours, compared, figure_of, switches_of

CABLE_M = 4.0  # of every link: at 5 ns/m the 20 ns that fit the paper, which does not state C
DIMENSIONS = 3
SIDE = 21  # of Fig. 12
MAX_SIDE = 40
HUNDREDS, LARGE = 999, 29_000  # "from hundreds to 30,000 nodes": fewer at first, and more in the end
USED = ("delay_ns", "cable_delay_ns_per_m", "packet_bytes", "link_gbps", "routing_ns", "cache.hit_ns")
PORTS = ("node", *(f"dimension {i}" for i in range(1, DIMENSIONS + 1)))
REDUCTION = "reduction of the largest latency"
READING = (
    "Every cable of the torus is 4 m long, which makes C = 20 ns, as fits the paper. A hit rate is min(1, M / t) with "
    "M entries and t destinations that can pass the port, counted along the routes; the latency is equation (4), "
    "without the transmission of the packet."
)


class _Latency(NamedTuple):
    """Largest zero-load latencies of a torus with and without caches, and hit rates by kind of port (`PORTS`)."""

    side: int
    entries: int
    cached_ns: Fraction
    conventional_ns: Fraction
    hit_rates: tuple[Fraction, ...]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return int(self.side**DIMENSIONS)

    @property
    def reduction(self) -> Fraction:
        """By how much caches reduce the latency, in per cent."""
        return 100 * (1 - self.cached_ns / self.conventional_ns)


def _hits(index: int) -> Callable[[_Latency], str]:
    """Return the text of a hit rate, as a function of the latency."""
    return lambda point: f"{float(point.hit_rates[index]):.3f}"


COLUMNS: Mapping[str, Callable[[_Latency], object]] = {
    "nodes": lambda point: point.nodes,
    "entries": lambda point: point.entries,
    **{f"hits, {port}": _hits(index) for index, port in enumerate(PORTS)},
    "with caches": lambda point: f"{float(point.cached_ns):.1f} ns",
    "without": lambda point: f"{float(point.conventional_ns):.1f} ns",
    "change": lambda point: f"{-float(point.reduction):.1f} %",
}


def check_sides(data: Mapping[str, Any]) -> Compute:
    """Require sides of tori in range."""
    sides = ascending(data["sizes"], 3, MAX_SIDE, "number of switches along a dimension")
    switches = switches_of(data, *USED, "cache.entries")
    return lambda _: _figure_11([_latency(side, *switches) for side in sides])


def check_entries(data: Mapping[str, Any]) -> Compute:
    """Require numbers of entries in range."""
    entries = ascending(data["sizes"], 1, MAX_ENTRIES, "number of entries of a cache")
    switch, conventional = switches_of(data, *USED)
    return lambda _: _figure_12([_latency(SIDE, _with_entries(switch, number), conventional) for number in entries])


def _with_entries(switch: SwitchModel, entries: int) -> SwitchModel:
    """Return a switch with other caches, fully associative: the equations have no conflicts."""
    assert switch.cache is not None
    return replace(switch, cache=replace(switch.cache, entries=entries, ways=entries))


def _latency(side: int, switch: SwitchModel, conventional: SwitchModel) -> _Latency:
    """Return the latencies of a torus, along all routes."""
    assert switch.cache is not None
    family = Torus(shape=(side,) * DIMENSIONS, assumed_cable_m=CABLE_M, node_cable_m=CABLE_M)
    cached, without = (Network(family, Site(switch=model)) for model in (switch, conventional))
    with step(f"look-ups of {family.title}"):
        misses = misses_of(cached)
    of_ports = misses.node_links[0][0], *misses.links[0][0].reshape(-1, 2).max(axis=1)  # two ports of each dimension
    hit_rates = tuple(1 - Fraction(int(missing), misses.parts) for missing in of_ports)
    return _Latency(side, switch.cache.entries, _largest_ns(cached), _largest_ns(without), hit_rates)


def _largest_ns(network: Network) -> Fraction:
    exact = GeneralExact(network)
    assert exact.max_delay is not None
    return Fraction(exact.max_delay, exact.max_delay_parts * network.delay_units.per_ns)


def _figure_11(points: Sequence[_Latency]) -> Figure:
    reductions = [point.reduction for point in points]
    ours: dict[tuple[str, int | None], Fraction] = {}
    if points[0].nodes <= HUNDREDS and points[-1].nodes >= LARGE:
        ours = {(f"greatest {REDUCTION}", None): max(reductions), (f"least {REDUCTION}", None): min(reductions)}
    checked = [*compared(["Fig 11"], ours), *_falls(points)]
    return _figure("fig11", points, checked, "nodes", lambda point: point.nodes)


def _falls(points: Sequence[_Latency]) -> Iterator[CheckedStatement]:
    """Yield the verdict on the reduction, which the paper says falls as jobs grow."""
    if len(points) == 1:
        return
    highest = max(points, key=lambda point: point.reduction)
    shown = sorted({points[0], highest, points[-1]})
    after = points[points.index(highest) :]
    falls = len(after) > 1 and all(smaller.reduction > larger.reduction for smaller, larger in pairwise(after))
    limits = f"from {highest.nodes} nodes on; up to there it grows" if falls and highest != points[0] else ""
    numbers = ", ".join(f"{float(point.reduction):.1f} % at {point.nodes}" for point in shown)
    yield Checked("the reduction falls as the number of nodes grows", numbers, verdict(falls, limits))


def _figure_12(points: Sequence[_Latency]) -> Figure:
    ours: Ours = {(f"{REDUCTION} with n entries", point.entries): point.reduction for point in points}
    checked = list(compared(["Fig 12"], ours))
    if len(points) > 1:
        grows = all(fewer.reduction < more.reduction for fewer, more in pairwise(points))
        numbers = ", ".join(f"{float(p.reduction):.1f} % with {p.entries}" for p in (points[0], points[-1]))
        checked.append(Checked("the reduction grows with the number of entries", numbers, verdict(grows)))
    return _figure("fig12", points, checked, "entries of a cache", lambda point: point.entries)


def _figure(
    name: str,
    points: Sequence[_Latency],
    checked: Sequence[CheckedStatement],
    axis: str,
    size_of: Callable[[_Latency], int],
) -> Figure:
    last = points[-1]
    sentence = (
        f"Caches reduce the largest latency by {float(last.reduction):.1f} % with {last.nodes:,} nodes and "
        f"{last.entries:,} entries: {float(last.cached_ns):,.0f} ns instead of {float(last.conventional_ns):,.0f} ns"
    )
    table = Table.of(points, COLUMNS, range(len(COLUMNS)))
    caption = "Largest zero-load latency, and by how much caches reduce it; rings and dotted lines are the paper's."
    chart = lambda axes: _draw(axes, name, points, axis, size_of), caption
    return figure_of(name, {"": ("Latencies and hit rates", table, READING)}, checked, (), chart, sentence)


def _draw(
    axes: Sequence[Axes], name: str, points: Sequence[_Latency], axis: str, size_of: Callable[[_Latency], int]
) -> None:
    """Draw both latencies on the left, and the reduction on the right with the paper's numbers."""
    sizes, reductions = [size_of(point) for point in points], [float(point.reduction) for point in points]
    conventional, cached = ([float(ns) for ns in column] for column in zip(*map(_both_ns, points), strict=True))
    axes[0].plot(sizes, conventional, "o-", color=LIGHT["baseline"], markersize=4, label="without caches")
    axes[0].plot(sizes, cached, "o-", color=LIGHT["plane0"], markersize=4, label="with caches")
    axes[1].plot(sizes, reductions, "o-", color=LIGHT["plane0"], markersize=4)
    for number in hirasawa_numbers():
        if number.figure == name.replace("fig", "Fig "):
            if number.n is None:
                axes[1].axhline(float(number.value), color=LIGHT["ink"], linestyle=":", linewidth=1)
            else:
                axes[1].plot([number.n], [float(number.value)], "o", color=LIGHT["ink"], fillstyle="none", markersize=9)
    axes[0].legend(loc="lower right")
    for panel, unit in zip(axes, ("largest latency (ns)", "reduction by caches (%)"), strict=True):
        low, high = panel.get_ylim()
        panel.set_ylim(min(0.0, low) if min(reductions) < 0 else 0.0, 1.05 * high)
        integer_axis(panel)
        panel.set_xscale("log", base=2 if name == "fig12" else 10)
        panel.xaxis.set_major_formatter("{x:,.0f}")
        label(panel, axis, unit)


def _both_ns(point: _Latency) -> tuple[Fraction, Fraction]:
    return point.conventional_ns, point.cached_ns
