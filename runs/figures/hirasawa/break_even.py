"""From which look-up time of a table on the chip a cache no longer pays: the question that the paper leaves open.

Without a cache, every packet takes the look-up of T ns; with one, that of a hit, and a share 1 - P of them T as well.
So a cache makes packets faster in the mean if P · T > hit_ns, and saves power by equation (5) if P · E_table >
E_cache + P_cache / (packets per second of a port).

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, sections 6 to 8.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from typing import Any, NamedTuple

from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError, Network, Site, SwitchModel
from isoplane.models.checks import fraction_of
from isoplane.models.families.torus import Torus
from isoplane.models.steps import step
from isoplane.objectives.general.exact import GeneralExact
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, label
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.terminal.table import Table

from .beside_paper import switches_of
from .latencies import CABLE_M, DIMENSIONS, MAX_SIDE

USED = (
    *("delay_ns", "cable_delay_ns_per_m", "packet_bytes", "link_gbps", "routing_ns", "lookup_load", "lookup_nj"),
    *("cache.entries", "cache.hit_ns", "cache.lookup_nj", "cache.static_mw"),
)


class _BreakEven(NamedTuple):
    """Where caches of a torus stop to pay."""

    side: int
    hit_rate: Fraction
    lookup_ns: Fraction
    cached_ns: Callable[[Fraction], Fraction]  # mean delay by the time of a look-up in the table
    conventional_ns: Callable[[Fraction], Fraction]
    lookup_nj: Fraction | None

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return int(self.side**DIMENSIONS)


COLUMNS: Mapping[str, Callable[[_BreakEven], object]] = {
    "nodes": lambda point: point.nodes,
    "hits": lambda point: f"{100 * float(point.hit_rate):.2f} %",
    "look-up": lambda point: f"{float(point.lookup_ns):.3f} ns",
    "mean delay with caches": lambda point: f"{float(point.cached_ns(point.lookup_ns)):.2f} ns",
    "without": lambda point: f"{float(point.conventional_ns(point.lookup_ns)):.2f} ns",
    "energy of a look-up": lambda point: None if point.lookup_nj is None else f"{float(point.lookup_nj):.3f} nJ",
}


def check(data: Mapping[str, Any]) -> Compute:
    """Require sides of tori in range, and a part of the delay that is the look-up."""
    sides = ascending(data["sizes"], 3, MAX_SIDE, "number of switches along a dimension")
    switch, _ = switches_of(data, *USED)
    if not switch.routing_ns:
        raise InputError(f"switch.routing_ns={switch.routing_ns}: expected the time of a look-up, above 0")
    return lambda _: _figure([_break_even(side, switch) for side in sides], switch)


def _break_even(side: int, switch: SwitchModel) -> _BreakEven:
    """Return where caches stop to pay on a torus; delays are linear in the time of a look-up."""
    assert switch.cache is not None
    assert switch.routing_ns is not None
    routing_ns = fraction_of(switch.routing_ns)
    family = Torus(shape=(side,) * DIMENSIONS, assumed_cable_m=CABLE_M, node_cable_m=CABLE_M)
    with step(f"look-ups of {family.title}"):
        cached, conventional = (_mean_ns(family, replace(switch, cache=cache)) for cache in (switch.cache, None))
        exact = GeneralExact(Network(family, Site(switch=switch)))
    hit_rate = 1 - exact.miss_rate
    # Look-ups of a packet: in the switches that it passes.
    look_ups = Fraction(exact.total_hops, exact.hop_parts * exact.network.nodes**2) + 1
    missed, _ = exact.mean_misses
    return _BreakEven(
        side,
        hit_rate,
        fraction_of(switch.cache.hit_ns) / hit_rate,
        lambda ns: cached + missed * (ns - routing_ns),
        lambda ns: conventional + look_ups * (ns - routing_ns),
        _break_even_nj(switch, hit_rate),
    )


def _mean_ns(family: Torus, switch: SwitchModel) -> Fraction:
    """Return the mean zero-load delay, without the transmission of the packet."""
    exact = GeneralExact(Network(family, Site(switch=replace(switch, packet_bytes=0))))
    assert exact.delay is not None
    return Fraction(exact.delay, exact.delay_parts * exact.network.nodes**2 * exact.network.delay_units.per_ns)


def _break_even_nj(switch: SwitchModel, hit_rate: Fraction) -> Fraction | None:
    """Return the energy of a look-up in the table from which on caches save power, at `SwitchModel.lookup_load`."""
    cache, load = switch.cache, fraction_of(switch.lookup_load)
    if cache is None or cache.lookup_nj is None or cache.static_mw is None or not load or not switch.packet_bytes:
        return None
    packets_per_ns = load * fraction_of(switch.link_gbps) / (8 * switch.packet_bytes)  # of a port
    return (fraction_of(cache.lookup_nj) + fraction_of(cache.static_mw) / 1000 / packets_per_ns) / hit_rate


def _figure(points: Sequence[_BreakEven], switch: SwitchModel) -> Figure:
    assert switch.cache is not None
    assert switch.routing_ns is not None
    table, most = Table.of(points, COLUMNS, range(len(COLUMNS))), points[-1]
    routing_ns, hit_ns = fraction_of(switch.routing_ns), float(switch.cache.hit_ns)
    change = 100 * float(most.cached_ns(routing_ns) / most.conventional_ns(routing_ns) - 1)
    texts = [
        f"Caches with hits of {hit_ns:g} ns make packets faster if a look-up in the table takes longer "
        f"than shown. With {float(routing_ns):g} ns they change the mean delay of {most.nodes} nodes by {change:.1f} %."
    ]
    if most.lookup_nj is not None and switch.lookup_nj is not None:
        texts.append(
            f"At a load of {100 * float(switch.lookup_load):g} % they save power if a look-up in the table takes more "
            f"energy than shown, which here is {float(switch.lookup_nj):g} nJ."
        )
    text = [line for paragraph in texts for line in ("", paragraph)]
    return Figure({"": table}, lambda: _drawing(points, routing_ns), (table, *text))


def _drawing(points: Sequence[_BreakEven], routing_ns: Fraction) -> Drawing:
    drawing, (axes,) = panels(1)
    times = [routing_ns * step / 100 for step in range(101)]
    for point, colour in zip(points, cycle(PLANE_COLOURS), strict=False):
        change = [100 * float(point.cached_ns(ns) / point.conventional_ns(ns) - 1) for ns in times]
        axes.plot([float(ns) for ns in times], change, color=colour, label=f"{point.nodes} nodes")
        axes.plot(float(point.lookup_ns), 0, "o", color=colour)
    axes.axhline(0, color=LIGHT["muted"], linewidth=1)
    label(axes, "look-up in the table (ns)", "change of the mean delay by caches (%)")
    axes.legend()
    return drawing
