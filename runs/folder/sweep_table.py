"""The runs of a sweep as tables."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.exact_text import NUMBER, number_order
from isoplane.objectives.scoring.sums import EXCESS
from isoplane.runs.drawing.quantities import title_in_sentence
from isoplane.runs.records import (
    PROOF,
    component_words,
    design_of_record,
    gaps_text,
    network_of,
    proof_fields,
    proof_status,
    read_record,
)
from isoplane.runs.terminal.design_table import all_metrics, known_metrics, throughput_of_cubes, units_of
from isoplane.runs.terminal.table import Table

from .folder_lock import is_of_job, kind_of_folder
from .job_list import FAILURE, NOT_BEGUN, job_list_of, last_options, saved_sweep

SUMMARY, COMPARISON = "summary.json", "comparison.json"
SHOWN = {"stopped by": "stopped_by", "evaluations": "evaluations", "seconds": "seconds"}  # last for people
TEXTS = ("run", "family", "objective", "status", "stopped by")  # aligned to the left
# Left out where they are the same as another column, or in all runs.
DESCRIBED = ("family", "size", "objective", "seed")
OPTIONS = ("objective", "seed")  # those of them that are options, which jobs without a result have too
TITLE = re.compile(r"(.+) \((.+)\)")  # of the value of an objective: its name and its unit
SEARCHED = ("stopped_by", "evaluations", "seconds", "record")
ENDED = ("options", "code", "message")
PER_NODE = "throughput_per_node"
MAX_LEVELS = 4  # of folders below those in the folder of a sweep


def sweep_tables(rows: Sequence[Mapping[str, Any]]) -> tuple[Table, Table]:
    """Return the jobs of `sweep_rows` as a table for people, and as one with all values."""
    metrics = metrics_of(rows)
    return _shown(rows, metrics), _data(rows, metrics)


def sweep_rows(folder: Path) -> list[dict[str, Any]]:
    """Return what is known of each job of a sweep, in the order of their numbers, also of those that have not begun.

    Each has ``run`` (its path from the folder, None if unknown), ``words`` (its status for people) and ``swept``, its
    value of each option of which the sweep has several; with a result also metrics, and ``family``. A comparison has
    ``compared``: the cells of its cheapest design of the highest throughput, None without one.

    Parameters
    ----------
    folder
        The folder of the sweep, in which each job has one, or of several sweeps and runs.
    """
    jobs = _jobs(folder, MAX_LEVELS) if folder.is_dir() else []
    if not any(map(_has_ended, jobs)):
        kinds = sorted({kind_of_folder(job) or "search" for job in jobs} - {"search", "sweep"})
        if kinds:
            raise InputError(f"sweep={folder}: a sweep of {kinds[0]}s; expected one of searches or comparisons")
        if not job_list_of(folder).exists():
            found = "no runs in it" if folder.is_dir() else "no such folder"
            raise InputError(f"sweep={folder}: {found}; expected the folder of a --multirun sweep")
    places = {folder, *(place for job in jobs for place in job.parents if place.is_relative_to(folder))}
    lists = {place: _saved(job_list_of(place)) for place in places}
    rows, unnamed = [], list[dict[str, Any]]()
    for place, (_, words, is_numbered) in lists.items():
        if is_numbered:
            jobs += [job for number in range(len(words)) if not (job := place / str(number)).exists()]
        else:  # which of the jobs have not begun is unknown
            begun = sum(job.is_relative_to(place) for job in jobs)
            unnamed += [{**NOT_BEGUN, "run": None, "swept": {}}] * (len(words) - begun)
    for job in sorted(jobs, key=lambda job: [number_order(part) for part in job.relative_to(folder).parts]):
        _, words, is_numbered = lists[job.parent]
        is_listed = is_numbered and job.name.isdecimal() and int(job.name) < len(words)
        options, swept = words[int(job.name)] if is_listed else ([], {})
        kept = {SUMMARY: _run, COMPARISON: _comparison}
        row = next((read for name, read in kept.items() if (job / name).exists()), _failure)(job)
        options = last_options(job / "config.yaml", options, row.get("stop") or {}) if options else options
        rows.append({"options": options or None, **row, "run": job.relative_to(folder).as_posix(), "swept": swept})
    if any(row.get(PER_NODE) is not None for row in rows):
        rows = [{**row, **_of_cubes(folder / row["run"] / "records" / row.get("record", ""), row)} for row in rows]
    return [*rows, *unnamed]


def _of_cubes(record: Path, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics of switches and cables that records of cubes do not state, in a sweep of both."""
    if row.get("max_traffic") is None or PER_NODE in row:
        return {}
    design = design_of_record(read_record(record))
    return {"diameter": all_metrics(design, known={})["diameter"], **throughput_of_cubes(design, row)}


