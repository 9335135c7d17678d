"""The runs of a sweep as tables; and what a job without a result leaves in its folder."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import write_atomically
from isoplane.objectives import METRIC_TABLE, relative_gaps
from isoplane.runs.records import network_of, proof_status, read_record, text_of
from isoplane.runs.terminal.design_table import units_of
from isoplane.runs.terminal.table import Table

FAILURE = "failure.json"  # in the folder of a job without a result
SUMMARY = "summary.json"
SHOWN = {"stopped by": "stopped_by", "evaluations": "evaluations", "seconds": "seconds"}  # last for people
TEXTS = ("run", "family", "objective", "status", "stopped by")  # aligned to the left
PROVEN = ("status", "score_names", "score", "bound", "gap")
SEARCHED = ("stopped_by", "evaluations", "seconds", "record")
FAILED = ("options", "code", "message")


def write_failure(folder: Path, options: Sequence[str], code: int, messages: Sequence[str]) -> None:
    """Write what a job without a result was to do, and why it has none.

    Parameters
    ----------
    folder
        Its folder; nothing is written if it does not exist, or has files.
    options
        Its overrides, those of the sweep included.
    code, messages
        Its exit code, and what it printed on standard error.
    """
    if folder.is_dir() and not any(folder.iterdir()):
        failure = {"options": list(options), "code": code, "message": " ".join(messages)}
        write_atomically(folder / FAILURE, text_of(failure))


def sweep_tables(folder: Path) -> tuple[Table, Table]:
    """Return the runs of a sweep in the order of their numbers: a table for people, and one with all values.

    Parameters
    ----------
    folder
        The folder of the sweep, in which each job has one.
    """
    # Folders of a launcher are hidden.
    jobs = sorted(folder.iterdir(), key=lambda job: job_order(job.name)) if folder.is_dir() else []
    jobs = [job for job in jobs if job.is_dir() and not job.name.startswith(".")]
    if not any((job / name).exists() for job in jobs for name in (SUMMARY, FAILURE)):
        raise InputError(f"sweep={folder}: no runs in it; expected the folder of a --multirun sweep")
    rows = [_run(job) if (job / SUMMARY).exists() else _failure(job) for job in jobs]
    metrics = [name for name in METRIC_TABLE if any(name in row for row in rows)]
    return _shown(rows, metrics), _data(rows, metrics)


def _shown(rows: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> Table:
    names = ["run", "family", "size", "objective", "seed", "value", "status", *SHOWN, *metrics]
    cells = [{**row, **{name: row.get(key) for name, key in SHOWN.items()}, "status": row["words"]} for row in rows]
    right = [i for i, name in enumerate(names) if name not in TEXTS]
    return Table(names, [[row.get(name) for name in names] for row in cells], right, units_of(names))


def _data(rows: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> Table:
    names = ["run", "family", "size", "objective", "seed", "value", *metrics, *PROVEN, *SEARCHED, *FAILED]
    units = {**dict(zip(metrics, units_of(metrics), strict=True)), "seconds": "s"}
    return Table(
        names, [[row.get(name) for name in names] for row in rows], units=[units.get(name, "") for name in names]
    )


def job_order(name: str) -> list[tuple[bool, int, str]]:
    """Return the sort key of a name by its numbers: 9 is before 10, and n9 before n10."""
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.findall(r"\d+|\D+", name)]


def _failure(job: Path) -> dict[str, Any]:
    """Return the row of a job without a result; without a file that says why, such as after a kill."""
    if not (job / FAILURE).exists():
        return {"run": job.name, "words": "no result", "status": "failed"}
    failure = _json(job / FAILURE, "that of a job of a sweep")
    return {"run": job.name, "words": f"failed: {failure.get('message')}", "status": "failed", **failure}


def _run(job: Path) -> dict[str, Any]:
    """Return the row of a job with a result."""
    path, expected = job / SUMMARY, "the summary.json of a search"
    summary = _json(path, expected)
    try:
        return _cells(job, summary)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, error, expected) from error


def _cells(job: Path, summary: Mapping[str, Any]) -> dict[str, Any]:
    record = read_record(job / "records" / summary["best"])
    family, proven = network_of(record).family, (summary["score_names"], summary["score"], summary["bound"])
    return {
        **record["metrics"],
        "run": job.name,
        "family": family.name,
        "size": family.size_label.removeprefix("n="),
        "objective": summary["objective"],
        "seed": summary["seed"],
        "value": summary["printed"],
        "words": proof_status(*proven),
        **{name: summary[name] for name in PROVEN if name != "gap"},
        "gap": [None if gap is None else float(gap) for gap in relative_gaps(*proven[1:])],
        **{name: summary[name] for name in ("stopped_by", "evaluations", "seconds")},
        "record": summary["best"],
    }


def _json(path: Path, expected: str) -> dict[str, Any]:
    try:
        data = json.loads(read_input(path).decode("utf-8"))
        return dict(data)
    except InputError:
        raise
    except (ValueError, TypeError) as error:
        raise _damaged(path, error, expected) from error


def _damaged(path: Path, error: Exception, expected: str) -> InputError:
    return InputError(f"{path.stem}={path}: damaged ({error}); expected {expected}")
