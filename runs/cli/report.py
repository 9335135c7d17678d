"""`isoplane report`: a page for a run, a record, a network or a sweep, for which it also prints a table."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import Family, InputError
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.comparison.tables import tables_of_sweep
from isoplane.runs.config.config_values import Config, given_command, given_words, group, key_of, path_of, plain
from isoplane.runs.config.designs import described_config, loaded
from isoplane.runs.folder.folder_lock import is_locked, kind_of_folder, resume_command, verb_to_resume
from isoplane.runs.folder.job_list import finished_jobs
from isoplane.runs.folder.sweep_table import sweep_rows
from isoplane.runs.inputs.named_families import family_of
from isoplane.runs.records import best_folder, read_record
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.table_output import format_of, print_table, with_columns

from .typed_words import REPORTED

FOLDER = "hydra.run.dir"
VARIABLE_KEYS = ("circuits", "generators")  # keys that turn a network into a design, which a search would vary


def run(config: DictConfig) -> int:
    """Write the report of a run, a record, a network or a sweep, and print the table of a sweep."""
    data, words = plain(config), given_words()
    given = {name: data[name] for name in ("run", "record", "sweep") if data[name] is not None}
    program = {} if data["program"] is None else {"program": data["program"]}
    stated = program or _stated_design(data, words)
    if len(given) + len(stated) != 1:
        shown = ", ".join(f"{name}={value}" for name, value in {**given, **stated}.items()) or "nothing to report"
        raise InputError(
            f"{shown}: expected one of run=FOLDER, record=FILE, sweep=FOLDER, program=FILE, or a network: "
            "network.generators=[3,5,7] for cubes, network.circuits=[[0,32]] for circuits, any other by name"
        )
    options = Config(data)
    if stated:
        print(_network_page(options))
        return codes.DONE
    ((kind, value),) = given.items()
    _check_place(kind, path_of(kind, value))
    folder = _given_folder(kind)
    options[kind]
    written, names = (format_of(options["format"]), options["columns"]) if kind == "sweep" else ("", None)
    options.require_effects(words)
    if written:
        _print_sweep(path_of(kind, value), written, names)
    else:
        print(_page(kind, path_of(kind, value), folder))
    return codes.DONE


def _check_place(kind: str, path: Path) -> None:
    """Raise unless a path can be what its key says: other options given with it are not what is wrong."""
    expected = "expected a record, or the folder of a search, simulation or sweep"
    if kind == "record" and not path.suffix and not path.exists():
        raise InputError(f"{path}: no such file or folder; {expected}")
    if not path.is_dir():
        return
    found = kind_of_folder(path)
    if REPORTED.get(found or "") == kind or (kind != "record" and found is None):
        return
    shown = "no run in it" if found is None else f"the folder of {'an' if found[0] in 'aei' else 'a'} {found}"
    page = f", whose page is {path / 'report.html'}" if (path / "report.html").exists() else ""
    named = f"{path}" if kind == "record" else f"{kind}={path}"  # without a key it is a record unless it has a run
    raise InputError(f"{named}: {shown}{page}; {expected}")


def _stated_design(data: dict[str, Any], words: list[str]) -> dict[str, Any]:
    """Return the keys of the command line that define a design, or a network without search variables."""
    network = group(data, "network")
    family = family_of(network.get("family"))
    if family.variables is not Family.variables:
        return {f"network.{key}": network[key] for key in VARIABLE_KEYS if network.get(key) is not None}
    given = any(key_of(word).partition(".")[0] == "network" for word in words)
    return {"network": family.name} if given else {}


def _given_folder(kind: str) -> Path | None:
    """Return the folder that the command line gives for the page of a record; None for the one of the record."""
    word = next((word for word in HydraConfig.get().overrides.hydra if word.lstrip("+").startswith(f"{FOLDER}=")), None)
    if word is not None and kind != "record":
        raise InputError(f"{word}: has no effect; expected none, as the page goes into the folder of {kind}=")
    return None if word is None else Path(HydraConfig.get().run.dir)


def _page(kind: str, path: Path, chosen: Path | None) -> Path:
    """Write the report of a run, or of a record beside it or into a chosen folder."""
    from isoplane.runs.report.page import render
    from isoplane.runs.report.report_data import ReportData
    from isoplane.runs.report.write import write_report

    if kind == "run":
        return write_report(path)
    with best_folder() as folder:
        is_shipped = path.parent.resolve() == folder.resolve()  # such as of record=best: nothing is written there
    page = path.with_suffix(".html")
    if chosen is not None or is_shipped:
        page = (chosen or Path()) / page.name
        page.parent.mkdir(parents=True, exist_ok=True)
    verified_by = shlex.join([f"record={path.name if page.parent == path.parent else path}"])
    write_atomically(page, render(ReportData(read_record(path), verified_by=verified_by)))
    return page


def _network_page(config: Config) -> Path:
    from isoplane.runs.report.write import write_network_report

    source = loaded(config)
    workload = source.workload(config)
    config.require_effects(given_words())
    folder = Path(HydraConfig.get().run.dir)
    folder.mkdir(parents=True, exist_ok=True)  # in a sweep Hydra creates a different one
    return write_network_report(
        source.design,
        folder,
        workload=workload,
        config=described_config(config, source.design),
        verified_by=shlex.join(given_command()),
    )


def _how_to_continue(folder: Path, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return how a sweep whose jobs did not all end continues, or that it runs; nothing if they did."""
    verb = verb_to_resume(folder) if finished_jobs([row for row in rows if "code" not in row]) else ""
    if not verb:
        return []
    places = [folder, *(folder / row["run"] for row in rows if row["run"] is not None)]
    if any(map(is_locked, places)):  # of a job, if its launcher outlived the program that began the sweep
        return [f"still running: {folder} is in use by another program"]
    return [f"continue with {resume_command(verb, folder)}"]


def _print_sweep(folder: Path, written: str, names: object) -> None:
    """Print the runs of a sweep, all columns or those with some names, and write its page if any has a result."""
    rows = sweep_rows(folder)
    shown, data, notes = tables_of_sweep(rows)
    if names is not None:
        shown, data = with_columns(names, shown, data), with_columns(names, data, shown)
    continued = _how_to_continue(folder, rows)
    page = []
    if any("family" in row for row in rows):
        from isoplane.runs.report.sweep import write_sweep_page  # heavy: draws with matplotlib

        from .sized_search import rewrite_page  # heavy: reads all families

        said, path = rewrite_page(folder, rows) or ([], write_sweep_page(folder, rows))
        page = [*said, f"report: {path}"]
    print_table(written, shown, data, *notes, *continued, *page)
