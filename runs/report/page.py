"""The page of a record."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from isoplane.models import Design

from ..drawing.block import Block
from ..drawing.drawing import DARK, LIGHT, drawing_style
from . import headline
from .history import HistoryRow
from .kinds import words_of
from .report_data import ReportData
from .sections import blocks
from .simulations import Simulation

TEMPLATE = "page.html.jinja"


def render(
    record: Mapping[str, Any],
    *,
    history: Sequence[HistoryRow] = (),
    others: Sequence[Mapping[str, Any]] = (),
    summary: Mapping[str, Any] | None = None,
    simulations: Sequence[Simulation] = (),
    switch_id: int = 0,
    verified_by: str | None = None,
    design: Design | None = None,
) -> str:
    """Return the report on a design as one self-contained HTML page: all sections for which it has data.

    Parameters
    ----------
    record
        The design; all numbers are recomputed from it. A given network has only the fields of the
        content, both hashes and the provenance.
    history
        The improvements of the run; without them the page has no convergence section.
    others
        Further records of the run, for the Pareto front.
    summary
        The summary of the run, for its evaluations and time.
    simulations
        Simulation results of the design, then of others.
    switch_id
        Switch whose cables the floor plan shows.
    verified_by
        Arguments of `isoplane verify` that check it; by default the record, by its file name.
    design
        The design of the record, if it is built already.

    Raises
    ------
    InputError
        If the switch does not exist, a record with circuits has no workload, or the models reject a value.
    """
    data = ReportData(record, history, others, summary, simulations, switch_id, verified_by, design)
    with drawing_style():
        sections = blocks(data)
    title, sentence = words_of(data.network).title(data.network), headline.sentence(data)
    return page_text(title, sentence, headline.key_figures(data), sections, data.disagreements())


def page_text(
    title: str,
    sentence: str,
    key_figures: Sequence[headline.KeyFigure],
    sections: Sequence[Block],
    disagreements: Sequence[str] = (),
) -> str:
    """Return a self-contained HTML page.

    Parameters
    ----------
    title, sentence, key_figures
        What it is about, the result in a sentence, and the large numbers at the top.
    sections
        The sections, in order.
    disagreements
        Metrics whose recorded values differ from those computed; the page warns of them.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = Markup
    return environment.get_template(TEMPLATE).render(
        light=LIGHT,
        dark=DARK,
        title=title,
        sentence=sentence,
        key_figures=key_figures,
        disagreements=disagreements,
        sections=sections,
    )
