"""The page of a record."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from isoplane.models.files.exact_text import counted
from isoplane.objectives import displayed_metric
from isoplane.objectives.scoring.own_metrics import metric_named
from isoplane.objectives.scoring.sums import terms_of
from isoplane.runs.records import missed_limits, nearest_text, values_in
from isoplane.runs.terminal.design_table import unit_for

from ..drawing.block import Block, Cell, Part, cell
from ..drawing.drawing import DARK, LIGHT, drawing_style
from ..drawing.quantities import format_metric, short_title, title_in_sentence, unit_of
from .kinds import words_of
from .kinds.switches import ROUTES, metric_text
from .report_data import ReportData
from .sections import blocks
from .sections.front import front_records, metrics_of_axes
from .simulated import answer

TEMPLATE = "page.html.jinja"
TIMES = ("completion_ns", "completion_by_packets_ns", "bottleneck_ns", "heaviest_load_bytes")
ON_FRONT = ("design", "comparison", "network", "provenance")  # those that are soon drawn: a front has many designs
KEY_FIGURES = (*TIMES, *ROUTES, "delay_ns", "cost_usd_per_node")


def render(data: ReportData) -> str:
    """Return the report on a design as one self-contained HTML page: all sections for which it has data."""
    with drawing_style():
        sections = blocks(data)
    simulated = answer(data)
    said, figures, first = simulated or (sentence(data), key_figures(data), "front" if front_records(data) else "")
    sections.sort(key=lambda section: section.key != first)  # the answer comes first
    return page_text(words_of(data.network).title(data), said, figures, sections, _warnings(data))


def render_on_front(data: ReportData, front: str) -> str:
    """Return a page of a design on a front with the sections `ON_FRONT` and a link to the page of the front."""
    with drawing_style():
        sections = blocks(data, ON_FRONT)
    title = words_of(data.network).title(data)
    return page_text(title, sentence(data), key_figures(data), sections, _warnings(data), front)


def page_text(
    title: str,
    summary: str,
    figures: Sequence[Part],
    sections: Sequence[Block],
    warnings: Sequence[str] = (),
    front: str = "",
    beside: Sequence[str] = (),
) -> str:
    """Return a self-contained HTML page.

    Parameters
    ----------
    title, summary, figures
        What it is about, the result in a sentence, and the large numbers at the top.
    sections
        The sections, in order.
    warnings
        Sentences on what a reader should know before all else.
    front
        Where the page of the front of a design is.
    beside
        Sentences that stand below the result.
    """
    return _template().render(
        light=LIGHT,
        dark=DARK,
        title=title,
        sentence=summary,
        key_figures=figures,
        warnings=warnings,
        sections=sections,
        front=front,
        beside=beside,
    )


def _warnings(data: ReportData) -> list[str]:
    """Return sentences on the limits that the design misses, and on recorded values that differ from those computed."""
    record, objective = data.record, data.objective
    missed = objective and missed_limits(objective, data.design.design, record["score"], data.design.metrics)
    warnings = [nearest_text(record["bound"], missed)] if missed else []
    if names := data.disagreements():
        stated = f"The record holds other values than are computed here for {', '.join(names)}"
        warnings.append(f"{stated}: verify it before you use it.")
    limits = (simulation.get("saturation") or {} for simulation in data.simulations[:1])
    return [
        *warnings,
        *(text for limit in limits for text in limit.get("warnings", ())),
    ]  # none of folders of earlier versions


@cache  # a sweep and the pages of a figure need it many times, and Jinja compiles it
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # All else is escaped; these are drawings that the program itself has made.
    environment.filters["svg"] = Markup
    return environment.get_template(TEMPLATE)


def sentence(data: ReportData) -> str:
    """Return the result as a sentence, compared with the baseline if any.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.runs.records import design_content
    >>> sentence(ReportData(design_content(Design(dual_cube(3, (3, 5, 7)))))).split(", ")[1]
    'cabled differently: ASPL 1 hops instead of 1.5 (−33.33 %)'
    """
    words = words_of(data.network)
    if records := front_records(data):
        ranges = (_range_text(name, records) for name in metrics_of_axes(data))
        return f"A front of {counted(len(records), 'design')}: {' against '.join(ranges)}"
    results = words.results(data)
    goal = _goal(data)
    aimed = metric_text(data, goal) if goal else ""
    if aimed and aimed not in results:
        results = [f"{'maximised' if metric_named(goal).higher_is_better else 'minimised'} {aimed}", *results]
    return f"{words.subject(data)}: {', '.join(results)}"


def _goal(data: ReportData) -> str:
    """Return the metric of which the objective is first of all, if it is of a single one that no result states."""
    objective = data.objective
    if objective is None or objective.functions:
        return ""
    (_, product), *others = terms_of(objective.components[0])
    name = displayed_metric(objective.scope, product[0])[0].name
    return "" if others or len(product) > 1 or name in (*TIMES, *ROUTES) else name


def _range_text(name: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the values of a metric on a front, from its smallest to its largest."""
    values = [values_in(record)[name] for record in records]
    ends = dict.fromkeys(format_metric(name, value) for value in (min(values), max(values)))
    return f"{title_in_sentence(name)} {' to '.join(ends)} {unit_of(name)}".strip()


def key_figures(data: ReportData) -> list[Part]:
    """Return the most important metrics of the design, or the best ones on its front, compared with the baseline."""
    if records := front_records(data):
        names = metrics_of_axes(data)
        best = {name: _best(name, [values_in(record)[name] for record in records]) for name in names}
        return [_key_figure(data, f"Best {title_in_sentence(name)}", name, value) for name, value in best.items()]
    metrics = data.design.metrics
    known = {name: value for name in KEY_FIGURES if (value := metrics.get(name)) is not None}
    return [_key_figure(data, short_title(name), name, value) for name, value in known.items()]


def _best(name: str, values: Sequence[float]) -> float:
    return max(values) if metric_named(name).higher_is_better else min(values)


def _key_figure(data: ReportData, title: str, name: str, value: float) -> Part:
    """Return a metric, compared with the baseline if any."""
    before: tuple[str, Cell] | tuple[()] = ()
    if data.baseline is not None:
        before = data.design.design.baseline_title, cell(name, data.baseline.metrics.get(name), value)
    unit = unit_for(name, unit_of(name), data.design.design)
    return Part.key_figure(title, format_metric(name, value), unit, *before)
