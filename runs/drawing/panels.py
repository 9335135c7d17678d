"""Drawings that are written as SVG and PNG: panels side by side, and their style."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isoplane.models.files.output_file import write_atomically

PNG_DPI = 120


def panels(count: int) -> tuple[Figure, list[Axes]]:
    """Return a figure with `count` panels side by side, lettered if there are several."""
    figure = Figure(figsize=(1.6 + 4.6 * count, 4.2), layout="constrained")
    axes = [figure.add_subplot(1, count, index + 1) for index in range(count)]
    if count > 1:
        for letter, panel in zip("abc", axes, strict=False):
            panel.set_title(f"({letter})", loc="left")
    for panel in axes:
        panel.grid(axis="y", color="#DDDDDD", linewidth=0.6)
        panel.set_axisbelow(True)
        panel.spines[["top", "right"]].set_visible(False)
    return figure, axes


@contextmanager
def figure_style() -> Iterator[None]:
    """Return the context for drawing and saving, with uniform font size and reproducible bytes."""
    with mpl.rc_context({"font.size": 9, "svg.hashsalt": "isoplane"}):
        yield


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG and PNG; the suffix is added to the path."""
    for kind, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": PNG_DPI})):
        drawn = io.BytesIO()
        figure.savefig(drawn, format=kind, **options)
        write_atomically(path.with_suffix(f".{kind}"), drawn.getvalue())
