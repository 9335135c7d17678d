"""Fig. 9 and section 3.5: simulations of the designs, compared with the formulas.

References
----------
Hosomi et al. 2021, Fig. 9 and section 3.5.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure as Drawing

from isoplane.models import Network
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.runs.config.scenario import precision_of
from isoplane.runs.config.setup import fleet_of, seed_of
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.figures.searches import searches_of
from isoplane.runs.figures.table import Table
from isoplane.runs.published import published_points
from isoplane.runs.terminal.live_line import CountLine

from .agreement import verdict_table, verdict_text
from .charts import colour_of, style_of
from .design_figures import SIZES
from .designs import IDENTICAL, NETWORKS, SolveDesign, best_designs, designs, is_folded
from .nearest_design import nearest_design
from .outcomes import Change, Outcome, changes, outcomes_of, verdicts
from .simulations import Point, Points, simulate

HIGHEST = 4.0  # upper end of the axis of latencies as a multiple of the lowest latency
POINT_COLUMNS: Mapping[str, Callable[[Point], object]] = {
    "network": lambda point: point.network,
    "n": lambda point: point.n,
    "offered_load": lambda point: float(point.offered),
    "accepted_load": lambda point: point.accepted.mean,
    "accepted_load_half_width": lambda point: point.accepted.half_width,
    "network_latency_ns": lambda point: point.latency_ns.mean,
    "network_latency_ns_half_width": lambda point: point.latency_ns.half_width,
    "saturated": lambda point: "yes" if point.saturated else "no",
}
OUTCOME_COLUMNS: Mapping[str, Callable[[Outcome], object]] = {
    "network": lambda outcome: outcome.network,
    "n": lambda outcome: outcome.n,
    "max_traffic_per_node": lambda outcome: outcome.traffic,
    "throughput": lambda outcome: outcome.throughput,
    "error_percent": lambda outcome: outcome.traffic_error,
    "delay_ns": lambda outcome: outcome.delay_ns,
    "delay_paper_ns": lambda outcome: outcome.delay_paper_ns,
    "latency_ns": lambda outcome: outcome.latency_ns,
    "delay_error_percent": lambda outcome: outcome.delay_error,
    "delay_paper_error_percent": lambda outcome: outcome.delay_paper_error,
}
STATED_COLUMNS = ("published_delay_paper_ns", "published_max_traffic_per_node", "generators")
CHANGE_COLUMNS: Mapping[str, Callable[[Change], object]] = {
    "network": lambda change: change.network,
    "n": lambda change: change.n,
    "metric": lambda change: change.metric,
    "computed_percent": lambda change: f"{change.computed:+.2f}",
    "simulated_percent": lambda change: f"{change.simulated:+.2f}",
    "band": lambda change: f"{change.band:g}",
    "verdict": lambda change: change.verdict,
}
PRINTED_COLUMNS = ("network", "n", "change of", "computed %", "simulated %", "band", "verdict")


def check(data: Mapping[str, Any]) -> Compute:
    """Require settings of simulations and searches, and dimensions, in range.

    The file ``fig9-points.jsonl`` grows as simulations end; those in it are not repeated.
    """
    precision, seed, searches, fleet_context = precision_of(data), seed_of(data), searches_of(data), fleet_of(data)
    sizes = ascending(data["sizes"], *SIZES, "dimension")

    def compute(folder: Path) -> Figure:
        with fleet_context as fleet, closing(CountLine()) as line:
            networks = list(simulated_networks(sizes, best_designs(searches, fleet, folder)))
            points = simulate(
                networks,
                precision=precision,
                seed=seed,
                fleet=fleet,
                on_progress=line.show,
                kept=Points(folder / "fig9-points.jsonl"),
            )
        return figure_of(networks, points)

    return compute


def figure_of(networks: Sequence[tuple[str, Network]], points: Sequence[Point]) -> Figure:
    """Return the figure of some networks and the points of their curves.

    Its files have all points; ``-networks``: formulas, simulations and stated numbers; ``-changes``: changes from the
    identical planes; ``-published``: the comparison with the paper.
    """
    outcomes = outcomes_of(networks, points)
    numbers, checked = Table.of(outcomes, OUTCOME_COLUMNS), verdicts(outcomes)
    rows = [[*row, *_stated_cells(*network)] for row, network in zip(numbers.rows, networks, strict=True)]
    tables = {
        "": Table.of(points, POINT_COLUMNS),
        "-networks": Table((*OUTCOME_COLUMNS, *STATED_COLUMNS), rows),
        "-changes": Table.of(changes(outcomes), CHANGE_COLUMNS),
        "-published": verdict_table(checked),
    }
    changed = Table(PRINTED_COLUMNS, tables["-changes"].rows, range(1, 6))
    return Figure(tables, lambda: draw(points), (changed, verdict_text(checked), *map(_outcome_text, outcomes)))


def simulated_networks(sizes: Sequence[int], solve_design: SolveDesign) -> Iterator[tuple[str, Network]]:
    """Yield the networks to simulate, with their names.

    If the paper states delay and traffic of a design, it is one of ours that matches them as closely as our search
    allows; otherwise it is our best.
    """
    ours = list(designs(sizes, NETWORKS, solve_design))
    for name, network in ours:
        stated = _stated_point(name, network)
        if name in IDENTICAL or stated is None:
            yield name, network
        else:
            size = (cubes_of(network).n, cubes_of(network).folded)
            same_size = [other for _, other in ours if (cubes_of(other).n, cubes_of(other).folded) == size]
            yield name, nearest_design(same_size, *stated)


def _stated_point(name: str, network: Network) -> tuple[float, float] | None:
    """Return the published delay and traffic of a network, if the paper states both."""
    stated = {point.network: point for point in published_points(is_folded(name), cubes_of(network).n)}.get(name)
    if stated is None or stated.delay_paper_ns is None or stated.max_traffic is None:
        return None
    return stated.delay_paper_ns, stated.max_traffic


def _stated_cells(name: str, network: Network) -> list[str]:
    """Return what the paper states of a network, and its generators, in the columns of `STATED_COLUMNS`."""
    stated, cubes = _stated_point(name, network), cubes_of(network)
    published = ["", ""] if stated is None else [repr(stated[0]), repr(stated[1] / cubes.nodes_per_switch)]
    return [*published, " ".join(map(str, cubes.planes[1].connections.generators))]


def _outcome_text(outcome: Outcome) -> str:
    return (
        f"{outcome.network} n={outcome.n}: "
        f"max_traffic {outcome.traffic:.4f}, simulated {outcome.throughput:.4f} ({outcome.traffic_error:.2f} %); "
        f"delay {outcome.delay_ns:.1f} ns, simulated {outcome.latency_ns:.1f} ns "
        f"({outcome.delay_error:.2f} %; delay_paper {outcome.delay_paper_error:.2f} %)"
    )


def draw(points: Sequence[Point]) -> Drawing:
    """Draw latency over accepted load, a panel per size; dotted lines lead to accepted loads beyond saturation."""
    sizes = sorted({point.n for point in points})
    drawing, axes = panels(len(sizes))
    for panel, n in zip(axes, sizes, strict=True):
        at_size = [point for point in points if point.n == n and point.latency_ns.mean is not None]
        lowest = min((point.latency_ns.mean or 0.0 for point in at_size), default=1.0)
        for network in NETWORKS:
            curve = [point for point in at_size if point.network == network]
            line, marker = style_of(network)
            stable = [point for point in curve if not point.saturated]
            panel.plot(
                [point.accepted.mean or 0.0 for point in stable],
                [point.latency_ns.mean or 0.0 for point in stable],
                color=colour_of(network),
                linestyle=line,
                marker=marker,
                markersize=4,
                label=network,
            )
            for point in curve:
                if point.saturated and stable:  # latency grows with the length of such a run, so it is not drawn
                    panel.plot(
                        [stable[-1].accepted.mean or 0.0, point.accepted.mean or 0.0],
                        [stable[-1].latency_ns.mean or 0.0, HIGHEST * lowest],
                        color=colour_of(network),
                        linestyle=":",
                    )
        panel.set_ylim(0, HIGHEST * lowest)
        panel.set_xlim(left=0)
        panel.set_title(f"n = {n}", loc="right")
        panel.set_xlabel("accepted load per node (link rates)")
        panel.set_ylabel("mean latency in the network (ns)")
        panel.legend(frameon=False, fontsize=8)
    return drawing
