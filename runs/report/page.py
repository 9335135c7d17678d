"""The page of a record."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from ..drawing.block import Block, Cell, Part, cell
from ..drawing.drawing import DARK, LIGHT, drawing_style
from ..drawing.quantities import format_metric, short_title, unit_of
from .kinds import words_of
from .kinds.switches import ROUTES
from .report_data import ReportData
from .sections import blocks

TEMPLATE = "page.html.jinja"
TIMES = ("completion_ns", "completion_by_packets_ns", "bottleneck_ns", "heaviest_load_bytes")
KEY_FIGURES = (*TIMES, *ROUTES, "delay_ns", "cost_usd_per_node")


def render(data: ReportData) -> str:
    """Return the report on a design as one self-contained HTML page: all sections for which it has data."""
    with drawing_style():
        sections = blocks(data)
    return page_text(
        words_of(data.network).title(data), sentence(data), key_figures(data), sections, data.disagreements()
    )


def page_text(
    title: str,
    summary: str,
    figures: Sequence[Part],
    sections: Sequence[Block],
    disagreements: Sequence[str] = (),
) -> str:
    """Return a self-contained HTML page.

    Parameters
    ----------
    title, summary, figures
        What it is about, the result in a sentence, and the large numbers at the top.
    sections
        The sections, in order.
    disagreements
        Metrics whose recorded values differ from those computed; the page warns of them.
    """
    return _template().render(
        light=LIGHT,
        dark=DARK,
        title=title,
        sentence=summary,
        key_figures=figures,
        disagreements=disagreements,
        sections=sections,
    )


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
    'cabled differently: ASPL 1 hops instead of 1.5 (−33.3 %)'
    """
    words = words_of(data.network)
    return f"{words.subject(data)}: {', '.join(words.results(data))}"


def key_figures(data: ReportData) -> list[Part]:
    """Return the most important metrics of the design, each compared with the baseline."""
    figures = []
    for name in KEY_FIGURES:
        new = data.design.metrics.get(name)
        if new is None:
            continue
        before: tuple[str, Cell] | tuple[()] = ()
        if data.baseline is not None:
            before = data.design.design.baseline_title, cell(name, data.baseline.metrics.get(name), new)
        figures.append(Part.key_figure(short_title(name), format_metric(name, new), unit_of(name), *before))
    return figures
