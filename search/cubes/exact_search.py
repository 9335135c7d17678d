"""Exact search: connection sets with a proof of optimality, by chains and units as one stream of rounds."""

import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import astuple, dataclass, replace
from statistics import fmean, stdev
from typing import ClassVar

from isoplane.models import InputError
from isoplane.models.checks import check_bool, check_int
from isoplane.objectives import Lexicographic

from ..core.archive import Archive
from ..core.chain_setup import ChainSetup
from ..core.chain_strategy import setup_of
from ..core.chains import chains_of
from ..core.forecast import Forecast
from ..core.strategy import Round, Strategy, Task, other_space, require_space
from ..strategies.pareto import Pareto
from ..strategies.portfolio import Portfolio
from .exact_run import ExactRun
from .exact_units import MAX_N, ExactPlan, search_of
from .space import ConnectionSets, Generators

# Better incumbents prune more, so a longer head start pays off for larger n.
HEAD_START = {7: 1 << 20, 8: 1 << 22, 9: 1 << 24, 10: 1 << 26}
PAGE = "exact"  # of the checkpoint: chains and units on one page, so that they stay in step
PARTS = 8  # of the units; divides the number of shards, so that every part ends with a shard
MIN_PROBED_N = 8  # smaller cubes are proven too quickly for an estimate
# Of an estimate: paths per native call and at most; seconds of computation, which affect only its precision.
BATCH, MAX_PATHS, SECONDS = 32, 8192, 2.0


