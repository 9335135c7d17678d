"""The parts of the cost."""

from matplotlib.axes import Axes

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, label, new_figure, picture
from isoplane.runs.drawing.values import show_bars

from ..designs.evaluated import EvaluatedDesign
from ..report_data import ReportData

ORDER = 90
PARTS = (  # in the order of `cost_cents`, with their colours
    ("network interfaces", "baseline"),
    ("switches", "nearest"),
    ("node cables", "aggregate"),
    ("switch cables", "published"),
)


def block(data: ReportData) -> Block | None:
    """Return the chart of a network with a price."""
    if data.design.metrics.get("cost_usd_per_node") is None:
        return None
    return Block("costs", "Cost breakdown", [_chart(data)])


def _chart(data: ReportData) -> Part:
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
        [
            ("network", *(f"{title} (US$ per node)" for title, _ in PARTS)),
            *((design.title, *_usd_per_node(design)) for design in designs),
        ],
    )


def _usd_per_node(design: EvaluatedDesign) -> list[float]:
    return [cents / (100 * design.network.nodes) for cents in design.cost_cents()]


def _bar(axes: Axes, place: int, design: EvaluatedDesign) -> None:
    left = 0.0
    for width, (title, colour) in zip(_usd_per_node(design), PARTS, strict=True):
        bar = axes.barh(place, width, 0.6, left, color=LIGHT[colour], edgecolor=LIGHT["surface"], label=title)
        axes.bar_label(bar, [f"{width:,.0f}" if width else ""], label_type="center", color=LIGHT["surface"], fontsize=8)
        show_bars(bar, [f"{design.title}, {title}: {width:,.2f} US$ per node"])
        left += width
    axes.annotate(f"{left:,.2f}", (left, place), (5, 0), textcoords="offset points", va="center", fontweight="bold")
