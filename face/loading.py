"""Designs and results in files: records, saved results, runs and existing fabrics."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isoplane.models import Design, InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.runs.cli.keywords import config_from, with_best
from isoplane.runs.comparison.tables import tables_of_sweep
from isoplane.runs.folder.folder_lock import kind_of_folder
from isoplane.runs.folder.resume import REPORT
from isoplane.runs.folder.sweep_table import COMPARISON, sweep_rows, swept_options
from isoplane.runs.imports.import_fabric import FABRIC, configured_fabric, imported_family
from isoplane.runs.imports.importer import source_of
from isoplane.runs.imports.routing_choice import rated_routings
from isoplane.runs.records import Record, design_of_record, read_record
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.write import run_summary

from .comparisons import DESIGNS, comparison_designs, comparison_in
from .designs import Value, evaluate, record_result
from .fronts import AXES, front_page, front_result, no_page
from .panels import COMPARED, FRONT, SAVED, Cell, Panel, Row, axis_title, cell_of, is_number, saved_panels, saved_table
from .reproduced import figure_in
from .result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SWEEP = "sweep"


def load(path: str | PathLike[str] | Sequence[str | PathLike[str]], /, **options: Value) -> Result:
    """Return the design of a record, a saved result, what the folder of a run or sweep holds, or an existing fabric.

    Parameters
    ----------
    path
        A record; what a result has saved as JSON; a folder that `isoplane search`, also with ``--multirun``, `compare`,
        `reproduce` or `import` wrote, of the last also its ``fabric.json``, by any name; or what `isoplane import`
        reads, such as the output of ibnetdiscover: one file, or one for each plane. ``best``: as of `evaluate`.
    options
        Of a fabric: those of `isoplane import`, but for ``tables``, which only a file can hold.

    Examples
    --------
    >>> import isoplane as ip
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     ip.load(ip.evaluate(network="torus", shape=[4, 4]).save(f"{folder}/torus.json"))["aspl"]
    2.0
    """
    path, options = with_best("evaluate", path, options)
    if isinstance(path, (str, PathLike)) and not options:
        file = Path(path)
        if file.is_dir() and (file / FABRIC).is_file():
            file /= FABRIC
        if file.is_dir():
            if (file / COMPARISON).is_file():
                return written_comparison(file / COMPARISON)
            return sweep_result(file) if kind_of_folder(file) == SWEEP else figure_in(file) or run_result(file)
        content = _json_in(file)
        if content and SAVED in content:
            return _read(file, content, saved_result)
        if content and "request" in content:
            return written_comparison(file)
        if content and "planes" in content:
            return evaluate(network="fabric", file=file)
        if content is not None or file.suffix == ".json":
            return record_result(read_record(file))
    config, words = config_from("import", {**options, "file": path})
    fabric = configured_fabric(config)
    if fabric.tables:
        raise InputError("tables: forwarding tables are files; expected isoplane import, then network=fabric")
    config.require_effects(words)
    family = imported_family(fabric)
    rated = rated_routings(family)
    if rated:
        family = replace(family, routing=rated[0].routing)
    return evaluate(family)


def _json_in(file: Path) -> dict[str, Any] | None:
    """Return the object of JSON in a file, such as a record or a fabric, empty if damaged; None of any other file."""
    text = source_of("path", file).text if file.is_file() else ""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return dict(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _read(file: Path, content: dict[str, Any], read: Callable[[dict[str, Any]], Result]) -> Result:
    """Return what a function reads in the content of a file, whose shape is checked by doing so."""
    try:
        return read(content)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InputError(f"path={file}: damaged ({error}); expected what a result has saved") from error


def saved_result(content: dict[str, Any]) -> Result:
    """Return a result that `Result.save` wrote as JSON, but a single design, which is a record."""
    data = dict(content)
    fields = data.pop(SAVED)
    kind, tables = str(fields["kind"]), [saved_table(table) for table in fields["tables"]]
    panels = saved_panels(fields["panels"])
    members: Sequence[Result] = ()
    if kind == COMPARED:
        members = comparison_designs([partial(_recorded, each) for each in data[DESIGNS]])
    elif DESIGNS in data:
        members = [record_result(record) for record in data[DESIGNS]]

    def page() -> str:
        if kind == FRONT:
            return front_page(members)
        if members and kind != COMPARED:
            return no_page()
        raise InputError(f"path: the page of a {kind} is written where it is computed; expected another ending")

    def drawing() -> "Figure":
        raise InputError("plot: a saved figure has numbers only; expected the folder that isoplane reproduce wrote")

    return Result(
        kind,
        str(fields["title"]),
        fields["rows"],
        tuple(fields["shown"]),
        lambda: data,
        lambda: panels,
        page,
        str(fields["status"]),
        tuple(fields["notes"]),
        None if fields["design"] is None else design_of_record(fields["design"]),
        members,
        None if fields["baseline"] is None else (fields["baseline"][0], fields["baseline"][1]),
        tables,
        drawing if kind == "figure" else None,
    )


def _recorded(content: Record | None) -> Design:
    if content is None:
        raise InputError("path: a family without a form in records; expected the comparison itself")
    return design_of_record(content)


def written_comparison(file: Path) -> Result:
    """Return the comparison whose numbers `isoplane compare` has written, with its records and its page beside them."""

    def design(name: str | None) -> Design:
        if name is None:
            raise InputError(f"path={file}: no record of this design; expected another one")
        return design_of_record(read_record(file.parent / name))

    def read(content: dict[str, Any]) -> Result:
        names = [row["record"] for row in content["rows"] if "design" in row]
        return comparison_in(content, [partial(design, name) for name in names], page)

    def page() -> str:
        return read_input(file.parent / REPORT).decode()

    return _read(file, _json_in(file) or {}, read)


def sweep_result(folder: Path) -> Result:
    """Return the jobs of a sweep, a row for each, as `isoplane report` prints them."""
    rows = sweep_rows(folder)
    shown, data, notes = tables_of_sweep(rows)
    cells = [dict(zip(data.columns, map(cell_of, row), strict=True)) for row in data.rows]
    _make_single(cells)
    for key in swept_options(rows):
        _make_numbers(cells, f"{key}=" if f"{key}=" in data.columns else key)
    ended = [folder / row["run"] for row in rows if "family" in row]

    def no_page() -> str:
        raise InputError(f"path: the page of a sweep is in its folder; expected isoplane report sweep={folder}")

    return Result(
        SWEEP,
        f"{folder}",
        cells,
        tuple(shown.columns),
        lambda: {"jobs": json.loads(data.json())},
        lambda: _sweep_panels(cells),
        no_page,
        notes=(*notes, *(f"load({str(job)!r}) is the result of a job" for job in ended[:1])),
        tables=(shown,),
    )


def _make_single(rows: Sequence[dict[str, Cell]]) -> None:
    """Make score, bound and gap numbers in the unit of the printed value, if all objectives have one component."""
    if any(len(str(row.get("score_names") or "").split()) > 1 for row in rows):
        return
    for row in rows:
        if row.get("score") is not None:
            row["score"], row["bound"] = row["value"], row["value_bound"]
            row["gap"] = None if row["gap"] in (None, "None") else float(str(row["gap"]))


def _make_numbers(rows: Sequence[dict[str, Cell]], option: str) -> None:
    """Turn the values of an option, which are as they were typed, into numbers, if all of them are."""
    try:
        numbers = [None if row[option] is None else json.loads(str(row[option])) for row in rows]
    except ValueError:
        return
    if all(number is None or is_number(number) for number in numbers):
        for row, number in zip(rows, numbers, strict=True):
            row[option] = number


def _sweep_panels(rows: Sequence[Row]) -> tuple[Panel, ...]:
    """Return the chart of the page of a sweep, a series for each family; none without two numbers of several jobs."""
    from isoplane.runs.report.sweep import drawn_metrics  # heavy: draws with matplotlib

    drawn = drawn_metrics(rows)
    if not drawn:
        return ()
    x, y = drawn
    points: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if is_number(across := row.get(x)) and is_number(up := row.get(y)):
            points.setdefault(str(row.get("family", "")), []).append((across, up))
    series = ((family, [a for a, _ in ends], [b for _, b in ends], "o") for family, ends in points.items())
    return ((axis_title(x), axis_title(y), tuple(series)),)


def run_result(folder: Path) -> Result:
    """Return the designs of the folder of a run: a front, or a single one."""
    summary = run_summary(folder / "summary.json")
    records = [read_record(folder / "records" / name) for name in summary["records"]]
    if len(records) == 1:
        return record_result(records[0])
    axes = ReportData(records[0]).front_metrics or AXES
    designs = [record_result(record) for record in records]
    return front_result(designs, axes, designs[0].status)
