"""How evenly all-to-all traffic loads the generators."""

from dataclasses import dataclass

from matplotlib.axes import Axes

from ..report_data import EvaluatedNetwork, ReportData
from .drawing import LIGHT, PLANE_COLOURS, Picture, counted, label, new_figure, picture

MANY_LINKS = 9  # with more, the labels of the bars stand upright


@dataclass(frozen=True)
class LoadBar:
    """Packets over the links of one generator when every offset sends two packets."""

    plane: int
    generator: int
    folded_link: bool
    packets: int
    busiest: bool

    @property
    def name(self) -> str:
        """The generator's value, and whether it is the folded link."""
        return f"{self.generator}\nfolded" if self.folded_link else str(self.generator)


def load_bars(design: EvaluatedNetwork) -> list[LoadBar]:
    """Return a bar for every link of a switch in every plane, in the order of `Cube.links`."""
    return [
        LoadBar(p, generator, k == plane.n, packets, packets == design.exact.max_load)
        for p, (plane, loads) in enumerate(zip(design.network.cubes.planes, design.exact.loads, strict=True))
        for k, (generator, packets) in enumerate(zip(plane.links, loads, strict=True))
    ]


def loads(data: ReportData) -> Picture:
    """Draw the load of every generator, plane by plane, with the busiest ones and the baseline marked."""
    bars = load_bars(data.design)
    figure = new_figure(3.3)
    for plane, axes in enumerate(figure.subplots(1, 2, sharey=True)):
        _plane(axes, plane, [bar for bar in bars if bar.plane == plane], data)
        label(axes, "generator (decimal)", "" if plane else "load (packets)")
        counted(axes)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return picture(
        figure,
        "loads",
        "With two packets from every offset, the busiest generators (outlined) limit all-to-all traffic: the lower the "
        "tallest bar, the more every node can send.",
    )


def _plane(axes: Axes, plane: int, bars: list[LoadBar], data: ReportData) -> None:
    places = range(len(bars))
    heights = [bar.packets for bar in bars]
    edges = [LIGHT["alarm"] if bar.busiest else "none" for bar in bars]
    drawn = axes.bar(places, heights, color=PLANE_COLOURS[plane], edgecolor=edges, linewidth=1.8, width=0.72)
    names = [bar.name for bar in bars]
    if len(bars) > MANY_LINKS:
        axes.bar_label(drawn, label_type="center", fontsize=7.5, color=LIGHT["surface"], rotation=90)
        axes.set_xticks(places, names, rotation=90)
    else:
        axes.bar_label(drawn, padding=2, fontsize=8, color=LIGHT["ink"])
        axes.set_xticks(places, names)
    axes.set_title(f"Plane {plane}")
    axes.margins(y=0.12)
    most, before = data.design.exact.max_load, data.identical.exact.max_load
    axes.axhline(most, color=LIGHT["alarm"], linewidth=1.1, label=f"busiest generator of this design: {most:,}")
    axes.axhline(
        before, color=LIGHT["baseline"], linewidth=1.2, linestyle=(0, (4, 3)), label=f"of identical planes: {before:,}"
    )
