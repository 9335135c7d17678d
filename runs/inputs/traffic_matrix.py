"""Traffic matrices from files: comma-separated values, or a NumPy archive."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO, StringIO
from lzma import LZMAError
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.exact_text import counted

SUFFIXES = (".csv", ".npz")
MAX_BYTES = 1 << 28
NUMBERS = "expected a matrix of numbers"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf(inity)?|nan)", re.ASCII | re.IGNORECASE)


def read_matrix(path: Path) -> NDArray[np.generic]:
    """Return the matrix in a file; its numbers are not checked.

    Parameters
    ----------
    path
        A ``.csv`` with one row per source, ignoring lines that begin with #; or an ``.npz`` with one array.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"workload.file={path}: expected files that end in {' or '.join(SUFFIXES)}")
    try:
        return _csv(path) if path.suffix == ".csv" else _npz(path)
    except OSError as error:
        problem = error.strerror or "damaged"
        raise InputError(f"workload.file={path}: {problem}; expected a file with a matrix") from error
    except UnicodeDecodeError as error:
        raise InputError(f"workload.file={path}: byte {error.start} is not UTF-8 text; {NUMBERS}") from error
    except _DamageError as error:
        raise InputError(f"workload.file={path}: {error}; {NUMBERS}") from error


class _DamageError(Exception):
    """A file that holds no matrix, in words of the file, not of the library that reads it."""


def _csv(path: Path) -> NDArray[np.generic]:
    text = read_input(path, MAX_BYTES).decode("utf-8")
    rows = _rows(text)
    if next(rows, None) is None:
        raise _DamageError("empty")  # NumPy only warns
    try:
        found: NDArray[np.generic] = np.loadtxt(StringIO(text), delimiter=",", ndmin=2)
    except ValueError as error:
        raise _DamageError(_fault(text)) from error
    return found


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the values of every line that is not empty without its comment."""
    for number, line in enumerate(text.splitlines(), start=1):
        values = line.partition("#")[0].strip()
        if values:
            yield number, [value.strip() for value in values.split(",")]


def _fault(text: str) -> str:
    """Return what is wrong in lines that are no matrix, in one line."""
    first, columns = 0, 0
    for line, values in _rows(text):
        first, columns = first or line, columns or len(values)
        if len(values) != columns:
            return f"line {line} has {counted(len(values), 'value')}, line {first} has {columns}"
        wrong = next((value for value in values if NUMBER.fullmatch(value) is None), None)
        if wrong is not None:
            return f"{wrong!r} in line {line} is not a number"
    return "damaged"


def _npz(path: Path) -> NDArray[np.generic]:
    content = BytesIO(read_input(path, MAX_BYTES))
    try:
        return _array(path, content)
    except (ValueError, EOFError, MemoryError, zlib.error, LZMAError, zipfile.BadZipFile, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        raise _DamageError("damaged, or not a NumPy archive of numbers") from error


def _array(path: Path, content: BytesIO) -> NDArray[np.generic]:
    """Return the only array of an archive."""
    if zipfile.is_zipfile(content):  # a small file may hold a large array
        with zipfile.ZipFile(content) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MAX_BYTES:
            raise _DamageError(f"{size} bytes when unpacked, more than {MAX_BYTES}")
    content.seek(0)
    # A pickle in the archive could execute anything.
    loaded = np.load(content, allow_pickle=False)
    if not isinstance(loaded, np.lib.npyio.NpzFile):
        raise _DamageError("not an archive of arrays")
    with loaded as arrays:
        if len(arrays.files) != 1:
            raise InputError(f"workload.file={path}: {len(arrays.files)} arrays; expected one")
        found: NDArray[np.generic] = arrays[arrays.files[0]]
    return found
