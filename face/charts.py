"""Pictures of results: points and lines in panels, drawn in the style of the pages."""

import io
import sys
from collections.abc import Sequence
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isoplane.runs.drawing.drawing import PLANE_COLOURS, drawing_style, label, new_figure

from .panels import ACROSS, BARS, Panel, Series

HEIGHT_IN, WIDTH_IN = 3.4, 8.6
LONGEST_LEGEND = 3  # series whose names have room above a panel
LONGEST_TITLE = 32  # characters of a line of the title of a vertical axis
NAME_IN, MARGIN_IN = 0.15, 0.3  # of a longer legend, which is as high as the picture


def drawn(panels: Sequence[Panel], figsize: tuple[float, float] | None = None, title: str | None = None) -> Figure:
    """Return a figure with the panels side by side, of a width and height in inches, below a title."""
    _show_in_notebook()
    is_long = all(len(series) > LONGEST_LEGEND and series[0][3] not in (BARS, ACROSS) for *_, series in panels)
    if figsize is None:
        names = max(len(series) for *_, series in panels) if is_long else 0
        figsize = WIDTH_IN if len(panels) > 1 else WIDTH_IN / 1.6, max(HEIGHT_IN, names * NAME_IN + MARGIN_IN)
    width, height = figsize
    with drawing_style():
        figure = new_figure(height, width)
        figure.set_facecolor("white")
        if title is not None:
            figure.suptitle(title)
        for axes, (x_title, y_title, series) in zip(
            figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True
        ):
            for number, line in enumerate(series):
                _draw(axes, line, PLANE_COLOURS[number % len(PLANE_COLOURS)], number, len(series))
            label(axes, x_title, fill(y_title, LONGEST_TITLE), "both")
            if any(name for name, *_ in series) and not is_long:  # above, where it hides nothing
                axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2)
        if is_long:  # the same names in all panels
            figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", fontsize=7)
    return figure


def _draw(axes: Axes, series: Series, colour: str, number: int, total: int) -> None:
    """Draw a series, one of several with a number each."""
    name, x, y, form = series
    if form == ACROSS:
        axes.barh(x, y, color=colour, label=name)
        axes.invert_yaxis()
        axes.axvline(0, color=colour, linewidth=0.8)
    elif form == BARS:
        pitch = 0.84 / total
        shift = (number - (total - 1) / 2) * pitch
        axes.bar([place + shift for place in range(len(x))], y, 0.93 * pitch, color=colour, label=name)
        axes.set_xticks(range(len(x)), [str(value) for value in x])
    else:
        axes.plot(x, y, form, color=colour, markersize=4, linewidth=1.2, label=name)


def picture_bytes(figure: Figure, ending: str) -> bytes:
    """Return a figure as SVG, PDF or PNG; the same bytes for the same numbers.

    Parameters
    ----------
    figure
        The figure.
    ending
        ``.svg``, ``.pdf`` or ``.png``.
    """
    import matplotlib as mpl

    buffer = io.BytesIO()
    kind = ending.removeprefix(".")
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with drawing_style(), mpl.rc_context({"svg.hashsalt": "isoplane"}):
        figure.savefig(buffer, format=kind, dpi=150, metadata=dates)
    return buffer.getvalue()


def _show_in_notebook() -> None:
    """Let a running notebook show figures of matplotlib, which it otherwise does only once pyplot is imported."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        from IPython.core.pylabtools import select_figure_formats

        select_figure_formats(shell, {"svg"})
