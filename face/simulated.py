"""Simulations: a row for each run."""

import shlex
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from threading import Event, current_thread, main_thread
from typing import Any, TypeVar

from isoplane.fleet import Threads
from isoplane.models import Design, InputError
from isoplane.models.checks import check_int
from isoplane.models.workloads import Workload
from isoplane.runs.cli.keywords import with_options
from isoplane.runs.config.config_values import Config, key_of
from isoplane.runs.config.designs import LINK_RATE, SITE, Loaded, described_config
from isoplane.runs.config.scenario import SimulationCase, case_of
from isoplane.runs.records import Record
from isoplane.runs.simulations import hybrid, tables
from isoplane.runs.simulations.comparison import compared
from isoplane.runs.simulations.folder import summary_json
from isoplane.runs.simulations.link_unit import simulated_unit, unit_note
from isoplane.runs.simulations.result_text import comparison_text, saturation_text
from isoplane.runs.simulations.workload_run import fluid_model, workload_json, workload_text
from isoplane.simulator import MessageTrace, Report, Saturation, Traffic, measure, saturation, sweep

from .designs import Source, Value, config_beside, source_of
from .panels import BARS, Panel, Row, Series
from .result import Result
from .waiting import shown_while, timed, waiting_place

T = TypeVar("T")
R = TypeVar("R")

RUN_COLUMNS = ("offered_load", "accepted_load", "network_latency_ns", "message_latency_ns", "p99_ns", "saturated")
UNIFORM = ("uniform", "all_to_all")


@with_options("simulate", "record")
def simulate(design: Source | None = None, /, **options: Value) -> Result:
    """Simulate a network as `isoplane simulate` does, without writing anything.

    Networks of switches are simulated flit by flit, those with circuits packet by packet.

    Parameters
    ----------
    design
        As of `evaluate`.
    options
        Those of `isoplane simulate`.

    Returns
    -------
    Result
        A row for each run, by offered load, with means and half widths of their 95 % intervals.

    Examples
    --------
    >>> import isoplane as ip
    >>> runs = ip.simulate(network="torus", shape=[4, 4], loads=[0.1, 0.2], saturation=False, measurement="rough")
    >>> [row["offered_load"] for row in runs.rows], runs.rows[0]["saturated"]
    ([0.1, 0.2], False)
    """
    config, words = config_beside(design, "simulate", options)
    packets = config.handing_on("prices", LINK_RATE)
    source = None if config["program"] is not None and design is None else source_of(design, packets)
    if source is not None and source.design.network.family.kind == "circuits":
        return _simulated_circuits(source, config, words)
    case = case_of(packets, None if source is None else source.design.network)
    workers = check_int("workers", config["workers"], 1, 1024)
    config.require_effects(words)
    reports, found = _runs(case, workers)
    design = Design(case.scenario.network)
    return _runs_result(
        case, reports, found, lambda: _described(design, None, config), _verifying(words, "network", *SITE, "program")
    )


def _described(design: Design, workload: Workload | None, config: Config) -> Record:
    from isoplane.runs.report.write import described_design

    return described_design(design, workload, described_config(config, design))


def _verifying(words: Sequence[str], *describing: str) -> str:
    """Return the options of a simulation that describe its network, as `isoplane verify` takes them.

    A network made in Python has none: then those of a record, which `evaluate` saves.
    """
    return shlex.join(word for word in words if key_of(word).partition(".")[0] in describing) or "record=FILE"


def _runs(case: SimulationCase, workers: int) -> tuple[list[Report], Saturation | None]:
    """Return the reports of all runs by load, and the saturation if requested; Ctrl-C ends them."""
    scenario, threads = case.scenario, Threads(workers)
    part, total, ended = "simulation", 0, 0

    def mapped(function: Callable[[T], R], items: Iterable[T], /) -> Iterator[tuple[int, R] | None]:
        nonlocal total, ended
        given = list(items)
        total += len(given)
        for result in threads.map(function, given):
            ended += result is not None
            yield result

    state = timed(lambda: f"{part}: {ended} of {total} runs have ended")
    with _stopped_by_interrupt() as stop_if_asked, shown_while(state, waiting_place()):
        if case.loads == (None,):
            run = partial(measure, interval_ns=scenario.interval_ns, on_progress=stop_if_asked)
            return [call[1] for call in mapped(run, [scenario.new_simulation(None)]) if call is not None], None
        swept = sweep(scenario, case.loads, mapped, stop_if_asked)
        if case.tolerance is None:
            return swept, None
        part = "simulation, saturation"
        known = [(load, report) for load, report in zip(case.loads, swept, strict=True) if load is not None]
        return swept, saturation(scenario, case.tolerance, known, mapped, stop_if_asked)


@contextmanager
def _stopped_by_interrupt() -> Iterator[Callable[[int], None]]:
    """Return a function that runs in threads call, which ends them once Ctrl-C was pressed.

    Raised in the main thread, it would wait there until they have ended by themselves.
    """
    asked = Event()

    def stop_if_asked(tick: int) -> None:
        if asked.is_set():
            raise KeyboardInterrupt

    if current_thread() is not main_thread():  # Ctrl-C is another one's
        yield stop_if_asked
        return
    previous = signal.signal(signal.SIGINT, lambda number, frame: asked.set())
    try:
        yield stop_if_asked
        stop_if_asked(0)
    finally:
        signal.signal(signal.SIGINT, previous)


