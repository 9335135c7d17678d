"""Files and folders below an open folder: without links, hidden names, or any name that leads out of it."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

CHUNK_BYTES = 1 << 18
# A pipe without a writer would block; a link, of any part of a path, may lead out of the folder.
FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
Place = tuple[str, ...]  # names of folders below the open one, the outermost first


def is_shown(name: str) -> bool:
    r"""Whether a name is that of a file or folder to show: not hidden, as locks are, and a single name.

    Examples
    --------
    >>> [is_shown(name) for name in ("report.html", ".lock", "..", "", "a/b", "a\0")]
    [True, False, False, False, False, False]
    """
    return bool(name) and name[0] != "." and "/" not in name and "\0" not in name


@contextmanager
def opened(root: int, place: Sequence[str]) -> Iterator[int]:
    """Open a regular file or a folder below an open folder, one name after the other.

    Parameters
    ----------
    root
        Descriptor of the folder.
    place
        The names that lead to it; none for the folder itself.

    Raises
    ------
    OSError
        If there is none, a part of the path is hidden or a link, or it is a pipe or a device.
    """
    if not all(map(is_shown, place)):
        raise FileNotFoundError(place)
    descriptor = os.dup(root)
    try:
        for name in place:
            # Each is opened in the folder that is open already, so that nothing can be put in its place in between.
            inner = os.open(name, FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise FileNotFoundError(place)
        yield descriptor
    finally:
        os.close(descriptor)


def content_of(root: int, place: Sequence[str], max_bytes: int) -> bytes:
    """Return the content of a file, whose last bytes are left out if it is longer than a number of bytes."""
    with opened(root, place) as descriptor:
        return b"".join(chunks_of(descriptor, max_bytes))


def chunks_of(descriptor: int, size: int) -> Iterator[bytes]:
    """Yield the content of a file up to a number of bytes: one that grows while it is read ends there."""
    while size and (chunk := os.read(descriptor, min(size, CHUNK_BYTES))):
        size -= len(chunk)
        yield chunk


def entries_of(folder: int) -> tuple[dict[str, os.stat_result], list[str]]:
    """Return the regular files of an open folder by name, and the names of its folders."""
    files, folders = dict[str, os.stat_result](), list[str]()
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_file(follow_symlinks=False):
                    files[entry.name] = entry.stat(follow_symlinks=False)
                elif entry.is_dir(follow_symlinks=False) and is_shown(entry.name):
                    folders.append(entry.name)
            except FileNotFoundError:
                continue  # removed in the meantime, as records are that others dominate
    return files, folders
