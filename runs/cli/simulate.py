"""`isoplane simulate`: a packet-level simulation of one network."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from isoplane.models import Design, InputError, MessageList, Network
from isoplane.models.checks import check_int, shown
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.models.workloads import Workload
from isoplane.objectives.general import zero_load_and_throughput
from isoplane.runs.config.config_values import Config, given_command, given_words, key_of, plain
from isoplane.runs.config.designs import LINK_RATE, SITE, Loaded, described_config, loaded
from isoplane.runs.config.scenario import SimulationCase, case_of
from isoplane.runs.exports.failed_parts import Failed, failed_parts, network_after
from isoplane.runs.folder.folder_lock import RECORDS, RESULTS, locked
from isoplane.runs.folder.resume import REPORT, shown_folder
from isoplane.runs.inputs.program_files import completion
from isoplane.runs.records import text_of
from isoplane.runs.simulations import hybrid
from isoplane.runs.simulations.comparison import UNIFORM, beyond_bound, compared
from isoplane.runs.simulations.drawing import latency_load
from isoplane.runs.simulations.folder import DESIGN_FILE, SimulationFolder
from isoplane.runs.simulations.link_unit import simulated_unit, unit_note
from isoplane.runs.simulations.result_text import comparison_text, run_table, saturation_text
from isoplane.runs.simulations.threaded_runs import SimulationRuns, stop_if_interrupted
from isoplane.runs.simulations.workload_run import fluid_model, messages_csv, workload_json, workload_text
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.messages import print_message
from isoplane.runs.terminal.table import columns, number
from isoplane.simulator import MessageTrace, Report, Saturation, Simulation, Traffic, measure, saturation, sweep
from isoplane.simulator.language import Program, data_text, output_names, report_of, screen_text

DESCRIBING = ("network", *SITE, "program", "record", "--config-dir", "failed_cables", "failed_switches")  # keys


def run(config: DictConfig) -> int:
    """Simulate a network at all loads and find its saturation throughput; write and print the results."""
    data = Config(plain(config))
    # Packets have no price, and the link rate of the hardware.
    packets = data.handing_on("prices", LINK_RATE)
    source = None if data["program"] is not None else loaded(packets)
    if source is not None and source.design.network.family.kind in OTHER_RUNS:
        OTHER_RUNS[source.design.network.family.kind](data, source)
        return codes.DONE
    failed = None if source is None else failed_parts(data, source.design.network)
    network = None if source is None else _after_failures(data, source.design.network, failed)
    case = case_of(packets, network)
    workers = check_int("workers", data["workers"], 1, 1024)
    data.require_effects(given_words())
    path = Path(HydraConfig.get().runtime.output_dir)
    with locked(path, "hydra.run.dir", (*RESULTS, RECORDS)), INTERRUPT.caught(at_once=False):
        described = _describe(data, source, case) if failed is None else (None, None)
        folder = SimulationFolder(path, data.plain(), case.scenario, *described)
        runs = SimulationRuns(workers, folder.add)
        if isinstance(case.scenario.traffic, MessageTrace) and case.program is None and case.loads == (None,):
            _run_listed(folder, case, case.scenario.traffic.messages, runs)
        elif case.program is None:
            swept, found = _simulate(case, runs)
            if runs.reports:
                is_cut = len(swept) < len(case.loads) or (case.tolerance is not None and found is None)
                _conclude(folder, case, swept, found, interrupted=is_cut and INTERRUPT.requested)
        else:
            _run_program(folder, case, case.program, runs)
    if INTERRUPT.requested:
        INTERRUPT.announce("interrupted: completed runs are kept" if runs.reports else "interrupted")
        return codes.INTERRUPTED
    if runs.reports:
        print_message(_next_steps(path))
    return codes.DONE


def _describing_words() -> str:
    """Return the words of the command that describe the network, for other verbs."""
    return shlex.join(word for word in given_command() if key_of(word).partition(".")[0] in DESCRIBING)


def _next_steps(folder: Path) -> str:
    """Return what to do after a simulation, which has no page if parts had failed."""
    page = shown_folder(folder) / REPORT
    if not page.exists():
        return f"next: isoplane evaluate {_describing_words()}"
    return f"next: isoplane verify {_describing_words()}; open {shlex.quote(str(page))} in a browser"


def _after_failures(data: Config, network: Network, failed: Failed | None) -> Network:
    """Return what remains of a network; refuse options that number nodes where these are numbered anew."""
    if failed is None:
        return network
    after, lost = network_after(network, failed)
    by_number = [key for key in ("messages", "pairs") if data[key]]
    by_number += ["placement"] if isinstance(data["placement"], list) else []
    if lost and by_number:
        raise InputError(
            f"{by_number[0]}={shown(data[by_number[0]])}: names nodes by number, but {counted(lost, 'node')} of "
            f"{network.title} would be cut off; expected failures that cut off none"
        )
    if lost:
        print_message(f"{counted(lost, 'node')} cut off: simulated are the others, {after.nodes} of {network.nodes}")
    return after


def _describe(data: Config, source: Loaded | None, case: SimulationCase) -> tuple[dict[str, Any] | None, str | None]:
    """Return the simulated record, or a description of the network of a config or program and how to verify it.

    If the clock period of a program is not a decimal number of ns, as records require, return neither, and print why on
    standard error.
    """
    if source is not None and source.record is not None:
        return source.record, None
    from isoplane.runs.report.write import described_design  # heavy: draws with matplotlib

    design = Design(case.scenario.network)
    try:
        return described_design(design, None, described_config(data, design)), _describing_words()
    except InputError as error:
        print_message(f"no report: {error}")
        return None, None


def _simulate(case: SimulationCase, runs: SimulationRuns) -> tuple[list[Report], Saturation | None]:
    """Return the reports of the sweep, and the saturation if requested; after Ctrl-C the completed runs."""
    found = None
    try:
        runs.announce(f"{len(case.loads)} loads", len(case.loads))
        swept = sweep(case.scenario, case.loads, runs.map, stop_if_interrupted)
        if case.tolerance is not None:
            runs.announce("saturation", None)
            known = [(load, report) for load, report in zip(case.loads, swept, strict=True) if load is not None]
            found = saturation(case.scenario, case.tolerance, known, runs.map, stop_if_interrupted)
    except KeyboardInterrupt:
        given = {float(load) for load in case.loads if load is not None}
        swept = sorted((r for r in runs.reports if r.offered_load in given), key=lambda report: report.offered_load)
    finally:
        runs.close()
    return swept, found


def _run_to_end(case: SimulationCase, simulation: Simulation, runs: SimulationRuns, what: str) -> bool:
    """Run a simulation to its end, and return whether it was reached before Ctrl-C."""
    try:
        runs.announce(what, 1)
        for _ in runs.map(lambda run: measure(run, None, case.scenario.interval_ns, stop_if_interrupted), [simulation]):
            pass
    except KeyboardInterrupt:
        return False
    finally:
        runs.close()
    return True


def _run_listed(folder: SimulationFolder, case: SimulationCase, messages: MessageList, runs: SimulationRuns) -> None:
    """Send listed messages, and write all files; for those of a workload, compare with the fluid model."""
    scenario, simulation = case.scenario, case.scenario.new_simulation(None)
    if not _run_to_end(case, simulation, runs, "messages"):
        return
    fluid = fluid_model(scenario.network, scenario.hardware, messages)
    folder.write_named("messages.csv", messages_csv(simulation, scenario.hardware, messages, fluid))
    if case.workload is not None:
        folder.workload = workload_json(scenario.network, case.workload, messages, runs.reports[0], fluid)
    _conclude(folder, case, runs.reports, None, interrupted=False)


def _run_program(folder: SimulationFolder, case: SimulationCase, program: Program, runs: SimulationRuns) -> None:
    """Run a program to its end, and write all files, including those that the program names."""
    scenario, simulation = case.scenario, case.scenario.new_simulation(None)
    if not _run_to_end(case, simulation, runs, "program"):
        return
    series = runs.reports[0].series if scenario.interval_ns is not None else ()
    report = replace(report_of(program, simulation, []), series=series)
    _conclude(folder, case, runs.reports, None, interrupted=False)
    for name, text in zip(output_names(program), (data_text(report), screen_text(report)), strict=True):
        if name is not None:
            folder.write_named(name, text)


def _conclude(
    folder: SimulationFolder, case: SimulationCase, swept: list[Report], found: Saturation | None, *, interrupted: bool
) -> None:
    """Write all files, and print the results."""
    folder.conclude(swept, found, interrupted=interrupted)
    network, traffic = case.scenario.network, case.scenario.traffic
    offered = isinstance(traffic, Traffic)
    pattern = traffic.pattern if isinstance(traffic, Traffic) else "listed"
    compared_network = network if pattern in UNIFORM else None  # analytic results are for uniform traffic
    delay_ns = None if compared_network is None else zero_load_and_throughput(compared_network)[0]
    sent = f"{pattern} traffic" if case.workload is None else f"workload {case.workload}"
    title = f"{network.title}, {network.nodes} nodes, {sent}"
    unit = simulated_unit(network, case.scenario.hardware)
    figure = latency_load(folder.reports, title, found.throughput if found else None, delay_ns, unit)
    folder.draw("latency-load", figure)
    lines = [title, *unit_note(network, case.scenario.hardware), run_table(swept, offered=offered)]
    if isinstance(traffic, MessageTrace):
        lines += [completion(report, traffic.messages) for report in swept]
    if folder.workload is not None:
        lines.append(workload_text(folder.workload))
    if found is not None:
        lines.append(saturation_text(found))
    if compared_network is not None and (rows := compared(compared_network, case.scenario, swept, found)):
        lines.append(comparison_text(rows))
    lines += beyond_bound(case.scenario, found)
    for report in (report for report in swept if report.deadlock is not None):
        lines.append(f"deadlock{f' at load {report.offered_load:g}' if offered else ''}: {report.deadlock}")
    print("\n".join([*lines, f"simulation: {folder.path}"]))
    if (folder.path / DESIGN_FILE).exists() and folder.reports:
        _write_page(folder.path, network)


def _write_page(folder: Path, network: Network) -> None:
    """Write the page of a simulation, and print its path; if there is none, print the reason on standard error."""
    from isoplane.runs.report.write import write_simulation_report  # heavy: draws with matplotlib

    try:
        print(f"report: {write_simulation_report(folder, Design(network))}")
    except InputError as error:  # the price list does not cover this network
        print_message(f"no report: {error}")


def _run_circuits(data: Config, source: Loaded) -> None:
    """Simulate circuits under their workload with both relay modes; write and print the results."""
    from isoplane.runs.report.write import write_simulation_report  # heavy: draws with matplotlib

    folder = Path(HydraConfig.get().runtime.output_dir)
    workload = source.workload(data)
    if workload is None:
        raise InputError(f"record={data['record']}: has no workload; expected that of a search for circuits")
    shorten = check_int("shorten", data["shorten"], 1)
    data.require_effects(given_words())
    with locked(folder, "hydra.run.dir", (*RESULTS, RECORDS)):
        result = _simulate_into(folder, data.plain(), source, workload, shorten)
        print(_circuits_table(result))
        print(f"report: {write_simulation_report(folder, source.design)}")
    print_message(_next_steps(folder))


def _simulate_into(
    folder: Path, data: dict[str, Any], source: Loaded, workload: Workload, shorten: int
) -> hybrid.HybridSimulation:
    """Simulate a design, and write the results into a folder."""
    from isoplane.runs.report.write import described_design

    with hybrid.live_progress("simulation") as show:
        result = hybrid.simulated(source.design, workload, shorten, show)
    if source.record is None:
        described = described_design(source.design, workload, {name: data[name] for name in ("network", "workload")})
        more = {"verified_by": shlex.join(word for word in given_command() if key_of(word) != "shorten")}
    else:
        described, more = source.record, {}
    write_atomically(folder / "config.yaml", OmegaConf.to_yaml(OmegaConf.create(data)))
    write_atomically(folder / "messages.csv", hybrid.messages_csv(result))
    write_atomically(folder / "links.csv", hybrid.links_csv(result))
    write_atomically(folder / "summary.json", text_of({**hybrid.hybrid_json(result), **more}))
    write_atomically(folder / DESIGN_FILE, text_of(described))
    return result


def _circuits_table(result: hybrid.HybridSimulation) -> str:
    rows = [["", "packets", "fluid model", "model error", "spread", "unit"]]
    for relay, name in hybrid.COMPLETIONS.items():
        times = number(round(result.completion_ns(relay))), number(result.fluid_ns(relay)[0])
        rows.append([name, *times, f"{100 * result.error(relay):+.2f} %", f"{100 * result.spread(relay):.2f} %", "ns"])
    rows.append(["busiest_link_ns", number(round(result.busiest[0][2])), "", "", "", "ns"])
    return columns(rows)


OTHER_RUNS: Mapping[str, Callable[[Config, Loaded], None]] = {"circuits": _run_circuits}  # by kind of design
