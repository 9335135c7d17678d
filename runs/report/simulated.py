"""The report on a simulated design, in the folder of the simulation."""

import json
from pathlib import Path
from typing import Any

from isoplane.models import Design, InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.records import design_of_record, has_circuits, id_of, read_record, require_fit, workload_from

from .page import render
from .simulations import WORKLOAD_FIELDS, Simulation, read_simulations

DESIGN_FILE = "design.json"  # the simulated record, or the description of a given design
SUMMARY, RUNS = "summary.json", "report.json"


def write_simulation_report(folder: Path, built: Design | None = None) -> Path:
    """Write `report.html` into the folder of a simulation, atomically, and return its path.

    Parameters
    ----------
    folder
        The folder.
    built
        The simulated design, if it is built already.
    """
    design = _design(folder / DESIGN_FILE)
    found = read_simulations(folder, [SUMMARY], WORKLOAD_FIELDS) if has_circuits(design) else _sweep_results(folder)
    verified_by = next((each["verified_by"] for each in found if "verified_by" in each), f"record={DESIGN_FILE}")
    report = folder / "report.html"
    write_atomically(report, render(design, simulations=found, verified_by=verified_by, design=built))
    return report


def _sweep_results(folder: Path) -> list[Simulation]:
    """Return the results of a sweep over loads for a network of switches."""
    (summary,) = read_simulations(folder, [SUMMARY], ("saturation", "traffic"))
    (reports,) = read_simulations(folder, [RUNS], ("runs",))
    lowest = min(reports["runs"], key=lambda run: run["offered_load"])
    return [{**summary, "record": DESIGN_FILE, "low_load": lowest, "runs": reports["runs"]}]


def _design(path: Path) -> dict[str, Any]:
    """Return an unaltered record or description by `described_design`."""
    try:
        design: dict[str, Any] = json.loads(read_input(path).decode("utf-8"))
        if "objective" in design:
            return read_record(path)
        if design["id"] != id_of(design):
            raise ValueError("altered")
        if has_circuits(design):
            require_fit(design_of_record(design), workload_from(design["workload"]))
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"design={path}: damaged ({error}); expected that of isoplane simulate") from error
    return design
