"""Fig. 9 and section 3.5: simulations of the designs, compared with the formulas.

References
----------
Hosomi et al. 2021, Fig. 9 and section 3.5.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from isoplane.simulator import Estimate

from .agreement import verdict_table, verdict_text
from .charts import colour_of, style_of
from .design_figures import SIZES
from .designs import IDENTICAL, NETWORKS, SolveDesign, best_designs, designs, is_folded
from .nearest_design import nearest_design
from .outcomes import Change, Outcome, changes, outcomes, verdicts
from .simulations import Point, Points, simulate

HIGHEST = 4.0  # upper end of the axis of latencies as a multiple of the lowest latency
POINT_COLUMNS = (
    "network",
    "n",
    "offered_load",
    "accepted_load",
    "accepted_load_half_width",
    "network_latency_ns",
    "network_latency_ns_half_width",
    "saturated",
)
OUTCOME_COLUMNS = (
    "network",
    "n",
    "max_traffic_per_node",
    "throughput",
    "error_percent",
    "delay_ns",
    "delay_paper_ns",
    "latency_ns",
    "delay_error_percent",
    "delay_paper_error_percent",
    "published_delay_paper_ns",
    "published_max_traffic_per_node",
    "generators",
)
CHANGE_COLUMNS = ("network", "n", "metric", "computed_percent", "simulated_percent", "band", "verdict")
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
    found = outcomes(networks, points)
    changed, checked = [_change_cells(change) for change in changes(found)], verdicts(found)
    rows = [_outcome_cells(outcome, network) for outcome, (_, network) in zip(found, networks, strict=True)]
    tables = {
        "": Table(POINT_COLUMNS, [_point_cells(point) for point in points]),
        "-networks": Table(OUTCOME_COLUMNS, rows),
        "-changes": Table(CHANGE_COLUMNS, changed),
        "-published": verdict_table(checked),
    }
    text = (Table(PRINTED_COLUMNS, changed, range(1, 6)), verdict_text(checked), *map(_outcome_text, found))
    return Figure(tables, lambda: draw(points), text)


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
            same_size = [own for _, own in ours if (cubes_of(own).n, cubes_of(own).folded) == size]
            yield name, nearest_design(same_size, *stated)


def _stated_point(name: str, network: Network) -> tuple[float, float] | None:
    """Return the published delay and traffic of a network, if the paper states both."""
    stated = {point.network: point for point in published_points(is_folded(name), cubes_of(network).n)}.get(name)
    if stated is None or stated.delay_paper_ns is None or stated.max_traffic is None:
        return None
    return stated.delay_paper_ns, stated.max_traffic


def _point_cells(point: Point) -> list[str]:
    return [
        point.network,
        str(point.n),
        repr(float(point.offered)),
        *_estimate_cells(point.accepted),
        *_estimate_cells(point.latency_ns),
        "yes" if point.saturated else "no",
    ]


def _estimate_cells(estimate: Estimate) -> list[str]:
    return ["" if value is None else repr(value) for value in (estimate.mean, estimate.half_width)]


def _outcome_cells(own: Outcome, network: Network) -> list[str]:
    numbers = (own.traffic, own.throughput, own.traffic_error, own.delay_ns, own.delay_paper_ns, own.latency_ns)
    errors = (own.delay_error, own.delay_paper_error)
    stated = _stated_point(own.network, network)
    published = ["", ""] if stated is None else [repr(stated[0]), repr(stated[1] / cubes_of(network).nodes_per_switch)]
    generators = " ".join(map(str, cubes_of(network).planes[1].connections.generators))
    return [own.network, str(own.n), *map(repr, numbers), *map(repr, errors), *published, generators]


def _change_cells(change: Change) -> list[str]:
    numbers = (f"{change.computed:+.2f}", f"{change.simulated:+.2f}", f"{change.band:g}")
    return [change.network, str(change.n), change.metric, *numbers, change.verdict]


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
            own = [point for point in at_size if point.network == network]
            line, marker = style_of(network)
            stable = [point for point in own if not point.saturated]
            panel.plot(
                [point.accepted.mean or 0.0 for point in stable],
                [point.latency_ns.mean or 0.0 for point in stable],
                color=colour_of(network),
                linestyle=line,
                marker=marker,
                markersize=4,
                label=network,
            )
            for point in own:
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