@dataclass(frozen=True)
class Exact(Strategy):
    """Branch and bound over bases, one of each class under permutations of generators and of coordinates.

    The chains of `Portfolio`, or for a front of `Pareto`, run first and provide the incumbents. Sets of generators then
    grow by one generator at a time, one set per class, and are pruned when every completion has a sum of distances that
    is too large: see `docs/algorithms.md`. If the score depends on cables, a basis that could win by its loads and its
    shortest possible cables is tried in all orders of its coordinates. The chains continue between parts of the units.

    Parameters
    ----------
    head_start
        Number of evaluations of the chains before the proof begins; by default 2^17, and more for n >= 7.
    everything
        Disable pruning: the proof then counts all classes, with their histogram by sum of distances.

    References
    ----------
    McKay, Isomorph-free exhaustive generation, 1998.

    Examples
    --------
    >>> Exact().name
    'exact'
    """

    name: ClassVar[str] = "exact"

    head_start: int | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        if self.head_start is not None:
            check_int("strategy.head_start", self.head_start, 1)
        check_bool("strategy.everything", self.everything)

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Run chains, then the units of the proof on the fleet, reported in order.

        Raises
        ------
        InputError
            If n is too large, or there is a workload.
        """
        space = require_space(task, ConnectionSets, self.name)
        if space.workload is not None:
            raise other_space(task, ConnectionSets, self.name)
        objective = space.fitted(task.objective)
        if space.is_judged(objective):
            raise InputError(f"strategy=exact: {space.remark}; expected auto, enumerate or another strategy")
        if space.n > MAX_N:
            raise InputError(f"network.n={space.n}: strategy=exact expects an integer from 2 to {MAX_N}")
        head_start = self.head_start or HEAD_START.get(space.n, 1 << 17)
        chains = setup_of(task, chain_settings(task), self.name)
        yield from _ChainsAndUnits(task, space, objective, chains, head_start, self.everything).rounds()


def chain_settings(task: Task) -> tuple[object, ...]:
    """Return the settings of the chains that run alongside a proof: those of the default strategy for larger n."""
    if task.objective.front is None:
        return Portfolio().settings(task)
    return (Pareto(),) * Pareto().chains


def probe_plan(plan_and_seed: tuple[ExactPlan, int]) -> Forecast | None:
    """Estimate the computation of all units of a plan by random paths from a seed; None without a completed path.

    A path begins at a random unit and continues from each set to a random child; each step is weighted by its number of
    siblings, and the last three levels are searched in full. The mean over paths estimates the computation without
    bias, except that random paths run on cold caches: the estimate was 15 to 30 % too high for n = 8 and 9.

    References
    ----------
    Knuth, Estimating the efficiency of backtrack programs, 1975.
    """
    plan, seed = plan_and_seed
    search, seconds = search_of(plan), list[float]()
    end = time.thread_time() + SECONDS
    while len(seconds) < MAX_PATHS and time.thread_time() < end:
        # Seeds advance by the paths so far, so that no batch repeats another one.
        paths = search.probe((seed + len(seconds)) % (1 << 64), BATCH)
        if not paths:
            break
        seconds += [path_seconds for path_seconds, _ in paths]
    if not seconds:
        return None
    return Forecast(fmean(seconds), 2 * stdev(seconds) / len(seconds) ** 0.5)


class _ChainsAndUnits:
    """A head start of chains, then the units in parts, with as many chain rounds again in total between the parts.

    The best designs of the head start are the incumbents of all units, and the chains continue only between parts.
    Therefore the rounds and the proof depend only on the seed, the objective and the head start.

    Parameters
    ----------
    task, space, objective, setup
        The task with its space and objective, and the setup of the chains.
    head_start
        Number of evaluations of the chains before the first unit.
    everything
        Whether pruning is disabled.
    """

    def __init__(
        self,
        task: Task,
        space: ConnectionSets,
        objective: Lexicographic,
        setup: ChainSetup[ConnectionSets],
        head_start: int,
        everything: bool,
    ) -> None:
        page = task.checkpoint.load(PAGE)
        if page is not None and not (isinstance(page, dict) and {"chains", "walk"} <= set(page)):
            raise InputError("checkpoint: not a page of an exact search; expected one written by isoplane")
        self._space, self._objective = space, objective
        self._task, self._everything, self._head_start = task, everything, head_start
        self._chains = chains_of(setup, task, page and page["chains"])
        self._page = page and page["walk"]
        self._run: ExactRun | None = None
        self._rounds = 0  # of the chains, yielded so far
        self._chain_evaluations = 0  # in these rounds
        saved = page and page.get("forecast")
        self._forecast = Forecast(*saved) if saved else None  # of all units
        self._probed: ExactPlan | None = None

    def rounds(self) -> Generator[Round, None, None]:
        """Replay the rounds of the checkpoint, then continue; the last round contains the proof."""
        saved = self._version
        try:
            for round_ in self._stream():
                left = self._forecast if self._run is None else self._run.left(self._forecast)
                yield replace(round_, left=None if round_.complete else left)
                if self._version != saved and self._task.checkpoint.due():
                    self._save()
                    saved = self._version
        finally:
            if self._version != saved:
                self._save()

    def _stream(self) -> Iterator[Round]:
        designs: dict[Generators, None] = {}
        # The incumbents of an eighth of the head start are good enough for an estimate, and rarely improve later.
        early_head_start = self._head_start // self._chains.size // 8 * self._chains.size
        for evaluations in (early_head_start, self._head_start) if early_head_start else (self._head_start,):
            for round_ in self._run_chains(evaluations):
                designs.update(dict.fromkeys(round_.designs))
                yield replace(round_, searched=0.0)
            plan = ExactPlan(self._space, self._objective, self._everything, self._non_dominated(designs))
            yield from self._probe(plan)
        self._run = ExactRun(plan, self._task, self._page)
        # The chains cannot continue from a partial round.
        extra_rounds = 0 if self._head_start % self._chains.size else self._rounds
        for part in range(1, PARTS + 1):
            last = self._run.units * part // PARTS
            yield from self._run.run_until(last, self._chain_evaluations)
            if self._limit is not None and self._limit <= self._chain_evaluations:
                return
            if part < PARTS:
                yield from self._run_between_parts(extra_rounds + extra_rounds * part // PARTS, part / PARTS)
        evaluations = self._chain_evaluations + self._run.reported
        counts, source = self._run.proof(), plan.required_enumeration
        yield Round(evaluations, (), complete=True, searched=1.0, counts=counts, source=source)

    def _probe(self, plan: ExactPlan) -> Iterator[Round]:
        """Estimate the computation of a plan, once."""
        if plan == self._probed or self._page or self._space.n < MIN_PROBED_N:
            return
        self._probed, indexed = plan, None
        # Kept in a variable, so that the search is cancelled before the call is closed: closing waits for it.
        calls = self._task.fleet.map(probe_plan, [(plan, self._task.seed)])
        try:
            for indexed in calls:
                if indexed is not None:
                    self._forecast = indexed[1]
                yield Round(self._chain_evaluations, (), searched=0.0)
        finally:
            if indexed is None:
                search_of(plan).cancel()
                search_of.cache_clear()  # a cancelled search is not used again

    @property
    def _limit(self) -> int | None:
        """Maximum number of evaluations of the chains."""
        limit = self._task.evaluations
        return limit if limit is None or self._run is None else limit - self._run.reported

    def _run_chains(self, evaluations: int) -> Iterator[Round]:
        """Run the chains up to a total number of evaluations of their own, or to the limit."""
        chains = self._chains
        evaluations = evaluations if self._limit is None else min(evaluations, self._limit)
        target_rounds = evaluations // chains.size
        yield from chains.replay(self._rounds, min(target_rounds, chains.rounds))
        while chains.rounds < target_rounds:
            yield from chains.run_rounds(self._task, min(target_rounds - chains.rounds, chains.whole_rounds(None)))
        self._rounds = max(self._rounds, target_rounds)
        self._chain_evaluations = max(self._chain_evaluations, evaluations)
        if evaluations % chains.size == 0:
            return
        if chains.rounds > target_rounds:  # the limit is smaller than in the previous run
            yield from chains.replay(target_rounds, target_rounds + 1)
            return
        for round_ in chains.run_partial_round(self._task, evaluations):
            yield replace(round_, replayed=self._page is not None)

    def _run_between_parts(self, rounds: int, searched: float) -> Iterator[Round]:
        """Run the chains up to a total number of rounds, between two parts of the units."""
        if rounds > self._rounds and self._run is not None:
            unit_evaluations = self._run.reported
            for round_ in self._run_chains(rounds * self._chains.size):
                yield replace(round_, evaluations=unit_evaluations + round_.evaluations, searched=searched)

    def _non_dominated(self, designs: Iterable[Generators]) -> tuple[Generators, ...]:
        """Return the best of some designs, or the non-dominated ones for a front."""
        archive = Archive(self._objective)
        list(archive.add(self._space, designs))
        return tuple(self._space.generators(design) for design in archive.designs)

    @property
    def _version(self) -> tuple[int, ...]:
        """A value that changes whenever there is more to save."""
        return self._chains.rounds, *(() if self._run is None else self._run.version)

    def _save(self) -> None:
        units = self._page if self._run is None else self._run.page()
        forecast = self._forecast and astuple(self._forecast)
        self._task.checkpoint.save(PAGE, {"chains": self._chains.page(), "walk": units, "forecast": forecast})
