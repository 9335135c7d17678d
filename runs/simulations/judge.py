"""`search ... judge=simulator`: packet simulation of the designs that a search found."""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from isoplane.models import Network
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.records import (
    Record,
    design_of_record,
    network_of,
    read_record,
    text_of,
    workload_from,
)
from isoplane.simulator import Precision, Scenario, Traffic, saturation

from .hybrid import hybrid_json, live_progress, quick_factor, simulated
from .link_unit import hardware_for, stated_link
from .result_text import saturation_text
from .tables import report_json, saturation_json
from .threaded_runs import SimulationRuns, stop_if_interrupted

PRECISION = Precision(latency=0.03, accepted=0.02, max_latencies=16, max_packets=1 << 17)
TOLERANCE = Fraction(1, 20)  # of the saturation throughput
LOW = Fraction(1, 10)  # fraction of the estimated saturation load at which packets hardly wait
FOLDER = "simulation"


def simulate_records(folder: Path, names: list[str], seed: int, workers: int, shorten: int | None = None) -> None:
    """Simulate the designs of records, and write the results to one file per record.

    The records are not changed. Designs with results are not simulated again.

    Parameters
    ----------
    folder
        Folder of the run.
    names
        File names of its records, best first.
    seed, workers
        Seed and number of workers of the search; the latter does not affect results.
    shorten
        Factor by which messages of hybrid networks are shortened; by default so that a simulation takes seconds.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C; completed simulations are kept.
    """
    (folder / FOLDER).mkdir(exist_ok=True)
    for file in (folder / FOLDER).iterdir():
        if file.name not in names:  # of a design that was dominated after a resume
            file.unlink()
    runs = SimulationRuns(min(workers, os.cpu_count() or 1), lambda report: None)
    try:
        for index, name in enumerate(names):
            if (folder / FOLDER / name).exists():
                continue
            record, what = read_record(folder / "records" / name), f"simulation of design {index + 1} of {len(names)}"
            runs.announce(what, None)
            network = network_of(record)
            simulate = SIMULATIONS.get(network.family.kind)
            found = _simulate_network(network, seed, runs) if simulate is None else simulate(record, shorten, what)
            write_atomically(folder / FOLDER / name, text_of({"record": name, "seed": seed, **found}))
            if index == 0:
                runs.close()
                print(f"simulated: {found['says']}")
    finally:
        runs.close()


def _simulate_network(network: Network, seed: int, runs: SimulationRuns) -> dict[str, Any]:
    """Return the simulation results of a network: latency at a low load, and saturation throughput."""
    hardware = hardware_for(network, {})
    scenario = Scenario(
        network, hardware, Traffic(load=1), PRECISION, check_deadlock=False, seed=seed
    )  # dimension-order routing in cubes has no deadlocks
    load = Fraction(round(LOW * scenario.saturation_guess() * 1000), 1000)
    ((_, low),) = [found for found in runs.map(lambda at: scenario.run(at, stop_if_interrupted), [load]) if found]
    found = saturation(scenario, TOLERANCE, [(load, low)], runs.map, stop_if_interrupted)
    latency = low.network_latency_ns.mean
    summary = (
        f"latency {'-' if latency is None else f'{latency:.1f}'} ns at load {float(load):g}; {saturation_text(found)}"
    )
    return {
        "says": summary,
        "hardware": {name: _plain(value) for name, value in asdict(hardware).items() if name != "switch"},
        "traffic": "uniform",
        **stated_link(network, hardware),
        "nodes": network.nodes,
        "low_load": report_json(low),
        "saturation": saturation_json(found),
        "runs": [report_json(report) for report in found.reports],
    }


def _simulate_assignment(record: Record, shorten: int | None, what: str) -> dict[str, Any]:
    """Return the simulation results of a hybrid design under the workload of its record."""
    design, workload = design_of_record(record), workload_from(record["workload"])
    with live_progress(what) as show:
        result = simulated(design, workload, shorten or quick_factor(design, workload), show)
    return {"says": result.summary, **hybrid_json(result)}


# By kind of design, where it is more than a network.
SIMULATIONS: Mapping[str, Callable[[Record, int | None, str], dict[str, Any]]] = {"circuits": _simulate_assignment}


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Fraction) else value
