"""A figure of a paper, computed again: its numbers, the statements of the paper beside them, and the drawing."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.config.config_values import Config, given_words
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, drawing_style, picture
from isoplane.runs.drawing.panels import figure_style, save
from isoplane.runs.drawing.values import show_drawn
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.runs.terminal.table import Table
from isoplane.runs.terminal.table_output import print_table

from .checked import AGREES

CAPTION = "The figure, computed again; its points are those of the table of its numbers."
AUTHORS: Mapping[str, str] = {
    "hirasawa": "Hirasawa, Yamaki and Koibuchi",
    "hosomi": "Hosomi et al.",
    "shibamura": "Shibamura, Kuga and Sueyoshi",
    "shimizu": "Shimizu and Nakajima",
    "takizawa": "Takizawa, Endo and Matsuoka",
}


@dataclass(frozen=True)
class Figure:
    """What is known of a figure once its numbers are computed.

    Attributes
    ----------
    tables
        The files of numbers, by what their names add to that of the figure: nothing for its points, ``-published`` for
        the comparison with the paper.
    draw
        Draws the figure.
    text
        Paragraphs to print.
    files
        Further files, by their path in the folder of the figure; they are written first.
    places
        Files and folders to name below the drawing, by title.
    """

    tables: Mapping[str, Table]
    draw: Callable[[], Drawing]
    text: Sequence[object]
    files: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)

    def write(self, folder: Path, name: str) -> None:
        """Write all files into a folder, which is created if missing; the drawing as SVG and PNG."""
        tables = {f"{name}{suffix}.csv": table.csv() for suffix, table in self.tables.items()}
        for path, text in {**self.files, **tables}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / path, text)
        with figure_style():
            save(self.draw(), folder / name)


Compute = Callable[[Path], Figure]  # called with the folder of the figure, which is locked
Check = Callable[[Mapping[str, Any]], Compute]  # of a composed config: requires its values to be in range


def reproduce(check: Check, data: Config, kind: str) -> None:
    """Compute a figure, write it into the folder of this command, and print it.

    Parameters
    ----------
    check
        Requires the values of the config to be in range, and returns the computation.
    data
        The composed config.
    kind
        The format of what is printed: one of the numbers of the figure, or its text as a table.
    """
    compute, name = check(data), data["figure"]
    data.require_effects(given_words())
    with figure_folder() as folder:
        figure = compute(folder)
        figure.write(folder, name)
        page = f"{name}.html"
        if page not in figure.files:
            write_atomically(folder / page, figure_page(name, data["paper"], figure))
    numbers, text = figure.tables[""], "\n".join(map(str, figure.text))
    places = {"figure": f"{name}.svg", "page": page, **figure.places}
    notes = [f"{title}: {folder / place}" for title, place in places.items()]
    rows = [list(map(_value, row)) for row in numbers.rows] if kind == "json" else numbers.rows
    print_table(kind, numbers, Table(numbers.columns, rows), *(() if kind == "table" else (text,)), *notes, text=text)


def _value(cell: object) -> object:
    """Return the value that a text states; the text itself if it is none of JSON, and None if it is empty."""
    try:
        return json.loads(str(cell).lower()) if cell != "" else None
    except ValueError:
        return cell


def figure_page(name: str, paper: str, figure: Figure) -> str:
    """Return the page of a figure: how many numbers and statements of the paper it meets, the drawing and its tables.

    Parameters
    ----------
    name, paper
        Of the figure, such as ``fig3``, and of its paper in `AUTHORS`.
    figure
        The figure.
    """
    from isoplane.runs.report.page import page_text

    with drawing_style():
        drawing = figure.draw()
        for axes in drawing.axes:
            axes.tick_params(grid_color=LIGHT["line"])
        show_drawn(drawing)
        blocks = [Block("figure", "Figure", [picture(drawing, name, CAPTION, figure.tables[""].with_names())])]
    for suffix, title in (("-published", "Beside the paper"), ("", "Numbers of the figure")):
        if suffix in figure.tables:
            blocks.append(Block(f"table{suffix}", title, [Part.table(figure.tables[suffix].page_rows())]))
    place = re.sub(r"fig(\d+)", r"Fig. \1", name).replace("_", ", ")
    return page_text(f"{place} of {AUTHORS[paper]}", f"{place}, recomputed: {_verdicts(figure)}", [], blocks)


def _verdicts(figure: Figure) -> str:
    """Return how many published numbers and statements have which verdict."""
    published = figure.tables.get("-published")
    if published is None or "verdict" not in published.columns:
        return "no numbers of the paper to compare with"
    column = list(published.columns).index("verdict")
    counts = Counter(str(row[column]) for row in published.rows)
    noun = "number" if any(verdict.startswith(AGREES) for verdict in counts) else "statement"
    said = ", ".join(f"{verdict}: {count}" for verdict, count in counts.most_common())
    return f"{counted(sum(counts.values()), noun)} of the paper ({said})"


def ascending(sizes: Sequence[object], least: int, most: int, what: str) -> list[int]:
    """Return the sizes of a figure in ascending order, each once."""
    if not sizes:
        raise InputError(f"sizes=[]: expected at least one {what}")
    return sorted({check_int("sizes", size, least, most) for size in sizes})
