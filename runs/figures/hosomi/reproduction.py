"""Recompute a published figure: its numbers, the comparison, the drawing."""

import pkgutil
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.drawing.panels import figure_style, save
from isoplane.runs.figures.table import Table

from .designs import SolveDesign, designs
from .measures import Row
from .text import COLUMNS, cells
from .verdicts import Verdict

SIZES = (2, 12)  # beyond n = 12 the paper's catalogue has no cable of sufficient length


def figure_names() -> list[str]:
    """Return the figures that can be reproduced: the files `fig*.py` of this folder.

    Examples
    --------
    >>> figure_names()
    ['fig3', 'fig5', 'fig6', 'fig7', 'fig8']
    """
    names = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return sorted(name for name in names if name.startswith("fig"))


def reproduce(figure: str, sizes: Sequence[int], *, solve_design: SolveDesign, folder: Path) -> list[Verdict]:
    """Recompute a figure, write it into a folder and compare it with every number stated in the paper.

    The folder receives ``<figure>.csv`` with all numbers, ``<figure>-published.csv`` with the comparison, and the
    drawing as ``<figure>.svg`` and ``<figure>.png``.

    Parameters
    ----------
    figure
        One of `figure_names`. Its module names its networks (`NETWORKS`), and computes, compares and draws its
        rows.
    sizes
        Dimensions, each 2..12.
    solve_design
        Called with (folded, n, name of the objective); returns an object with the best `design`.
    folder
        Folder for the files; created if missing.

    Raises
    ------
    InputError
        If the figure or a size is not one of those.

    References
    ----------
    Hosomi et al. 2021, Figs. 3 and 5 to 8.
    """
    module = _module(figure)
    rows: list[Row] = module.compute(designs(ascending_sizes(sizes), module.NETWORKS, solve_design))
    checked: list[Verdict] = module.verdicts(rows)
    folder.mkdir(parents=True, exist_ok=True)
    numbers = Table(("network", "n", "metric", "unit", "value"), [*map(_cells, rows)])
    write_atomically(folder / f"{figure}.csv", numbers.csv())
    write_atomically(folder / f"{figure}-published.csv", Table(COLUMNS, list(map(cells, checked))).csv())
    with figure_style():
        save(module.draw(rows), folder / figure)
    return checked


def ascending_sizes(sizes: Sequence[int]) -> list[int]:
    """Return the dimensions of a figure in ascending order, each once.

    Raises
    ------
    InputError
        If there are none, or a dimension is out of range.
    """
    if not sizes:
        raise InputError("sizes=[]: expected at least one dimension")
    return sorted({check_int("sizes", n, *SIZES) for n in sizes})


def _module(figure: str) -> ModuleType:
    if figure not in figure_names():
        raise InputError(f"figure={figure!r}: expected {', '.join(figure_names())}")
    return import_module(f"{__package__}.{figure}")


def _cells(row: Row) -> list[str]:
    return [row.network, str(row.n), row.metric, row.unit, repr(float(row.value))]
