"""Values at the points, bars and cells of a chart, which a page shows on hover, focus and touch."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from isoplane.models.arrays import Floats

LEAST_PT = 3.0  # the least width and height of a shape
REACH_PT = 5.0  # half the side of the square around a point
MOST = 4096  # of a chart: those of a larger matrix are in its data alone, or they would be most of the page

Box = tuple[float, float, float, float]  # left, bottom, right and top in data coordinates


class _Values(Artist):
    """Invisible shapes with titles, written only to SVG."""

    def __init__(self, boxes: Floats, texts: Sequence[str], reach_pt: float) -> None:
        super().__init__()
        self._boxes, self._texts, self._reach_pt = boxes, texts, reach_pt
        self.set_in_layout(False)
        self.set_zorder(10)

    def draw(self, renderer: RendererBase) -> None:
        """Write a rectangle for each value inside the axes."""
        writer: Any = getattr(renderer, "writer", None)
        axes = self.axes
        if writer is None or axes is None:
            return
        height_pt: float = renderer.height  # type: ignore[attr-defined]  # of a renderer of SVG
        corners = axes.transData.transform(self._boxes.reshape(-1, 2)).reshape(-1, 2, 2)
        low, high = corners.min(axis=1) - self._reach_pt, corners.max(axis=1) + self._reach_pt
        missing = np.maximum(0.0, LEAST_PT - (high - low)) / 2  # of bars of height 0
        low, high = low - missing, high + missing
        for ends, text in zip(np.hstack([low, high]).tolist(), self._texts, strict=True):
            box = Bbox.intersection(axes.bbox, Bbox.from_extents(*ends))
            if box is not None:
                place = {"x": box.x0, "y": height_pt - box.y1, "width": box.width, "height": box.height}
                writer.start("rect", {"class": "value", **{key: f"{value:.1f}" for key, value in place.items()}})
                writer.element("title", text=text)
                writer.end("rect")


def show_points(axes: Axes, points: Iterable[Sequence[float]], texts: Sequence[str]) -> None:
    """Show a text at each point of some axes, such as its name and its value with unit."""
    places = np.array(list(points), dtype=np.float64).reshape(-1, 2)
    axes.add_artist(_Values(np.hstack([places, places]), texts, REACH_PT))


def show_boxes(axes: Axes, boxes: Iterable[Box], texts: Sequence[str]) -> None:
    """Show a text in each box of some axes, such as the cells of a matrix; none if they are more than `MOST`."""
    if len(texts) <= MOST:
        axes.add_artist(_Values(np.array(list(boxes), dtype=np.float64).reshape(-1, 4), texts, 0.0))


def show_bars(bars: BarContainer, texts: Sequence[str]) -> None:
    """Show a text on each bar."""
    if bars.patches:
        extents = [patch.get_bbox().extents for patch in bars.patches]
        show_boxes(bars.patches[0].axes, extents, texts)  # type: ignore[arg-type]  # that of a drawn bar


def show_drawn(figure: Figure, most: int = 100) -> None:
    """Show at the points of lines and on the bars of a figure what its legend and the titles of its axes say of them.

    Parameters
    ----------
    figure
        A figure whose panels have titles of axes with units.
    most
        Of longer lines, only points at equal steps show a text.
    """
    for axes in figure.axes:
        x_title, y_title = (" ".join(text.split()) for text in (axes.get_xlabel(), axes.get_ylabel()))
        for line in axes.get_lines():
            points = np.asarray(line.get_xydata(), dtype=np.float64)
            if line.get_transform() is not axes.transData or not len(points):  # such as a limit across the panel
                continue
            chosen = points[:: -(-len(points) // most)].tolist()
            name = _named(line)
            show_points(axes, chosen, [f"{name}{x_title} {x:,.6g}, {y_title} {y:,.6g}" for x, y in chosen])
        for bars in axes.containers:
            if isinstance(bars, BarContainer):
                heights = [patch.get_height() for patch in bars.patches]
                show_bars(bars, [f"{_named(bars)}{y_title} {height:,.6g}" for height in heights])


def _named(artist: Artist | BarContainer) -> str:
    name = str(artist.get_label())
    return "" if name.startswith("_") else f"{' '.join(name.split())}: "
