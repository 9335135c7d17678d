"""Style of all charts, and their conversion to inline SVG in the colours of the page."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from isoplane.models.files.exact_text import csv_text

from .block import Part

WIDTH_IN = 10.2  # drawn at 72 points per inch, scaled to the page width
SPOKEN_VALUES = 24  # in the text alternative of a chart

# Charts are drawn in the light colours; in the SVG each becomes a CSS variable, for a dark page. Text on bars has the
# colour of the surface, and so do the bars beside it: all but lines and racks have a contrast of 4.5 with the surface.
LIGHT: Mapping[str, str] = {
    "surface": "#ffffff",
    "ink": "#1d2733",
    "muted": "#5d6b7a",
    "line": "#d5dbe3",
    "rack": "#eaeef3",
    "plane0": "#2f6fdb",
    "plane1": "#b85c10",
    "nearest": "#7a4fc9",
    "baseline": "#6b7788",
    "aggregate": "#87722f",
    "published": "#0b8069",
    "alarm": "#c4264f",
    "heat0": "#a9bfd9",
    "heat1": "#6f9bdc",
    "heat2": "#8a63c8",
    "heat3": "#b5408f",
    "heat4": "#c8203c",
}
DARK: Mapping[str, str] = {
    "surface": "#14191f",
    "ink": "#e6ebf1",
    "muted": "#a3afbc",
    "line": "#36414d",
    "rack": "#252e38",
    "plane0": "#6b9ff5",
    "plane1": "#f0994d",
    "nearest": "#b195ee",
    "baseline": "#77879a",
    "aggregate": "#9d8a57",
    "published": "#3fc2a6",
    "alarm": "#f26d8d",
    "heat0": "#4a5f7d",
    "heat1": "#5a8be0",
    "heat2": "#9a7be8",
    "heat3": "#d05fb4",
    "heat4": "#ff5c7a",
}
PLANES = ("plane0", "plane1", "published", "aggregate", "baseline", "muted", "alarm", "ink")  # names of colours
PLANE_COLOURS = tuple(LIGHT[name] for name in PLANES)
RELAY_COLOURS: Mapping[str, str] = {"messages": "plane0", "packets": "plane1"}  # names of colours by relay mode

STYLE: Mapping[Any, object] = {  # newer versions of matplotlib list all keys as literals, older ones accept any text
    "axes.edgecolor": LIGHT["muted"],
    "axes.labelcolor": LIGHT["ink"],
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": LIGHT["ink"],
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.axisbelow": True,
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "grid.color": LIGHT["line"],
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.fontsize": 8.5,
    # Without a frame, handles of a legend inside the axes look like data.
    "legend.edgecolor": LIGHT["line"],
    "legend.facecolor": LIGHT["surface"],
    "legend.fancybox": False,
    "pdf.fonttype": 42,  # TrueType: publishers refuse Type 3
    "svg.fonttype": "none",
    "text.color": LIGHT["ink"],
    "xtick.color": LIGHT["muted"],
    "xtick.labelsize": 8.5,
    "ytick.color": LIGHT["muted"],
    "ytick.labelsize": 8.5,
}


@contextmanager
def drawing_style() -> Iterator[None]:
    """Apply the style, without the user's matplotlib settings."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def new_figure(height_in: float, width_in: float = WIDTH_IN) -> Figure:
    """Return an empty figure without any global state of pyplot."""
    figure = Figure(figsize=(width_in, height_in), layout="constrained", facecolor="none")
    FigureCanvasSVG(figure)
    return figure


def label(axes: Axes, x: str, y: str, grid: str | None = "y") -> None:
    """Name both axes, with units, and draw muted grid lines."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_facecolor("none")
    axes.tick_params(length=3, width=0.7)
    if grid == "y":
        axes.grid(axis="y")
    elif grid == "both":
        axes.grid(axis="both")


def integer_axis(axes: Axes) -> None:
    """Format the numbers of the vertical axis as integers with thousands separated."""
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter("{x:,.0f}")


def number_points(axes: Axes, points: Sequence[tuple[float, float]], numbers: Sequence[int]) -> None:
    """Write the number of each point beside it, where it hides no other number or point; else not at all."""
    figure = axes.figure
    figure.draw_without_rendering()  # type: ignore[union-attr]  # a figure, whose layout gives the places
    places = axes.transData.transform(points) * 72 / figure.dpi
    taken = [(x - 3, y - 3, x + 3, y + 3) for x, y in places]
    for (x, y), point, number in zip(places, points, numbers, strict=True):
        width = 4.5 * len(str(number))
        for dx, dy in ((4, 3), (4, -9), (-4 - width, 3), (-4 - width, -9), (-width / 2, 5), (-width / 2, -11)):
            box = (x + dx, y + dy, x + dx + width, y + dy + 6)
            if not any(
                box[0] < right and left < box[2] and box[1] < high and low < box[3] for left, low, right, high in taken
            ):
                taken.append(box)
                offset, colour = (dx, dy), LIGHT["muted"]
                axes.annotate(str(number), point, offset, textcoords="offset points", fontsize=7, color=colour)
                break


def picture(figure: Figure | Sequence[Figure], name: str, caption: str, data: Sequence[Sequence[object]]) -> Part:
    """Convert a figure to inline SVG; the bytes are reproducible.

    Parameters
    ----------
    figure
        The figure, or several that stand side by side where there is room.
    name
        Distinguishes the identifiers of this chart from those of the others on the page.
    caption
        One sentence; with the first values shown on hover also the text alternative of the picture.
    data
        The rows that the chart shows, names of columns first, as CSV behind a link.
    """
    figures = [figure] if isinstance(figure, Figure) else figure
    names = [name, *(f"{name}-{number}" for number in range(2, len(figures) + 1))]
    drawn = "\n".join(_svg(one, key, caption) for one, key in zip(figures, names, strict=True))
    return Part.chart(drawn, caption, name, csv_text(list(map(str, data[0])), data[1:]))


def _svg(figure: Figure, name: str, caption: str) -> str:
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        # None leaves an entry out; the date would make every file another one.
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    width = "whole" if figure.get_figwidth() > WIDTH_IN / 2 else "half"
    return _inline(buffer.getvalue(), name, caption, width)


def _inline(text: str, name: str, caption: str, width: str) -> str:
    """Make a stand-alone SVG inline: no header, the page's font and colours, unique identifiers."""
    opening = re.search(r'<svg[^>]*viewBox="([^"]*)"[^>]*>', text)
    assert opening is not None
    svg = re.sub(r"<(metadata|style).*?</\1>\s*", "", text[opening.end() :], flags=re.DOTALL)
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\1{name}-", svg).replace("xlink:href", "href")
    svg = re.sub(r"'DejaVu Sans'(, '?[\w -]+'?)*", "var(--font)", svg)
    # No two names share a colour, so that each can be told from the drawing.
    for variable, colour in LIGHT.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = svg.replace("#000000", "var(--ink)")  # of figures drawn in other styles, such as those of papers
    attributes = f'class="chart {width}" role="img" aria-label="{_words(svg, caption)}" viewBox="{opening[1]}"'
    return f"<svg {attributes}>{svg}".strip()


def _words(svg: str, caption: str) -> str:
    """Return the text alternative of a chart: its caption, and its values as far as one listens to them."""
    values = re.findall(r"<title>(.*?)</title>", svg)
    more = f"; {len(values) - SPOKEN_VALUES:,} more in the data" if len(values) > SPOKEN_VALUES else ""
    spoken = f" Values: {'; '.join(values[:SPOKEN_VALUES])}{more}." if values else ""
    return escape(caption) + spoken.replace('"', "&quot;")
