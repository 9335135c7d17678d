"""What the simulator saw of the designs of a run: files of the folder `simulation`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.input_file import read_input

from .report_data import ReportData

Simulation = Mapping[str, Any]
NEEDED = ("record", "low_load", "saturation", "runs")


def read_simulations(folder: Path, names: Sequence[str], needed: Sequence[str] = NEEDED) -> list[Simulation]:
    """Return the simulations of records that have one, in their order.

    Parameters
    ----------
    folder, names
        Where they are, by the names of the files of their records.
    needed
        What each of them has to tell.

    Raises
    ------
    InputError
        If a file is damaged.
    """
    found = []
    for path in (folder / name for name in names):
        if not path.exists():
            continue
        try:
            data = json.loads(read_input(path).decode("utf-8"))
            missing = [key for key in needed if key not in data]
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"simulation={path}: {error}; allowed is one of search judge=simulator") from error
        if missing:
            raise InputError(f"simulation={path}: no {missing[0]}; allowed is one of search judge=simulator")
        found.append(data)
    return found


def simulation_rows(data: ReportData, simulations: Sequence[Simulation]) -> list[list[str]]:
    """Return a table: latency at a low load and saturation of each design, the best one beside what is computed."""
    rows = [["design", "load", "latency (ns)", "of messages (ns)", "saturation throughput", "most accepted"]]
    for index, simulation in enumerate(simulations):
        low, limit = simulation["low_load"], simulation["saturation"]
        rows.append(
            [
                "this design" if index == 0 else simulation["record"].removesuffix(".json"),
                f"{low['offered_load']:g}",
                _with_width(low["network_latency_ns"]),
                _with_width(low["message_latency_ns"]),
                f"{limit['throughput']:.3f}",
                f"{limit['largest_accepted']:.3f}",
            ]
        )
    delay, traffic = data.design.metrics["delay_ns"], data.design.max_traffic_per_node
    rows.append(["computed for this design", "0", "-" if delay is None else f"{delay:.1f}", "-", f"{traffic:.3f}", "-"])
    return rows


def _with_width(found: Mapping[str, float | None]) -> str:
    mean, width = found["mean"], found["half_width"]
    if mean is None:
        return "-"
    return f"{mean:.1f}" if width is None else f"{mean:.1f} ± {width:.1f}"