def _runs_result(
    case: SimulationCase,
    reports: Sequence[Report],
    found: Saturation | None,
    describe: Callable[[], Record],
    verified_by: str,
) -> Result:
    """Return the runs as a result, whose page describes the network and says what verifies it."""
    scenario, network = case.scenario, case.scenario.network
    traffic, notes, of_workload = scenario.traffic, unit_note(network, scenario.hardware), None
    if case.workload is not None and isinstance(traffic, MessageTrace):
        fluid = fluid_model(network, scenario.hardware, traffic.messages)
        of_workload = workload_json(network, case.workload, traffic.messages, reports[0], fluid)
        notes.append(workload_text(of_workload))
    pattern = traffic.pattern if isinstance(traffic, Traffic) else "listed"
    if found is not None:
        notes.append(saturation_text(found))
    if pattern in UNIFORM and (rows := compared(network, scenario, reports, found)):
        notes.append(comparison_text(rows))
    notes += [f"deadlock: {report.deadlock}" for report in reports if report.deadlock is not None]
    runs = cache(lambda: [tables.report_json(report) for report in reports])
    summary = summary_json(scenario, reports, found, of_workload)
    sent = f"{pattern} traffic" if case.workload is None else f"workload {case.workload}"
    return Result(
        "simulation",
        f"{network.title}, {network.nodes} nodes, {sent}",
        [dict(zip(tables.CURVE, tables.curve_row(report), strict=True)) for report in reports],
        RUN_COLUMNS,
        lambda: {**summary, "runs": runs()},
        lambda: _load_panels(reports, simulated_unit(network, scenario.hardware)),
        lambda: _page(describe(), Design(network), _with_lowest({**summary, "runs": runs()}), verified_by),
        "" if found is None else f"saturation throughput {found.throughput:.4f}",
        tuple(notes),
        Design(network),
    )


def _load_panels(reports: Sequence[Report], unit: str) -> tuple[Panel, ...]:
    """Return latencies of the stable runs, and accepted loads of all, by offered load."""
    stable = [report for report in reports if report.stable and report.network_latency_ns.mean is not None]
    loads = [report.offered_load for report in stable]
    latencies: tuple[Series, ...] = (
        ("in the network", loads, [report.network_latency_ns.mean or 0.0 for report in stable], "o-"),
        ("from creation of the message", loads, [report.message_latency_ns.mean or 0.0 for report in stable], "o-"),
    )
    offered = [report.offered_load for report in reports]
    accepted: tuple[Series, ...] = (
        ("accepted", offered, [report.accepted_load.mean or 0.0 for report in reports], "o-"),
        ("accepted = offered", offered, offered, ":"),
    )
    x_title = f"offered load per node ({unit})"
    return (x_title, "mean latency (ns)", latencies), (x_title, f"accepted load ({unit})", accepted)


def _with_lowest(content: dict[str, Any]) -> dict[str, Any]:
    """Return the runs of a simulation as pages take them: with the one of the lowest load."""
    lowest = min(content["runs"], key=lambda run: run["offered_load"])
    return {**content, "record": "design.json", "low_load": lowest}


def _page(described: Record, design: Design, simulation: dict[str, Any], verified_by: str | None) -> str:
    """Return the page of a simulation."""
    from isoplane.runs.report.page import render
    from isoplane.runs.report.report_data import ReportData

    return render(ReportData(described, simulations=[simulation], verified_by=verified_by, built=design))


def _simulated_circuits(source: Loaded, config: Config, words: Sequence[str]) -> Result:
    """Simulate circuits under their workload with both ways in which nodes relay messages, a row for each."""
    workload, design = source.workload(config), source.design
    if workload is None:
        raise InputError("workload=null: circuits are simulated under a workload; expected one")
    shorten = check_int("shorten", config["shorten"], 1)
    config.require_effects(words)
    texts = ["times by the fluid model"]
    with shown_while(timed(lambda: f"simulation, {texts[-1]}"), waiting_place()):
        found = hybrid.simulated(design, workload, shorten, texts.append)
    rows: list[Row] = [
        {
            "relay": relay,
            "completion_ns": found.completion_ns(relay),
            "fluid_ns": found.fluid_ns(relay)[0],
            "model_error": found.error(relay),
            "spread": found.spread(relay),
        }
        for relay in hybrid.COMPLETIONS
    ]
    content = cache(lambda: hybrid.hybrid_json(found))
    record = source.record
    return Result(
        "simulation",
        f"{design.network.title}, {workload.name}",
        rows,
        ("relay", "completion_ns", "fluid_ns", "model_error", "spread"),
        content,
        lambda: (_relay_panel(rows),),
        lambda: _page(
            record or _described(design, workload, config),
            design,
            content(),
            _verifying(words, "network", "workload"),
        ),
        notes=() if shorten == 1 else (f"messages are shorter by a factor of {shorten}",),
        design=design,
    )


def _relay_panel(rows: Sequence[Row]) -> Panel:
    """Return the times of both ways in which nodes relay messages, by packets and by the fluid model."""
    named = [str(row["relay"]) for row in rows]
    series: tuple[Series, ...] = tuple(
        (title, named, [float(row[name] or 0) for row in rows], BARS)
        for name, title in (("completion_ns", "packets"), ("fluid_ns", "fluid model"))
    )
    return "relay", "completion (ns)", series
