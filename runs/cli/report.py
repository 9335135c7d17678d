"""`isoplane report`: a page for a run or a record, a table for a sweep."""

import json
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.records import read_record, write_atomically

from . import codes
from .setup import path_of, plain
from .table import columns


def run(config: DictConfig) -> int:
    """Write the report of a run or a record, or print the table of a sweep.

    Raises
    ------
    InputError
        If not exactly one of them is given, or it is not what it should be.
    """
    given = {name: path_of(name, value) for name, value in plain(config).items() if value is not None}
    if len(given) != 1:
        raise InputError("allowed is one of run=FOLDER, record=FILE and sweep=FOLDER")
    kind, path = given.popitem()
    if kind == "sweep":
        print(sweep_table(path))
    elif kind == "run":
        from isoplane.runs.report import write_report

        print(write_report(path))
    else:
        from isoplane.runs.report import render

        page = path.with_suffix(".html")
        write_atomically(page, render(read_record(path)))
        print(page)
    return codes.DONE


def sweep_table(folder: Path) -> str:
    """Return a table of the runs of a sweep, in the order of their numbers.

    Raises
    ------
    InputError
        If the folder holds no runs.
    """
    runs = list(folder.glob("*/summary.json")) if folder.is_dir() else []
    if not runs:
        raise InputError(f"sweep={folder}: no runs in it; allowed is the folder of a --multirun sweep")
    runs.sort(
        key=lambda path: (not path.parent.name.isdigit(), int(path.parent.name) if path.parent.name.isdigit() else 0)
    )
    rows = [["run", "family", "n", "objective", "seed", "value", "status", "stopped by", "evaluations", "seconds"]]
    without = sorted(job.name for job in folder.iterdir() if _is_lost(job))
    lost = [[name, *["-"] * 5, "no result", "-", "-", "-"] for name in without]
    return columns(rows + [_row(path) for path in runs] + lost)


def _is_lost(job: Path) -> bool:
    """Whether a folder of a sweep is that of a job without a result; a launcher's own folders are hidden ones."""
    return job.is_dir() and not job.name.startswith(".") and not (job / "summary.json").exists()


def _row(path: Path) -> list[str]:
    try:
        return _cells(path, json.loads(path.read_text(encoding="utf-8")))
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"summary={path}: damaged ({error}); allowed is the summary.json of a search") from error


def _cells(path: Path, summary: dict[str, Any]) -> list[str]:
    record = read_record(path.parent / "records" / summary["best"])
    network = record["network"]
    return [
        path.parent.name,
        network["family"],
        str(network["n"]),
        summary["objective"],
        str(summary["seed"]),
        f"{summary['printed']:.8g}",
        summary["status"],
        str(summary["stopped_by"]),
        str(summary["evaluations"]),
        f"{summary['seconds']:.1f}",
    ]
