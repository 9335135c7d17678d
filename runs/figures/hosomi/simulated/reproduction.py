"""Recompute Fig. 9 and section 3.5: designs, simulations, comparison, drawing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from isoplane.models import Network
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.drawing.panels import figure_style, save
from isoplane.runs.figures.hosomi.designs import IDENTICAL, NETWORKS, SolveDesign, designs, is_folded
from isoplane.runs.figures.hosomi.reproduction import ascending_sizes
from isoplane.runs.figures.hosomi.text import COLUMNS, cells
from isoplane.runs.figures.hosomi.verdicts import Verdict
from isoplane.runs.figures.table import Table
from isoplane.runs.published import published_points
from isoplane.search import Fleet
from isoplane.simulator import Estimate, Precision

from .comparison import Change, Outcome, changes, outcomes, verdicts
from .drawing import draw
from .points import Point, Points
from .runs import OnProgress, simulate
from .targets import nearest_design

FIGURES = ("fig9",)
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


def reproduce(
    sizes: Sequence[int],
    *,
    solve_design: SolveDesign,
    precision: Precision,
    seed: int,
    fleet: Fleet,
    folder: Path,
    on_progress: OnProgress | None = None,
) -> tuple[list[Outcome], list[Change], list[Verdict]]:
    """Simulate the six networks at eight loads, write the results into a folder and compare them.

    If the paper states delay and traffic of a design, the simulated design is one of ours that matches them as closely
    as our search allows; otherwise it is our best. The folder receives ``fig9.csv`` with all points,
    ``fig9-networks.csv`` with formulas, simulations and stated numbers, ``fig9-changes.csv`` with the
    changes from the identical planes, ``fig9-published.csv`` with the comparison, and the drawing as ``fig9.svg`` and
    ``fig9.png``. ``fig9-points.jsonl`` grows as simulations end; those in it are not repeated.

    Parameters
    ----------
    sizes
        Dimensions, each 2..12.
    solve_design
        As for the other figures.
    precision, seed, fleet, on_progress
        Precision, seed, fleet and progress callback of the simulations.
    folder
        Folder for the files; created if missing.

    Raises
    ------
    InputError
        If a size is out of range.

    References
    ----------
    Hosomi et al. 2021, Fig. 9 and section 3.5.
    """
    networks = list(_networks(ascending_sizes(sizes), solve_design))
    kept = Points(folder / "fig9-points.jsonl")
    points = simulate(networks, precision=precision, seed=seed, fleet=fleet, on_progress=on_progress, kept=kept)
    found = outcomes(networks, points)
    changed, checked = changes(found), verdicts(found)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "fig9.csv", Table(POINT_COLUMNS, list(map(_point_cells, points))).csv())
    rows = [_outcome_cells(own, network) for own, (_, network) in zip(found, networks, strict=True)]
    write_atomically(folder / "fig9-networks.csv", Table(OUTCOME_COLUMNS, list(rows)).csv())
    write_atomically(folder / "fig9-changes.csv", Table(CHANGE_COLUMNS, list(map(change_cells, changed))).csv())
    write_atomically(folder / "fig9-published.csv", Table(COLUMNS, list(map(cells, checked))).csv())
    with figure_style():
        save(draw(points), folder / "fig9")
    return found, changed, checked


def _networks(sizes: Sequence[int], solve_design: SolveDesign) -> Iterator[tuple[str, Network]]:
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


def change_cells(change: Change) -> list[str]:
    """Return a change in the columns of the table."""
    numbers = (f"{change.computed:+.2f}", f"{change.simulated:+.2f}", f"{change.band:g}")
    return [change.network, str(change.n), change.metric, *numbers, change.verdict]
