"""The runs in a folder, as a page shows them: how far each is, its best value with bound, and its status in words."""

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from isoplane.models import InputError
from isoplane.models.files.exact_text import counted, number_order
from isoplane.objectives.scoring.sums import EXCESS
from isoplane.runs.drawing.objective_text import printed_text
from isoplane.runs.drawing.quantities import format_number, format_significant
from isoplane.runs.folder.folder_lock import JOURNAL, LOCK, RECORDS, RESULTS, RUN_KINDS
from isoplane.runs.folder.job_list import FAILURE, JOBS, saved_words
from isoplane.runs.records import proof_status, stop_text
from isoplane.runs.report.history import history_rows

from .shared_files import Place, content_of, entries_of, opened

REPORT = "report.html"
MAX_LEVELS = 4  # of folders below the one that is served
MAX_RUNS = 200  # shown, those that run first, then the latest
MAX_BYTES = 1 << 22  # of a file that is read for the page
MAX_POINTS = 120  # of a curve
NEWS_S = 30.0  # a search that runs notes its progress more often, unless a step takes longer
Run = Mapping[str, Any]  # as JSON
Cache = dict[tuple[Place, str], tuple[tuple[int, ...], Any]]  # what files say, with the state in which they said it


def listed_runs(root: int, cache: Cache) -> dict[str, Any]:
    """Return the runs below an open folder, as JSON: those of each sweep, and all others, as groups with a title.

    Parameters
    ----------
    root
        Descriptor of the folder. Nothing in it is locked or written.
    cache
        What was read before: a file is read again once its time or size has changed. Emptied of what is gone.
    """
    used: Cache = {}
    sweeps: list[str] = []
    found = [_run(root, folder, cache, used) for folder in _folders(root, (), "", sweeps)]
    options = {sweep: _swept_options(root, sweep) for sweep in sweeps}
    for run in found:
        job = run["name"]
        if run["sweep"] and job.isdecimal() and int(job) < len(options[run["sweep"]]):
            run["name"] = f"{job}: {options[run['sweep']][int(job)]}"
    cache.clear()
    cache.update(used)
    found.sort(key=lambda run: (not run["is_running"], 0 if run["is_running"] else -run["updated"], _order(run)))
    shown = found[:MAX_RUNS]
    begun = {run["sweep"] for run in found}
    planned = [sweep for sweep in sweeps if options[sweep] and sweep not in begun]
    groups = [
        _group(name, [run for run in shown if run["sweep"] == name], _counts(name, found, options))
        for name in dict.fromkeys([*planned, *(run["sweep"] for run in shown)])  # in the order of their first runs
    ]
    running = sum(run["is_running"] for run in found)
    left_out = "" if len(found) == len(shown) else f"; the latest {len(shown)} are shown"
    return {"title": f"{counted(len(found), 'run')}, {running} running{left_out}", "groups": groups}


def _swept_options(root: int, sweep: str) -> Sequence[str]:
    """Return the options of each job of a sweep that other jobs have with another value; none if unknown."""
    try:
        return _options_of(content_of(root, (*([] if sweep == "." else sweep.split("/")), JOBS), MAX_BYTES))
    except (OSError, ValueError):
        return []


@lru_cache(maxsize=64)  # the page asks every second
def _options_of(job_list: bytes) -> Sequence[str]:
    return [" ".join(f"{key}={value}" for key, value in swept.items()) for _, swept in saved_words(job_list)]


def _counts(sweep: str, found: Sequence[Run], options: Mapping[str, Sequence[str]]) -> str:
    """Return in words how many jobs a sweep has, and how many of them run, have failed and have not begun."""
    runs = [run for run in found if run["sweep"] == sweep]
    jobs = max(len(runs), len(options.get(sweep, ())))
    failed, waiting = sum("failure" in run for run in runs), jobs - len(runs)
    parts = [counted(jobs, "job"), f"{sum(run['is_running'] for run in runs)} running"]
    return ", ".join(
        [*parts, *([f"{failed} failed"] if failed else []), *([f"{waiting} not begun"] if waiting else [])]
    )


def _group(sweep: str, runs: Sequence[Run], counts: str) -> dict[str, Any]:
    named = "Sweep" if sweep == "." else f"Sweep {sweep}"  # the folder that is served has no name here
    title = f"{named}: {counts}" if sweep else "Runs"
    return {"sweep": sweep, "title": title, "runs": sorted(runs, key=_order) if sweep else runs}


