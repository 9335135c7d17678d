"""What the money is spent on."""

from dataclasses import dataclass

from matplotlib.axes import Axes

from isoplane.models import InputError, Network
from isoplane.models.checks import millimetres
from isoplane.objectives import ExactMetrics
from isoplane.objectives.costs import fixed_cents

from ..report_data import EvaluatedNetwork, ReportData
from .drawing import LIGHT, Picture, label, new_figure, picture

PARTS = (
    ("nics_cents", "network interfaces", "baseline", "surface"),
    ("switches_cents", "switches", "nearest", "surface"),
    ("node_cables_cents", "node cables", "aggregate", "surface"),
    ("switch_cables_cents", "switch cables", "published", "surface"),
)


@dataclass(frozen=True)
class CostParts:
    """The price of a whole network by what is bought, in cents; the four add up to the network's cost exactly."""

    nics_cents: int
    switches_cents: int
    node_cables_cents: int
    switch_cables_cents: int

    @property
    def total_cents(self) -> int:
        """The price of the whole network."""
        return self.nics_cents + self.switches_cents + self.node_cables_cents + self.switch_cables_cents


def cost_parts(network: Network, exact: ExactMetrics) -> CostParts:
    """Split the cost of a network.

    Raises
    ------
    InputError
        If there is no layout.

    References
    ----------
    Hosomi et al. 2021, section 3.3.1 and Table 3.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import exact_metrics
    >>> network = dual_cube(8, tuple(1 << i for i in range(8)))
    >>> cost_parts(network, exact_metrics(network)).nics_cents // (100 * network.nodes)
    485
    """
    if network.site.layout is None or exact.cost_cents is None:
        raise InputError("layout=none: the cost needs a layout")
    _, node_cable = network.site.prices.cable_for_mm(millimetres("", network.site.layout.node_cable_m))
    nics = network.nodes * network.site.prices.nic_cents(network.cubes.node_ports)
    node_cables = network.nodes * network.cubes.node_ports * node_cable
    fixed = fixed_cents(network)
    return CostParts(nics, fixed - nics - node_cables, node_cables, exact.cost_cents - fixed)


def costs(data: ReportData) -> Picture:
    """Draw a bar for the design and for each baseline, split into what is bought."""
    networks = [data.design, data.identical]
    if data.port_aggregate is not None:
        networks.append(data.port_aggregate)
    figure = new_figure(0.9 + 0.5 * len(networks))
    axes = figure.subplots()
    for place, evaluated in enumerate(networks):
        _bar(axes, place, evaluated)
    axes.set_yticks(range(len(networks)), [rated.title for rated in networks])
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
        "The length of a bar is what a network costs for each node, divided into what is bought; the number at its end "
        "is the total, and only the switch cables differ between the design and identical planes.",
    )


def _bar(axes: Axes, place: int, evaluated: EvaluatedNetwork) -> None:
    parts, nodes = cost_parts(evaluated.network, evaluated.exact), evaluated.network.nodes
    left = 0.0
    for part, title, colour, text in PARTS:
        width = getattr(parts, part) / (100 * nodes)
        bar = axes.barh(place, width, 0.6, left, color=LIGHT[colour], edgecolor=LIGHT["surface"], label=title)
        axes.bar_label(bar, [f"{width:,.0f}"], label_type="center", color=LIGHT[text], fontsize=8)
        left += width
    axes.annotate(f"{left:,.2f}", (left, place), (5, 0), textcoords="offset points", va="center", fontweight="bold")
