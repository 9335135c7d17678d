"""The page of a sweep, with links to those of its runs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.objectives import METRIC_TABLE
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import PLANE_COLOURS, drawing_style, label, new_figure, number_points, picture
from isoplane.runs.drawing.link_heat import PLANES
from isoplane.runs.drawing.parallel import parallel
from isoplane.runs.drawing.quantities import format_metric, short_title, title_in_sentence, unit_of, value_text
from isoplane.runs.drawing.values import show_points
from isoplane.runs.folder.sweep_table import SUMMARY, job_order
from isoplane.runs.records import Record, network_of, proof_status, read_record

from .page import KEY_FIGURES, page_text

CONFIG, PAGE = "config.yaml", "report.html"
COLUMNS = ("run", "family", "size", "objective", "seed", "value", "status", "stopped by", "evaluations", "seconds")
MOST_AXES = 9  # of parallel coordinates
MOST_VALUES = 6  # of an option that the sentence lists

Run = tuple[Path, dict[str, Any], Record]  # folder, summary and best record


def runs_of(folder: Path) -> list[Run]:
    """Return the runs of a sweep, in the order of their numbers."""
    found = [path.parent for path in folder.glob(f"*/{SUMMARY}")] if folder.is_dir() else []
    if not found:
        raise InputError(f"sweep={folder}: no runs in it; expected the folder of a --multirun sweep")
    return [_run(path) for path in sorted(found, key=lambda path: job_order(path.name))]


def lost_jobs(folder: Path) -> list[str]:
    """Return the folders of jobs without a result; those of a launcher are hidden."""
    jobs = (job for job in folder.iterdir() if job.is_dir() and not job.name.startswith("."))
    return sorted((job.name for job in jobs if not (job / SUMMARY).exists()), key=job_order)


def write_sweep_page(folder: Path) -> Path:
    """Write the page of a sweep into its folder, atomically, and return its path."""
    runs = runs_of(folder)
    differing = _differing(runs)
    metrics = [name for name in METRIC_TABLE if any(_metric(run, name) is not None for run in runs)]
    with drawing_style():
        blocks = [Block("runs", "Runs", _parts(folder, runs, differing, metrics))]
    title = f"Sweep of {counted(len(runs) + len(lost_jobs(folder)), 'job')}"
    write_atomically(folder / PAGE, page_text(title, _sentence(folder, runs, differing), _best(runs), blocks))
    return folder / PAGE


def _run(folder: Path) -> Run:
    path = folder / SUMMARY
    try:
        summary = json.loads(read_input(path).decode("utf-8"))
        run = folder, summary, read_record(folder / "records" / summary["best"])
        _cells(run)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"summary={path}: damaged ({error}); expected the summary.json of a search") from error
    return run


def _cells(run: Run) -> list[str]:
    folder, summary, record = run
    family = network_of(record).family
    return [
        folder.name,
        family.name,
        family.size_label.removeprefix("n="),
        summary["objective"],
        str(summary["seed"]),
        f"{summary['printed']:.8g}",
        proof_status(summary["score_names"], summary["score"], summary["bound"]),
        str(summary["stopped_by"]),
        str(summary["evaluations"]),
        f"{summary['seconds']:.1f}",
    ]


def _metric(run: Run, name: str) -> float | None:
    value: float | None = run[2]["metrics"].get(name)
    return value


def _differing(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Return the options in which the configs of runs differ: their values, by key."""
    configs = [dict(_options(_config(folder / CONFIG))) for folder, _, _ in runs]
    keys = dict.fromkeys(key for config in configs for key in config)
    values = {key: [config.get(key, "–") for config in configs] for key in keys}
    return {key: found for key, found in values.items() if len(set(found)) > 1}


def _config(path: Path) -> Mapping[str, Any]:
    config = yaml.safe_load(read_input(path)) if path.exists() else {}
    return config if isinstance(config, Mapping) else {}


