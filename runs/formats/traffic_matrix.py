"""Traffic matrices from files: comma-separated values, or a NumPy archive."""

import zipfile
import zlib
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.input_file import read_input

SUFFIXES = (".csv", ".npz")
MAX_BYTES = 1 << 28


def read_matrix(path: Path) -> NDArray[np.generic]:
    """Return the matrix in a file; its numbers are not checked.

    Parameters
    ----------
    path
        A ``.csv`` with one row per source, ignoring lines that begin with #; or an ``.npz`` with one array.

    Raises
    ------
    InputError
        If there is no such file, or it does not hold a matrix of numbers.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"workload.file={path}: expected files that end in {' or '.join(SUFFIXES)}")
    try:
        return _csv(path) if path.suffix == ".csv" else _npz(path)
    except OSError as error:
        problem = error.strerror or "not a NumPy archive"
        raise InputError(f"workload.file={path}: {problem}; expected a file with a matrix") from error
    except (ValueError, EOFError, MemoryError, zlib.error, zipfile.BadZipFile) as error:
        problem = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"workload.file={path}: {problem}; expected a matrix of numbers") from error


def _csv(path: Path) -> NDArray[np.generic]:
    text = read_input(path, MAX_BYTES).decode("utf-8")
    if not text.strip():
        raise ValueError("empty")  # NumPy only warns
    found: NDArray[np.generic] = np.loadtxt(StringIO(text), delimiter=",", ndmin=2)
    return found


def _npz(path: Path) -> NDArray[np.generic]:
    content = BytesIO(read_input(path, MAX_BYTES))
    if zipfile.is_zipfile(content):  # a small file may hold a large array
        with zipfile.ZipFile(content) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MAX_BYTES:
            raise ValueError(f"{size} bytes when unpacked, more than {MAX_BYTES}")
    content.seek(0)
    loaded = np.load(content, allow_pickle=False)
    if not isinstance(loaded, np.lib.npyio.NpzFile):
        raise ValueError("not an archive of arrays")
    with loaded as arrays:
        if len(arrays.files) != 1:
            raise InputError(f"workload.file={path}: {len(arrays.files)} arrays; expected one")
        found: NDArray[np.generic] = arrays[arrays.files[0]]
    return found
