"""`isoplane simulate` of a hybrid network: a workload, packet by packet, beside the fluid model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import OmegaConf

from isoplane.models import Design, InputError
from isoplane.models.checks import check_int
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import exact_times
from isoplane.runs.records import text_of, write_atomically
from isoplane.simulator import HybridReport, simulate_hybrid
from isoplane.simulator.hybrid import RELAYS

from .assignments import is_hybrid
from .setup import design_of, judged_workload
from .table import columns, number

FILES = ("config.yaml", "summary.json", "messages.csv", "links.csv")
RELAYED = dict(zip(RELAYS, ("completion_ns", "completion_by_packets_ns"), strict=True))


def simulates_hybrid(config: Mapping[str, Any]) -> bool:
    """Whether what a config simulates is a hybrid network."""
    if config.get("program") is not None:
        return False
    if config.get("record") is not None:
        return design_of(config).network.family == "hybrid"
    return is_hybrid(config)


def run_hybrid(data: Mapping[str, Any]) -> None:
    """Simulate a design under its workload with both ways to relay; write what packets saw, and print it.

    Raises
    ------
    InputError
        If there is no design or no workload, or the folder holds a run already.
    """
    folder = Path(HydraConfig.get().runtime.output_dir)
    if any((folder / name).exists() for name in FILES):
        raise InputError(f"hydra.run.dir={folder}: holds a run already; allowed is a new or empty folder")
    design = design_of(data)
    workload = judged_workload(data).scaled(check_int("shorten", data["shorten"], 1))
    exact = exact_times(design, workload)  # says what does not fit before anything is written
    reports = {relay: _simulated(design, workload, relay) for relay in RELAYS}
    fluid = {relay: getattr(exact, name) for relay, name in RELAYED.items()}
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "config.yaml", OmegaConf.to_yaml(OmegaConf.create(dict(data))))
    write_atomically(folder / "messages.csv", _messages_csv(workload, reports))
    write_atomically(folder / "links.csv", _links_csv(reports["messages"]))
    write_atomically(folder / "summary.json", text_of(_summary(data, reports, fluid)))
    print(_table(reports, fluid))
    print(f"files: {folder}")


def _simulated(design: Design, workload: Workload, relay: Any) -> HybridReport:
    circuits, placement = design.assigned
    return simulate_hybrid(design.hybrid, circuits, workload.message_list(), placement, relay)


def _summary(
    data: Mapping[str, Any], reports: Mapping[str, HybridReport], fluid: Mapping[str, int]
) -> dict[str, object]:
    times = {RELAYED[relay]: float(report.completion_ns) for relay, report in reports.items()}
    return {
        "shorten": data["shorten"],
        **times,
        "fluid": {RELAYED[relay]: value for relay, value in fluid.items()},
        "busiest_link_ns": float(reports["messages"].link_busy_ns.max()),
    }


def _table(reports: Mapping[str, HybridReport], fluid: Mapping[str, int]) -> str:
    rows = [["", "packets", "fluid model", "difference", "unit"]]
    for relay, name in RELAYED.items():
        seen, said = float(reports[relay].completion_ns), fluid[relay]
        rows.append([name, number(round(seen)), number(said), f"{100 * (said / seen - 1):+.2f} %", "ns"])
    busiest = reports["messages"].link_busy_ns.max()
    rows.append(["busiest_link_ns", number(round(float(busiest))), "", "", "ns"])
    return columns(rows)


def _messages_csv(workload: Workload, reports: Mapping[str, HybridReport]) -> str:
    messages = workload.message_list()
    lines = ["message,source,destination,bytes,arrived_ns,arrived_by_packets_ns"]
    arrived = [reports[relay].arrived_ns for relay in RELAYS]
    for i in range(messages.messages):
        ends = f"{messages.source[i]},{messages.destination[i]},{messages.length_bytes[i]}"
        lines.append(f"{i},{ends},{arrived[0][i]:.3f},{arrived[1][i]:.3f}")
    return "".join(f"{line}\n" for line in lines)


def _links_csv(report: HybridReport) -> str:
    lines = ["kind,source,destination,gbps,bytes,busy_ns"]
    for link, carried, busy in zip(report.links, report.link_bytes, report.link_busy_ns, strict=True):
        lines.append(f"{link.kind},{link.source},{link.destination},{float(link.gbps):g},{carried},{busy:.3f}")
    return "".join(f"{line}\n" for line in lines)
