"""Figs. 3 and 5 to 8: metrics of identical planes, and of designs that are searched for.

References
----------
Hosomi et al. 2021, Figs. 3 and 5 to 8.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError
from isoplane.runs.config.setup import fleet_of
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.checked import Checked
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.figures.searches import search_of
from isoplane.runs.folder.folder_lock import RECORDS
from isoplane.runs.published import Published
from isoplane.runs.terminal.table import Table

from .agreement import (
    BEATEN,
    NOT_MET,
    REPORTED,
    Verdict,
    agreement,
    agreement_or_report,
    no_worse,
    pair,
    points_of,
    unmet_text,
    value_for,
    verdict_table,
    verdict_text,
)
from .agreement import COLUMNS as VERDICT_COLUMNS
from .charts import lines, stacks
from .designs import IDENTICAL, NETWORKS, baseline, best_designs, designs
from .measures import COST_PARTS, DELAY_PARTS, UNITS, Values, values_of

SIZES = (2, 12)  # beyond n = 12 the paper's catalogue has no cable of sufficient length
COMPARED = ("published", "difference", "verdict")  # columns of the comparison that a number has too
COLUMNS = ("network", "n", "metric", "unit", "value", *COMPARED)
DELAY, TRAFFIC, COST = "delay_paper", "max_traffic / 4", "network cost"
CHANGE = " change"  # suffix of metrics: change of DI- from the identical planes, in percent, or in ns


@dataclass(frozen=True)
class _DesignFigure:
    """What is particular to a figure of designs.

    Attributes
    ----------
    published
        The figure whose published numbers it is compared with.
    metrics
        Names of its metrics.
    panels
        Draw a panel each, on axes, from the values and the published numbers.
    networks
        The paper's names of its networks.
    compare
        Compares published numbers with values.
    """

    published: str
    metrics: Sequence[str]
    panels: Sequence[Callable[[Axes, Values, Sequence[Published]], None]]
    networks: Sequence[str] = NETWORKS
    compare: Callable[[Sequence[Published], Values], list[Verdict]] = agreement_or_report

    def verdicts(self, values: Values) -> list[Verdict]:
        """Compare the published numbers with ours; sizes without a value are left out."""
        return self.compare(points_of(self.published), values)

    def draw(self, values: Values) -> Drawing:
        """Draw all panels."""
        drawing, axes = panels(len(self.panels))
        for panel, draw in zip(axes, self.panels, strict=True):
            draw(panel, values, points_of(self.published))
        return drawing

    def figure(self, values: Values) -> Figure:
        """Return the figure of some values: a file with all of them, and one with the published numbers."""
        verdicts = self.verdicts(values)
        tables = {"": _numbers(values, verdicts), "-published": verdict_table(verdicts)}
        return Figure(tables, lambda: self.draw(values), verdict_text(verdicts, {n for _, n, _ in values}))


def _numbers(values: Values, verdicts: Sequence[Verdict]) -> Table:
    """Return a row for each value, then for each change, with the published number and the verdict if there are any."""
    compared = {(v.stated.network, v.stated.n, v.stated.metric): v for v in verdicts}
    changes = {(network, n or 0, metric): v.ours for (network, n, metric), v in compared.items()}
    rows = []
    for key, value in {**values, **changes}.items():
        verdict = compared.get(key)
        beside = [str(VERDICT_COLUMNS[name](verdict)) if verdict else "" for name in COMPARED]
        unit = verdict.stated.unit if verdict else UNITS[key[2]]
        rows.append([*map(str, key), unit, str(float(value)), *beside])
    return Table(COLUMNS, rows)


def check(data: Mapping[str, Any]) -> Compute:
    """Require settings of searches and dimensions in range, and no simulations."""
    if data["replications"] is not None:
        raise InputError(f"replications={data['replications']}: this figure has no simulations; expected null")
    search, fleet_context = search_of(data), fleet_of(data)
    figure, sizes = FIGURES[data["figure"]], ascending(data["sizes"], *SIZES, "dimension")
    limits = ", ".join(f"stop.{key}={value}" for key, value in data["stop"].items() if value not in (None, "auto"))

    def compute(folder: Path) -> Figure:
        with fleet_context as fleet:
            networks = designs(sizes, figure.networks, best_designs(search, fleet, folder))
            values = values_of(networks, figure.metrics)
        drawn, unmet = figure.figure(values), unmet_text(figure.verdicts(values), data["exact_up_to"], limits)
        return replace(drawn, places={"records": RECORDS}, text=(*drawn.text, *unmet))

    return compute


def numbers_and_changes(points: Sequence[Published], values: Values) -> list[Verdict]:
    """Compare every published number of Fig. 3: identical planes must agree, the others must be no worse."""
    checked = []
    for point in points:
        ours = _change_percent(point, values) if point.metric.endswith(CHANGE) else value_for(point, values)
        if ours is None:
            continue
        if point.network in IDENTICAL:
            checked.append(agreement(point, ours))
        else:
            checked.append(no_worse(point, ours, rises=point.metric.startswith("max_traffic")))
    return checked


def _change_percent(point: Published, values: Values) -> Fraction | None:
    """Return the change in percent from the network right of the slash to the one left of it."""
    network, base = point.network.split("/")
    metric = point.metric.removesuffix(CHANGE)
    ours, ours_base = (values.get((name, point.n or 0, metric)) for name in (network, base))
    return None if ours is None or ours_base is None else 100 * (ours / ours_base - 1)


def pairs_and_parts(points: Sequence[Published], values: Values) -> list[Verdict]:
    """Compare every published number of Fig. 5: identical planes must agree, optimised delay and traffic are a pair.

    DI- designs minimise ASPL × load, and their delay is incidental: if ours does not meet the published pair, but our
    -r design of the same family and size does, which minimises delay × load, the note says so. The parts of the delay
    belong to one of many designs with the same score and are only reported.
    """
    traffics = {(point.network, point.n): point for point in points if point.metric == TRAFFIC}
    pairs: dict[Published, Verdict] = {}
    for delay in (point for point in points if point.metric == DELAY and point.network not in IDENTICAL):
        traffic = traffics[delay.network, delay.n]
        ours = _pair_verdicts(delay, traffic, delay.network, values)
        if ours is not None:
            other = f"{delay.network}-r"
            others = _pair_verdicts(delay, traffic, other, values)
            note = ""
            if ours[0].verdict == NOT_MET and others is not None and others[0].verdict != NOT_MET:
                note = f"{other} {'beats' if others[0].verdict == BEATEN else 'meets'}"
            pairs |= {verdict.stated: replace(verdict, note=note) for verdict in ours}
    all_points = [pairs.get(point) or _single_verdict(point, values) for point in points]
    return [verdict for verdict in all_points if verdict is not None]


def _pair_verdicts(delay: Published, traffic: Published, name: str, values: Values) -> tuple[Verdict, Verdict] | None:
    """Compare a published pair with our design of this name."""
    ours = tuple(values.get((name, delay.n or 0, metric)) for metric in (DELAY, TRAFFIC))
    if ours[0] is None or ours[1] is None:
        return None
    return pair(delay, traffic, (ours[0], ours[1]))


def _single_verdict(point: Published, values: Values) -> Verdict | None:
    if not point.metric.endswith(CHANGE):
        ours = value_for(point, values)
        return None if ours is None else agreement(point, ours)
    metric = point.metric.removesuffix(CHANGE)
    ours, base = (values.get((name, point.n or 0, metric)) for name in (point.network, baseline(point.network)))
    return None if ours is None or base is None else Checked(point, ours - base, REPORTED)


FIGURES: Mapping[str, _DesignFigure] = {
    "fig3": _DesignFigure(
        "Fig 3",
        ("aspl", "max_traffic"),
        (
            partial(lines, metric="aspl", label="average shortest distance (hops)"),
            partial(
                lines,
                metric="max_traffic",
                label="all-to-all maximum traffic\n(link capacities per switch)",
            ),
        ),
        ("D-HC", "DI-HC", "D-FHC", "DI-FHC"),
        numbers_and_changes,
    ),
    "fig5": _DesignFigure(
        "Fig 5",
        (DELAY, TRAFFIC, *DELAY_PARTS),
        (
            partial(lines, metric=DELAY, label="average shortest delay (ns)"),
            partial(
                lines,
                metric=TRAFFIC,
                label="all-to-all maximum traffic\n(link capacities per node)",
            ),
            partial(stacks, parts=DELAY_PARTS, total=DELAY, label="average shortest delay (ns)"),
        ),
        compare=pairs_and_parts,
    ),
    # The totals stated with Fig. 8 are the published points of Fig. 6.
    "fig6": _DesignFigure("Fig 8", (COST,), (partial(lines, metric=COST, label="network cost (k US$ per node)"),)),
    "fig7": _DesignFigure(
        "Fig 7",
        ("mean cable length", "switch cable cost"),
        (
            partial(lines, metric="mean cable length", label="mean cable length (m)"),
            partial(lines, metric="switch cable cost", label="switch cable cost (k US$ per node)"),
        ),
    ),
    "fig8": _DesignFigure(
        "Fig 8",
        (*COST_PARTS, COST, "switch cable share of cost"),
        (
            partial(
                stacks,
                parts=COST_PARTS,
                total=COST,
                label="network cost (k US$ per node)",
                percent_metric="switch cable share of cost",
            ),
        ),
    ),
}
