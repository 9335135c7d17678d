"""The checkpoint of a run, from which it resumes after the program has been killed."""

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import write_atomically
from isoplane.search import Checkpoint

VERSION = 1
SHARE = 0.05  # most of a run's time that is spent on saving
MAX_BYTES = 1 << 30  # largest page


class FolderCheckpoint(Checkpoint):
    """One file per page, `NAME.json`, replaced atomically.

    Parameters
    ----------
    folder
        Folder of the pages; created when the first one is saved.
    begin
        Called before each save, to write the files that a checkpoint needs.
    """

    def __init__(self, folder: Path, begin: Callable[[], None] = lambda: None) -> None:
        self._folder = folder
        self._begin = begin
        self._opened_at = time.monotonic()
        self._seconds = 0.0  # spent on saving

    def load(self, name: str) -> Any:
        """Return the page saved under a name, or None."""
        path = self._folder / f"{name}.json"
        try:
            page = json.loads(read_input(path, MAX_BYTES).decode("utf-8"))
            version, seal, data = page["checkpoint"], page["sha256"], page["data"]
        except FileNotFoundError:
            return None
        # Damaged JSON may be nested deeper than the parser can follow.
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise _damage_error(path, f"damaged ({error})") from error
        if version != VERSION:
            raise _damage_error(path, f"of version {version!r}, not {VERSION}")
        if seal != _hash(data):
            raise _damage_error(path, "altered: the hash of its content differs")
        return data

    def save(self, name: str, data: Any) -> None:
        """Replace a page.

        Raises
        ------
        OSError
            If the disk is full; the previous page is intact.
        """
        began = time.monotonic()
        self._begin()
        self._folder.mkdir(exist_ok=True)
        text = json.dumps({"checkpoint": VERSION, "sha256": _hash(data), "data": data}, separators=(",", ":"))
        write_atomically(self._folder / f"{name}.json", text)
        self._seconds += time.monotonic() - began

    def due(self) -> bool:
        """Whether to save: as soon as there is a state, then as often as `SHARE` of the time allows."""
        return self._seconds <= SHARE * (time.monotonic() - self._opened_at)


def _hash(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, separators=(",", ":"), sort_keys=True).encode()).hexdigest()


def _damage_error(path: Path, how: str) -> InputError:
    return InputError(f"checkpoint={path}: {how}; expected one that isoplane wrote, or none, to repeat that part")
