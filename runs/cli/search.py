"""`isoplane search`: find the best network."""

import shlex
from contextlib import closing
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import Design
from isoplane.models.files.exact_text import counted
from isoplane.objectives import Lexicographic, SimulatedTimes, hypervolume, relative_gaps
from isoplane.runs.config.config_values import Config, given_command, given_words, key_of, path_of, plain
from isoplane.runs.config.search_setup import SearchSetup, search_setup
from isoplane.runs.drawing.objective_text import score_text
from isoplane.runs.folder.folder_lock import resume_command
from isoplane.runs.folder.resume import (
    exit_code_if_finished,
    goal_code,
    is_concluded,
    next_steps,
    report_finished,
    resume_advised,
    resumed_config,
    saved_warm_start,
    shown_folder,
    summary_of,
)
from isoplane.runs.folder.run_folder import RunFolder
from isoplane.runs.folder.solution_record import bound_by, proven_over
from isoplane.runs.inputs.cross_connects import write_cross_connects
from isoplane.runs.records import better_outside, missed_limits, nearest_text, proof_status, provenance, stop_text
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.design_table import assumed_goals, comparison
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.messages import print_message
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.runs.terminal.table import number
from isoplane.search import Auto, Enumerate, Exact, Limits, Progress, Solution, Space, Strategy, solve
from isoplane.search.core.chain_strategy import ChainStrategy

MAX_CHECKED_SWITCHES = 2048  # of a plane, whose routes are checked for deadlock within a second
DOUBLED = ("seconds", "evaluations", "stalled")  # limits after which a search can go on
EXHAUSTIVE = (Exact, Enumerate)
EXHAUSTED = "strategy"  # stopped_by of a run whose strategy is exhausted


def run(config: DictConfig) -> int:
    """Search as configured; write records, history, summary and report; print the result."""
    data = plain(config)
    resumed_folder = None if data.get("resume") is None else path_of("resume", data["resume"])
    if resumed_folder is not None:
        words = HydraConfig.get().overrides
        run_folders = [word for word in words.hydra if word.startswith("hydra.run.dir=")]
        data = resumed_config(resumed_folder, data, [*words.task, *run_folders])
    options = Config(data)
    setup = search_setup(options, None if resumed_folder is None else saved_warm_start(resumed_folder))
    path = resumed_folder or Path(HydraConfig.get().runtime.output_dir)
    onward = resume_command("search", shown_folder(path))
    if resumed_folder is None:  # the config of a run was checked when it began
        options.require_effects(given_words())
    if setup.space.remark:
        print_message(f"isoplane search: {setup.space.remark}")
    for remark in assumed_goals(setup.space.baseline, setup.objective):
        print_message(f"isoplane search: {remark}")
    if setup.objective.functions:
        names = ", ".join(name for name, *_ in setup.objective.functions)
        slow = "called for one design at a time, so that the search is slower and more workers hardly help"
        print_message(f"isoplane search: {names}: a function in Python, {slow}")
    code = None if resumed_folder is None else exit_code_if_finished(resumed_folder, setup.objective, setup.limits)
    if code is not None:
        return code
    chains = _chains_of(setup.strategy, setup.space, setup.objective)
    if chains is not None and setup.workers > chains:
        idle = f"{counted(chains, 'chain')}: {setup.workers - chains} of {setup.workers} workers have nothing to do"
        print_message(f"isoplane search: {idle}; strategy.chains={setup.workers} is another search, for all of them")
    origin = provenance(setup.seed, setup.strategy.name, setup.config)
    first = None if setup.start is None else setup.space.candidate(setup.start)
    with (
        RunFolder(path, setup.objective, origin, setup.config, first, resumed=resumed_folder is not None) as folder,
        resume_advised("search", path),
    ):
        return _run(folder, setup, onward)


def _chains_of(strategy: Strategy, space: Space, objective: Lexicographic) -> int | None:
    """Return the number of chains of a search; None if it has other work, too."""
    chosen = strategy.choose(space, objective) if isinstance(strategy, Auto) else strategy
    return chosen.chains if isinstance(chosen, ChainStrategy) else None


def _run(folder: RunFolder, setup: SearchSetup, onward: str) -> int:
    """Search, simulate the designs and write the report; return the exit code. `onward` is the command to continue."""
    code = _search(folder, setup, onward)
    if code is not None:
        return code
    if setup.judge is not None and not _simulate_designs(folder, setup, onward):
        return codes.INTERRUPTED
    return _report(folder, setup, onward)


