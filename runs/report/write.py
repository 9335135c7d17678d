"""Pages of runs, of simulations and of given designs, in their folders."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

from isoplane.models import Design, InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import write_atomically
from isoplane.models.workloads import Workload
from isoplane.runs.inputs.named_families import family_of
from isoplane.runs.records import (
    Record,
    bare_name,
    class_id_of,
    design_content,
    design_of_record,
    file_name,
    id_of,
    names_content,
    provenance,
    read_record,
    require_fit,
    size_of,
    workload_from,
    workload_json,
)
from isoplane.runs.simulations.folder import DESIGN_FILE
from isoplane.runs.simulations.hybrid import COMPLETIONS

from .history import read_history
from .page import render, render_on_front
from .report_data import LinkLoad, ReportData, Simulation
from .sections.front import DESIGNS_FOLDER, front_records

SUMMARY, RUNS = "summary.json", "report.json"
SWEEP_FIELDS = ("record", "low_load", "saturation", "runs")
WORKLOAD_FIELDS = ("shorten", *COMPLETIONS.values(), "fluid", "busiest_links", "arrived")


def write_report(run_folder: Path, best: Design | None = None) -> Path:
    """Write `report.html` into the folder of a run, atomically, and return its path.

    Reads `summary.json`, the records that it names in `records/`, and `history.csv` and `simulation/` if they exist.
    The folder of a simulation has a design instead of records.

    Parameters
    ----------
    run_folder
        The folder.
    best
        The design of the best record, if it is built already.
    """
    if (run_folder / DESIGN_FILE).exists():
        return write_simulation_report(run_folder)
    summary = run_summary(run_folder / "summary.json")
    records = run_folder / "records"
    record = read_record(records / summary["best"])
    others = [read_record(records / name) for name in _others(summary)]
    history = run_folder / "history.csv"
    required, _, _ = _kind_of(record)
    data = ReportData(
        record,
        read_history(history) if history.exists() else (),
        others,
        summary,
        _read_simulations(run_folder / "simulation", [summary["best"], *_others(summary)], required),
        f"record=records/{summary['best']}",
        best,
    )
    if front_records(data):
        _write_designs(run_folder / DESIGNS_FOLDER, data)
    report = run_folder / "report.html"
    write_atomically(report, render(data))
    return report


def _write_designs(folder: Path, data: ReportData) -> None:
    """Write the page of every design of a front but that of the report, and remove those of designs no longer on it."""
    others = [record for record in data.others if record["id"] != data.record["id"]]
    records = {Path(file_name(dict(record))).stem: record for record in others}
    folder.mkdir(exist_ok=True)
    for page in folder.glob("*.html"):
        if page.stem not in records:
            page.unlink()
    for name, record in records.items():
        design = ReportData(record, verified_by=f"record=records/{name}.json")
        write_atomically(folder / f"{name}.html", render_on_front(design, "../report.html"))


def _others(summary: dict[str, Any]) -> list[str]:
    return [name for name in summary["records"] if name != summary["best"]]


def run_summary(path: Path) -> dict[str, Any]:
    """Read a summary; names of records must be file names without a folder."""
    allowed = "expected the summary.json of a run with best and records"
    if not path.exists():
        raise InputError(f"run={path.parent}: {_lacking(path.parent)}; expected the folder of a search with a design")
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


def _lacking(folder: Path) -> str:
    """Return why a folder has no summary."""
    if not folder.is_dir():
        return f"no {'folder' if folder.exists() else 'such folder'}"
    return "no design so far" if (folder / "config.yaml").exists() else "no run in it"


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
    _, _, results = _kind_of(design)
    found = results(folder)
    verified_by = next((each["verified_by"] for each in found if "verified_by" in each), f"record={DESIGN_FILE}")
    report = folder / "report.html"
    data = ReportData(design, simulations=found, verified_by=verified_by, built=built)
    write_atomically(report, render(data))
    return report


def _sweep_results(folder: Path) -> list[Simulation]:
    """Return the results of a sweep over loads for a network of switches."""
    (summary,) = _read_simulations(folder, [SUMMARY], ("saturation", "traffic"))
    (reports,) = _read_simulations(folder, [RUNS], ("runs",))
    lowest = min(reports["runs"], key=lambda run: run["offered_load"])
    loads = folder / "links.csv"
    links = {"links": link_loads(loads)} if loads.exists() else {}
    return [{**summary, "record": DESIGN_FILE, "low_load": lowest, "runs": reports["runs"], **links}]


def link_loads(path: Path) -> list[LinkLoad]:
    """Return plane, switch and port of each link between switches, and the share of the time in which it is busy.

    Of several offered loads, it is that of the last one, which is the highest.
    """
    try:
        rows = list(csv.DictReader(StringIO(read_input(path).decode("utf-8"), newline="")))
        load = list(rows[0])[-1]
        between = [row for row in rows if row["from"][0] == row["to"][0] == "s"]
        return [(int(row["plane"]), int(row["from"][1:]), int(row["port"]), float(row[load])) for row in between]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"links={path}: {error}; expected the links.csv of isoplane simulate") from error


def _require_workload(design: dict[str, Any]) -> None:
    require_fit(design_of_record(design), workload_from(design["workload"]))


# Required fields of the simulations in a run, of a sweep over loads or, with circuits, of a workload; the check of the
# description of a simulated design; and the reader of the results of its simulation.
Kind = tuple[Sequence[str], Callable[[dict[str, Any]], None], Callable[[Path], list[Simulation]]]
SWEEP: Kind = (SWEEP_FIELDS, lambda _: None, _sweep_results)
WORKLOAD: Kind = (
    WORKLOAD_FIELDS,
    _require_workload,
    lambda folder: _read_simulations(folder, [SUMMARY], WORKLOAD_FIELDS),
)
KINDS: Mapping[str, Kind] = {"circuits": WORKLOAD}  # of designs, where they are more than a network


def _kind_of(design: Record) -> Kind:
    return KINDS.get(family_of(design["network"]["family"]).kind, SWEEP)


def _design(path: Path) -> dict[str, Any]:
    """Return an unaltered record or description by `described_design`."""
    try:
        design: dict[str, Any] = json.loads(read_input(path).decode("utf-8"))
        if "objective" in design:
            return read_record(path)
        if design["id"] != id_of(design):
            raise ValueError("altered")
        _, require, _ = _kind_of(design)
        require(design)
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"design={path}: damaged ({error}); expected that of isoplane simulate") from error
    return design


def _read_simulations(folder: Path, names: Sequence[str], required: Sequence[str]) -> list[Simulation]:
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


def write_network_report(
    design: Design, folder: Path, *, config: Mapping[str, Any], verified_by: str, workload: Workload | None = None
) -> Path:
    """Write the page of a design into a folder, atomically, and return its path.

    It is named ``FAMILY-nN-ID.html``, or ``FAMILY-NODES-ID.html`` without a dimension n, with the first twelve
    digits of the id that a record of the design has; with a workload ``FAMILY-NODES-WORKLOAD-DIGITS.html``, with those
    of a hash of that id and the workload. So a page is replaced only by one on the same design and workload.

    Parameters
    ----------
    design
        A network, with circuits and a placement if it has an optical switch.
    folder
        An existing folder for the page.
    config
        The configuration that describes the design.
    verified_by
        Arguments of `isoplane verify` that check it.
    workload
        The workload, if there is one.
    """
    described = described_design(design, workload, config)
    work, digits = "", described["id"]
    if workload is not None:
        work = f"-{bare_name(workload.name)}"
        digits = sha256(json.dumps([digits, described["workload"]], sort_keys=True).encode()).hexdigest()
    page = folder / f"{size_of(described)}{work}-{digits[:12]}.html"
    write_atomically(page, render(ReportData(described, verified_by=verified_by)))
    return page


def described_design(design: Design, workload: Workload | None, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a given design: a record without fields about a search."""
    if workload is not None:
        require_fit(design, workload)
    content = design_content(design)
    return {
        "id": id_of(content),
        "class_id": class_id_of(design.network),
        **content,
        **names_content(design),
        **({} if workload is None else {"workload": workload_json(workload)}),
        "provenance": provenance(None, None, config),
    }
