"""The section on what packets saw of a network of switches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .charts.packets import packets
from .simulations import Simulation
from .template import Section

UNIFORM = ("uniform", "all_to_all")


@dataclass(frozen=True)
class Computed:
    """What follows from the routes without simulation; None where it is not known, or for other traffic.

    Attributes
    ----------
    delay_ns
        Mean delay of uniform traffic.
    throughput
        What every node can send to all others evenly, in link capacities.
    """

    delay_ns: float | None
    throughput: float | None


def packets_sections(computed: Computed, simulations: Sequence[Simulation]) -> list[Section]:
    """Return the section, if anybody looked: a chart of the first simulation, and a table of all."""
    if not simulations or not simulations[0]["runs"]:
        return []
    first = simulations[0]
    pattern = first.get("traffic", "uniform")
    known = computed if pattern in UNIFORM else Computed(None, None)
    chart = packets(known.delay_ns, known.throughput, first, pattern.replace("_", " "))
    return [Section("packets", "What packets saw", chart, rows=simulation_rows(known, simulations))]


def simulation_rows(computed: Computed, simulations: Sequence[Simulation]) -> list[list[str]]:
    """Return a table: latency at a low load and saturation of each design, the best one beside what is computed."""
    rows = [["design", "load", "latency (ns)", "of messages (ns)", "saturation throughput", "most accepted"]]
    for index, simulation in enumerate(simulations):
        low, limit = simulation["low_load"], simulation["saturation"]
        rows.append(
            [
                "this design" if index == 0 else simulation["record"].removesuffix(".json"),
                f"{low['offered_load']:g}",
                _with_width(low["network_latency_ns"]),
                _with_width(low["message_latency_ns"]),
                "-" if limit is None else f"{limit['throughput']:.3f}",
                "-" if limit is None else f"{limit['largest_accepted']:.3f}",
            ]
        )
    delay, traffic = computed.delay_ns, computed.throughput
    if (delay, traffic) != (None, None):
        told = ["-" if delay is None else f"{delay:.1f}", "-", "-" if traffic is None else f"{traffic:.3f}", "-"]
        rows.append(["computed for this design", "0", *told])
    return rows


def _with_width(found: Mapping[str, float | None]) -> str:
    mean, width = found["mean"], found["half_width"]
    if mean is None:
        return "-"
    return f"{mean:.1f}" if width is None else f"{mean:.1f} ± {width:.1f}"
