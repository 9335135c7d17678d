"""`isoplane simulate`: what packets would see."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models.checks import check_int
from isoplane.objectives import ingredients, metrics
from isoplane.runs.simulations import Compared, SimulationFolder, compared, latency_load
from isoplane.search import Threads
from isoplane.simulator import Listed, Report, Saturation, Traffic, measure, saturation, sweep
from isoplane.simulator.language import Program, data_text, output_names, report_of, screen_text

from . import codes
from .effects import check_effects, check_simulated_family
from .folder_lock import RECORDS, RESULTS, locked
from .interrupt import INTERRUPT
from .listing import completion
from .live_line import LiveLine
from .scenario import Case, case_of
from .simulate_hybrid import run_hybrid, simulates_hybrid
from .table import columns
from .values import plain

T = TypeVar("T")
R = TypeVar("R")

UNIFORM = ("uniform", "all_to_all")


def run(config: DictConfig) -> int:
    """Simulate a network at all loads, look for its saturation, write both, and print them."""
    data = plain(config)
    words = HydraConfig.get().overrides.task
    check_effects("simulate", data, words)
    hybrid = simulates_hybrid(data)
    check_simulated_family(data, words, hybrid=hybrid)
    if hybrid:
        run_hybrid(data)
        return codes.DONE
    case = case_of(data)
    workers = check_int("workers", data["workers"], 1, 1024)
    path = Path(HydraConfig.get().runtime.output_dir)
    with locked(path, "hydra.run.dir", (*RESULTS, RECORDS)), INTERRUPT.caught(at_once=False):
        folder = SimulationFolder(path, data, case.scenario)
        runs = Runs(workers, folder.add)
        if case.program is None:
            swept, found = _simulated(case, runs)
            if runs.ended:
                _conclude(folder, case, swept, found)
        else:
            _run_program(folder, case, case.program, runs)
    if INTERRUPT.requested:
        print("interrupted: what has ended is kept" if runs.ended else "interrupted", file=sys.stderr)
        return codes.INTERRUPTED
    return codes.DONE


def _simulated(case: Case, runs: "Runs") -> tuple[list[Report], Saturation | None]:
    """Return the reports of the sweep, and the saturation if it was looked for; what has ended before Ctrl-C."""
    found = None
    try:
        runs.announce(f"{len(case.loads)} loads", len(case.loads))
        swept = sweep(case.scenario, case.loads, runs.map, stop_if_interrupted)
        if case.tolerance is not None:
            runs.announce("saturation", None)
            known = [(load, report) for load, report in zip(case.loads, swept, strict=True) if load is not None]
            found = saturation(case.scenario, case.tolerance, known, runs.map, stop_if_interrupted)
    except KeyboardInterrupt:
        asked = {float(load) for load in case.loads if load is not None}
        swept = sorted((r for r in runs.ended if r.offered_load in asked), key=lambda report: report.offered_load)
    finally:
        runs.close()
    return swept, found


def _run_program(folder: SimulationFolder, case: Case, program: Program, runs: "Runs") -> None:
    """Run a program to its end, and write all files, with those that it names."""
    scenario, simulation = case.scenario, case.scenario.simulation(None)
    try:
        runs.announce("program", 1)
        for _ in runs.map(lambda run: measure(run, None, scenario.interval_ns, stop_if_interrupted), [simulation]):
            pass
    except KeyboardInterrupt:
        return
    finally:
        runs.close()
    asked_for = runs.ended[0].series if scenario.interval_ns is not None else ()
    report = replace(report_of(program, simulation, []), series=asked_for)
    _conclude(folder, case, runs.ended, None)
    for name, text in zip(output_names(program), (data_text(report), screen_text(report)), strict=True):
        if name is not None:
            folder.write_named(name, text)


def stop_if_interrupted(tick: int) -> None:
    """End a run when Ctrl-C was pressed."""
    if INTERRUPT.requested:
        raise KeyboardInterrupt


class Runs:
    """Shares runs out among threads, tells how far they are, and hands each report on as soon as its run has ended.

    Parameters
    ----------
    workers
        Threads.
    each
        Is given every report.
    """

    def __init__(self, workers: int, each: Callable[[Report], None]) -> None:
        self._threads, self._each = Threads(workers), each
        self.ended: list[Report] = []
        self._what, self._before = "", 0
        self._of: int | None = None
        self._began = time.monotonic()
        self._line = LiveLine(shown_at=self._began)

    def announce(self, what: str, of: int | None) -> None:
        """Begin another part of the work: what is done, and how many runs it has."""
        self._what, self._of, self._before = what, of, len(self.ended)

    def map(self, function: Callable[[T], R], items: Iterable[T], /) -> Iterator[tuple[int, R] | None]:
        """Call a function on every item, and yield (index, result) as calls end; ends with Ctrl-C."""
        for found in self._threads.map(function, items):
            if found is not None and isinstance(found[1], Report):
                self.ended.append(found[1])
                self._each(found[1])
            stop_if_interrupted(0)
            self._show()
            yield found

    def close(self) -> None:
        """End the live line."""
        self._line.close()

    def _show(self) -> None:
        if not self._line.due():
            return
        count = len(self.ended) - self._before
        done = f"{count} runs" if self._of is None else f"{count} of {self._of} runs"
        self._line.show(f"{time.monotonic() - self._began:6.1f} s  {self._what}: {done} have ended")


def _conclude(folder: SimulationFolder, case: Case, swept: list[Report], found: Saturation | None) -> None:
    """Write all files, and print what was found."""
    folder.conclude(swept, found, interrupted=INTERRUPT.requested)
    fabric, traffic = case.scenario.fabric, case.scenario.traffic
    offered = isinstance(traffic, Traffic)
    pattern = traffic.pattern if isinstance(traffic, Traffic) else "listed"
    uniform = case.network if pattern in UNIFORM else None
    delay_ns = None if uniform is None else metrics(uniform, ingredients(uniform))["delay_ns"]
    title = f"{fabric.name}, {fabric.nodes} nodes, {pattern} traffic"
    figure = latency_load(folder.reports, title, found.throughput if found else None, delay_ns)
    folder.draw("latency-load", figure)
    lines = [title, _table(swept, offered=offered)]
    if isinstance(traffic, Listed):
        lines += [completion(report, traffic.messages.messages) for report in swept]
    if found is not None:
        lines.append(limits(found))
    if uniform is not None and (rows := compared(uniform, case.scenario, swept, found)):
        lines.append(_comparison(rows))
    for report in (report for report in swept if report.deadlock is not None):
        lines.append(f"deadlock{f' at load {report.offered_load:g}' if offered else ''}: {report.deadlock}")
    print("\n".join([*lines, f"simulation: {folder.path}"]))


def _table(reports: Sequence[Report], *, offered: bool) -> str:
    """Return the runs as people read them.

    Parameters
    ----------
    reports
        By ascending load.
    offered
        Whether a load was offered; listed messages come when they come.
    """
    rows = [["offered", "accepted", "±", "latency ns", "±", "of messages", "p99", "state"]]
    for report in reports:
        accepted, network = report.accepted_load, report.network_latency_ns
        # The intervals are those of a mean that does not change, which a run with a beginning and an end has not.
        widths = [None if report.complete else found.half_width for found in (accepted, network)]
        rows.append(
            [
                f"{report.offered_load:g}" if offered else "-",
                number(accepted.mean, 4),
                number(widths[0], 4),
                number(network.mean, 1),
                number(widths[1], 1),
                number(report.message_latency_ns.mean, 1),
                number(report.percentiles_ns[-1], 1),
                _state(report),
            ]
        )
    return columns(rows)


def _state(report: Report) -> str:
    """Return how a run ended, in a word or two."""
    if report.deadlock is not None:
        return "deadlock"
    if report.complete:
        return "complete"
    if report.limited:
        return "saturated, limit" if report.saturated else "limit"
    return "saturated" if report.saturated else "steady" if report.steady else "not steady"


def number(value: float | None, digits: int) -> str:
    """Return a number with so many decimals."""
    return "-" if value is None else f"{value:.{digits}f}"


def limits(found: Saturation) -> str:
    """Return the saturation throughput in one line."""
    saturated = "no load is" if found.saturated_load is None else f"{found.saturated_load:g} is"
    return (
        f"saturation throughput {found.throughput:.4f}: {found.stable_load:g} is stable, {saturated} saturated; most "
        f"accepted in any run, saturated or not, {found.largest_accepted:.4f}"
    )


def _comparison(rows: Sequence[Compared]) -> str:
    head = ["", "simulated", "computed", "unit", "error"]
    body = [
        [row.quantity, f"{row.simulated:.6g}", f"{row.computed:.6g}", row.unit, f"{100 * row.error:+.2f} %"]
        for row in rows
    ]
    return columns([head, *body])