def _jobs(folder: Path, levels: int) -> list[Path]:
    """Return the folders in a folder, in the order of their numbers, and in place of one that has runs these runs."""
    jobs = []
    for place in sorted(folder.iterdir(), key=lambda place: number_order(place.name)):
        if not place.is_dir() or place.name.startswith("."):  # folders of a launcher are hidden
            continue
        inner = [] if _has_ended(place) or not levels else _jobs(place, levels - 1)
        # Without a result, jobs of a sweep and what was killed are still rows; any other folder is none of a run.
        runs = [
            job
            for job in inner
            if _has_ended(job) or job_list_of(job.parent).exists() or kind_of_folder(job) in ("search", "comparison")
        ]
        jobs += runs if any(map(_has_ended, runs)) else [place] if _has_ended(place) or is_of_job(place) else []
    return jobs


def _has_ended(job: Path) -> bool:
    return any((job / name).exists() for name in (SUMMARY, COMPARISON, FAILURE))


def metrics_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the metrics that any run of a sweep has."""
    return [name for name in known_metrics() if any(row.get(name) is not None for row in rows)]


def swept_options(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the options of which a sweep has several values, as they were typed: the value of each job, by key."""
    keys = dict.fromkeys(key for row in rows for key in row["swept"])
    return {key: [row["swept"].get(key, "–") for row in rows] for key in keys}


def _saved(path: Path) -> tuple[str, list[tuple[list[str], dict[str, str]]], bool]:
    try:
        return saved_sweep(read_input(path)) if path.exists() else ("", [], True)
    except InputError:
        raise
    except ValueError as error:
        raise _damaged(path, error, "the job list of a --multirun sweep") from error


