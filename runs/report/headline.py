"""The top of the page: the result in one sentence and a few numbers."""

from dataclasses import dataclass

from ..drawing.quantities import format_change, format_metric, short_title, unit_of, verdict
from .kinds import words_of
from .kinds.switches import ROUTES
from .report_data import ReportData

TIMES = ("completion_ns", "completion_by_packets_ns", "bottleneck_ns", "heaviest_load_bytes")
KEY_FIGURES = (*TIMES, *ROUTES, "delay_ns", "cost_usd_per_node")


@dataclass(frozen=True)
class KeyFigure:
    """One of the large numbers at the top; `baseline` describes the comparison in a few words."""

    title: str
    value: str
    unit: str
    baseline: str = ""
    before: str = ""
    change: str = ""
    verdict: str = ""


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


def key_figures(data: ReportData) -> list[KeyFigure]:
    """Return the most important metrics of the design, each compared with the baseline."""
    found = []
    for name in KEY_FIGURES:
        new = data.design.metrics.get(name)
        if new is None:
            continue
        own = KeyFigure(short_title(name), format_metric(name, new), unit_of(name))
        if data.baseline is not None:
            own = _compared(own, name, new, data.baseline.metrics.get(name), data.design.design.baseline_title)
        found.append(own)
    return found


def _compared(own: KeyFigure, name: str, new: float, old: float | None, baseline: str) -> KeyFigure:
    change = ("", "") if old is None else (format_change(new, old), verdict(name, new, old))
    return KeyFigure(own.title, own.value, own.unit, baseline, format_metric(name, old), *change)
