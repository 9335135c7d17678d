"""The page of a sweep, with links to those of its runs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.objectives.scoring.own_metrics import metric_named
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import (
    PLANE_COLOURS,
    PLANES,
    drawing_style,
    label,
    new_figure,
    number_points,
    picture,
)
from isoplane.runs.drawing.parallel import parallel
from isoplane.runs.drawing.quantities import format_metric, short_title, title_in_sentence, unit_of, value_text
from isoplane.runs.drawing.values import show_points
from isoplane.runs.folder.job_list import finished_jobs
from isoplane.runs.folder.sweep_table import metrics_of, swept_options, value_title
from isoplane.runs.terminal.table import Table, column_texts

from .page import KEY_FIGURES, page_text

PAGE = "report.html"
COLUMNS = ("run", "family", "size", "objective", "seed", "value", "status", "stopped by", "evaluations", "seconds")
MOST_AXES = 9  # of parallel coordinates
MOST_VALUES = 6  # of an option that the sentence lists

Run = Mapping[str, Any]  # as of `sweep_rows`


def write_sweep_page(
    folder: Path, rows: Sequence[Run], title: str = "", said: Sequence[str] = (), designs: Table | None = None
) -> Path:
    """Write the page of the jobs of a sweep into its folder, atomically, and return its path.

    Parameters
    ----------
    folder, rows
        The folder, and the jobs as of `sweep_rows`.
    title, said, designs
        Of searches of several sizes: what they are, their conclusions, the first one the answer, and the table of what
        they found, in the order of `rows`.
    """
    rows = _numbered(rows)
    runs = [row for row in rows if "family" in row]
    with drawing_style():
        blocks = [Block("runs", "Runs", _parts(folder, rows, runs))]
    if designs is not None:
        blocks.insert(0, Block("designs", "Designs", [_designs(designs, rows)]))
    title = title or f"Sweep of {counted(len(rows), 'job')}"
    summary, *beside = said or [_sentence(rows, len(runs))]
    write_atomically(folder / PAGE, page_text(title, summary, _best(runs), blocks, beside=beside))
    return folder / PAGE


def _numbered(rows: Sequence[Run]) -> list[Run]:
    """Return jobs with the numbers that name them in charts: those of their folders, or else of their rows."""
    are_numbers = all(row["run"] is None or row["run"].isdigit() for row in rows)
    return [{**row, "number": (row["run"] or "–") if are_numbers else str(place)} for place, row in enumerate(rows, 1)]


def _designs(table: Table, rows: Sequence[Run]) -> Part:
    """Return a table of designs with their numbers, which lead to the pages of their runs."""
    units = (f" ({unit})" if unit else "" for unit in table.units or [""] * len(table.columns))
    head = ["number", *(f"{name}{unit}" for name, unit in zip(table.columns, units, strict=True))]
    cells: list[list[str | tuple[str, ...]]] = [list(head)]
    for row, values in zip(rows, table.rows, strict=False):  # jobs without a design are the last ones
        cells.append([(row["number"], f"{row['run']}/{PAGE}"), *map(str, values)])
    return Part.table(cells, "comparison rows numbered")


def _cells(row: Run, value: str) -> list[str]:
    if "family" not in row:
        return [row["words"] if name == "status" else row["swept"].get(name, "–") for name in COLUMNS[1:]]
    texts = (row["family"], row["size"], row["objective"], str(row["seed"]), value, row["words"])
    return [*texts, str(row["stopped_by"]), str(row["evaluations"]), f"{row['seconds']:.1f}"]


def _sentence(rows: Sequence[Run], results: int) -> str:
    """Return in what the runs differ, and how many jobs finished if not all did."""
    parts = []
    for key, values in swept_options(rows).items():
        distinct = list(dict.fromkeys(values))
        shown = ", ".join(distinct[:MOST_VALUES]) + (", …" if len(distinct) > MOST_VALUES else "")
        parts.append(f"{key} ({shown})")
    finished = finished_jobs(rows)
    designs = f"{counted(results, 'design')}{' by ' if parts else ''}{' and '.join(parts)}"
    return f"{designs}; {finished}" if finished else designs


def _best(runs: Sequence[Run]) -> list[Part]:
    """Return the best value of each important metric, with its run; none for several sizes or objectives."""
    if len({(run["size"], run["objective"]) for run in runs}) > 1:
        return []
    found = []
    for name in KEY_FIGURES:
        values = {run["run"]: value for run in runs if (value := run.get(name)) is not None}
        if values:
            choose = max if metric_named(name).higher_is_better else min
            best = choose(values, key=lambda job: values[job])
            title, text = f"Best {title_in_sentence(name)}", format_metric(name, values[best])
            found.append(Part.key_figure(title, text, unit_of(name), "run", (best, "", "")))
    return found


def _parts(folder: Path, jobs: Sequence[Run], runs: Sequence[Run]) -> list[Part]:
    """Return the table of all jobs, with links to their pages, and the chart of two metrics."""
    swept = {key: values for key, values in swept_options(jobs).items() if key not in COLUMNS}
    value, unit = value_title(runs)
    known = metrics_of(runs)
    metrics = [name for name in known if title_in_sentence(name) != value]  # a metric has one column
    titles = [f"{short_title(name)} ({unit_of(name)})" if unit_of(name) else short_title(name) for name in metrics]
    heads = [(f"{value} ({unit})" if unit else value) if name == "value" else name for name in COLUMNS[1:]]
    are_named = any(job["run"] not in (None, job["number"]) for job in jobs)
    rows: list[list[str | tuple[str, str]]] = [[*(["number"] if are_named else []), "run", *swept, *heads, *titles]]
    texts = column_texts([job.get("value") for job in jobs])  # as the terminal has them
    for number, job in enumerate(jobs):
        name = job["run"] or "–"
        linked = (name, f"{name}/{PAGE}") if (folder / name / PAGE).exists() else name
        values = (format_metric(metric, job.get(metric)) if "family" in job else "–" for metric in metrics)
        own = [options[number] for options in swept.values()]
        rows.append([*([job["number"]] if are_named else []), linked, *own, *_cells(job, texts[number]), *values])
    note = "A run leads to its page. Values of an objective compare only runs with the same objective and size."
    return [
        *_chart(runs),
        *_parallel(runs, known),
        Part.table(rows, "comparison rows numbered"),
        Part.text(note, muted=True),
    ]


def drawn_metrics(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the two metrics of runs that are drawn against each other; none if fewer than two runs have them."""
    known = [name for name in KEY_FIGURES if sum(run.get(name) is not None for run in runs) > 1]
    return (known[-1], known[0]) if len(known) > 1 else ()


