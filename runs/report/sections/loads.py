"""Link loads under all-to-all traffic: by generator for cubes, otherwise of all links in descending order."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from isoplane.models.device_names import switch_name
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, integer_axis, label, new_figure, picture
from isoplane.runs.drawing.values import show_bars, show_boxes

from ..designs.evaluated import EvaluatedDesign
from ..report_data import ReportData

ORDER = 50
KINDS = ("switches", "cubes")
BUSIEST = 10  # links in the table
MANY_LINKS = 9  # with more, the labels of the bars are vertical


def block(data: ReportData) -> Block | None:
    """Return the chart of a network of switches."""
    bars = data.design.generator_loads
    if bars:
        return Block("loads", "Load of every generator", [_bars(bars, data.baseline)])
    if not data.design.loads.peak:
        return None
    rows = busiest_links(data.design)
    table = [Part.table(rows, heading="Busiest links")] if rows else []
    return Block("loads", "Load of every link", [_curves(data.design), *table])


def loads_by_plane(design: EvaluatedDesign) -> list[Sequence[float]]:
    """Return the loads of all links of each plane in packets, descending; each direction of a cable is a link."""
    found: list[Sequence[float]] = []
    for number, plane in enumerate(design.network.planes):
        all_links = design.loads.packets(number)[plane.topology.peer >= 0]
        found.append(np.sort(all_links)[::-1].tolist())
    return found


def busiest_links(design: EvaluatedDesign) -> list[list[str]]:
    """Return a table of the busiest links, header first; empty if all links have the same load.

    Devices have the names of an existing fabric, or else those of exports; ports are numbered from 1.
    """
    network, found = design.network, list[tuple[float, int, int, int]]()
    for number, plane in enumerate(network.planes):
        switches, ports = np.nonzero(plane.topology.peer >= 0)
        loads = design.loads.packets(number)[switches, ports].tolist()
        # Negative, so that one ascending sort has the busiest first, and equal loads in the order of ports.
        found += [(-load, number, *end) for load, *end in zip(loads, switches.tolist(), ports.tolist(), strict=True)]
    found.sort()
    if found[0][0] == found[-1][0]:
        return []
    name = network.family.names.switch if network.family.names else switch_name
    rows = [["from", "port", "to", "port", "load (packets)"]]
    for load, number, switch, port in found[:BUSIEST]:
        topology = network.planes[number].topology
        far = name(number, int(topology.peer[switch, port])), str(topology.peer_port[switch, port] + 1)
        rows.append([name(number, switch), str(port + 1), *far, f"{-load:,.6g}"])
    return rows


def _curves(design: EvaluatedDesign) -> Part:
    """Draw the loads of all links of each plane, the busiest first."""
    figure = new_figure(3.0)
    axes = figure.subplots()
    data: list[tuple[object, ...]] = [("plane", "load_packets", "links")]
    for number, loads in enumerate(loads_by_plane(design)):
        share = (np.arange(len(loads)) + 0.5) / max(1, len(loads)) * 100
        levels, counts = np.unique(loads, return_counts=True)
        data += [(number, f"{load:.12g}", count) for load, count in zip(levels, counts.tolist(), strict=True)]
        _show_levels(axes, number, levels[::-1], counts[::-1])
        colour = PLANE_COLOURS[number % len(PLANE_COLOURS)]
        axes.plot(share, loads, color=colour, linewidth=1.6, drawstyle="steps-mid", label=f"plane {number}")
    busiest = design.loads.peak / design.loads.peak_parts
    title = f"busiest link: {busiest:,.6g}"
    axes.axhline(busiest, color=LIGHT["alarm"], linewidth=1.1, linestyle=(0, (4, 3)), label=title)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 1.08 * busiest)
    label(axes, "links, the busiest first (%)", "load (packets)", "both")
    return _add_caption(
        figure,
        axes,
        "Load of each link if every node sends a packet to every node: the flatter the line, the more evenly the "
        "routes use the cables.",
        data,
    )


def _show_levels(axes: Axes, plane: int, levels: NDArray[np.float64], counts: NDArray[np.int64]) -> None:
    """Show below each step of a line how many links have this load."""
    ends = 100 * np.concatenate([[0], np.cumsum(counts)]) / max(1, int(counts.sum()))
    boxes = [(left, 0.0, right, load) for left, right, load in zip(ends, ends[1:], levels, strict=False)]
    pairs = zip(levels.tolist(), counts.tolist(), strict=True)
    texts = [f"plane {plane}: {count:,} links with a load of {load:,.6g} packets" for load, count in pairs]
    show_boxes(axes, boxes, texts)


def _bars(planes: Sequence[Sequence[tuple[str, int]]], baseline: EvaluatedDesign | None) -> Part:
    """Draw the load of every generator, plane by plane, with the busiest ones and the baseline marked."""
    largest = max(packets for bars in planes for _, packets in bars)
    figure = new_figure(3.3)
    panels = figure.subplots(1, len(planes), sharey=True, squeeze=False)[0]
    for plane, (axes, bars) in enumerate(zip(panels, planes, strict=True)):
        _plane(axes, plane, bars, largest)
        if baseline is not None and baseline.exact is not None:
            baseline_load = baseline.exact.max_load
            title = f"busiest of {baseline.title.lower()}: {baseline_load:,}"
            axes.axhline(baseline_load, color=LIGHT["baseline"], linewidth=1.2, linestyle=(0, (4, 3)), label=title)
        label(axes, "generator (decimal)", "" if plane else "load (packets)")
        integer_axis(axes)
    return _add_caption(
        figure,
        axes,
        "With two packets from every switch to every other (the picture of the network counts one from every node to "
        "every node), the busiest generators (outlined) limit all-to-all traffic: the lower the highest bar, the more "
        "every node can send.",
        [("plane", "generator", "load_packets"), *((plane, *bar) for plane, bars in enumerate(planes) for bar in bars)],
    )


def _add_caption(figure: Figure, axes: Axes, caption: str, data: Sequence[tuple[object, ...]]) -> Part:
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return picture(figure, "loads", caption, data)


def _plane(axes: Axes, plane: int, bars: Sequence[tuple[str, int]], largest: int) -> None:
    places = range(len(bars))
    names, heights = zip(*bars, strict=True)
    edges = [LIGHT["alarm"] if packets == largest else "none" for packets in heights]
    drawn = axes.bar(places, heights, color=PLANE_COLOURS[plane], edgecolor=edges, linewidth=1.8, width=0.72)
    texts = [f"plane {plane}, generator {name}: {packets:,} packets" for name, packets in bars]
    show_bars(drawn, [text.replace("\n", ", ") for text in texts])
    if len(bars) > MANY_LINKS:
        axes.bar_label(drawn, label_type="center", fontsize=7.5, color=LIGHT["surface"], rotation=90)
        axes.set_xticks(places, names, rotation=90)
    else:
        axes.bar_label(drawn, padding=2, fontsize=8, color=LIGHT["ink"])
        axes.set_xticks(places, names)
    axes.set_title(f"Plane {plane}")
    axes.margins(y=0.12)
    title = f"busiest generator of this design: {largest:,}"
    axes.axhline(largest, color=LIGHT["alarm"], linewidth=1.1, label=title)
