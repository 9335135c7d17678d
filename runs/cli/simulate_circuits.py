"""`isoplane simulate` of a network with circuits: packets under a workload, with both relay modes."""

import shlex
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import OmegaConf

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.files.output_file import write_atomically
from isoplane.models.workloads import Workload
from isoplane.runs.config.config_values import Config, given_command, given_words, key_of
from isoplane.runs.config.designs import Loaded
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.records import text_of
from isoplane.runs.simulations.hybrid import (
    COMPLETIONS,
    HybridSimulation,
    hybrid_json,
    links_csv,
    messages_csv,
    simulated,
)
from isoplane.runs.terminal.table import columns, number


def run_circuits(data: Config, source: Loaded) -> None:
    """Simulate a design under its workload with both relay modes; write and print the results."""
    from isoplane.runs.report.write import write_simulation_report  # heavy: draws with matplotlib

    folder = Path(HydraConfig.get().runtime.output_dir)
    workload = source.workload(data)
    if workload is None:
        raise InputError(f"record={data['record']}: has no workload; expected that of a search for circuits")
    shorten = check_int("shorten", data["shorten"], 1)
    data.require_effects(given_words())
    with locked(folder, "hydra.run.dir", (*RESULTS, RECORDS)):
        result = _simulate_into(folder, data.plain(), source, workload, shorten)
        print(_table(result))
        print(f"report: {write_simulation_report(folder, source.design)}")


def _simulate_into(
    folder: Path, data: dict[str, Any], source: Loaded, workload: Workload, shorten: int
) -> HybridSimulation:
    """Simulate a design, and write the results into a folder."""
    from isoplane.runs.report.write import DESIGN_FILE, described_design

    result = simulated(source.design, workload, shorten, "simulation")
    if source.record is None:
        described = described_design(source.design, workload, {name: data[name] for name in ("network", "workload")})
        more = {"verified_by": shlex.join(word for word in given_command() if key_of(word) != "shorten")}
    else:
        described, more = source.record, {}
    write_atomically(folder / "config.yaml", OmegaConf.to_yaml(OmegaConf.create(data)))
    write_atomically(folder / "messages.csv", messages_csv(result))
    write_atomically(folder / "links.csv", links_csv(result))
    write_atomically(folder / "summary.json", text_of({**hybrid_json(result), **more}))
    write_atomically(folder / DESIGN_FILE, text_of(described))
    return result


def _table(result: HybridSimulation) -> str:
    rows = [["", "packets", "fluid model", "difference", "spread", "unit"]]
    for relay, name in COMPLETIONS.items():
        times = number(round(result.completion_ns(relay))), number(result.fluid_ns(relay)[0])
        rows.append([name, *times, f"{100 * result.error(relay):+.2f} %", f"{100 * result.spread(relay):.2f} %", "ns"])
    rows.append(["busiest_link_ns", number(round(result.busiest[0][2])), "", "", "", "ns"])
    return columns(rows)
