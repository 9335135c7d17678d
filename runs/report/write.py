"""From the folder of a run, or of a simulation, to its report."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from isoplane.models import Design, InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.inputs.record_families import family_of
from isoplane.runs.records import design_of_record, id_of, read_record, require_fit, workload_from

from .history import read_history
from .page import render
from .simulations import WORKLOAD_FIELDS, Simulation, read_simulations, required_fields

DESIGN_FILE = "design.json"  # the simulated record, or the description of a given design
SUMMARY, RUNS = "summary.json", "report.json"


def write_report(run_folder: Path, switch_id: int = 0, best: Design | None = None) -> Path:
    """Write `report.html` into the folder of a run, atomically, and return its path.

    Reads `summary.json`, the records that it names in `records/`, and `history.csv` and `simulation/` if they exist.
    The folder of a simulation has a design instead of records.

    Parameters
    ----------
    run_folder
        The folder.
    switch_id
        Switch whose cables the floor plan shows.
    best
        The design of the best record, if it is built already.
    """
    if (run_folder / DESIGN_FILE).exists():
        return write_simulation_report(run_folder)
    summary = _summary(run_folder / "summary.json")
    records = run_folder / "records"
    record = read_record(records / summary["best"])
    others = [read_record(records / name) for name in _others(summary)]
    history = run_folder / "history.csv"
    page = render(
        record,
        history=read_history(history) if history.exists() else (),
        others=others,
        summary=summary,
        simulations=read_simulations(
            run_folder / "simulation", [summary["best"], *_others(summary)], required_fields(record)
        ),
        switch_id=switch_id,
        verified_by=f"record=records/{summary['best']}",
        design=best,
    )
    report = run_folder / "report.html"
    write_atomically(report, page)
    return report


def _others(summary: dict[str, Any]) -> list[str]:
    return [name for name in summary["records"] if name != summary["best"]]


def _summary(path: Path) -> dict[str, Any]:
    """Read a summary; names of records must be file names without a folder."""
    allowed = "expected the summary.json of a run with best and records"
    try:
        summary = json.loads(read_input(path).decode("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"summary={path}: {error}; {allowed}") from error
    if not isinstance(summary, dict) or not isinstance(summary.get("records"), list):
        raise InputError(f"summary={path}: no list of records; {allowed}")
    for name in (summary.get("best"), *summary["records"]):
        # A summary from elsewhere must not lead out of the folder of records.
        if not isinstance(name, str) or Path(name).name != name or name == "..":
            raise InputError(f"summary={path}: {name!r} is not a file name of a record; {allowed}")
    return summary


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
    _, results = _by_kind(design)
    found = results(folder)
    verified_by = next((each["verified_by"] for each in found if "verified_by" in each), f"record={DESIGN_FILE}")
    report = folder / "report.html"
    write_atomically(report, render(design, simulations=found, verified_by=verified_by, design=built))
    return report


def _workload_results(folder: Path) -> list[Simulation]:
    """Return the results of a workload on a network with circuits."""
    return read_simulations(folder, [SUMMARY], WORKLOAD_FIELDS)


def _sweep_results(folder: Path) -> list[Simulation]:
    """Return the results of a sweep over loads for a network of switches."""
    (summary,) = read_simulations(folder, [SUMMARY], ("saturation", "traffic"))
    (reports,) = read_simulations(folder, [RUNS], ("runs",))
    lowest = min(reports["runs"], key=lambda run: run["offered_load"])
    return [{**summary, "record": DESIGN_FILE, "low_load": lowest, "runs": reports["runs"]}]


def _require_workload(design: dict[str, Any]) -> None:
    require_fit(design_of_record(design), workload_from(design["workload"]))


Kind = tuple[Callable[[dict[str, Any]], None], Callable[[Path], list[Simulation]]]
KINDS: Mapping[str, Kind] = {"circuits": (_require_workload, _workload_results)}


def _by_kind(design: dict[str, Any]) -> Kind:
    """Return the check of the description of a design, and the reader of its results."""
    return KINDS.get(family_of(design["network"]["family"]).kind, (lambda _: None, _sweep_results))


def _design(path: Path) -> dict[str, Any]:
    """Return an unaltered record or description by `described_design`."""
    try:
        design: dict[str, Any] = json.loads(read_input(path).decode("utf-8"))
        if "objective" in design:
            return read_record(path)
        if design["id"] != id_of(design):
            raise ValueError("altered")
        require, _ = _by_kind(design)
        require(design)
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"design={path}: damaged ({error}); expected that of isoplane simulate") from error
    return design
