"""Fig. 13: the power of the look-ups of a switch against its load, and the area of its caches.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, sections 4.1 and 7.1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from isoplane.models import InputError, SwitchModel
from isoplane.objectives.costs.lookups import cache_share_of_chip, lookup_power
from isoplane.runs.drawing.drawing import LIGHT, label
from isoplane.runs.figures.checked import Checked, CheckedStatement, verdict
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.terminal.table import Table

from .beside_paper import compared, figure_of, switches_of

PORTS = 7  # of a 3-D torus, that of the node included
CHIP_PORTS = 10  # of the interconnect controller of the K computer, whose area the paper takes
MISS_PERCENT = 1
HALF_LOAD = 50
ENTRIES_OF_KIB = 24 * 1024
USED = ("link_gbps", "packet_bytes", "lookup_nj", "static_mw", "chip_mm2")
OF_CACHE = ("lookup_nj", "static_mw", "area_mm2", "entries", "tag_bytes", "port_bytes", "reserved_bytes")
TERMS = {
    "table, per look-up": "plane0",
    "table, static": "plane1",
    "caches, per look-up": "published",
    "caches, static": "aggregate",
}
READING = (
    "Equation (5): n packets per second, of which a share r misses, take n (E_cache + r E_table) + d P_cache + "
    "P_table; without caches E_cache and P_cache are 0 and r is 1. n is the load times the capacity of the switch, d "
    "times the rate of a link, over the length of a packet: 400 bytes, which the paper does not state, give its about "
    "1 %."
)


class _Power(NamedTuple):
    """Power of the look-ups of a switch in W, by the four terms of equation (5)."""

    load_percent: int
    switch: str
    terms_w: tuple[Fraction, ...]

    @property
    def total_w(self) -> Fraction:
        """The sum."""
        return sum(self.terms_w, Fraction(0))


def _term(index: int) -> Callable[[_Power], str]:
    """Return the text of a term, as a function of the power."""
    return lambda power: f"{float(power.terms_w[index]):.4f} W"


COLUMNS: Mapping[str, Callable[[_Power], object]] = {
    "switch": lambda power: power.switch,
    "load": lambda power: f"{power.load_percent} %",
    **{term: _term(index) for index, term in enumerate(TERMS)},
    "power": lambda power: f"{float(power.total_w):.3f} W",
}
MISSES = {
    "without caches": "no cache",
    "caches, no misses": "0 %",
    f"caches, {MISS_PERCENT} % misses": f"{MISS_PERCENT} %",
}
KINDS = tuple(MISSES)


def check(data: Mapping[str, Any]) -> Compute:
    """Require loads in per cent, and the energies and powers of the switch."""
    loads = ascending(data["sizes"], 0, 100, "load in per cent")
    switches = switches_of(data, *USED, *(f"cache.{name}" for name in OF_CACHE))
    for switch in switches:
        if lookup_power(switch, PORTS) is None:
            raise InputError(
                f"switch={switch.name}: expected switch.packet_bytes of at least 1, lookup_nj and static_mw, and those "
                "of the cache"
            )
    return lambda _: _figure(loads, *switches)


def _powers(loads: Sequence[int], switch: SwitchModel, conventional: SwitchModel) -> Iterator[_Power]:
    cases = (conventional, Fraction(0)), (switch, Fraction(0)), (switch, Fraction(MISS_PERCENT, 100))
    for load in loads:
        for kind, (model, miss_rate) in zip(KINDS, cases, strict=True):
            power = lookup_power(model, PORTS, Fraction(load, 100), miss_rate)
            assert power is not None
            yield _Power(load, kind, tuple(power))


def _figure(loads: Sequence[int], switch: SwitchModel, conventional: SwitchModel) -> Figure:
    powers = list(_powers(loads, switch, conventional))
    half = list(_powers([HALF_LOAD], switch, conventional))
    checked = list(compared(["Fig 13", "4.1"], _numbers(half, switch)))
    checked.append(_dominates([power for power in powers if power.switch == KINDS[0] and power.load_percent]))
    sentence = (
        f"At half load the look-ups of a switch of {PORTS} ports need {float(half[0].total_w):.2f} W without caches, "
        f"{float(half[1].total_w):.3f} W with caches that never miss and {float(half[2].total_w):.3f} W at "
        f"{MISS_PERCENT} % misses"
    )
    table = Table.of(powers, COLUMNS, range(1, len(COLUMNS)))
    chart = (
        lambda axes: _draw(axes, powers),
        "Power by the terms of equation (5); on the right switches with caches alone.",
    )
    tables = {"": ("Power of look-ups", table, READING)}
    return figure_of("fig13", tables, checked, [_idle(switch, conventional)], chart, sentence)


def _numbers(half: Sequence[_Power], switch: SwitchModel) -> Mapping[tuple[str, int | None], Fraction]:
    """Return our numbers for those of the paper."""
    cache = switch.cache
    assert cache is not None
    static = "static power of the caches in the power of look-ups without them at n % load"
    numbers: dict[tuple[str, int | None], Fraction] = {
        (static, HALF_LOAD): 100 * half[1].terms_w[3] / half[0].total_w,
        ("number of entries", None): Fraction(ENTRIES_OF_KIB * cache.entries, cache.size_bytes),
    }
    share = cache_share_of_chip(switch, CHIP_PORTS)
    return numbers if share is None else numbers | {("share of the caches in the area", None): 100 * share}


def _dominates(loaded: Sequence[_Power]) -> CheckedStatement:
    """Return the verdict on the largest term without caches."""
    shares = [power.terms_w[0] / power.total_w for power in loaded]
    ours = ", ".join(
        f"{100 * float(share):.1f} % at {power.load_percent} % load"
        for share, power in zip(shares, loaded, strict=True)
    )
    holds = all(2 * share > 1 for share in shares)
    return Checked("without caches, energy per look-up dominates under load", ours or "no load", verdict(holds))


def _idle(switch: SwitchModel, conventional: SwitchModel) -> str:
    """Return what the paper does not say: idle, caches cost power, and from which load on they save some."""
    idle, full = ([_total_w(model, load) for model in (switch, conventional)] for load in (0, 1))
    costs, spared = idle[0] - idle[1], full[1] - full[0]
    times = f"{float(idle[0] / idle[1]):.1f} times the" if idle[1] else f"{float(idle[0]):.3f} W of"
    text = f"Idle, the look-ups of a switch with caches need {times} power of one without"
    if costs <= 0 or spared < 0:
        return f"{text}."
    load = 100 * float(costs / (costs + spared))
    return f"{text}; caches that never miss save power from a load of {load:.2f} % on."


def _total_w(model: SwitchModel, load: int) -> Fraction:
    power = lookup_power(model, PORTS, load)
    assert power is not None
    return power.total_w


def _draw(axes: Sequence[Axes], powers: Sequence[_Power]) -> None:
    """Draw a bar for each switch, side by side for each load: all on the left, those with caches on the right."""
    loads = list(dict.fromkeys(power.load_percent for power in powers))
    for panel, kinds in zip(axes, (KINDS, KINDS[1:]), strict=True):
        shown = [power for power in powers if power.switch in kinds]
        group = len(kinds) + 1  # with a gap
        places = [group * loads.index(power.load_percent) + kinds.index(power.switch) for power in shown]
        bottom = [0.0] * len(shown)
        for index, (term, colour) in enumerate(TERMS.items()):
            heights = [float(power.terms_w[index]) for power in shown]
            panel.bar(places, heights, 0.8, bottom, color=LIGHT[colour], label=term)
            bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
        panel.set_xticks(places, [MISSES[power.switch] for power in shown], fontsize=7)
        for number, load in enumerate(loads):
            middle = group * number + (len(kinds) - 1) / 2
            panel.annotate(
                f"{load} % load",
                (middle, 0),
                (0, -18),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=8,
            )
        panel.set_ylim(0, 1.08 * max(bottom) or 1)
        label(panel, "misses (none: no caches), by load of the switch", "power of look-ups (W)")
        panel.xaxis.labelpad = 16
    axes[0].legend(loc="upper left")
