"""A figure of a paper, computed again: its numbers, the statements of the paper beside them, and the drawing."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.models.steps import step
from isoplane.runs.config.config_values import Config, given_words
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, drawing_style, picture
from isoplane.runs.drawing.panels import figure_style, save
from isoplane.runs.drawing.values import show_drawn
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.runs.terminal.table import Table
from isoplane.runs.terminal.table_output import DATA, print_table

from .checked import AGREES

CAPTION = "The figure, computed again; its points are those of the table of its numbers."
REST = "its CSV files have all"  # columns that a terminal has no room for
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
        Tables and paragraphs to print.
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

    @property
    def printed(self) -> tuple[Sequence[Table], Sequence[str]]:
        """The tables that people read, and the paragraphs beside them."""
        tables = [part for part in self.text if isinstance(part, Table)] or [self.tables[""]]
        return tables, [str(part) for part in self.text if part != "" and not isinstance(part, Table)]

    def write(self, folder: Path, name: str) -> None:
        """Write all files into a folder, which is created if missing; the drawing as SVG and PNG."""
        tables = {f"{name}{suffix}.csv": table.csv() for suffix, table in self.tables.items()}
        for path, text in {**self.files, **tables}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / path, text)
        with figure_style():
            save(self.draw(), folder / name)

    def write_page(self, folder: Path, name: str, paper: str) -> None:
        """Write the page into the folder of the other files, if it is none of them."""
        if f"{name}.html" not in self.files:
            write_atomically(folder / f"{name}.html", self.page(name, paper))

    def page(self, name: str, paper: str) -> str:
        """Return the page of the figure, its own if it has one."""
        return self.files.get(f"{name}.html") or figure_page(name, paper, self)


Compute = Callable[[Path], Figure]  # called with the folder of the figure, which is locked
Check = Callable[[Mapping[str, Any]], Compute]  # of a composed config: requires its values to be in range


def reproduce(compute: Compute, data: Config, kind: str) -> None:
    """Compute a figure, write it into the folder of this command, and print it.

    Parameters
    ----------
    compute
        The computation.
    data
        The composed config, all of whose options that have an effect were read.
    kind
        The format of what is printed: the tables that people read, or all numbers of the figure for programs.
    """
    name = data["figure"]
    data.require_effects(given_words())
    line, title = LiveLine(), figure_title(name, data["paper"])
    with figure_folder() as folder, step(title):
        figure = compute(folder)
        with step("drawing"):
            figure.write(folder, name)
            figure.write_page(folder, name, data["paper"])
    with closing(line):
        line.show_timed(f"{title}: computed, compared and drawn")
    numbers = figure.tables[""]
    text = "\n".join(part.shown(REST) if isinstance(part, Table) else str(part) for part in figure.text)
    shown, said = figure.printed
    places = {"figure": f"{name}.svg", "page": f"{name}.html", **figure.places}
    notes = [f"{title}: {folder / place}" for title, place in places.items()]
    rows = [list(map(value_of, row)) for row in numbers.rows] if kind == "json" else numbers.rows
    before = [] if kind == "table" else [text] if kind in DATA else said
    print_table(kind, shown, Table(numbers.columns, rows), *before, *notes, text=text)


def value_of(cell: object) -> object:
    """Return the value that a text states; the text itself if it is none of JSON, and None if it is empty.

    Examples
    --------
    >>> value_of("4.00"), value_of("+0.46"), value_of("aspl"), value_of("")
    (4.0, 0.46, 'aspl', None)
    """
    try:
        return json.loads(str(cell).lower().removeprefix("+")) if cell != "" else None
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
    title = figure_title(name, paper)
    return page_text(title, f"{title.partition(' of ')[0]}, recomputed: {verdicts_text(figure.tables)}", [], blocks)


def figure_title(name: str, paper: str) -> str:
    """Return what a figure is.

    Examples
    --------
    >>> figure_title("fig2_torus", "shimizu")
    'Fig. 2, torus of Shimizu and Nakajima'
    """
    place = re.sub(r"fig(\d+)", r"Fig. \1", name).replace("_", ", ")
    return f"{place} of {AUTHORS[paper]}"


def verdicts_text(tables: Mapping[str, Table]) -> str:
    """Return how many published numbers and statements have which verdict."""
    published = tables.get("-published")
    if published is None or not published.rows or "verdict" not in published.columns:
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
