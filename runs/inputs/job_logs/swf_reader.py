"""Reads logs of jobs in the Standard Workload Format: a line of 18 numbers for each job, and comments after ``;``."""

import re
from collections.abc import Sequence
from io import BytesIO
from math import isfinite
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Floats, Ints
from isoplane.models.files.bounded_file import read_uncompressed
from isoplane.models.files.exact_text import counted, in_chunks

from .job_log import UNKNOWN, JobLog

MAX_BYTES = 1 << 30
FIELDS = 18
MAX_VALUE = 1 << 40
# Fields that are read, by their position; the others only have to be numbers.
READ = {1: "submit time", 3: "run time", 4: "allocated processors", 7: "requested processors", 10: "status"}
STATES = (UNKNOWN, 5)
COMMENT = b";"
HEADER = re.compile(r";\s*(?P<key>[A-Za-z]\w*)\s*:\s*(?P<value>.*?)\s*")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
EXPECTED = "a log in the Standard Workload Format"


def read_job_log(path: Path, name: str | None = None, node_processors: int | None = None) -> JobLog:
    """Return the jobs of a log in the Standard Workload Format.

    Parameters
    ----------
    path
        The file, compressed if its name ends in ``.gz``.
    name, node_processors
        As in `JobLog`; the name is by default that of the file.

    Raises
    ------
    InputError
        If the file cannot be read, a line is broken, or no job ran on a known number of processors.
    """
    try:
        content = read_uncompressed(path, MAX_BYTES)
    except OSError as error:
        raise InputError(f"jobs={path}: {error.strerror}; expected {EXPECTED}") from error
    header: dict[str, str] = {}
    parts: list[Ints] = []
    before = 0  # lines before those at hand
    for lines in in_chunks(BytesIO(content)):
        rows = [line for line in lines if line.strip() and not _is_comment(line)]
        if rows:
            parts.append(_columns(rows, path, before, lines))
        if len(rows) < len(lines):
            _add_header(header, lines)
        before += len(lines)
    if not parts:
        raise InputError(f"jobs={path}: no jobs; expected {EXPECTED}")
    submit_s, run_s, allocated, requested, status = np.concatenate(parts, axis=1)
    log = JobLog(name or log_name(path), submit_s, run_s, allocated, requested, status, header, node_processors)
    if not log.ran.any():
        raise InputError(f"jobs={path}: no job that ran on a known number of processors; expected {EXPECTED}")
    return log


def log_name(path: Path) -> str:
    """Return the name of a log: that of its file without ``.swf`` and ``.gz``.

    Examples
    --------
    >>> log_name(Path("logs/RICC-2010-2.swf.gz"))
    'RICC-2010-2'
    """
    return path.name.removesuffix(".gz").removesuffix(".swf") or path.name


def _is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(COMMENT)


def _add_header(header: dict[str, str], lines: Sequence[bytes]) -> None:
    """Add what comments state, unless it was stated before."""
    for line in filter(_is_comment, lines):
        stated = HEADER.fullmatch(line.decode("utf-8", "replace").strip())
        if stated is not None:
            header.setdefault(stated["key"], stated["value"])


def _columns(rows: Sequence[bytes], path: Path, before: int, lines: Sequence[bytes]) -> Ints:
    """Return the fields in `READ` of some jobs, int64[fields, jobs].

    Parameters
    ----------
    rows
        The lines of jobs among `lines`.
    path, before, lines
        For errors: the file, the lines before these, and these with their comments.
    """
    try:
        # In C, in four seconds for a million lines; what is wrong is found afterwards.
        values: Floats = np.loadtxt(rows, comments=None, ndmin=2, encoding="latin1")
    except ValueError as error:
        raise _fault(path, before, lines) from error
    if values.shape[1] != FIELDS or not np.isfinite(values).all():
        raise _fault(path, before, lines)
    read = values[:, list(READ)]
    whole = (read >= UNKNOWN) & (read <= MAX_VALUE) & (read == np.floor(read))
    if not whole.all() or read[:, -1].max() > STATES[1]:
        raise _fault(path, before, lines)
    return read.T.astype(np.int64)


def _fault(path: Path, before: int, lines: Sequence[bytes]) -> InputError:
    """Return the error for the first broken one of some lines."""
    for number, line in enumerate(lines, before + 1):
        words = line.decode("latin1").split()
        problem = _problem(words) if words and not _is_comment(line) else ""
        if problem:
            return InputError(f"jobs={path}, line {number}: {problem}")
    return InputError(f"jobs={path}, lines {before + 1} to {before + len(lines)}: damaged; expected {EXPECTED}")


def _problem(words: Sequence[str]) -> str:
    """Return what is wrong with the fields of a job and what is expected, or nothing."""
    if len(words) != FIELDS:
        return f"{counted(len(words), 'field')}; expected {FIELDS} numbers"
    for word in words:
        if NUMBER.fullmatch(word) is None or not isfinite(float(word)):
            return f"{word[:40]!r}; expected a number"
    for position, name in READ.items():
        low, high = STATES if name == "status" else (UNKNOWN, MAX_VALUE)
        value = float(words[position])
        if not (low <= value <= high and value.is_integer()):
            allowed = f"an integer from {low + 1} to {high}, or {UNKNOWN} if unknown"
            return f"{name} {words[position][:40]}; expected {allowed}"
    return ""