def _search(folder: RunFolder, setup: SearchSetup, onward: str) -> int | None:
    """Run the search and write its results; return the exit code, or None if the report is still to be written."""
    objective, limits = setup.objective, setup.limits
    with (
        setup.fleet as fleet,
        INTERRUPT.caught(at_once=False),
        closing(ProgressLine(objective, limits, fleet.workers)) as line,
    ):
        watcher = _Watcher(folder, objective, limits, line)
        found = solve(
            setup.space,
            objective,
            setup.strategy,
            limits,
            setup.seed,
            warm_start=setup.start,
            fleet=fleet,
            checkpoint=folder.checkpoint,
            watch=watcher,
        )
        with closing(found):
            for solution in found:
                folder.add(solution)
        line.close()
        if watcher.last is None:
            print_message("isoplane search: no feasible design was found")
            return codes.NOTHING_FEASIBLE
        if watcher.last.replayed and INTERRUPT.requested:  # during the replay
            raise KeyboardInterrupt
        summary = summary_of(folder.path) if watcher.last.replayed else None
        if summary is not None and (folder.is_replaying or is_concluded(folder.path, summary)):
            return report_finished(folder.path, summary, objective, limits)
        if (outlook := line.outlook(watcher.last)) is not None:
            print_message(outlook)
        _conclude(folder, objective, watcher.last, watcher.stopped_by, setup.space)
    if INTERRUPT.requested:
        INTERRUPT.announce(f"interrupted; continue with {onward}")
        return codes.INTERRUPTED
    return None


def _simulate_designs(folder: RunFolder, setup: SearchSetup, onward: str) -> bool:
    """Simulate the designs found; return False after Ctrl-C."""
    from isoplane.runs.simulations.judge import simulate_records  # heavy: draws with matplotlib

    try:
        with INTERRUPT.caught(at_once=False):
            simulate_records(folder.path, folder.records, setup.seed, setup.workers, setup.shorten)
    except KeyboardInterrupt:
        INTERRUPT.announce(f"interrupted during the simulation; continue with {onward}")
        return False
    return True


def _report(folder: RunFolder, setup: SearchSetup, onward: str) -> int:
    from isoplane.runs.report.write import write_report  # heavy: draws with matplotlib

    objective, best = setup.objective, folder.solutions[0]
    print(f"report: {write_report(folder.path, best=best.design)}")
    missed = missed_limits(objective, best.design, best.evaluation.score, best.evaluation.metrics)
    if missed:
        print_message(f"isoplane search: {nearest_text(best.evaluation.bound, missed)}")
    else:
        print_message(next_steps(folder.path, folder.records[0]))
    if more := _more(folder, setup, onward):
        print_message(more)
    if missed:
        return codes.NOTHING_FEASIBLE
    return goal_code(objective, setup.limits, best.evaluation.score, best.evaluation.bound, best.design.network)


def _more(folder: RunFolder, setup: SearchSetup, onward: str) -> str:
    """Return how a search that a limit stopped goes on, or ends its proof; empty where nothing is left to prove."""
    summary, best = summary_of(folder.path), folder.solutions[0].evaluation
    stopped_by = "" if summary is None else str(summary["stopped_by"])
    limit = getattr(setup.limits, stopped_by) if stopped_by in DOUBLED else None
    is_missed = bool(setup.objective.limits and best.bound[0])  # limits that no design meets
    is_proven = setup.objective.front is None and all(gap == 0 for gap in relative_gaps(best.score, best.bound))
    if limit is None or is_missed or is_proven:
        return ""
    if isinstance(setup.strategy, EXHAUSTIVE):
        unlimited = dict.fromkeys((f"stop.{stopped_by}=null", "stop.seconds=null"))
        return f"to finish the proof: {onward} {' '.join(unlimited)}"
    default = Auto().choose(setup.space, setup.objective)
    proof = f"; for a proof: {_anew(f'strategy={default.name}')}" if isinstance(default, EXHAUSTIVE) else ""
    return f"to search on: {onward} stop.{stopped_by}={number(max(1, 2 * float(limit)))}{proof}"


def _anew(word: str) -> str:
    """Return the command of a new run of the same search without limits but with a word, in words if it was resumed."""
    kept = [each for each in given_command() if key_of(each).partition(".")[0] not in ("strategy", "stop")]
    is_resumed = any(key_of(each) == "resume" for each in kept)
    return f"a new run with {word}" if is_resumed else shlex.join(["isoplane", "search", *kept, word])


class _Watcher:
    """Observes every round: shows and notes progress, and stops the search on Ctrl-C."""

    def __init__(self, folder: RunFolder, objective: Lexicographic, limits: Limits, line: ProgressLine) -> None:
        self._folder, self._objective, self._limits, self._line = folder, objective, limits, line
        self.last: Progress | None = None
        self.stopped_by = EXHAUSTED

    def __call__(self, progress: Progress) -> str | None:
        self.last = progress
        if not progress.replayed:
            self._line.show(progress)
            self._folder.note(progress.evaluations, progress.seconds, **_outlook(progress, self._limits))
        if progress.complete:
            self.stopped_by = "complete"
            return None  # a completed proof takes precedence over a limit reached at the same time
        reason = "interrupt" if INTERRUPT.requested else self._limits(self._objective, progress)
        self.stopped_by = reason or EXHAUSTED
        return reason