def _order(run: Run) -> list[tuple[bool, int, str]]:
    return number_order(run["path"])


class _Folder(NamedTuple):
    """The folder of a run: its place, the name of its sweep or an empty one, its files, and if it has records."""

    place: Place
    sweep: str
    files: Mapping[str, os.stat_result]
    has_records: bool


def _folders(root: int, place: Place, sweep: str, sweeps: list[str]) -> Iterator[_Folder]:
    """Yield the folders of runs below a place, which may be in the folder of a sweep, and add the names of sweeps."""
    try:
        with opened(root, place) as folder:
            files, inner = entries_of(folder)
    except OSError:
        return  # removed in the meantime, or closed to this user
    jobs = ("/".join(place) or ".") if JOBS in files else sweep
    sweeps += [jobs] if JOBS in files else []
    marks = set() if JOBS in files else files.keys() & {LOCK, FAILURE, *RESULTS, *RUN_KINDS} | {RECORDS} & set(inner)
    marks |= {page} if (page := _figure_page(files)) else set()
    runs = []
    if marks <= {REPORT} and len(place) < MAX_LEVELS:  # a page alone may be that of all runs below
        runs = [run for name in inner for run in _folders(root, (*place, name), jobs, sweeps)]
    if marks and not runs:
        yield _Folder(place, sweep, files, RECORDS in inner)
    yield from runs


def _figure_page(files: Iterable[str]) -> str:
    """Return the page of a reproduced figure, named like its drawing and its numbers; empty if there is none."""
    parts: dict[str, set[str]] = {}
    for name in files:
        stem, _, suffix = name.rpartition(".")
        parts.setdefault(stem, set()).add(suffix)
    return next((f"{stem}.html" for stem in sorted(parts) if parts[stem] >= {"csv", "html", "svg"}), "")


def _read(
    root: int, folder: _Folder, cache: Cache, used: Cache, name: str, reader: Callable[[bytes], Any], default: Any
) -> Any:
    """Return what a file of a folder says; the default if there is none or it cannot be read now."""
    if name not in folder.files:
        return default
    file, key = folder.files[name], (folder.place, name)
    state = file.st_mtime_ns, file.st_size, file.st_ino
    if key not in cache or cache[key][0] != state:
        try:
            cache[key] = state, reader(content_of(root, (*folder.place, name), MAX_BYTES))
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
            cache[key] = state, default  # not that of a run: its files are still listed
    used[key] = cache[key]
    return cache[key][1]


def _run(root: int, folder: _Folder, cache: Cache, used: Cache) -> dict[str, Any]:
    """Return a run as JSON."""
    place, files, read = folder.place, folder.files, partial(_read, root, folder, cache, used)
    updated = max((file.st_mtime for file in files.values()), default=0.0)
    search, figure = read("summary.json", _search, None) or {}, _figure_page(files)
    run: dict[str, Any] = {
        "path": "/".join(place),
        "name": "/".join(place[0 if folder.sweep in ("", ".") else folder.sweep.count("/") + 1 :]) or ".",
        "sweep": folder.sweep,
        "kind": next((kind for name, kind in RUN_KINDS.items() if name in files), "figure" if figure else "run"),
        "updated": int(updated),
        "page": REPORT if REPORT in files else figure,
        "has_records": folder.has_records,
        **_state(files, time.time() - updated, search.get("stopped_by", ""), search.get("ending")),
    }
    if search:
        curve = read("history.csv", lambda content: _curve(content, search["has_limits"]), [])
        now = [[search["seconds"], *curve[-1][1:]]] if curve and search["seconds"] > curve[-1][0] else []
        run |= {**search["shown"], "curve": [*curve, *now]}
    elif (failure := read(FAILURE, lambda content: str(json.loads(content)["message"]), None)) is not None:
        run |= {"failure": failure, "state": f"failed: {failure}"}
    elif (lines := read(JOURNAL, lambda content: content.count(b"\n"), None)) is not None:
        run["progress"] = f"{counted(lines, 'result')} so far"
        if LOCK not in files:  # a comparison that has ended has no such file
            run["state"] = "interrupted"
    return run