def _options(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the keys of a config, joined by dots, with their values as text."""
    for key, value in config.items():
        if isinstance(value, Mapping):
            yield from _options(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", json.dumps(value, ensure_ascii=False).strip('"')


def _sentence(folder: Path, runs: Sequence[Run], differing: Mapping[str, Sequence[str]]) -> str:
    """Return in what the runs differ, and how many jobs have no result."""
    parts = []
    for key, values in differing.items():
        distinct = list(dict.fromkeys(values))
        shown = ", ".join(distinct[:MOST_VALUES]) + (", …" if len(distinct) > MOST_VALUES else "")
        parts.append(f"{key} ({shown})")
    lost = len(lost_jobs(folder))
    without = f"; {counted(lost, 'job')} without a result" if lost else ""
    return f"{counted(len(runs), 'design')} by {' and '.join(parts) or 'one configuration'}{without}"


def _best(runs: Sequence[Run]) -> list[Part]:
    """Return the best value of each important metric, with the run that has it."""
    found = []
    for name in KEY_FIGURES:
        values = {run[0].name: value for run in runs if (value := _metric(run, name)) is not None}
        if values:
            choose = max if METRIC_TABLE[name].higher_is_better else min
            best = choose(values, key=lambda job: values[job])
            title, text = f"Best {title_in_sentence(name)}", format_metric(name, values[best])
            found.append(Part.key_figure(title, text, unit_of(name), "run", (best, "", "")))
    return found


def _parts(
    folder: Path, runs: Sequence[Run], differing: Mapping[str, Sequence[str]], metrics: Sequence[str]
) -> list[Part]:
    """Return the table of all runs, with links to their pages, and the chart of two metrics."""
    keys = [key for key in differing if key != "seed"]  # which is a column of every sweep
    titles = [f"{short_title(name)} ({unit_of(name)})" if unit_of(name) else short_title(name) for name in metrics]
    rows: list[list[str | tuple[str, str]]] = [["run", *keys, *COLUMNS[1:], *titles]]
    for number, run in enumerate(runs):
        name, *cells = _cells(run)
        linked = (name, f"{name}/{PAGE}") if (run[0] / PAGE).exists() else name
        values = (format_metric(metric, _metric(run, metric)) for metric in metrics)
        rows.append([linked, *(differing[key][number] for key in keys), *cells, *values])
    width, status = len(rows[0]), COLUMNS.index("status") + len(keys)
    rows += [[name, *["–"] * (status - 1), "no result", *["–"] * (width - status - 1)] for name in lost_jobs(folder)]
    note = "A run leads to its page. Values of an objective compare only runs with the same objective and size."
    return [
        *_chart(runs),
        *_parallel(runs, metrics),
        Part.table(rows, "comparison rows numbered"),
        Part.text(note, muted=True),
    ]


def _chart(runs: Sequence[Run]) -> list[Part]:
    """Draw the two metrics of most runs against each other, in a colour for each family."""
    known = [name for name in KEY_FIGURES if sum(_metric(run, name) is not None for run in runs) > 1]
    if len(known) < 2:
        return []
    x_metric, y_metric = known[-1], known[0]
    shown = [run for run in runs if None not in (_metric(run, x_metric), _metric(run, y_metric))]
    figure = new_figure(3.8)
    axes = figure.subplots()
    families = list(dict.fromkeys(run[2]["network"]["family"] for run in shown))
    places = [(float(_metric(run, x_metric) or 0), float(_metric(run, y_metric) or 0)) for run in shown]
    for number, family in enumerate(families):
        chosen = [place for run, place in zip(shown, places, strict=True) if run[2]["network"]["family"] == family]
        colour = PLANE_COLOURS[number % len(PLANE_COLOURS)]
        across, up = zip(*chosen, strict=True)
        axes.scatter(across, up, s=34, color=colour, label=family.replace("_", " "), zorder=3)
    axes.margins(0.1)
    x_title, y_title = (f"{title_in_sentence(name)} ({unit_of(name)})" for name in (x_metric, y_metric))
    show_points(axes, places, [_text(run, x_metric, y_metric) for run in shown])
    label(axes, x_title, y_title, "both")
    figure.legend(loc="outside right upper")
    if all(run[0].name.isdigit() for run in shown):
        number_points(axes, places, [int(run[0].name) for run in shown])
    rows = [(run[0].name, run[2]["network"]["family"], *place) for run, place in zip(shown, places, strict=True)]
    caption = "Each marker is the best design of a run, with the number of the run where there is room."
    return [picture(figure, "sweep", caption, [("run", "family", x_metric, y_metric), *rows])]


def _parallel(runs: Sequence[Run], metrics: Sequence[str]) -> list[Part]:
    """Draw the metrics that have a better end, with a line for each run in the colour of its family."""
    chosen = [name for name in metrics if METRIC_TABLE[name].higher_is_better is not None]
    differing = [name for name in chosen if len({_metric(run, name) for run in runs}) > 1][:MOST_AXES]
    shown = [run for run in runs if any(_metric(run, name) is not None for name in differing)]
    if len(shown) < 2 or len(differing) < 2:
        return []
    families = list(dict.fromkeys(run[2]["network"]["family"] for run in shown))
    colours = {family: PLANES[number % len(PLANES)] for number, family in enumerate(families)}
    axes = [
        (name, title_in_sentence(name), unit_of(name), bool(METRIC_TABLE[name].higher_is_better), _formatter(name))
        for name in differing
    ]
    lines = [
        (
            run[0].name,
            network_of(run[2]).title,
            colours[run[2]["network"]["family"]],
            [_metric(run, name) for name in differing],
        )
        for run in shown
    ]
    kinds = {
        colour: ", ".join(family.replace("_", " ") for family in families if colours[family] == colour)
        for colour in colours.values()
    }
    return [parallel("metrics", axes, lines, kinds)]


def _formatter(metric: str) -> Callable[[float], str]:
    return lambda value: format_metric(metric, value)


def _text(run: Run, *metrics: str) -> str:
    values = (value_text(name, _metric(run, name)) for name in metrics)
    return f"run {run[0].name}, {network_of(run[2]).family.size_label}: {', '.join(values)}"
