"""Orders of collectives as comma-separated values: phase, source and destination of every message."""

import csv
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import rows_of
from isoplane.models.exchanges.all_gather import GatherOrder
from isoplane.models.exchanges.all_to_all import IDLE, MAX_PROCESSES, ExchangeOrder
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.exact_text import as_csv

HEADER = ("phase", "source", "destination")
GATHER_HEADER = (*HEADER, "first_chunk", "chunks")
SUFFIX = ".csv"
MAX_BYTES = 1 << 29
MAX_PHASES = 1 << 16


def order_csv(order: ExchangeOrder) -> Iterable[bytes]:
    r"""Return a line per message, by phase and source; sources and destinations are nodes.

    Examples
    --------
    >>> b"".join(order_csv(ExchangeOrder("by hand", [0, 1], [[1, 0]])))
    b'phase,source,destination\n0,0,1\n0,1,0\n'
    """
    phase, source, destination = order.messages()
    return as_csv(HEADER, rows_of(phase, order.nodes[source], order.nodes[destination]))


def gather_csv(order: GatherOrder) -> Iterable[bytes]:
    r"""Return a line per message of an all-gather, by phase, with its first chunk and their number.

    Examples
    --------
    >>> from isoplane.models.exchanges.gather_orders import gather_order_named
    >>> b"".join(gather_csv(gather_order_named("ring", 2)))
    b'phase,source,destination,first_chunk,chunks\n0,0,1,0,1\n0,1,0,1,1\n'
    """
    return as_csv(GATHER_HEADER, rows_of(order.phase, order.source, order.destination, order.first, order.chunks))


def read_order(path: Path, option: str) -> ExchangeOrder:
    """Return the order in a file as written by `order_csv`, among the processes that it names, from 0.

    Raises
    ------
    InputError
        If there is no such file, a line is not three integers in range, or the messages are no exchange.
    """
    try:
        text = read_input(path, MAX_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "no text"
        raise InputError(f"{option}={path}: {problem}; expected a file with the columns {','.join(HEADER)}") from error
    lines = csv.reader(StringIO(text))
    if tuple(next(lines, ())) != HEADER:
        raise InputError(f"{option}={path}: another first line; expected {','.join(HEADER)}")
    rows = [_row(path, option, number, line) for number, line in enumerate(lines, start=2)]
    if not rows:
        raise InputError(f"{option}={path}: no messages; expected a line per message")
    phase, source, destination = np.array(rows, dtype=np.int64).T
    sent = np.full((int(phase.max()) + 1, int(max(source.max(), destination.max())) + 1), IDLE)
    _, first = np.unique(phase * MAX_PROCESSES + source, return_index=True)
    if len(first) < len(phase):
        again = int(np.setdiff1d(np.arange(len(phase)), first)[0])
        raise InputError(
            f"{option}={path}: line {again + 2} sends from {source[again]} again; expected once in a phase"
        )
    sent[phase, source] = destination
    try:
        return ExchangeOrder(path.stem, np.arange(sent.shape[1], dtype=np.int32), sent.astype(np.int32))
    except InputError as error:
        raise InputError(f"{option}={path}: {error}") from error


def _row(path: Path, option: str, number: int, line: list[str]) -> tuple[int, int, int]:
    try:
        phase, source, destination = map(int, line)
    except ValueError:
        phase = source = destination = -1
    if not (0 <= phase < MAX_PHASES and 0 <= source < MAX_PROCESSES and 0 <= destination < MAX_PROCESSES):
        raise InputError(
            f"{option}={path}: line {number} is {','.join(line)}; expected a phase below {MAX_PHASES} and two "
            f"processes below {MAX_PROCESSES}"
        )
    return phase, source, destination
