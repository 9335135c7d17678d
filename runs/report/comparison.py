"""The table: the design against the baselines and the published designs."""

from dataclasses import dataclass

from isoplane.runs.published import PublishedDesign

from .quantities import QUANTITIES, change, verdict, written
from .report_data import PRINTED_AS, EvaluatedNetwork, ReportData, as_in_the_paper, published_precision

# With Port-Aggregate a switch has half the nodes and there are twice as many offsets: these rows count something else.
NOT_COMPARABLE = frozenset({"sum_of_distances", "max_load", "max_traffic"})
OF_THE_PAPERS_RACKS = frozenset({"cable_length_m", "delay_paper_ns", "cost_usd_per_node"})
ROUNDING_OF_FLOATS = 1e-9


@dataclass(frozen=True)
class Cell:
    """A value, and by how much the design is better or worse than it."""

    value: str
    change: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Row:
    """A metric over all columns."""

    title: str
    unit: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """Columns and rows; `notes` explain what is missing or rounded."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def comparison(data: ReportData) -> Table:
    """Return every metric of the design, the identical planes, Port-Aggregate and the published designs."""
    rated = [data.design, data.identical, *([data.port_aggregate] if data.port_aggregate else [])]
    rows = [*_structure(rated, len(data.published))]
    for metric, quantity in QUANTITIES.items():
        own, *others = [_value(network, metric) for network in rated]
        if own is None:
            continue
        cells = [Cell(written(metric, own)), *(_cell(metric, value, own) for value in others)]
        if data.port_aggregate and metric in NOT_COMPARABLE:
            cells[2] = Cell(cells[2].value)
        cells += [_published_cell(data, design, metric, own) for design in data.published]
        rows.append(Row(quantity.title, quantity.unit, tuple(cells)))
    columns = [network.title for network in rated] + [
        "Published " + design.network.replace("-", "\N{NON-BREAKING HYPHEN}") for design in data.published
    ]
    return Table(tuple(columns), tuple(rows), _notes(data))


def _value(rated: EvaluatedNetwork, metric: str) -> float | None:
    return rated.max_traffic_per_node if metric == "max_traffic_per_node" else rated.metrics[metric]


def _cell(metric: str, value: float | None, design: float) -> Cell:
    if value is None:
        return Cell(written(metric, value))
    return Cell(written(metric, value), change(design, value), verdict(metric, design, value))


def _published_cell(data: ReportData, published: PublishedDesign, metric: str, design: float) -> Cell:
    """Return what the paper printed; a difference within its rounding is none."""
    divisor = data.network.cubes.nodes_per_switch if metric == "max_traffic_per_node" else 1
    source = "max_traffic" if metric == "max_traffic_per_node" else metric
    if source not in PRINTED_AS or (source in OF_THE_PAPERS_RACKS and not as_in_the_paper(data.network)):
        return Cell(written(metric, None))
    printed = getattr(published, source)
    precision = published_precision(published.network, data.network.cubes.n, source)
    if printed is not None and abs(design * divisor - printed) <= precision + ROUNDING_OF_FLOATS:
        return Cell(written(metric, printed / divisor), "equal", "same")
    return _cell(metric, None if printed is None else printed / divisor, design)


def _structure(rated: list[EvaluatedNetwork], published: int) -> list[Row]:
    """Return the rows that say what is built; published designs are built like this one."""
    built = [rated[0]] * published
    networks = [each.network for each in (*rated, *built)]
    planes = [Cell(f"{len(network.cubes.planes)} × {network.cubes.plane_switches:,}") for network in networks]
    nodes = [Cell(f"{network.nodes:,}") for network in networks]
    ports = [Cell(f"{network.cubes.ports}") for network in networks]
    return [
        Row("Planes × switches", "", tuple(planes)),
        Row("Nodes", "", tuple(nodes)),
        Row("Ports used per switch", "", tuple(ports)),
    ]


def _notes(data: ReportData) -> tuple[str, ...]:
    notes = ["Percentages say by how much this design differs from the value above them."]
    if data.port_aggregate is not None:
        notes.append(
            "Port-Aggregate puts both ports of every node into one cube of dimension n + 1 with half as many nodes at "
            "each switch, so sums, loads and traffic of one node at each switch count something else there; compare "
            "the traffic of a real node."
        )
    notes += data.missing
    if data.network.site.layout is None:
        notes.append("There is no layout: cables, delays and costs are left out.")
    if data.published:
        notes.append("“Equal” means within the rounding of the published number; – stands for what was not published.")
        if data.network.site.layout is not None and not as_in_the_paper(data.network):
            notes.append(
                "Published lengths, delays and costs are left out: racks, prices or delays differ from the paper's."
            )
    return tuple(notes)
