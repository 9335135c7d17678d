"""`isoplane search`: the main job."""

import sys
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import Network
from isoplane.objectives import Objective, exact_metric, hypervolume, ingredients
from isoplane.runs.records import provenance
from isoplane.search import Auto, Limits, Progress, Watched, solve

from . import codes
from .interrupt import INTERRUPT
from .progress import ProgressLine
from .run_folder import RunFolder
from .setup import limits_of, objective_of, plain, seed_and_workers, space_of, strategy_of, warm_start_of
from .table import comparison


def run(config: DictConfig) -> int:
    """Search as configured; write records, history, summary and report; print the result."""
    data = plain(config)
    space, objective, strategy, limits = space_of(data), objective_of(data), strategy_of(data), limits_of(data)
    if space.layout is None:
        objective = objective.without_layout()
    limits.require_defined(objective)
    if isinstance(strategy, Auto):
        strategy = strategy.choose(space.n, objective)  # records name what searched
    start = warm_start_of(data)
    seed, workers = seed_and_workers(data)
    folder = RunFolder(
        Path(HydraConfig.get().runtime.output_dir), objective, provenance(seed, strategy.name, data), data
    )
    line = ProgressLine(objective, limits)
    watcher = _Watcher(objective, limits, line)
    with INTERRUPT.caught(at_once=False):
        for solution in solve(space, objective, strategy, Watched(limits, watcher), seed, workers, start):
            folder.add(solution)
        line.close()
        if watcher.last is None or not folder.solutions:
            print("isoplane search: no feasible design was found", file=sys.stderr)
            return codes.NOTHING_FEASIBLE
        _conclude(folder, objective, watcher.last, watcher.stopped_by, space.identical)
    if INTERRUPT.requested:
        print(f"interrupted; isoplane report run={folder.path} writes the report", file=sys.stderr)
        return codes.INTERRUPTED
    from isoplane.runs.report import write_report  # heavy: draws with matplotlib

    print(f"report: {write_report(folder.path)}")
    best = folder.solutions[0]
    reached = limits.reached(objective, best.evaluation.score, best.design.network)
    return codes.DONE if reached else codes.TARGET_NOT_REACHED


class _Watcher:
    """Sees every round: shows progress, and ends the search on Ctrl-C."""

    def __init__(self, objective: Objective, limits: Limits, line: ProgressLine) -> None:
        self._objective, self._limits, self._line = objective, limits, line
        self.last: Progress | None = None
        self.stopped_by = "complete"

    def __call__(self, progress: Progress) -> str | None:
        self.last = progress
        self._line.show(progress)
        if progress.complete:
            return None  # a proof is worth more than the stop that it met
        reason = "interrupt" if INTERRUPT.requested else self._limits(self._objective, progress)
        self.stopped_by = reason or "complete"
        return reason


def _conclude(folder: RunFolder, objective: Objective, last: Progress, stopped_by: str, identical: Network) -> None:
    """Write the summary and print the result."""
    more = {} if objective.front is None else {"hypervolume": _hypervolume(folder, objective.front, identical)}
    folder.summarise(last.evaluations, last.seconds, stopped_by, **more)
    best = folder.solutions[0]
    print(comparison(best.design.network, identical))
    if objective.front is not None:
        print(f"front: {len(folder.records)} designs, hypervolume {more['hypervolume']:.6f}")
    print(f"{best.status}, stopped by {stopped_by}: {folder.path / 'records' / folder.records[0]}")


def _hypervolume(folder: RunFolder, front: tuple[str, str], identical: Network) -> float:
    def point(network: Network) -> tuple[int, int]:
        exact = ingredients(network)
        return exact_metric(exact, front[0]), exact_metric(exact, front[1])

    return hypervolume([point(solution.design.network) for solution in folder.solutions], point(identical))
