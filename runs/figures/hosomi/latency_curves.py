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

from isoplane.models import Design
from isoplane.runs.config.scenario import precision_of
from isoplane.runs.config.setup import fleet_of, seed_of
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.figures.searches import search_of
from isoplane.runs.folder.journal import Journal
from isoplane.runs.published import published_designs
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.runs.terminal.table import Table

from .agreement import verdict_table, verdict_text
from .charts import line_style
from .design_figures import SIZES
from .designs import IDENTICAL, NETWORKS, SolveDesign, best_designs, designs
from .nearest_design import nearest_design
from .outcomes import Outcome, changes, outcomes_of, verdicts
from .simulations import SimulatedPoint, simulate

HIGHEST = 4.0  # upper end of the axis of latencies as a multiple of the lowest latency
POINT_COLUMNS: Mapping[str, Callable[[SimulatedPoint], object]] = {
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
CHANGE_FORMATS = {
    "network": "",
    "n": "",
    "metric": "",
    "computed_percent": "+.2f",
    "simulated_percent": "+.2f",
    "band": "g",
    "verdict": "",
}
PRINTED_COLUMNS = ("network", "n", "change of", "computed %", "simulated %", "band", "verdict")


def check(data: Mapping[str, Any]) -> Compute:
    """Require settings of simulations and searches, and dimensions, in range.

    The file ``fig9-points.jsonl`` grows as simulations end; those in it are not repeated.
    """
    precision, seed, search, fleet_context = precision_of(data), seed_of(data), search_of(data), fleet_of(data)
    sizes = ascending(data["sizes"], *SIZES, "dimension")

    def compute(folder: Path) -> Figure:
        with fleet_context as fleet, closing(LiveLine()) as line:
            simulated = list(simulated_designs(sizes, best_designs(search, fleet, folder)))
            points = simulate(
                simulated,
                precision=precision,
                seed=seed,
                fleet=fleet,
                on_progress=line.show_count,
                kept=Journal(folder / "fig9-points.jsonl"),
            )
        return figure_of(simulated, points)

    return compute


def figure_of(simulated: Sequence[EvaluatedCubes], points: Sequence[SimulatedPoint]) -> Figure:
    """Return the figure of some networks and the points of their curves.

    Its files have all points; ``-networks``: formulas, simulations and stated numbers; ``-changes``: changes from the
    identical planes; ``-published``: the comparison with the paper.
    """
    outcomes = outcomes_of(simulated, points)
    numbers, checked = Table.of(outcomes, OUTCOME_COLUMNS), verdicts(outcomes)
    rows = [[*row, *_stated_cells(design)] for row, design in zip(numbers.rows, simulated, strict=True)]
    formats = CHANGE_FORMATS.values()
    changed = [[f"{value:{form}}" for value, form in zip(row, formats, strict=True)] for row in changes(outcomes)]
    tables = {
        "": Table.of(points, POINT_COLUMNS),
        "-networks": Table((*OUTCOME_COLUMNS, *STATED_COLUMNS), rows),
        "-changes": Table(tuple(CHANGE_FORMATS), changed),
        "-published": verdict_table(checked),
    }
    printed = Table(PRINTED_COLUMNS, changed, range(1, 6))
    return Figure(tables, lambda: draw(points), (printed, *verdict_text(checked), *map(_outcome_text, outcomes)))


def simulated_designs(sizes: Sequence[int], solve_design: SolveDesign) -> Iterator[EvaluatedCubes]:
    """Yield the designs to simulate.

    If the paper states delay and traffic of a design, it is one of ours that matches them as closely as our search
    allows; otherwise it is our best.
    """
    ours = list(designs(sizes, NETWORKS, solve_design))
    for design in ours:
        stated = _stated_point(design)
        if design.title in IDENTICAL or stated is None:
            yield design
        else:
            size = (design.cubes.n, design.cubes.folded)
            same_size = [other for other in ours if (other.cubes.n, other.cubes.folded) == size]
            yield EvaluatedCubes(design.title, Design(nearest_design(same_size, *stated)))


def _stated_point(design: EvaluatedCubes) -> tuple[float, float] | None:
    """Return the published delay and traffic of a network, if the paper states both."""
    stated = published_designs(design.cubes.folded, design.cubes.n).get(design.title, {})
    if "delay_paper_ns" not in stated or "max_traffic" not in stated:
        return None
    return stated["delay_paper_ns"][0], stated["max_traffic"][0]


def _stated_cells(design: EvaluatedCubes) -> list[str]:
    """Return what the paper states of a network, and its generators, in the columns of `STATED_COLUMNS`."""
    stated, cubes = _stated_point(design), design.cubes
    published = ["", ""] if stated is None else [repr(stated[0]), repr(stated[1] / cubes.nodes_per_switch)]
    return [*published, " ".join(map(str, cubes.planes[1].connections.generators))]


def _outcome_text(outcome: Outcome) -> str:
    return (
        f"{outcome.network} n={outcome.n}: "
        f"max_traffic {outcome.traffic:.4f}, simulated {outcome.throughput:.4f} ({outcome.traffic_error:.2f} %); "
        f"delay {outcome.delay_ns:.1f} ns, simulated {outcome.latency_ns:.1f} ns "
        f"({outcome.delay_error:.2f} %; delay_paper {outcome.delay_paper_error:.2f} %)"
    )


def draw(points: Sequence[SimulatedPoint]) -> Drawing:
    """Draw latency over accepted load, a panel per size; dotted lines lead to accepted loads beyond saturation."""
    sizes = sorted({point.n for point in points})
    drawing, axes = panels(len(sizes))
    for panel, n in zip(axes, sizes, strict=True):
        at_size = [point for point in points if point.n == n and point.latency_ns.mean is not None]
        lowest = min((point.latency_ns.mean or 0.0 for point in at_size), default=1.0)
        for network in NETWORKS:
            curve = [point for point in at_size if point.network == network]
            style = line_style(network)
            stable = [point for point in curve if not point.saturated]
            loads = [point.accepted.mean or 0.0 for point in stable]
            latencies = [point.latency_ns.mean or 0.0 for point in stable]
            panel.plot(loads, latencies, **style, label=network)
            for point in curve:
                if point.saturated and stable:  # latency grows with the length of such a run, so it is not drawn
                    beyond = [loads[-1], point.accepted.mean or 0.0], [latencies[-1], HIGHEST * lowest]
                    panel.plot(*beyond, color=style["color"], linestyle=":")
        panel.set_ylim(0, HIGHEST * lowest)
        panel.set_xlim(left=0)
        panel.set_title(f"n = {n}", loc="right")
        panel.set_xlabel("accepted load per node (link rates)")
        panel.set_ylabel("mean latency in the network (ns)")
        panel.legend(fontsize=8)
    return drawing
