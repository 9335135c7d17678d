"""Simulation results of the designs of a run: files in the folder `simulation`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.runs.inputs.record_families import family_of
from isoplane.runs.records import Record
from isoplane.runs.simulations.hybrid import COMPLETIONS

Simulation = Mapping[str, Any]
SWEEP_FIELDS = ("record", "low_load", "saturation", "runs")
WORKLOAD_FIELDS = ("shorten", *COMPLETIONS.values(), "fluid", "busiest_links", "arrived")
FIELDS: Mapping[str, Sequence[str]] = {"circuits": WORKLOAD_FIELDS}  # by kind of design


def required_fields(design: Record) -> Sequence[str]:
    """Return the required fields of simulation results: of a sweep over loads or, with circuits, of a workload."""
    return FIELDS.get(family_of(design["network"]["family"]).kind, SWEEP_FIELDS)


def read_simulations(folder: Path, names: Sequence[str], required: Sequence[str]) -> list[Simulation]:
    """Return the simulations of records that have one, in their order.

    Parameters
    ----------
    folder, names
        The folder, and file names of the records.
    required
        Required fields.
    """
    found = []
    for path in (folder / name for name in names):
        if not path.exists():
            continue
        try:
            data = json.loads(read_input(path).decode("utf-8"))
            missing = [key for key in required if key not in data]
        except (OSError, ValueError, TypeError) as error:
            raise InputError(
                f"simulation={path}: {error}; expected a file written by search judge=simulator"
            ) from error
        if missing:
            raise InputError(f"simulation={path}: no {missing[0]}; expected a file written by search judge=simulator")
        found.append(data)
    return found
