"""Section 7.2: how many look-ups a second a switch with and without caches can do, against the share of misses.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, section 7.2.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import cycle
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from isoplane.models import InputError, SwitchModel
from isoplane.models.checks import fraction_of
from isoplane.objectives.costs.lookups import limiting_miss_rate, lookup_mpps
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, label
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.terminal.table import Table

from .beside_paper import compared, figure_of, switches_of

MAX_PORTS = 1024
MISS_PERCENTS = (0, 1, 4, 10, 100)
DRAWN = [Fraction(10 ** (step / 20)).limit_denominator(1000) / 1000 for step in range(61)]  # per mille to all
USED = ("link_gbps", "packet_bytes", "table_interval_ns", "cache.interval_ns")
READING = (
    "Equations (6) and (7): without caches a switch looks up 1 / L_table packets a second; with caches, of which a "
    "share r misses, d ports that share one table look up min(d / L_cache, 1 / (r L_table)). The paper has d = 1. The "
    "largest load is that at which all ports of the switch receive as many packets."
)


class _Rate(NamedTuple):
    """Look-ups that a switch can do, and the load of all its ports at which as many packets arrive."""

    ports: int
    miss_rate: Fraction | None  # None without caches
    mpps: Fraction
    largest_load: Fraction


COLUMNS: Mapping[str, Callable[[_Rate], object]] = {
    "ports": lambda rate: rate.ports,
    "misses": lambda rate: "no caches" if rate.miss_rate is None else f"{float(100 * rate.miss_rate):g} %",
    "look-ups": lambda rate: f"{float(rate.mpps):.1f} Mpps",
    "largest load": lambda rate: f"{float(100 * rate.largest_load):.2f} %",
}


def check(data: Mapping[str, Any]) -> Compute:
    """Require numbers of ports in range, and the times between look-ups."""
    ports = ascending(data["sizes"], 1, MAX_PORTS, "number of ports that share a table")
    switch, conventional = switches_of(data, *USED)
    assert switch.cache is not None
    for name, value in (
        ("table_interval_ns", switch.table_interval_ns),
        ("cache.interval_ns", switch.cache.interval_ns),
        ("packet_bytes", switch.packet_bytes),
    ):
        if not value:
            raise InputError(f"switch.{name}={'null' if value is None else value}: expected a number above 0")
    return lambda _: _figure(ports, switch, conventional)


def _rate(model: SwitchModel, ports: int, miss_rate: Fraction | None) -> _Rate:
    mpps = lookup_mpps(model, miss_rate or 0, ports)
    assert mpps is not None
    arriving = 1000 * ports * fraction_of(model.link_gbps) / (8 * model.packet_bytes)
    return _Rate(ports, miss_rate, mpps, min(Fraction(1), mpps / arriving))


def _figure(ports: Sequence[int], switch: SwitchModel, conventional: SwitchModel) -> Figure:
    rates = [_rate(conventional, number, None) for number in ports]
    rates += [_rate(switch, number, Fraction(percent, 100)) for number in ports for percent in MISS_PERCENTS]
    single, without = _rate(switch, 1, Fraction(0)), _rate(conventional, 1, None)
    sentence = (
        f"A port that never misses looks up {float(single.mpps):,g} million packets a second, "
        f"{float(single.mpps / without.mpps):g} times as many as the table of the switch"
    )
    table = Table.of(rates, COLUMNS, range(len(COLUMNS)))
    chart = (
        lambda axes: _draw(axes, ports, switch, conventional),
        f"Look-ups of a switch whose ports share a table, and the largest load of its ports of {switch.link_gbps:g} "
        f"Gbit/s with packets of {switch.packet_bytes} bytes; dashed without caches.",
    )
    tables = {"": ("Look-ups", table, READING)}
    checked = list(compared(["7.2"], _numbers(switch, conventional)))
    return figure_of("throughput", tables, checked, _beside(ports, switch, conventional), chart, sentence)


def _numbers(switch: SwitchModel, conventional: SwitchModel) -> Mapping[tuple[str, int | None], Fraction]:
    """Return our numbers for those of the paper, which has one port."""
    limit = limiting_miss_rate(switch)
    assert limit is not None
    shares = {0: Fraction(0), 10: Fraction(1, 10)}
    return {
        ("rate of look-ups", None): _rate(conventional, 1, None).mpps,
        **{("rate of look-ups at n % misses", n): _rate(switch, 1, share).mpps for n, share in shares.items()},
        ("share of misses from which the table limits it", None): 100 * limit,
    }


def _beside(ports: Sequence[int], switch: SwitchModel, conventional: SwitchModel) -> list[str]:
    """Return what the paper leaves out: that the ports share the table, and the load that it bears."""
    limits = {number: limiting_miss_rate(switch, number) for number in (1, *ports)}
    last = ports[-1]
    load = 100 * float(_rate(conventional, last, None).largest_load)
    texts = [
        f"Without caches, the table bears a load of {load:.3g} % of {last} ports of {switch.link_gbps:g} Gbit/s, with "
        f"packets of {switch.packet_bytes} bytes."
    ]
    one, shared = limits[1], limits[last]
    if last > 1 and one is not None and shared is not None:
        texts.insert(
            0,
            f"Equation (7) is one port against one table. If {last} ports share the table, it limits them from "
            f"{100 * float(shared):.3g} % misses on, not from {100 * float(one):.3g} %.",
        )
    return texts


def _draw(axes: Sequence[Axes], ports: Sequence[int], switch: SwitchModel, conventional: SwitchModel) -> None:
    """Draw look-ups on the left and loads on the right, against the share of misses."""
    for number, colour in zip(reversed(ports), cycle(PLANE_COLOURS), strict=False):
        bend = limiting_miss_rate(switch, number)
        shares = sorted({*DRAWN, *([] if bend is None or bend < DRAWN[0] else [bend])})
        rates = [_rate(switch, number, share) for share in shares]
        name, percent = "1 port" if number == 1 else f"{number} ports", [100 * float(share) for share in shares]
        axes[0].plot(percent, [float(rate.mpps) for rate in rates], color=colour, label=f"{name} with caches")
        axes[1].plot(percent, [100 * float(rate.largest_load) for rate in rates], color=colour)
        without = _rate(conventional, number, None)
        axes[1].axhline(100 * float(without.largest_load), color=colour, linestyle="--", linewidth=1)
    axes[0].axhline(float(without.mpps), color=LIGHT["muted"], linestyle="--", linewidth=1, label="without caches")
    axes[0].set_yscale("log")
    axes[0].yaxis.set_major_formatter("{x:,g}")
    axes[1].set_ylim(0, 105)
    for panel, text in zip(axes, ("look-ups of the switch (Mpps)", "largest load (%)"), strict=True):
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:g}")
        label(panel, "packets that miss (%)", text)
    axes[0].legend(loc="center left")
