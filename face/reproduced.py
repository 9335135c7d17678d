"""Figures of papers, computed again."""

import csv
import html
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from io import StringIO
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.runs.cli.keywords import config_from, with_options
from isoplane.runs.cli.reproduce import compute_of
from isoplane.runs.drawing.panels import PNG_DPI, figure_style
from isoplane.runs.figures.figure import figure_title, value_of, verdicts_text
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.runs.terminal.table import Table

from .designs import Value
from .result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED = "-published"  # ends the name of the file that compares a figure with the paper


@with_options("reproduce", "experiment", "format")
def reproduce(experiment: str, /, folder: str | PathLike[str] | None = None, **options: Value) -> Result:
    """Compute a figure of a paper again, and compare its numbers with the published ones.

    Parameters
    ----------
    experiment
        The figure, such as ``hosomi/fig3``.
    folder
        Where to write what the command line writes; its records are reused. None to write nothing.
    options
        Those of `isoplane reproduce`.

    Returns
    -------
    Result
        A row for each number of the figure; as text, the tables that the command line prints.

    Examples
    --------
    >>> import isoplane as ip
    >>> figure = ip.reproduce("shimizu/fig7", sizes=[8])
    >>> figure.kind, figure.title
    ('figure', 'Fig. 7 of Shimizu and Nakajima')
    """
    config, words = config_from("reproduce", {"experiment": experiment, **options})
    compute, name, paper = compute_of(config), str(config["figure"]), str(config["paper"])
    config.require_effects(words)
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory()) if folder is None else folder)
        stack.enter_context(figure_folder(place))
        figure = compute(place)
        if folder is not None:
            figure.write(place, name)
            figure.write_page(place, name, paper)

    def drawn() -> "Figure":
        with figure_style():
            return figure.draw()

    shown, said = figure.printed
    title = figure_title(name, paper)
    return _result(title, figure.tables, shown, drawn, lambda: figure.page(name, paper), notes=said)


def figure_in(folder: Path) -> Result | None:
    """Return the figure that a folder holds, as it was written there; None of a folder without one.

    Raises
    ------
    InputError
        If it holds several.
    """
    names = sorted(path.stem for path in folder.glob("*.svg") if path.with_suffix(".csv").is_file())
    if not names:
        return None
    if len(names) > 1:
        raise InputError(f"path={folder}: figures {', '.join(names)}; expected the folder of one figure")
    (name,) = names
    files = sorted(folder.glob(f"{name}*.csv"))
    tables = {path.stem.removeprefix(name): _read(path) for path in files if path.stem[len(name) :][:1] in ("", "-")}
    try:
        page = read_input(folder / f"{name}.html").decode()
    except OSError as error:
        raise InputError(f"path={folder}: no {name}.html; expected the folder that isoplane reproduce wrote") from error
    title = html.unescape("".join(re.findall("<title>(.*?)</title>", page, re.DOTALL)[:1])) or name
    shown = [next(table for table in (tables.get(PUBLISHED), tables[""]) if table is not None and table.rows)]
    return _result(title, tables, shown, lambda: _picture(folder / f"{name}.png"), lambda: page)


def _result(
    title: str,
    tables: Mapping[str, Table],
    shown: Sequence[Table],
    drawing: "Callable[[], Figure]",
    page: Callable[[], str],
    notes: Sequence[str] = (),
) -> Result:
    numbers = {name or "numbers": _rows(table) for name, table in tables.items()}
    content: dict[str, object] = {"title": title, "tables": {key.removeprefix("-"): numbers[key] for key in numbers}}
    return Result(
        "figure",
        title,
        numbers["numbers"],
        tuple(tables[""].columns),
        lambda: content,
        tuple,
        page,
        verdicts_text(tables),
        tuple(notes),
        tables=shown,
        drawing=drawing,
    )


def _rows(table: Table) -> list[dict[str, str | int | float | bool | None]]:
    """Return the rows of a table by the names of its columns, numbers as numbers."""
    rows = []
    for row in table.rows:
        values = map(value_of, row)
        cells = (value if isinstance(value, (str, int, float, type(None))) else str(value) for value in values)
        rows.append(dict(zip(table.columns, cells, strict=True)))
    return rows


def _read(path: Path) -> Table:
    """Return the table of a file."""
    head, *rows = csv.reader(StringIO(read_input(path).decode()))
    return Table(head, rows)


def _picture(path: Path) -> "Figure":
    """Return a figure with a picture that was drawn before."""
    from matplotlib.figure import Figure
    from matplotlib.image import imread

    try:
        pixels = imread(path)
    except (OSError, SyntaxError, ValueError) as error:  # absent, or damaged
        raise InputError(f"plot: no picture in {path}; expected what isoplane reproduce wrote there") from error
    height, width = pixels.shape[:2]
    figure = Figure(figsize=(width / PNG_DPI, height / PNG_DPI), dpi=PNG_DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.imshow(pixels)
    axes.set_axis_off()
    return figure
