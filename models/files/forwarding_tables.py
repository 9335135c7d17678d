"""Forwarding tables in separate files, found by the hash of their content."""

import hashlib
import io
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .bounded_file import read_input

MAX_BYTES = 1 << 30
SHA256 = re.compile(r"[0-9a-f]{64}")
NO_ENTRY = 0  # in place of a port, from 1
_folders: dict[Path, None] = {}  # the hash decides which file it is, so where it was found has no effect


def add_table_folder(folder: Path) -> None:
    """Search a folder for tables as well: that of a file that names them."""
    _folders[folder.absolute()] = None


def table_file(sha256: object) -> Path:
    """Return the file of a table in the folders of `add_table_folder`."""
    if not isinstance(sha256, str) or not SHA256.fullmatch(sha256):
        raise InputError(f"network.planes.tables={sha256!r}: expected the SHA-256 of a file of tables")
    for folder in _folders:
        path = folder / file_name(sha256)
        if path.is_file():
            return path
    raise InputError(
        f"network.planes.tables={sha256}: no file {file_name(sha256)}; expected one beside the record or the file of "
        "the network"
    )


def file_name(sha256: str) -> str:
    """Return the name of the file of a table."""
    return f"{sha256}.npy"


def read_table(path: Path) -> NDArray[np.unsignedinteger]:
    """Return a table, memory-mapped: the port of each switch, from 1, for each node link; `NO_ENTRY` where it has none.

    Raises
    ------
    InputError
        If its content is not that of its name, or not a table.
    """
    try:
        content = read_input(path, MAX_BYTES)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; expected a file of tables") from error
    if hashlib.sha256(content).hexdigest() != path.stem:
        raise InputError(f"{path}: its SHA-256 is not that of its name; expected an unaltered file")
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputError(f"{path}: not an array; expected a file of tables") from error
    if not isinstance(table, np.ndarray) or table.dtype not in (np.uint8, np.uint16) or table.ndim != 2:
        raise InputError(f"{path}: expected ports in 8 or 16 bits, by switch and node link")
    return table


def table_content(table: NDArray[np.integer]) -> tuple[str, bytes]:
    """Return the hash and the bytes of the file of a table, in 8 bits if its ports allow them.

    Examples
    --------
    >>> sha256, content = table_content(np.array([[0, 1], [2, 0]]))
    >>> len(content), sha256[:6]
    (132, 'f78c11')
    """
    buffer = io.BytesIO()
    kind = np.uint8 if table.max(initial=0) <= np.iinfo(np.uint8).max else np.uint16
    np.save(buffer, np.ascontiguousarray(table, dtype=kind))
    content = buffer.getvalue()
    return hashlib.sha256(content).hexdigest(), content
