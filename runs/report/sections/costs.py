"""The parts of the cost."""

from dataclasses import dataclass

from matplotlib.axes import Axes

from isoplane.models import Network
from isoplane.models.checks import millimetres
from isoplane.objectives.costs.bill import bill_of
from isoplane.objectives.cubes.costs import fixed_cents
from isoplane.runs.drawing.block import Block, Chart
from isoplane.runs.drawing.drawing import LIGHT, Picture, label, new_figure, picture

from ..designs.evaluated import EvaluatedDesign
from ..designs.evaluated_cubes import EvaluatedCubes
from ..report_data import ReportData
from .cables import cable_counts

ORDER = 90
PARTS = (
    ("nics_cents", "network interfaces", "baseline", "surface"),
    ("switches_cents", "switches", "nearest", "surface"),
    ("node_cables_cents", "node cables", "aggregate", "surface"),
    ("switch_cables_cents", "switch cables", "published", "surface"),
)


@dataclass(frozen=True)
class CostParts:
    """The price of a network by part, in cents; the four add up to its cost exactly."""

    nics_cents: int
    switches_cents: int
    node_cables_cents: int
    switch_cables_cents: int

    @property
    def total_cents(self) -> int:
        """The price of the whole network."""
        return self.nics_cents + self.switches_cents + self.node_cables_cents + self.switch_cables_cents


def block(data: ReportData) -> Block | None:
    """Return the chart of a network with a price."""
    if data.design.metrics.get("cost_usd_per_node") is None:
        return None
    return Block("costs", "Cost breakdown", [Chart(_chart(data))])


def cost_parts(design: EvaluatedDesign) -> CostParts:
    """Split the cost of a network of switches on a site with a layout.

    Nodes of a direct network need neither interfaces nor cables.

    References
    ----------
    Hosomi et al. 2021, section 3.3.1 and Table 3.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> network = dual_cube(8, tuple(1 << i for i in range(8)))
    >>> cost_parts(EvaluatedCubes("", Design(network))).nics_cents // (100 * network.nodes)
    485
    """
    network, exact, prices = design.network, design.exact, design.network.site.prices
    if isinstance(design, EvaluatedCubes) and exact is not None and exact.cost_cents is not None:
        # Port-Aggregate as well, without building its planes.
        ports, fixed = design.cubes.node_ports, fixed_cents(network)
        layout = network.site.layout
        assert layout is not None
        nics, cables = _node_cents(network, ports, millimetres("", layout.node_cable_m))
        return CostParts(nics, fixed - nics - cables, cables, exact.cost_cents - fixed)
    bill = bill_of(network)
    nics, switches = bill.class_cents("nic"), bill.class_cents("switch")
    between = sum(
        prices.cable_for_mm(mm)[1] * count for counts in cable_counts(network) for mm, count in counts.items()
    )
    return CostParts(nics, switches, bill.total_cents - nics - switches - between, between)


def _node_cents(network: Network, ports: int, cable_mm: int) -> tuple[int, int]:
    """Return the price of all interfaces and of all node cables, in cents."""
    prices = network.site.prices
    return network.nodes * prices.nic_cents(ports), network.nodes * ports * prices.cable_for_mm(cable_mm)[1]


def _chart(data: ReportData) -> Picture:
    """Draw one bar for the design and each alternative, split into parts."""
    designs = (data.design, *data.compared)
    figure = new_figure(0.9 + 0.5 * len(designs))
    axes = figure.subplots()
    for place, design in enumerate(designs):
        _bar(axes, place, design)
    axes.set_yticks(range(len(designs)), [design.title for design in designs])
    axes.invert_yaxis()
    label(axes, "cost (US$ per node)", "", grid=None)
    axes.tick_params(axis="y", length=0, labelcolor=LIGHT["ink"])
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.margins(x=0.1)
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles[: len(PARTS)], names[: len(PARTS)], loc="outside upper left", ncols=len(PARTS))
    return picture(
        figure,
        "costs",
        "The length of a bar is the cost of a network per node, divided into its parts; the number at its end is the "
        "total.",
    )


def _bar(axes: Axes, place: int, design: EvaluatedDesign) -> None:
    parts, nodes = cost_parts(design), design.network.nodes
    left = 0.0
    for part, title, colour, text in PARTS:
        width = getattr(parts, part) / (100 * nodes)
        bar = axes.barh(place, width, 0.6, left, color=LIGHT[colour], edgecolor=LIGHT["surface"], label=title)
        axes.bar_label(bar, [f"{width:,.0f}" if width else ""], label_type="center", color=LIGHT[text], fontsize=8)
        left += width
    axes.annotate(f"{left:,.2f}", (left, place), (5, 0), textcoords="offset points", va="center", fontweight="bold")
