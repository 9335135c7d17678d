"""SVG with values on hover, written as text in the colours of the page: smaller than a chart of as many shapes."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from isoplane.models.files.exact_text import csv_text

from .block import Part
from .drawing import LIGHT
from .positions import Points

Picture = tuple[str, list[tuple[object, ...]]]  # SVG of a page, and its data: names of columns, and rows
HALF, WHOLE = 367.0, 734.0  # widths of pictures in points: of two side by side, and of one across the page


def fixed(value: float) -> str:
    """Return a coordinate with at most one decimal.

    Examples
    --------
    >>> fixed(3.0), fixed(-0.04), fixed(12.26)
    ('3', '0', '12.3')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", **attributes: str | float | None) -> str:
    """Return an element; underscores of names become hyphens, a trailing one is left out, and None is no attribute.

    Examples
    --------
    >>> element("text", "a", x=1.04, class_="name", id=None)
    '<text x="1" class="name">a</text>'
    """
    written = "".join(
        f' {name.removesuffix("_").replace("_", "-")}="{value if isinstance(value, str) else fixed(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def title(text: str) -> str:
    """Return the text that is shown on hover."""
    return f"<title>{escape(text, quote=False)}</title>" if text else ""


def words(text: str, x: float, y: float, hover: str = "", **attributes: str | float | None) -> str:
    """Return a text at a point, with another one that is shown on hover."""
    return element("text", escape(text, quote=False) + title(hover), x=x, y=y, **attributes)


def group(elements: Iterable[str], style: str, class_: str | None = None) -> str:
    """Return elements with a common style; nothing without elements."""
    inside = "\n".join(elements)
    return element("g", f"\n{inside}\n", class_=class_, style=style) if inside else ""


def path(points: Sequence[Sequence[float]], bent: bool = False) -> str:
    """Return the outline of a line through points, or of a curve towards the second of three.

    Examples
    --------
    >>> path([(0, 0), (1, 2)]), path([(0, 0), (1, 2), (3, 0)], bent=True)
    ('M0 0L1 2', 'M0 0Q1 2 3 0')
    """
    first, *rest = (f"{fixed(x)} {fixed(y)}" for x, y in points)
    return f"M{first}Q{' '.join(rest)}" if bent else f"M{first}{''.join(f'L{point}' for point in rest)}"


def drawing(elements: Iterable[str], width: float, height: float, label: str, kind: str) -> str:
    """Return the SVG of a page: its elements, size in points, text alternative, and class of ``page.css``."""
    inside = "\n".join(part for part in elements if part)
    return (
        f'<svg class="chart {kind}" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {fixed(width)} {fixed(height)}">\n{inside}\n</svg>'
    )


def drawings(pictures: Sequence[Picture], name: str, caption: str) -> Part:
    """Return pictures side by side as a part of a page, with the data of all of them."""
    (_, (columns, *_)), *_ = pictures
    rows = [row for _, (_, *rows) in pictures for row in rows]
    return Part.chart("\n".join(svg for svg, _ in pictures), caption, name, csv_text(list(map(str, columns)), rows))


def standalone(pictures: Sequence[str]) -> bytes:
    """Return drawings of a page as a file, one below the other, in the light colours."""
    parts, width, height = [], 0.0, 0.0
    for picture in pictures:
        opening, inside = picture.split(">", 1)
        _, _, across, deep = re.sub(r'.*viewBox="([^"]*)".*', r"\1", opening).split()
        label = re.sub(r".*(aria-label=\"[^\"]*\").*", r"\1", opening)
        parts.append(f'<svg {label} y="{fixed(height)}" width="{across}" height="{deep}">{inside}')
        width, height = max(width, float(across)), height + float(deep)
    size = f'width="{fixed(width)}pt" height="{fixed(height)}pt" viewBox="0 0 {fixed(width)} {fixed(height)}"'
    ground = element("rect", width="100%", height="100%", fill="var(--surface)")
    text = "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', ground, *parts, "</svg>", ""])
    text = text.replace("var(--font)", "DejaVu Sans, sans-serif")
    return re.sub(r"var\(--(\w+)\)", lambda found: LIGHT[found[1]], text).encode()


def scaled(points: Points, width: float, top: float, margin: float, highest: float) -> tuple[Points, float, float]:
    """Return points in points of the picture, the height of a picture of them, and the factor.

    Parameters
    ----------
    points : float64[points, 2]
        Their coordinates, the second upwards.
    width
        The width of the picture.
    top, margin
        Room above the points, and on all other sides.
    highest
        The height that the points may take.
    """
    low, size = points.min(axis=0), points.max(axis=0) - points.min(axis=0)
    ranges = ((width - 2 * margin, size[0]), (highest, size[1]))
    factor = min((room / extent for room, extent in ranges if extent > 0), default=1.0)
    left = (width - factor * size[0]) / 2
    placed = (points - low) * factor * (1, -1) + (left, top + factor * size[1])
    return placed, top + factor * float(size[1]) + margin, float(factor)
