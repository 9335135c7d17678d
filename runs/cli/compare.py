"""`isoplane compare`: designs of families for a number of nodes, side by side."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from isoplane.fleet.threads import processors
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.comparison.conclusions import budget_texts, conclusions, export_line, sentence
from isoplane.runs.comparison.existing import existing_in
from isoplane.runs.comparison.interactive.page import interactive
from isoplane.runs.comparison.interactive.sliders import sliders_of, with_cables_of
from isoplane.runs.comparison.kept_calls import kept_calls, kept_words
from isoplane.runs.comparison.page import page
from isoplane.runs.comparison.request import Request, request_of
from isoplane.runs.comparison.rows import Row, compare
from isoplane.runs.comparison.tables import (
    LEAST,
    Cells,
    assumptions,
    chief_columns,
    chosen_columns,
    csv_of,
    flat_row,
    json_text,
    limited_columns,
    saved_cells,
    size_text,
    summary_table,
    table_for_people,
    table_for_programs,
)
from isoplane.runs.config.config_values import path_of, plain
from isoplane.runs.config.setup import fleet_of
from isoplane.runs.folder.folder_lock import JOURNAL, RECORDS, RESULTS, locked, resume_command
from isoplane.runs.folder.journal import Journal
from isoplane.runs.folder.resume import (
    REPORT,
    complete_comparison,
    resume_advised,
    resumed_comparison,
    shown_folder,
)
from isoplane.runs.records import copy_tables, write_record
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.runs.terminal.table_output import format_of, print_notes, print_table

SLIDERS = "interactive.html"
NAMES = "names: the report says below its first table what the numbers in the names of designs are"
Result = TypeVar("Result")


def run(config: DictConfig) -> int:
    """Size families and measure their designs; print their chief numbers and write all of them with a page."""
    data = plain(config)
    resumed = None if data["resume"] is None else path_of("resume", data["resume"])
    if resumed is not None:
        data = resumed_comparison(resumed, data, HydraConfig.get().overrides.task)
    kind, names = format_of(data["format"]), chosen_columns(data["columns"])
    if resumed is not None and (complete := complete_comparison(resumed)) is not None:
        _print_saved(kind, names, resumed, complete[1])
        return complete[0]
    existing = existing_in(data["existing"])
    request = request_of(data, existing)
    sliders = sliders_of(data, request)
    path = resumed or Path(HydraConfig.get().runtime.output_dir)
    lock = locked(path, "hydra.run.dir", (*RESULTS, RECORDS)) if resumed is None else locked(path, "resume")
    data["workers"] = processors() if data["workers"] is None else data["workers"]
    with lock, INTERRUPT.caught(at_once=False), resume_advised("compare", path):
        if resumed is None:
            # Families of one's own by name: without their folder or package it must not continue with fewer.
            families = {"families": list(request.families)} if request.own else {}
            write_atomically(path / "config.yaml", OmegaConf.to_yaml(OmegaConf.merge(config, families)))
        (path / JOURNAL).touch()  # even without results: while it is there, the comparison can continue
        journal = Journal(path / JOURNAL)
        with closing(LiveLine()) as line, fleet_of(data, processes=True) as fleet:
            calls = partial(kept_calls, fleet, journal)
            words = kept_words(journal) if sliders else []
            rows = _last(compare(request, calls, existing), line)
            if rows is None:
                return _interrupted(path)
            rows = _with_files(path, rows)
            _write(path, request, rows)
            line.erase()
            # Results that are there continue from it no more; what is printed may end in a closed pipe.
            if sliders is None:
                (path / JOURNAL).unlink(missing_ok=True)
            _print(kind, names, path, request, rows)
            if sliders is not None:
                what_if = interactive(request, with_cables_of(sliders, request, rows), words, calls)
                if not _write_sliders(kind, path, what_if, line):
                    return _interrupted(path, f" without {SLIDERS}")
    return codes.DONE if any(row.design and not row.existing for row in rows) else codes.NOTHING_FEASIBLE


def _interrupted(path: Path, what: str = "") -> int:
    INTERRUPT.announce(f"interrupted{what}; continue with {resume_command('compare', path)}")
    return codes.INTERRUPTED


def _with_files(folder: Path, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Write the records of designs into a folder, and return the rows with their files, relative to it."""
    files: dict[str, str] = {}  # by identifier: rows share designs
    for record in (row.record for row in rows if row.record is not None):
        copy_tables(record, folder / RECORDS)  # first: a record must never name files that do not exist
        files[record["id"]] = f"{RECORDS}/{write_record(folder / RECORDS, record).name}"
    return tuple(replace(row, file=files[row.record["id"]]) if row.record else row for row in rows)


def _write(path: Path, request: Request, rows: Sequence[Row]) -> None:
    """Write the files of a comparison, the page last: it says that they are complete."""
    files = {"comparison.csv": csv_of(rows), "comparison.json": json_text(request, rows), REPORT: page(request, rows)}
    for name, text in files.items():
        write_atomically(path / name, text)


def _write_sliders(kind: str, path: Path, steps: Iterator[tuple[str, str | None]], line: LiveLine) -> bool:
    """Write the page with sliders that the last step yields, after which nothing continues; False after Ctrl-C."""
    text = _last(steps, line)
    line.erase()
    if text is None:
        return False
    write_atomically(path / SLIDERS, text)
    (path / JOURNAL).unlink(missing_ok=True)
    print_notes(kind, f"sliders: {path / SLIDERS}")
    return True


def _print_saved(kind: str, names: list[str] | None, path: Path, rows: list[dict[str, Any]]) -> None:
    """Print the tables of a complete comparison; a terminal shows the note alone, without a choice of columns."""
    note = f"nothing to do: {path} holds a complete comparison; report: {path / REPORT}"
    _print_rows(kind, names, saved_cells(rows), note, text="")


def _print(kind: str, names: list[str] | None, path: Path, request: Request, rows: Sequence[Row]) -> None:
    """Print columns of all designs, by default their chief numbers, and what to do next."""
    notes = [f"{sentence(request, rows)}."] if any(row.design and not row.existing for row in rows) else []
    notes += [*conclusions(request, rows), *budget_texts(request, rows), *assumptions(request, rows)]
    notes += [*([NAMES] if any(row.design for row in rows) else []), f"report: {path / REPORT}"]
    notes += [f"{size_text(row)}: {row.reason}" for row in rows if row.design and not row.file]
    if sized := next((row for row in rows if row.file and not row.existing), None):
        notes.append(f"next: {export_line(sized, request, shown_folder(path))}")
    _print_rows(
        kind,
        names,
        [flat_row(row) for row in rows],
        *notes,
        first=limited_columns(request),
        text=summary_table(request, rows),
    )


def _print_rows(
    kind: str, names: list[str] | None, cells: Sequence[Cells], *notes: str, first: Sequence[str] = (), text: str
) -> None:
    """Print rows and notes; a terminal shows a text in place of the chief numbers, where no columns were chosen."""
    shown = table_for_people(cells, names or chief_columns(LEAST.key, *first))
    print_table(kind, shown, table_for_programs(cells, names), *notes, text=None if names else text)


def _last(steps: Iterator[tuple[str, Result | None]], line: LiveLine) -> Result | None:
    """Return the result that comes with the last step, showing the words of the others; None after Ctrl-C."""
    unseen = ""
    for text, result in steps:
        if INTERRUPT.requested:
            return None
        if result is not None:
            if unseen:  # how soon ever after the one before: a log must not end before the work does
                line.show(unseen)
            return result
        unseen = text
        if line.due():
            line.show(text)
            unseen = ""
    return None