def _chart(runs: Sequence[Run]) -> list[Part]:
    """Draw two metrics against each other, in a colour for each family."""
    drawn = drawn_metrics(runs)
    if not drawn:
        return []
    x_metric, y_metric = drawn
    shown = [run for run in runs if None not in (run.get(x_metric), run.get(y_metric))]
    figure = new_figure(3.8)
    axes = figure.subplots()
    families = list(dict.fromkeys(run["family"] for run in shown))
    places = [(float(run.get(x_metric) or 0), float(run.get(y_metric) or 0)) for run in shown]
    for number, family in enumerate(families):
        chosen = [place for run, place in zip(shown, places, strict=True) if run["family"] == family]
        colour = PLANE_COLOURS[number % len(PLANE_COLOURS)]
        across, up = zip(*chosen, strict=True)
        axes.scatter(across, up, s=34, color=colour, label=family.replace("_", " "), zorder=3)
    axes.margins(0.1)
    x_title, y_title = (f"{title_in_sentence(name)} ({unit_of(name)})" for name in (x_metric, y_metric))
    show_points(axes, places, [_text(run, x_metric, y_metric) for run in shown])
    label(axes, x_title, y_title, "both")
    figure.legend(loc="outside right upper")
    number_points(axes, places, [int(run["number"]) for run in shown])
    rows = [(run["run"], run["family"], *place) for run, place in zip(shown, places, strict=True)]
    caption = "Each marker is the best design of a run, with its number in the table where there is room."
    return [picture(figure, "sweep", caption, [("run", "family", x_metric, y_metric), *rows])]


def _parallel(runs: Sequence[Run], metrics: Sequence[str]) -> list[Part]:
    """Draw the metrics that have a better end, with a line for each run in the colour of its family."""
    chosen = [name for name in metrics if metric_named(name).higher_is_better is not None]
    differing = [name for name in chosen if len({run.get(name) for run in runs}) > 1]
    differing.sort(key=lambda name: any(run.get(name) is None for run in runs))  # first those of all families
    del differing[MOST_AXES:]
    shown = [run for run in runs if any(run.get(name) is not None for name in differing)]
    if len(shown) < 2 or len(differing) < 2:
        return []
    families = list(dict.fromkeys(run["family"] for run in shown))
    colours = {family: PLANES[number % len(PLANES)] for number, family in enumerate(families)}
    axes = [
        (name, title_in_sentence(name), unit_of(name), bool(metric_named(name).higher_is_better), _formatter(name))
        for name in differing
    ]
    lines = [
        (
            run["number"],
            run["title"],
            colours[run["family"]],
            [run.get(name) for name in differing],
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
    values = (value_text(name, run.get(name)) for name in metrics)
    return f"run {run['run']}, {run['size_label']}: {', '.join(values)}"
