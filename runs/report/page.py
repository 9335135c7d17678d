"""The whole page, put together from its sections."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from isoplane.runs.records import file_name

from . import headline
from .charts.cables import cables
from .charts.convergence import convergence
from .charts.costs import costs
from .charts.distances import distances
from .charts.drawing import DARK, LIGHT, Picture, drawing_style
from .charts.floor import floor
from .charts.front import front
from .charts.loads import loads
from .charts.packets import packets
from .comparison import comparison
from .formulas import SOURCE, formulas
from .history import HistoryRow
from .simulations import Simulation, simulation_rows
from .subject import Subject, subject_of


@dataclass(frozen=True)
class Section:
    """A heading with one chart, or with a note that says why there is none; and a table, its head first."""

    key: str
    title: str
    chart: Picture | None
    note: str = ""
    rows: Sequence[Sequence[str]] = ()


def render(
    record: Mapping[str, Any],
    *,
    history: Sequence[HistoryRow] = (),
    others: Sequence[Mapping[str, Any]] = (),
    summary: Mapping[str, Any] | None = None,
    simulations: Sequence[Simulation] = (),
    switch_id: int = 0,
    verified_by: str | None = None,
) -> str:
    """Return the report on a design as one self-contained HTML page.

    Parameters
    ----------
    record
        The design; all numbers are computed from it afresh. A network that no search found has the fields of the
        content, both hashes and the provenance only.
    history
        The improvements of the run; without them the page has no convergence.
    others
        Further records of the run, for the Pareto front.
    summary
        The summary of the run, for its evaluations and time.
    simulations
        What packets saw of the design, and then of others.
    switch_id
        Whose cables the floor plan shows.
    verified_by
        What `isoplane verify` is to be given to check it; by default the record, under the name under which it is
        written.

    Raises
    ------
    InputError
        If the record has no two planes or the switch does not exist.
    """
    subject = subject_of(record)
    with drawing_style():
        sections = [*_sections(subject, history, others, summary, switch_id), *_simulated(subject, simulations)]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = Markup
    return environment.get_template("page.html.jinja").render(
        light=LIGHT,
        dark=DARK,
        title=_title(subject),
        sentence=headline.sentence(subject.design, subject.identical),
        key_figures=headline.key_figures(subject),
        facts=headline.facts(subject, summary),
        generators=[headline.generators(subject, plane) for plane in range(2)],
        copyable=headline.copyable(subject),
        disagreements=subject.disagreements(),
        table=comparison(subject),
        sections=sections,
        record=record,
        config=json.dumps(record["provenance"]["config"], indent=2, ensure_ascii=False),
        verified_by=verified_by or f"record={file_name(dict(record))}",
        formulas=formulas(subject.network),
        source=SOURCE,
    )


def _title(subject: Subject) -> str:
    family = "folded hypercube" if subject.network.folded else "hypercube"
    return f"Dual-plane isomorphic {family}, n = {subject.network.n}"


def _sections(
    subject: Subject,
    history: Sequence[HistoryRow],
    others: Sequence[Mapping[str, Any]],
    summary: Mapping[str, Any] | None,
    switch_id: int,
) -> list[Section]:
    found = []
    if history and subject.objective is not None:
        chart = convergence(history, subject.objective, subject.network, summary)
        found.append(Section("convergence", "Convergence of the search", chart))
    delays = subject.network.layout is not None
    found += [
        Section("front", f"{'Delay' if delays else 'ASPL'} against traffic", front(subject, others)),
        Section("loads", "Load of every generator", loads(subject)),
        Section("distances", "Distances", distances(subject)),
    ]
    if delays:
        return [
            *found,
            Section("floor", f"Floor plan with the cables of switch {switch_id}", floor(subject, switch_id)),
            Section("cables", "Cables by catalogue length", cables(subject)),
            Section("costs", "Cost breakdown", costs(subject)),
        ]
    note = "This network has no layout, so there are no racks, no cable lengths, no delays and no costs to show."
    return [*found, Section("layout", "Floor plan, cables and cost", None, note)]


def _simulated(subject: Subject, simulations: Sequence[Simulation]) -> list[Section]:
    """Return the section on what packets saw, if anybody looked."""
    if not simulations:
        return []
    rows = simulation_rows(subject, simulations)
    return [Section("packets", "What packets saw", packets(subject, simulations[0]), rows=rows)]