def _conclude(folder: RunFolder, objective: Lexicographic, last: Progress, stopped_by: str, space: Space) -> None:
    """Write the summary and print the result."""
    extra = _core_hours_left(last)
    if objective.front is not None:
        extra |= _hypervolume(folder, objective, space)
    best = folder.solutions[0]
    by = "" if objective.front is not None else bound_by(best, objective, folder.provenance)
    folder.summarise(last.evaluations, last.seconds, stopped_by, **extra, **({"bound_by": by} if by else {}))
    if last.counts is not None:
        folder.write_proof(last.counts)
    write_cross_connects(folder.path, best.design)
    print(comparison(best.design, objective))
    if objective.front is None and (refused := _without_tables(best.design)) is not None:
        print(f"on InfiniBand: no forwarding tables for OpenSM, which isoplane export would refuse: {refused}")
    if isinstance(objective.evaluator, SimulatedTimes):
        print(_judged(best, objective, objective.evaluator.shorten))
    if objective.front is not None:
        proven = f"proven complete over {proven_over(best)}" if best.complete else "not proven complete"
        volume = f", hypervolume {extra['hypervolume']:.6f}" if "hypervolume" in extra else ""
        print(f"front: {counted(len(folder.records), 'design')}, {proven}{volume}")
    found = best.evaluation
    proven = proof_status(found.score_names, found.score, found.bound, proven_over(best))
    if objective.front is None and any(relative_gaps(found.score, found.bound)):
        for title, values in (("score", found.score), ("bound", found.bound)):
            print(f"{title}: {score_text(objective, values, best.design.network)}")
    if by:
        print(f"bound by: {by}")
    reason = stop_text({"evaluations": last.evaluations, "seconds": last.seconds, "stopped_by": stopped_by})
    print(f"{proven}; {reason}: {folder.path / 'records' / folder.records[0]}")
    if objective.front is None and (known := better_outside(best.design)) is not None:
        print(known)


def _without_tables(design: Design) -> str | None:
    """Return why OpenSM cannot load the routes of a network of switches as tables; None if it can, or for large ones.

    The dimension-order routes of cubes always have tables.
    """
    network = design.network
    if network.family.kind != "switches" or max(network.plane_switches) > MAX_CHECKED_SWITCHES:
        return None
    from isoplane.runs.exports.export import refusal_of  # not needed before the search

    refused = refusal_of("opensm", design)
    return None if refused is None else refused.partition("; ")[0]


def _outlook(progress: Progress, limits: Limits) -> dict[str, object]:
    """Return what is known of the rest of a running search: its limits, the share searched, and the work left."""
    stop = {"seconds": None if limits.seconds is None else float(limits.seconds), "evaluations": limits.evaluations}
    return {"stop": stop, "searched": progress.searched, **_core_hours_left(progress)}


def _core_hours_left(progress: Progress) -> dict[str, object]:
    """Return the estimate of the computation left of an exhaustive search, with its range; empty without one."""
    if progress.left is None:
        return {}
    return {"core_hours_left": dict(zip(("estimate", "low", "high"), progress.left.core_hours, strict=True))}


def _judged(best: Solution, objective: Lexicographic, shorten: int) -> str:
    """Return the simulated time of the best design, beside that of the baseline."""
    best_ns, baseline_ns = (
        score[objective.first] for score in (best.evaluation.score, objective.point(best.design.baseline))
    )
    shortened = "" if shorten == 1 else f", with messages shortened by a factor of {shorten}"
    change = 100 * (best_ns / baseline_ns - 1)
    title = best.design.baseline_title
    return f"simulated flit by flit: {best_ns} ns, {title} {baseline_ns} ns ({change:+.2f} %){shortened}"


def _hypervolume(folder: RunFolder, objective: Lexicographic, space: Space) -> dict[str, object]:
    """Return the hypervolume of a front for its summary; none with a function, whose values may have any sign."""
    if objective.functions:
        return {}
    points = [_pair(objective.point(solution.design)) for solution in folder.solutions]
    return {"hypervolume": hypervolume(points, _pair(space.reference_point(objective)))}


def _pair(point: tuple[int, ...]) -> tuple[int, int]:
    """Return the two values of a point on a front; an excess over limits, the same for all, is before them."""
    first, second = point[-2:]
    return first, second
