"""Fig. 3: the way of a packet of four flits through the stages of a switch without a cache, on a hit and on a miss.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, sections 2.2, 3.1 and 5.1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from isoplane.models import InputError, Network, SwitchModel
from isoplane.models.checks import fraction_of
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import from_matrix
from isoplane.runs.drawing.drawing import LIGHT, label
from isoplane.runs.figures.checked import Checked, verdict
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.terminal.table import Table
from isoplane.simulator import Hardware, workload_time_ns

from .beside_paper import figure_of, switches_of

FLITS = 4
CABLE_M = 4.0  # of every link, as in Figs. 11 and 12
MAX_SWITCHES, MAX_SPEEDUP = 16, 16
USED = ("delay_ns", "cable_delay_ns_per_m", "packet_bytes", "link_gbps", "routing_ns", "stages_ns", "cache.hit_ns")
IN_CACHE, IN_TABLE, WHOLE = "look-up in the cache", "look-up in the table", "allocation and traversal"
REST = ("allocation of buffer and channel", "allocation of the switch", "traversal")  # as `SwitchModel.stages_ns`
COLOURS = {
    IN_CACHE: "published",
    IN_TABLE: "alarm",
    REST[0]: "nearest",
    REST[1]: "plane1",
    REST[2]: "plane0",
    WHOLE: "plane0",
}
READING = (
    "Times are from the arrival of the first bit at the input of a switch. Only the first flit is looked up and "
    "allocates; the others arrive at the rate of the link, wait for it, and follow at that rate. A quarter of the "
    "packet is a flit. The paper draws four equal stages, and states the time of the look-up and the sum of the others."
)
ARRIVALS = (
    "The first bit leaves its node at 0, and every link, those of nodes included, is 4 m long. Flit by flit the same "
    "packet is simulated alone, in ticks of at least a 16th of a flit that round no time; - where there are none."
)
Stages = Sequence[tuple[str, Fraction]]  # names and times of the stages of a switch for the first flit, in order


class _Flit(NamedTuple):
    """The stages of a flit in a switch: name, begin and end, in ns."""

    case: str
    number: int
    arrives_ns: Fraction
    stages: Mapping[str, tuple[Fraction, Fraction]]

    @property
    def leaves_ns(self) -> Fraction:
        """When its first bit leaves the switch."""
        return max(end for _, end in self.stages.values())


class _Arrival(NamedTuple):
    """When a packet has arrived over some switches; `simulated_ns` is None where ticks would round its delays."""

    case: str
    switches: int
    last_ns: Fraction
    simulated_ns: Fraction | None
    conventional_ns: Fraction


ARRIVAL_COLUMNS: Mapping[str, Callable[[_Arrival], object]] = {
    "switches": lambda arrival: arrival.switches,
    "switch": lambda arrival: arrival.case,
    "last flit arrived": lambda arrival: _ns(arrival.last_ns),
    "flit by flit": lambda arrival: "-" if arrival.simulated_ns is None else _ns(arrival.simulated_ns),
    "change": lambda arrival: f"{float(100 * (arrival.last_ns / arrival.conventional_ns - 1)):+.1f} %",
}


def _ns(time_ns: Fraction) -> str:
    return f"{float(time_ns):.10g} ns"


def check(data: Mapping[str, Any]) -> Compute:
    """Require numbers of switches in range, and the stages of a switch."""
    switches = ascending(data["sizes"], 1, MAX_SWITCHES, "number of switches on the way of the packet")
    cached, conventional = switches_of(data, *USED)
    assert cached.cache is not None
    if not cached.packet_bytes:
        raise InputError("switch.packet_bytes=0: expected a number above 0")
    cases = {
        "without a cache": conventional,
        "hit": cached,
        "miss": replace(cached, cache=replace(cached.cache, start="cold")),
    }
    return lambda _: _figure(switches, cases)


def _stages(switch: SwitchModel) -> Stages:
    """Return the stages of a switch; with a cold cache, of a miss."""
    routing, rest = fraction_of(switch.routing_ns), fraction_of(switch.delay_ns) - fraction_of(switch.routing_ns)
    table = [(IN_TABLE, routing)]
    if switch.cache is None:
        looked_up = table
    else:
        looked_up = [(IN_CACHE, fraction_of(switch.cache.hit_ns)), *(table if switch.cache.start == "cold" else [])]
    if switch.stages_ns is None:
        return [*looked_up, (WHOLE, rest)]
    return [*looked_up, *zip(REST, map(fraction_of, switch.stages_ns), strict=True)]


def _flit_ns(switch: SwitchModel) -> Fraction:
    return Fraction(8 * switch.packet_bytes, FLITS) / fraction_of(switch.link_gbps)


def _flits(case: str, switch: SwitchModel) -> Iterator[_Flit]:
    """Yield the flits of a packet in a switch."""
    names, times = zip(*_stages(switch), strict=True)
    spans = dict(zip(names, pairwise(accumulate(times, initial=Fraction(0))), strict=True))
    begin, end = spans[names[-1]]
    for number in range(FLITS):
        later = number * _flit_ns(switch)
        yield _Flit(case, number + 1, later, {names[-1]: (begin + later, end + later)} if number else spans)


def _arrival(case: str, switch: SwitchModel, switches: int, conventional: SwitchModel) -> _Arrival:
    """Return when the last bit of a packet arrives at its node: by its stages, and by the simulator."""

    def over(model: SwitchModel) -> Fraction:
        link = fraction_of(model.cable_delay_ns_per_m) * fraction_of(CABLE_M)
        delay = sum((time for _, time in _stages(model)), Fraction(0))
        return (switches + 1) * link + switches * delay + FLITS * _flit_ns(model)

    return _Arrival(case, switches, over(switch), _simulated_ns(switch, switches), over(conventional))


def _simulated_ns(switch: SwitchModel, switches: int) -> Fraction | None:
    """Return when the packet arrives in the flit-level simulator; None if ticks would round a delay."""
    link = fraction_of(switch.cable_delay_ns_per_m) * fraction_of(CABLE_M)
    delays, flit_ns = [link, *(time for _, time in _stages(switch))], _flit_ns(switch)
    exact = [
        speedup
        for speedup in range(1, MAX_SPEEDUP + 1)
        if all((delay * speedup / flit_ns).denominator == 1 for delay in delays)
    ]
    if not exact:
        return None
    bits = 8 * switch.packet_bytes
    hardware = Hardware(
        link_gbps=switch.link_gbps, flit_bits=bits // FLITS, packet_bits=bits, speedup=exact[0], switch=switch
    )
    # In a ring of 2 s - 1 switches, s - 1 links are the only shortest way to the s-th.
    ring = Torus(shape=(max(2, 2 * switches - 1),), nodes_per_switch=2, node_cable_m=CABLE_M, assumed_cable_m=CABLE_M)
    matrix = np.zeros((ring.nodes, ring.nodes), dtype=np.int64)
    matrix[0, 1 if switches == 1 else 2 * (switches - 1)] = switch.packet_bytes
    return workload_time_ns(Network(ring), hardware, from_matrix(matrix).message_list())


def _figure(switches: Sequence[int], cases: Mapping[str, SwitchModel]) -> Figure:
    flits = [flit for case, switch in cases.items() for flit in _flits(case, switch)]
    conventional = cases["without a cache"]
    arrivals = [_arrival(case, switch, count, conventional) for count in switches for case, switch in cases.items()]
    by_case = {case: sum((time for _, time in _stages(switch)), Fraction(0)) for case, switch in cases.items()}
    sentence = (
        f"The first flit of a packet that hits leaves a switch after {_ns(by_case['hit'])} instead of "
        f"{_ns(by_case['without a cache'])}; on a miss after {_ns(by_case['miss'])}"
    )
    tables = {
        "": ("Stages of a switch", _flit_table(flits), READING),
        "-arrivals": ("Arrivals", Table.of(arrivals, ARRIVAL_COLUMNS, range(2, len(ARRIVAL_COLUMNS))), ARRIVALS),
    }
    numbers = f"{_ns(by_case['miss'])} instead of {_ns(by_case['without a cache'])}"
    checked = [
        Checked("a miss delays a packet more than a switch without a cache", numbers,
                verdict(by_case["miss"] > by_case["without a cache"])),
    ]  # fmt: skip
    chart = (
        lambda axes: _draw(axes, flits, arrivals),
        "On the left the stages of the four flits in a switch; only the first is looked up. On the right when the last "
        "flit has arrived; crosses are simulated flit by flit.",
    )
    return figure_of("fig3", tables, checked, list(_beside(arrivals)), chart, sentence)


def _flit_table(flits: Sequence[_Flit]) -> Table:
    names = [name for name in COLOURS if any(name in flit.stages for flit in flits)]
    columns: dict[str, Callable[[_Flit], object]] = {
        "switch": lambda flit: flit.case,
        "flit": lambda flit: flit.number,
        "arrives": lambda flit: _ns(flit.arrives_ns),
        **{name: _span_of(name) for name in names},
        "leaves": lambda flit: _ns(flit.leaves_ns),
    }
    return Table.of(flits, columns, range(1, len(columns)))


def _span_of(name: str) -> Callable[[_Flit], str | None]:
    """Return the begin and end of a stage, as a function of the flit; None where it has no such stage."""

    def text(flit: _Flit) -> str | None:
        if name not in flit.stages:
            return None
        begin, end = flit.stages[name]
        return f"{float(begin):.10g} to {_ns(end)}"

    return text


def _beside(arrivals: Sequence[_Arrival]) -> Iterator[str]:
    """Yield what the simulator says."""
    simulated = [arrival for arrival in arrivals if arrival.simulated_ns is not None]
    equal = sum(arrival.simulated_ns == arrival.last_ns for arrival in simulated)
    if simulated:
        yield f"Simulated flit by flit, {equal} of {len(simulated)} packets arrive at the same tick."


def _draw(axes: Sequence[Axes], flits: Sequence[_Flit], arrivals: Sequence[_Arrival]) -> None:
    """Draw the stages of flits on the left, and arrivals over the number of switches on the right."""
    cases = list(dict.fromkeys(flit.case for flit in flits))
    for place, flit in enumerate(flits):
        row = place + place // FLITS  # a free row after each switch
        for name, (begin, end) in flit.stages.items():
            span = [(float(begin), float(end - begin))]
            axes[0].broken_barh(span, (row - 0.4, 0.8), facecolors=LIGHT[COLOURS[name]], edgecolor=LIGHT["surface"])
        axes[0].plot([float(flit.arrives_ns)], [row], "|", color=LIGHT["ink"], markersize=8)
    middles = [number * (FLITS + 1) + (FLITS - 1) / 2 for number in range(len(cases))]
    axes[0].set_yticks(middles, cases)
    axes[0].invert_yaxis()
    label(axes[0], "time since the first bit arrived (ns)", "flits 1 to 4, one below the other")
    for case, colour in zip(cases, ("baseline", "plane0", "alarm"), strict=True):
        here = [arrival for arrival in arrivals if arrival.case == case]
        counts = [arrival.switches for arrival in here]
        axes[1].plot(counts, [float(a.last_ns) for a in here], "o-", color=LIGHT[colour], markersize=4, label=case)
        exact = [(a.switches, float(a.simulated_ns)) for a in here if a.simulated_ns is not None]
        axes[1].plot(*zip(*exact, strict=True) if exact else ([], []), "x", color=LIGHT["ink"], markersize=5)
    axes[1].set_ylim(bottom=0)
    axes[1].add_artist(axes[1].legend(loc="upper left"))
    names = [name for name in COLOURS if any(name in flit.stages for flit in flits)]
    patches = [Patch(facecolor=LIGHT[COLOURS[name]], label=name) for name in names]
    axes[1].legend(handles=patches, loc="lower right", title="stages on the left")
    label(axes[1], "switches on the way", "last flit has arrived (ns)")
