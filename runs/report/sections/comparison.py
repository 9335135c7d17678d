"""The table of all metrics: the design compared with its alternatives and the published designs."""

from collections.abc import Mapping

from isoplane.objectives import METRIC_TABLE, Lexicographic
from isoplane.objectives.scoring.own_metrics import objective_values, own_metrics
from isoplane.runs.drawing.block import Block, Cell, Part, cell
from isoplane.runs.drawing.quantities import format_metric, unit_of
from isoplane.runs.terminal.design_table import unit_for

from ..designs.evaluated import MAX_WORK, EvaluatedDesign
from ..report_data import ReportData

ORDER = 20
ROUNDING_OF_FLOATS = 1e-9


def block(data: ReportData) -> Block:
    """Return the table with its notes."""
    title = "Comparison with alternatives" if data.compared else "Metrics"
    muted = [Part.text(note, muted=True) for note in notes(data)]
    return Block("comparison", title, [Part.comparison(*comparison(data)), *muted])


def comparison(data: ReportData) -> tuple[tuple[str, ...], list[tuple[str, str, tuple[Cell, ...]]]]:
    """Return columns and rows: all metrics of the design, its alternatives and the published designs."""
    designs = (data.design, *data.compared)
    rows = _structure(data, designs) if data.compared and data.design.varies_planes else []
    for metric, shown in {**METRIC_TABLE, **own_metrics()}.items():
        own = data.design.shown.get(metric)
        if own is None:
            continue
        cells = [_cell(metric, other, own) for other in data.compared]
        cells += [_published_cell(stated, metric, own) for stated in data.design.published.values()]
        rows.append((shown.title, _unit(metric, data), (cell(metric, own), *cells)))
    if data.objective is not None and data.objective.functions:
        rows += _functions(data, data.objective)
    titles = ["Published " + network.replace("-", "\N{NON-BREAKING HYPHEN}") for network in data.design.published]
    first = "This design" if data.compared else "This network"
    return (first, *(other.title for other in data.compared), *titles), rows


def _unit(metric: str, data: ReportData) -> str:
    """Return the unit of a metric; of the load of a link such that it leads to the packets of charts."""
    if metric == "peak_load":
        parts = data.design.loads.peak_parts
        return "packets" if parts == 1 else f"1/{parts} packet"
    return unit_for(metric, unit_of(metric), data.design.design)


def _cell(metric: str, other: EvaluatedDesign, own: float) -> Cell:
    return cell(metric, other.shown.get(metric), None if metric in other.incomparable else own)


def _published_cell(stated: Mapping[str, tuple[float, float]], metric: str, own: float) -> Cell:
    """Return the published value; a difference within its rounding counts as equal."""
    printed, precision = stated.get(metric, (None, 0.0))
    if printed is not None and abs(own - printed) <= precision + ROUNDING_OF_FLOATS:
        return format_metric(metric, printed), "equal", "same"
    return cell(metric, printed, own)


def _functions(data: ReportData, objective: Lexicographic) -> list[tuple[str, str, tuple[Cell, ...]]]:
    """Return the rows of what the functions of the objective return, but for metrics of packages, which have theirs."""
    others = [objective_values(objective, other.design) for other in data.compared]
    rows: list[tuple[str, str, tuple[Cell, ...]]] = []
    for name, value in objective_values(objective, data.design.design).items():
        if name not in own_metrics():
            beside = [*(other[name] for other in others), *(None for _ in data.design.published)]
            rows.append((name, "", (cell(name, value), *(cell(name, other, value) for other in beside))))
    return rows


def _structure(data: ReportData, designs: tuple[EvaluatedDesign, ...]) -> list[tuple[str, str, tuple[Cell, ...]]]:
    """Return the rows about the structure; published designs have the structure of this design."""
    structures = (*designs, *(data.design,) * len(data.design.published))
    planes = [_planes_text(each.plane_switches) for each in structures]
    nodes = [f"{each.network.nodes:,}" for each in structures]
    ports = [f"{each.network.family.ports}" for each in structures]
    texts_by_title = {"Planes × switches": planes, "Nodes": nodes, "Ports used per switch": ports}
    return [(title, "", tuple((text, "", "") for text in texts)) for title, texts in texts_by_title.items()]


def _planes_text(switches: tuple[int, ...]) -> str:
    if len(set(switches)) == 1:
        return f"{len(switches)} × {switches[0]:,}"
    return " + ".join(f"{count:,}" for count in switches)


def notes(data: ReportData) -> list[str]:
    """Return notes on the table."""
    found = []
    if data.compared:
        found.append("Percentages are the difference of this design from the value above them.")
    found += data.notes
    found += [note for other in data.compared if (note := other.note)]
    if not data.design.is_timed:
        found.append(untimed(data))
    has_layout = data.network.site.layout is not None
    if data.network.family.uses_site and data.design.varies_planes and not has_layout:
        found.append("There is no layout: cables, delays and costs are left out.")
    if data.design.published:
        found.append("“Equal” means within the rounding of the published number; – stands for unpublished values.")
        if has_layout and not data.design.as_in_the_paper:
            found.append(
                "Published lengths, delays and costs are left out: racks, prices or delays differ from the paper's."
            )
    return found


def untimed(data: ReportData) -> str:
    """Return which completions are left out because they would take too long, and the limit."""
    work, which = data.design.messages, " that the record does not hold" if "metrics" in data.record else ""
    messages = work.messages * work.iterations
    return (
        f"Completions{which} are left out, as they take too long to compute for a page: {messages:,} messages "
        f"times up to {work.most_active:,} at once exceed {MAX_WORK:,}. isoplane evaluate computes them."
    )
