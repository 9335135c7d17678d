"""Figs. 4 to 12: network latency over the message interval, from simulations of programs.

References
----------
Shibamura et al., Figs. 4 to 12.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import LogLocator

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.mathematics.batch_means import STUDENT_T
from isoplane.runs.config.setup import fleet_of, seed_of
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.figure import Compute, Figure
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.runs.terminal.table import Table
from isoplane.simulator.language import write_program

from .checked_claims import ALL_COLUMNS, checked_claims, claim_text, settings_of
from .settings import INTERVALS_US, NETWORKS, NODES, PUBLISHED_NODES, SETTINGS, programs
from .simulations import LatencyPoint, simulate

COLUMNS: Mapping[str, Callable[[LatencyPoint], object]] = {
    "network": lambda row: row.network,
    "flow_control": lambda row: row.setting[0],
    "channel_bits": lambda row: row.setting[1],
    "frequency_mhz": lambda row: row.setting[2],
    "interval_us": lambda row: row.interval_us,
    "network_latency_ns": lambda row: row.latency_ns.mean,
    "half_width_ns": lambda row: row.latency_ns.half_width,
    "message_latency_ns": lambda row: row.message_latency_ns,
    "dropped_messages": lambda row: row.dropped,
    "replications": lambda row: row.replications,
}
STYLES = dict(zip(NETWORKS, (("#0072B2", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#D55E00", "o")), strict=True))


def check(data: Mapping[str, Any]) -> Compute:
    """Require one number of nodes, and a number of simulations per program, in range."""
    name = data["figure"]
    if len(data["sizes"]) != 1:
        raise InputError(f"sizes={data['sizes']}: expected one number of nodes, such as [4096]")
    seed, fleet_context = seed_of(data), fleet_of(data)
    nodes, replications = data["sizes"][0], data["replications"]
    if nodes not in NODES:
        raise InputError(f"sizes={nodes}: expected {' and '.join(map(str, NODES))}")
    check_int("replications", replications, 2, len(STUDENT_T) + 1)

    def compute(_: Path) -> Figure:
        with fleet_context as fleet, closing(LiveLine()) as line:
            rows = simulate(
                settings_of(name, nodes),
                nodes,
                replications=replications,
                seed=seed,
                fleet=fleet,
                on_progress=line.show_count,
            )
        return figure_of(name, nodes, rows)

    return compute


def figure_of(name: str, nodes: int, rows: Sequence[LatencyPoint]) -> Figure:
    """Return a figure of some points: a file with all of them, the statements, and the programs of its own curves.

    The paper makes no statements about 64 nodes, which are for a quick look.
    """
    checked = checked_claims(name, rows) if nodes == PUBLISHED_NODES else []
    tables = {"": Table.of(rows, COLUMNS), "-published": Table.of(checked, ALL_COLUMNS)}
    files = {
        f"programs/{network.lower().replace(' ', '-')}-{interval_us}us.ndl": write_program(program)
        for network, interval_us, program in programs(SETTINGS[name], nodes)
    }
    drawn = [row for row in rows if row.setting == SETTINGS[name]]
    return Figure(tables, lambda: draw(drawn), claim_text(checked), files, {"programs": "programs"})


def draw(rows: Sequence[LatencyPoint]) -> Drawing:
    """Draw the latency of every network over the message interval, on logarithmic axes, with confidence intervals."""
    drawing, (axes,) = panels(1)
    for network, (colour, marker) in STYLES.items():
        curve = [row for row in rows if row.network == network]
        axes.errorbar(
            [row.interval_us for row in curve],
            [row.latency_ns.mean or 0.0 for row in curve],
            yerr=[row.latency_ns.half_width or 0.0 for row in curve],
            color=colour,
            marker=marker,
            markersize=4,
            capsize=2,
            label=network,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(INTERVALS_US, [str(interval) for interval in INTERVALS_US])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:.0f}")
    axes.minorticks_off()
    axes.set_xlabel("message interval (\N{MICRO SIGN}s)")
    axes.set_ylabel("mean network latency (ns)")
    axes.legend(fontsize=8)
    return drawing