def _state(
    files: Mapping[str, os.stat_result], age_s: float, stopped_by: str | None, ending: str | None
) -> dict[str, Any]:
    """Return whether a run goes on, and its state in words, from the age of its files and how its search ended."""
    is_locked = LOCK in files
    is_running = is_locked and age_s < NEWS_S
    if not is_locked:
        words = ending or "ended"
    elif not is_running:
        words = "no news for a while: in a long step, or killed"
    elif ending and files["summary.json"].st_mtime_ns < files[LOCK].st_mtime_ns:  # which is set when it is locked
        words = f"resuming ({ending})"
    else:
        words = f"running: writes its report ({ending})" if stopped_by else "running"
    return {"is_running": is_running, "state": words}


def _search(content: bytes) -> dict[str, Any]:
    """Return what the summary of a search says: what is shown, how it ended, and whether scores begin with limits."""
    summary = json.loads(content)
    bound = summary.get("printed_bound")  # runs of older versions have neither it nor a title
    title = summary.get("printed_title", summary["objective"])
    unit = title.rpartition(" (")[2].removesuffix(")")
    shown = {
        "kind": "search",
        "network": _network(summary["best"]),
        "objective": title,
        "best": printed_text(summary["printed"], unit),
        "bound": None if bound is None else printed_text(bound, unit),
        "proof": proof_status(summary["score_names"], summary["score"], summary["bound"], summary["proven_over"]),
        "progress": _progress(summary),
        "share": _share(summary),
    }
    return {
        "shown": shown,
        "seconds": summary["seconds"],
        "ending": stop_text(summary),
        "stopped_by": summary["stopped_by"],
        "has_limits": summary["score_names"][0] == EXCESS,
    }


def _network(record: str) -> str:
    """Return family and size of the network of a record from its file name.

    Examples
    --------
    >>> _network("folded_hypercube-n8-aspl-0123456789ab.json")
    'folded hypercube n=8'
    """
    family, size, *_ = [*PurePosixPath(record).stem.split("-"), ""]
    return f"{family} {re.sub('^n(?=[0-9])', 'n=', size)}".replace("_", " ")


def _progress(summary: Mapping[str, Any]) -> str:
    """Return time and evaluations, with their limits while the search runs, and what is left of a proof."""
    stop = summary.get("stop") or {}
    seconds, evaluations = format_number(summary["seconds"], 1), format_number(summary["evaluations"], 0)
    parts = [
        seconds + (f" of {format_number(stop['seconds'], 1)} s" if stop.get("seconds") else " s"),
        evaluations + (f" of {format_number(stop['evaluations'], 0)}" if stop.get("evaluations") else "")
        + " evaluations",
    ]  # fmt: skip
    if summary.get("searched") is not None:
        parts.append(f"{100 * summary['searched']:.3g} % searched")
    if "core_hours_left" in summary:
        parts.append(f"about {_core_time(summary['core_hours_left']['estimate'])} left")
    return ", ".join(parts)


def _core_time(hours: float) -> str:
    """Return computation in the largest unit of which there is at least one.

    Examples
    --------
    >>> _core_time(3.21), _core_time(0.05), _core_time(0.0001)
    ('3.2 core hours', '3 core minutes', '0.36 core seconds')
    """
    units = {"hours": 1, "minutes": 60, "seconds": 3600}
    unit = next((unit for unit, per_hour in units.items() if hours * per_hour >= 1), "seconds")
    return f"{format_significant(hours * units[unit], 2)} core {unit}"


def _share(summary: Mapping[str, Any]) -> float | None:
    """Return the share of a running search that is done, by the nearest of its limits; None without one."""
    stop = summary.get("stop") or {}
    shares = [summary[name] / stop[name] for name in ("seconds", "evaluations") if stop.get(name)]
    searched = summary.get("searched")
    known = [*shares, *([] if searched is None else [searched])]
    return min(1.0, max(known)) if known else None


def _curve(content: bytes, has_limits: bool) -> list[list[float | None]]:
    """Return the curve of a history: where score or bound improve, the seconds, the first component of both.

    Smaller is better. Scores with limits have their excess before that; what exceeds them is left out.
    """
    try:
        rows = history_rows(Path("history.csv"), content)
    except InputError:
        return []
    first, best, points = int(has_limits), None, list[list[float | None]]()
    for row in rows:
        if has_limits and row.score[0]:
            continue
        bound = row.bound[first] if row.bound else None
        if best is None or row.score < best:
            best = row.score
        elif bound is None or bound == points[-1][2]:  # a proof ends a history with the bound that it has raised
            continue
        points.append([row.seconds, best[first], bound])
    step = -(-len(points) // MAX_POINTS) if points else 1
    return points[::-1][::step][::-1]  # the last one is always among them
