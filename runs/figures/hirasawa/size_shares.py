"""Fig. 1: shares of jobs up to each size, in logs of machines or a synthetic one, and hit rates to expect of caches.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, sections 1 and 4.2, and Fig. 1.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.steps import step
from isoplane.runs.config.config_values import distinct_paths
from isoplane.runs.drawing import block
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, drawing_style, label, new_figure, picture
from isoplane.runs.drawing.panels import panels
from isoplane.runs.drawing.values import show_drawn
from isoplane.runs.figures.checked import AGREES, DIFFERS, Checked, CheckedStatement, statement_table, verdict
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.inputs.job_logs import JobLog, read_job_log, swf_lines, synthetic_log
from isoplane.runs.inputs.job_logs.swf_reader import log_name
from isoplane.runs.published import Published, hirasawa_numbers
from isoplane.runs.report.page import page_text
from isoplane.runs.terminal.table import Table

from .job_sizes import SizeDistribution, expected_hit_rates, shares_up_to, size_distribution

MAX_ENTRIES = 1 << 20
MAX_NODE_PROCESSORS = 1 << 16
UNIT = "processors"
STATEMENT_COLUMNS = ("statement", "ours", "verdict")
LEAST = "least share"  # how the metric of a published number begins that others exceed
RING: Mapping[str, Any] = {"color": LIGHT["ink"], "markerfacecolor": "none", "markersize": 9, "linewidth": 0}
ERRATUM = (
    "The paper gives 128 processors of RICC as 32 nodes. With 8 processors a node, as the same section says, they "
    "are 16."
)
READING = (
    "A job has the processors that it got or, where these are unknown, asked for. Left out are jobs of unknown size, "
    "jobs cancelled before they ran, and lines about a part of a job. Hours are those of the processors or nodes that "
    "a job occupies."
)
EXPECTATION = (
    "Mean over the jobs, of equation (1) at the port of a node: a job on N nodes has N - 1 destinations there, "
    "equally likely, and M entries hit with the probability min(1, M / (N - 1)). Favourite destinations raise it; "
    "going through more than M of them in turn, as an all-to-all may, never hits. Where the processors of a node are "
    "not given, each is taken as a node, which makes jobs larger and rates lower."
)
CAPTION = (
    "Shares of jobs (solid) and of the hours of their processors or nodes (dashed) up to a size. The ring is the "
    "paper's, and so is the arrow, for a least share."
)


class _Curve(NamedTuple):
    """The sizes of the jobs of a log, in processors or nodes."""

    log: JobLog
    unit: str
    sizes: SizeDistribution


SHARE_COLUMNS: Mapping[str, Callable[[_Curve], object]] = {
    "log": lambda curve: curve.log.name,
    "size in": lambda curve: curve.unit,
    "jobs": lambda curve: int(curve.log.ran.sum()),
    "left out": lambda curve: int((~curve.log.ran).sum()),
    "jobs up to 128": lambda curve: _percent(_shares(curve, 128)[0]),
    "jobs up to 1024": lambda curve: _percent(_shares(curve, 1024)[0]),
    "hours up to 128": lambda curve: _percent(_shares(curve, 128)[1]),
    "hours up to 1024": lambda curve: _percent(_shares(curve, 1024)[1]),
}
POINT_COLUMNS = ("log", "size_in", "size", "jobs", "hours", "share_of_jobs", "share_of_hours")
RATE_COLUMNS = ("log", "processors of a node", "entries", "hit rate by jobs", "by node-hours")


def check(data: Mapping[str, Any]) -> Compute:
    """Require entries of caches in range, and logs that can be read; without any, a synthetic one is made."""
    entries = ascending(data["sizes"], 1, MAX_ENTRIES, "number of entries of a cache")
    if data["jobs"] is not None:
        logs = read_logs(data["jobs"], data["processors_per_node"])
        return lambda _: figure_of(logs, entries)
    seed = check_int("seed", data["seed"], 0)
    (node_processors,) = _node_processors(data["processors_per_node"], 1)
    return lambda _: _synthetic_figure(synthetic_log(seed, node_processors=node_processors), entries)


def _synthetic_figure(log: JobLog, entries: Sequence[int]) -> Figure:
    """Return the figure of a synthetic log, which is written beside it."""
    figure, file = figure_of([log], entries), f"{log.name}.swf"
    return replace(figure, files={**figure.files, file: "".join(swf_lines(log))}, places={**figure.places, "log": file})


def read_logs(jobs: object, processors_per_node: object) -> list[JobLog]:
    """Return the logs of an option: a file or a list of files.

    Parameters
    ----------
    jobs
        The files.
    processors_per_node
        One number for all logs, or a list with a number or None for each.
    """
    values = jobs if isinstance(jobs, list) else [jobs]
    if not values:
        raise InputError("jobs=[]: expected at least one log, or null for a synthetic one")
    paths = distinct_paths("jobs", values)
    numbers = _node_processors(processors_per_node, len(paths))
    uses = Counter(map(log_name, paths))
    names = [log_name(path) if uses[log_name(path)] == 1 else str(path) for path in paths]
    with step(f"reading {', '.join(names)}"):
        return [read_job_log(*arguments) for arguments in zip(paths, names, numbers, strict=True)]


def _node_processors(value: object, logs: int) -> list[int | None]:
    """Return the processors of a node of each log."""
    values = value if isinstance(value, list) else [value] * logs
    if len(values) != logs:
        raise InputError(f"processors_per_node={value}: expected one number, or a list of {logs}, one for each log")
    return [None if v is None else check_int("processors_per_node", v, 1, MAX_NODE_PROCESSORS) for v in values]


def figure_of(logs: Sequence[JobLog], entries: Sequence[int]) -> Figure:
    """Return the figure of some logs and caches.

    ``fig1.csv`` has the curves, ``fig1-shares.csv`` shares at the paper's sizes, ``fig1-hit-rates.csv`` hit rates,
    ``fig1-published.csv`` the statements of the paper, and ``fig1.html`` all but the numbers of the curves.
    """
    curves = [_Curve(log, unit, size_distribution(log, in_nodes=unit == "nodes")) for log, unit in _units(logs)]
    checked = list(statements(curves))
    tables = {
        "": Table(POINT_COLUMNS, [row for curve in curves for row in _points(curve)]),
        "-shares": Table.of(curves, SHARE_COLUMNS, range(2, len(SHARE_COLUMNS))),
        "-hit-rates": Table(RATE_COLUMNS, list(_rates(logs, entries)), range(1, len(RATE_COLUMNS))),
        "-published": statement_table(checked, STATEMENT_COLUMNS),
    }
    text = (tables["-shares"], "", tables["-hit-rates"], "", tables["-published"], "", ERRATUM)
    page = {"fig1.html": _page(curves, tables, checked)}
    return Figure(tables, lambda: draw(curves), text, page, {"page": "fig1.html"})


def _units(logs: Sequence[JobLog]) -> Iterator[tuple[JobLog, str]]:
    """Yield each log with each unit in which its jobs can be counted, processors first."""
    yield from ((log, UNIT) for log in logs)
    yield from ((log, "nodes") for log in logs if log.node_processors is not None)


def _points(curve: _Curve) -> Iterator[list[str]]:
    """Yield the cells of `POINT_COLUMNS` for every size in a log."""
    sizes, jobs, hours = curve.sizes
    shares = zip(*shares_up_to(curve.sizes, sizes), strict=True)
    for size, count, amount, (by_jobs, by_hours) in zip(sizes, jobs, hours, shares, strict=True):
        numbers = f"{size}", f"{count}", f"{amount:.3f}", f"{by_jobs:.6f}", f"{by_hours:.6f}"
        yield [curve.log.name, curve.unit, *numbers]


def _shares(curve: _Curve, size: int) -> tuple[float, float]:
    """Return the shares of jobs and of hours up to a size."""
    jobs, hours = shares_up_to(curve.sizes, [size])
    return float(jobs[0]), float(hours[0])


def _rates(logs: Sequence[JobLog], entries: Sequence[int]) -> Iterator[list[str]]:
    """Yield the cells of `RATE_COLUMNS` for every log and cache."""
    for log in logs:
        sizes = size_distribution(log, in_nodes=log.node_processors is not None)
        for count in entries:
            rates = map(_percent, expected_hit_rates(sizes, count))
            yield [log.name, str(log.node_processors or "1 (assumed)"), str(count), *rates]


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if isfinite(share) else "unknown"


def statements(curves: Sequence[_Curve]) -> Iterator[CheckedStatement]:
    """Compare every published share with that of each log, in processors."""
    for number in published_shares():
        for curve in curves:
            if curve.unit == UNIT:
                yield _checked(number, curve)


def published_shares() -> list[Published]:
    """Return the numbers of the paper about Fig. 1; n are processors."""
    return [number for number in hirasawa_numbers() if number.figure == "Fig 1"]


def _is_least(number: Published) -> bool:
    """Whether the share is at least the published number."""
    return number.metric.startswith(LEAST)


def _checked(number: Published, curve: _Curve) -> CheckedStatement:
    """Return the verdict on a share: only logs of the machine that the paper names are compared with its number."""
    assert number.n is not None
    share, log = 100 * _shares(curve, number.n)[0], curve.log
    least = "at least " if _is_least(number) else ""
    stated = f"{least}{number.value} % of the jobs of {number.network} use at most {number.n} processors"
    if log.is_model:
        judged = "not compared (a model, no machine)"
    elif least:
        judged = verdict(share >= number.value)
    elif number.network in " ".join([log.name, log.header.get("Computer", ""), log.header.get("Installation", "")]):
        judged = AGREES if abs(share - number.value) <= number.precision else DIFFERS
    else:
        judged = "not compared (another machine)"
    return Checked(stated, f"{share:.2f} % of {log.name}", judged)


def draw(curves: Sequence[_Curve]) -> Drawing:
    """Draw the shares by processors, and by nodes where they are known."""
    drawing, axes = panels(len({curve.unit for curve in curves}))
    _draw(axes, curves)
    return drawing


def _draw(axes: Sequence[Axes], curves: Sequence[_Curve]) -> None:
    """Draw a panel for each unit."""
    colours = dict(zip(dict.fromkeys(curve.log.name for curve in curves), cycle(PLANE_COLOURS), strict=False))
    for panel, unit in zip(axes, dict.fromkeys(curve.unit for curve in curves), strict=True):
        for curve in curves:
            if curve.unit == unit:
                _draw_curve(panel, curve, colours[curve.log.name])
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_ylim(0, 103)
        panel.set_xlabel(f"{unit} of a job")
        panel.set_ylabel("share of jobs, or of hours, up to this size (%)")
    for number in published_shares():
        mark = "$\\uparrow$" if _is_least(number) else "o"
        text = f"{'at least ' if _is_least(number) else ''}{number.value} % ({number.network})"
        axes[0].plot([float(number.n or 0)], [float(number.value)], marker=mark, label=text, **RING)
    drawing = axes[0].get_figure()
    assert isinstance(drawing, Drawing)
    drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=4, fontsize=8)


def _draw_curve(panel: Axes, curve: _Curve, colour: str) -> None:
    """Draw the steps of a log from its smallest job on: solid for jobs, dashed for their hours."""
    sizes = curve.sizes[0]
    machine = curve.log.header.get("MaxProcs") or curve.log.header.get("MaxNodes")
    name = f"{curve.log.name} ({machine})" if machine else curve.log.name
    for share, style, text in zip(shares_up_to(curve.sizes, sizes), ("-", "--"), (name, None), strict=True):
        heights = 100 * share
        x, y = np.append(sizes[0], sizes), np.append(0.0, heights)
        panel.step(x, y, style, where="post", color=colour, linewidth=1.2, label=text)


def _page(curves: Sequence[_Curve], tables: Mapping[str, Table], checked: Sequence[CheckedStatement]) -> str:
    """Return the page of the figure as self-contained HTML."""
    with drawing_style():
        drawing = new_figure(3.8)
        axes = list(drawing.subplots(1, len({curve.unit for curve in curves}), squeeze=False)[0])
        _draw(axes, curves)
        for panel in axes:
            label(panel, panel.get_xlabel(), panel.get_ylabel())
        show_drawn(drawing)
        chart = picture(drawing, "fig1", CAPTION, tables[""].with_names())
    shown = {suffix: block.Part.table(tables[suffix].page_rows()) for suffix in tables if suffix}
    blocks = [
        block.Block("figure", "Sizes of jobs", [chart]),
        block.Block("shares", "Shares of jobs", [shown["-shares"], block.Text(READING, muted=True)]),
        block.Block("statements", "Beside the paper", [shown["-published"], block.Text(f"Erratum. {ERRATUM}")]),
        block.Block("hit-rates", "Expected hit rates", [shown["-hit-rates"], block.Text(EXPECTATION, muted=True)]),
    ]
    return page_text("Fig. 1 of Hirasawa, Yamaki and Koibuchi", _sentence(curves), [], blocks)


def _sentence(curves: Sequence[_Curve]) -> str:
    """Return the result of the page in a sentence."""
    shares = [f"{curve.log.name} {_percent(_shares(curve, 128)[0])}" for curve in curves if curve.unit == UNIT]
    return f"Share of jobs of at most 128 processors: {', '.join(shares)}"
