"""The history of a search: one line of `history.csv` per improvement."""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input

MAX_BYTES = 1 << 30
COLUMNS = ("seconds", "evaluations", "score", "bound")


@dataclass(frozen=True)
class HistoryRow:
    """The best score at an improvement of a search.

    Attributes
    ----------
    seconds, evaluations
        Since the start of the search.
    score
        The exact integers of the objective, smaller is better.
    bound
        Proven lower bounds, each None if unknown; None if all are unknown.
    """

    seconds: float
    evaluations: int
    score: tuple[int, ...]
    bound: tuple[int | None, ...] | None = None


def read_history(path: Path) -> list[HistoryRow]:
    """Read a history; that of a running or killed run is shorter, and its last line counts once it is complete.

    Raises
    ------
    InputError
        If the file cannot be read or a line is not a row of a history, naming the line.
    """
    try:
        return history_rows(path, read_input(path, MAX_BYTES))
    except OSError as error:
        raise InputError(f"history={path}: {error}; expected a readable history.csv") from error


def history_rows(path: Path, content: bytes) -> list[HistoryRow]:
    """Return the rows in the content of a history."""
    try:
        text = content[: content.rfind(b"\n") + 1].decode("utf-8")
        lines = list(csv.reader(StringIO(text, newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"history={path}: {error}; expected a readable history.csv") from error
    if not lines or tuple(lines[0]) != COLUMNS:
        raise InputError(f"history={path}: expected a file that begins with {','.join(COLUMNS)}")
    return [_row(path, number, cells) for number, cells in enumerate(lines[1:], start=2)]


def _row(path: Path, number: int, cells: list[str]) -> HistoryRow:
    try:
        seconds, evaluations, score, bound = cells
        low = tuple(None if word == "-" else int(word) for word in bound.split())
        row = HistoryRow(float(seconds), int(evaluations), tuple(int(word) for word in score.split()), low or None)
    except ValueError as error:
        raise InputError(f"history={path}, line {number}: {','.join(cells)!r}; expected {','.join(COLUMNS)}") from error
    if not row.score:
        raise InputError(f"history={path}, line {number}: no score; expected integers with spaces between them")
    return row
