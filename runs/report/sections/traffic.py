"""Traffic matrix of a workload, with processes in the order of their nodes."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from isoplane.models import OpticalFamily
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, label, new_figure, picture
from isoplane.runs.drawing.heat import Numbers, group_squares, level_ends, level_of, square_axes, squares, strengths
from isoplane.runs.drawing.quantities import byte_unit, bytes_text, format_significant
from isoplane.runs.drawing.values import show_boxes

from ..designs.evaluated_circuits import EvaluatedCircuits, with_circuits
from ..report_data import ReportData

ORDER = 31
KINDS = ("circuits",)
MAX_BLOCKS = 128  # per side; with more nodes several share a square
THICK_BORDERS = 9  # with more borders of groups, their lines are thin
LEGEND_COLUMNS = 5
CELLS = (("inside a group", "plane0"), ("between groups", "plane1"), ("joined by a circuit", "published"))


def block_starts(hybrid: OpticalFamily, most: int = MAX_BLOCKS) -> tuple[int, ...]:
    """Return the starts of at most `most` blocks of nodes (equal parts of a group, or a few whole groups), and the end.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> block_starts(Hybrid(2, 6), 5), block_starts(Hybrid(3, 7), 2)
    ((0, 3, 6, 9, 12), (0, 14, 21))
    """
    size = hybrid.nodes_per_group
    parts = [part for part in range(1, size + 1) if size % part == 0 and hybrid.nodes // part <= most]
    step = parts[0] if parts else size * -(-hybrid.groups // most)
    return (*range(0, hybrid.nodes, step), hybrid.nodes)


def traffic_of(design: EvaluatedCircuits, most: int = MAX_BLOCKS) -> tuple[tuple[int, ...], Numbers, Numbers]:
    """Return the traffic of an iteration from rows to columns, between blocks of consecutive nodes.

    Returns
    -------
    tuple[int, ...]
        First node of every block, and the number of nodes.
    int64[blocks, blocks]
        Bytes.
    int64[blocks, blocks]
        Index into `CELLS`; circuits are marked only if each block is one node.
    """
    hybrid = design.hybrid
    starts = block_starts(hybrid, most)
    order = design.placement.processes
    by_node = design.messages.matrix()[np.ix_(order, order)]
    first = np.array(starts[:-1])
    sent = np.add.reduceat(np.add.reduceat(by_node, first, axis=0), first, axis=1)
    group = hybrid.group[first]
    kind = (group[:, None] != group[None, :]).astype(np.int64)
    if len(sent) == hybrid.nodes:
        for a, b in design.circuits.pairs:
            kind[a, b] = kind[b, a] = 2
    return starts, sent, kind


def group_matrix(design: EvaluatedCircuits) -> Numbers:
    """Return the bytes of an iteration between groups."""
    order = design.placement.processes
    return design.hybrid.between_groups(design.messages.matrix()[np.ix_(order, order)])


def block(data: ReportData) -> Block | None:
    """Return the chart of a workload between groups of nodes."""
    if data.workload is None:
        return None
    return Block("traffic", "Traffic between processes", [_chart(with_circuits(data.design))])


def _chart(design: EvaluatedCircuits) -> Part:
    """Draw both matrices side by side."""
    starts, sent, kind = traffic_of(design)
    single = len(sent) == design.hybrid.nodes  # each block is one node
    figure = new_figure(5.0)
    left, right = figure.subplots(1, 2)
    ends = _blocks(left, starts, sent, kind, design.hybrid)
    size = "node" if single else f"block of {starts[1]:,} nodes"
    left.set_title(f"By {size}")
    label(left, "to the process of node (number)", "from the process of node (number)", None)
    between = group_matrix(design)
    scale, unit = byte_unit(int(between.max()))
    group_squares(right, between, lambda sent: format_significant(sent / scale, 3), "plane1", f" {unit}")
    right.set_title(f"By group ({unit})")
    label(right, "to group", "from group", None)
    cells = CELLS if single and len(design.circuits) else CELLS[:2]
    handles = [Patch(facecolor=LIGHT[colour], label=name) for name, colour in cells]
    handles += [
        Patch(facecolor=LIGHT["ink"], alpha=strength, label=_level_text(ends, level))
        for level, strength in enumerate(strengths(len(ends)))
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), LEGEND_COLUMNS))
    found = np.argwhere(sent > 0)
    drawn = [(int(row), int(column), int(sent[row, column]), CELLS[kind[row, column]][0]) for row, column in found]
    name = "node" if single else "block from node"
    data = [(f"from {name}", f"to {name}", "bytes", "kind"), *((starts[i], starts[j], *rest) for i, j, *rest in drawn)]
    texts = [f"{name} {starts[i]} to {starts[j]}: {bytes_text(size)}, {where}" for i, j, size, where in drawn]
    show_boxes(left, [(j - 0.5, i - 0.5, j + 0.5, i + 0.5) for i, j, *_ in drawn], texts)
    return picture(
        figure,
        "traffic",
        "Each square is the traffic from the process of one node to that of another in an iteration; the lines are the "
        "borders of groups, and only traffic outside the diagonal blocks leaves a group."
        if single
        else "Each square is the total traffic between two blocks of nodes in an iteration, because there are too many "
        "nodes to draw; traffic outside the diagonal blocks leaves a group.",
        data,
    )


def _blocks(axes: Axes, starts: tuple[int, ...], sent: Numbers, kinds: Numbers, hybrid: OpticalFamily) -> list[float]:
    """Draw all squares; return the ends of the levels."""
    ends = level_ends(sent[sent > 0])
    levels = level_of(sent, ends)
    for kind, (_, colour) in enumerate(CELLS):
        for level, strength in enumerate(strengths(len(ends))):
            squares(axes, (sent > 0) & (levels == level) & (kinds == kind), LIGHT[colour], strength)
    square_axes(axes, len(sent))
    borders = [block - 0.5 for block, start in enumerate(starts) if start % hybrid.nodes_per_group == 0]
    if len(borders) <= MAX_BLOCKS // 2:
        for border in borders[1:-1]:
            axes.axhline(border, color=LIGHT["muted"], linewidth=0.6 if len(borders) <= THICK_BORDERS else 0.25)
            axes.axvline(border, color=LIGHT["muted"], linewidth=0.6 if len(borders) <= THICK_BORDERS else 0.25)
    ticks = range(0, len(sent), max(1, (len(sent) + 7) // 8))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(ticks, [f"{starts[tick]}" for tick in ticks])
    return ends


def _level_text(ends: list[float], level: int) -> str:
    return f"up to {bytes_text(ends[level])}" if len(ends) > 1 else bytes_text(ends[level])
