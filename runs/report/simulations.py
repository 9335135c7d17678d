"""What the simulator saw of the designs of a run: files of the folder `simulation`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.input_file import read_input

Simulation = Mapping[str, Any]
NEEDED = ("record", "low_load", "saturation", "runs")


def read_simulations(folder: Path, names: Sequence[str], needed: Sequence[str] = NEEDED) -> list[Simulation]:
    """Return the simulations of records that have one, in their order.

    Parameters
    ----------
    folder, names
        Where they are, by the names of the files of their records.
    needed
        What each of them has to tell.

    Raises
    ------
    InputError
        If a file is damaged.
    """
    found = []
    for path in (folder / name for name in names):
        if not path.exists():
            continue
        try:
            data = json.loads(read_input(path).decode("utf-8"))
            missing = [key for key in needed if key not in data]
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"simulation={path}: {error}; allowed is one of search judge=simulator") from error
        if missing:
            raise InputError(f"simulation={path}: no {missing[0]}; allowed is one of search judge=simulator")
        found.append(data)
    return found
