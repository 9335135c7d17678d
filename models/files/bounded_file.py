"""Reads user-supplied files: regular files of bounded size only."""

import errno
import gzip
import os
import stat
import zlib
from io import BytesIO
from pathlib import Path

MAX_BYTES = 1 << 26
COMPRESSED = ".gz"
CHUNK_BYTES = 1 << 20


def read_input(path: str | Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a regular file; devices, pipes and folders are rejected before they are read.

    Parameters
    ----------
    path
        The file.
    max_bytes
        Maximum size.

    Raises
    ------
    OSError
        If it cannot be read, is not a regular file, or is too large; `strerror` is a short description.

    Examples
    --------
    >>> read_input("/dev/zero")
    Traceback (most recent call last):
    OSError: [Errno 22] not a regular file: '/dev/zero'
    """
    # Opening a pipe without a writer would block.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            reason = "a folder" if stat.S_ISDIR(state.st_mode) else "not a regular file"
            raise OSError(errno.EINVAL, reason, str(path))
        # One byte more than allowed, which tells whether the file has grown since its size was read.
        chunks, left = [], max_bytes + 1 if state.st_size <= max_bytes else 0
        while left and (chunk := os.read(descriptor, min(left, CHUNK_BYTES))):
            chunks.append(chunk)
            left -= len(chunk)
    finally:
        os.close(descriptor)
    if not left:
        raise OSError(errno.EINVAL, f"larger than {max_bytes} bytes", str(path))
    return b"".join(chunks)


def read_uncompressed(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a regular file, uncompressed if its name ends in ``.gz``; the limit holds for both.

    Raises
    ------
    OSError
        As for `read_input`, or if it is no gzip file.
    """
    content = read_input(path, max_bytes)
    if path.suffix.lower() != COMPRESSED:
        return content
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as file:
            # Never all of it: a small file can hold any amount of zeros.
            plain = file.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise OSError(errno.EINVAL, "not a whole gzip file", str(path)) from error
    if len(plain) > max_bytes:
        raise OSError(errno.EINVAL, f"larger than {max_bytes} bytes uncompressed", str(path))
    return plain


def suffix_of(path: Path) -> str:
    """Return the end of the name of a file in lower case, before ``.gz``.

    Examples
    --------
    >>> suffix_of(Path("fabric.GraphML.gz"))
    '.graphml'
    """
    name = path.with_suffix("") if path.suffix.lower() == COMPRESSED else path
    return name.suffix.lower()
