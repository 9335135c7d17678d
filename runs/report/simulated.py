"""The report on a hybrid design that was simulated packet by packet: in the folder of the simulation."""

import json
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.input_file import read_input
from isoplane.runs.records import design_of_record, id_of, read_record, require_fit, workload_from, write_atomically

from . import hybrid
from .page import render
from .simulations import read_simulations

DESIGN = "design.json"  # the record that was simulated, or a design that no search found
SUMMARY = "summary.json"


def write_simulation_report(folder: Path) -> Path:
    """Write `report.html` into the folder of simulated packets, whole or not at all, and return its path.

    Raises
    ------
    InputError
        If a file in it is damaged, or it is not writable.
    """
    design, simulations = _design(folder / DESIGN), read_simulations(folder, [SUMMARY], hybrid.NEEDED)
    verified_by = next((found["verified_by"] for found in simulations if "verified_by" in found), f"record={DESIGN}")
    report = folder / "report.html"
    write_atomically(report, render(design, simulations=simulations, verified_by=verified_by))
    return report


def _design(path: Path) -> dict[str, Any]:
    """Return a record, or what `described_design` tells of a design, unaltered."""
    try:
        design: dict[str, Any] = json.loads(read_input(path).decode("utf-8"))
        if "objective" in design:
            return read_record(path)
        if design["id"] != id_of(design):
            raise ValueError("altered")
        require_fit(design_of_record(design), workload_from(design["workload"]))
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"design={path}: damaged ({error}); allowed is that of isoplane simulate") from error
    return design