def _shown(rows: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> Table:
    title, unit = value_title(rows)
    title = next((name for name in metrics if title_in_sentence(name) == title), title)  # a metric has one column
    others = [name for name in metrics if name != title]
    names = ["run", *_described(rows)[0], title, "status", *SHOWN, *others, "bound", "gap"]
    swept = swept_options(rows)
    keys = [key for key in swept if key not in (*DESCRIBED, *names)]
    proven = {"status": "words", "bound": "value_bound", "gap": "gaps", title: "value"}
    renamed = {**{name: name for name in names}, **SHOWN, **proven}
    cells = [
        {**row["swept"], **{name: row.get(key) for name, key in renamed.items() if key in row or name not in OPTIONS}}
        for row in rows
    ]
    names[1:1] = keys
    parts = any("," in (row.get("gaps") or "") for row in rows)  # one gap for each component
    texts = (*TEXTS, *(("gap",) if parts else ()), *(key for key in keys if not all(map(NUMBER.fullmatch, swept[key]))))
    right = [i for i, name in enumerate(names) if name not in texts]
    beside = dict(zip(names, units_of(names), strict=True)) | ({} if title in metrics else {title: unit})
    beside["bound"] = beside[title]
    return Table(names, [[row.get(name) for name in names] for row in cells], right, list(beside.values()))


def value_title(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the name and the unit of the values of an objective; ``value`` for runs with several objectives."""
    titles = {row["value_title"] for row in rows if "value_title" in row}
    return titles.pop() if len(titles) == 1 else ("value", "")


def shared_values(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return in words what all of several runs have in common, and the table of them leaves out."""
    run = next((row for row in rows if "family" in row), {})
    shared = _described(rows)[1]
    return [f"all runs: {', '.join(f'{name} {run[name]}' for name in shared)}"] if shared else []


def _described(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Return those of `DESCRIBED` that have a column, and those that all runs share; swept options tell the others.

    An option that only jobs without a result have otherwise is shared by no runs. A single run has all columns.
    """
    runs = [row for row in rows if "family" in row]
    if len(runs) < 2:
        return list(DESCRIBED), []
    swept = {key for key, values in swept_options(rows).items() if len(set(values)) > 1}
    columns, shared = [], []
    for name in DESCRIBED:
        values = [str(row[name]) for row in runs]
        others = () if name in OPTIONS else swept.difference(DESCRIBED)
        told = any(values == [row["swept"].get(key) for row in runs] for key in others)
        if name in swept or (len(set(values)) > 1 and not told):
            columns.append(name)
        elif not told:
            shared.append(name)
    return columns, shared


def _data(rows: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> Table:
    names = ["run", "family", "size", "objective", "seed", "value", "value_bound", *metrics, *PROOF, *SEARCHED, *ENDED]
    names[1:1] = [key for key in swept_options(rows) if key not in names]
    units = {**dict(zip(metrics, units_of(metrics), strict=True)), "seconds": "s"}
    cells = [[{**row["swept"], **row}.get(name) for name in names] for row in rows]
    return Table(names, cells, units=[units.get(name, "") for name in names])


def _failure(job: Path) -> dict[str, Any]:
    """Return the row of a job without a result; without a file that says why, such as after a kill."""
    if not job.exists() or not any(job.iterdir()):  # Hydra has made it, and an interrupt ended the sweep
        return NOT_BEGUN
    if not (job / FAILURE).exists():
        return {"words": "no result", "status": "no result"}
    failure = _json(job / FAILURE, "that of a job of a sweep")
    return {"words": f"failed: {failure.get('message')}", "status": "failed", **failure}


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


def _comparison(job: Path) -> dict[str, Any]:
    """Return the row of a comparison."""
    found = next((row for row in compared_cells(job) if "design" in row and row["existing"] is None), None)
    return {"words": "no design", "compared": found}


def compared_cells(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of a comparison with their values, from its folder."""
    path, expected = folder / COMPARISON, "that of a comparison"
    try:
        return cells_of_comparison(_json(path, expected))
    except (TypeError, KeyError, AttributeError) as error:
        raise _damaged(path, error, expected) from error


def cells_of_comparison(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a comparison with their values, from the content of its file."""
    return [{"existing": row["existing"], **row, **row.get("values", {})} for row in content["rows"]]


def _cells(job: Path, summary: Mapping[str, Any]) -> dict[str, Any]:
    record = read_record(job / "records" / summary["best"])
    network = network_of(record)
    family, proof = network.family, proof_fields(summary)
    return {
        **record["metrics"],
        **record.get("own_metrics", {}),
        "title": network.title,
        "family": family.name,
        "size_label": family.size_label,
        "size": family.size_label.removeprefix("n="),
        "objective": summary["objective"],
        "seed": summary["seed"],
        "value": summary["printed"],
        "value_bound": summary.get("printed_bound"),  # runs of older versions lack it
        "value_title": _value_title(summary),
        "words": proof_status(proof["score_names"], proof["score"], proof["bound"]),
        "gaps": gaps_text(proof["score_names"], proof["score"], proof["bound"]),
        **proof,
        **{name: summary[name] for name in ("stopped_by", "evaluations", "seconds")},
        "record": summary["best"],
        "stop": record["provenance"]["config"].get("stop"),  # as it ended last
    }


def _value_title(summary: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name, of a product as in its status, and the unit of the printed value of a run."""
    stated = summary.get("printed_title", "value")
    title, unit = found.groups() if (found := TITLE.fullmatch(stated)) else (stated, "")
    if "×" in title:
        title = component_words(next(name for name in summary["score_names"] if name != EXCESS))
    return title, unit.replace(" · ", "·")


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
