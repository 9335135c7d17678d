"""`isoplane report`: a page for a run, a record or a network, a table for a sweep."""

import json
import shlex
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.input_file import read_input
from isoplane.runs.config.assignments import asks_for_hybrid
from isoplane.runs.config.config_values import given_command, given_words, group, path_of, plain
from isoplane.runs.config.setup import design_of, judged_workload
from isoplane.runs.config.unused_options import OF_CUBES, check_effects, check_family
from isoplane.runs.records import has_circuits, read_record, write_atomically
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.table import columns


def run(config: DictConfig) -> int:
    """Write the report of a run, a record or a network, or print the table of a sweep.

    Raises
    ------
    InputError
        If not exactly one of them is given, or it is not what it should be.
    """
    data = plain(config)
    choices = {name: data[name] for name in ("run", "record", "sweep")}
    design = "circuits" if asks_for_hybrid(data) else "generators"
    choices[f"network.{design}"] = group(data, "network").get(design)
    given = {name: value for name, value in choices.items() if value is not None}
    if len(given) != 1:
        asked = ", ".join(f"{name}={value}" for name, value in given.items()) or "nothing to report"
        raise InputError(
            f"{asked}: allowed is one of run=FOLDER, record=FILE, sweep=FOLDER, network.generators=[3,5,7] and, with "
            "network=hybrid, network.circuits=[[0,32]]"
        )
    check_effects("report", data, given_words())
    check_family(data, given_words())
    ((kind, value),) = given.items()
    if kind == "sweep":
        print(sweep_table(path_of(kind, value)))
    else:
        print(_network_page(data) if kind.startswith("network.") else _page(kind, path_of(kind, value)))
    return codes.DONE


def _page(kind: str, path: Path) -> Path:
    """Write the report of a run or a record."""
    from isoplane.runs.report import render, write_report

    if kind == "run":
        return write_report(path)
    page = path.with_suffix(".html")
    write_atomically(page, render(read_record(path)))
    return page


def _network_page(data: dict[str, Any]) -> Path:
    from isoplane.runs.report import write_network_report

    design, hybrid = design_of(data), asks_for_hybrid(data)
    folder = Path(HydraConfig.get().run.dir)
    folder.mkdir(parents=True, exist_ok=True)  # in a sweep Hydra makes another one
    return write_network_report(
        design,
        folder,
        workload=judged_workload(data) if hybrid else None,
        config={name: data[name] for name in ("network", *(("workload",) if hybrid else OF_CUBES))},
        verified_by=shlex.join(given_command()),
    )


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
        return _cells(path, json.loads(read_input(path).decode("utf-8")))
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"summary={path}: damaged ({error}); allowed is the summary.json of a search") from error


def _cells(path: Path, summary: dict[str, Any]) -> list[str]:
    record = read_record(path.parent / "records" / summary["best"])
    network = record["network"]
    size = network["groups"] * record["nodes_per_switch"] if has_circuits(record) else network["n"]
    return [
        path.parent.name,
        network["family"],
        str(size),
        summary["objective"],
        str(summary["seed"]),
        f"{summary['printed']:.8g}",
        summary["status"],
        str(summary["stopped_by"]),
        str(summary["evaluations"]),
        f"{summary['seconds']:.1f}",
    ]
