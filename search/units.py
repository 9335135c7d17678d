"""The units of an exact search, walked in stretches on a fleet."""

import time
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from isoplane.models import InputError
from isoplane.objectives import CABLE_METRICS, METRICS, Objective
from isoplane.objectives.bounds import load_ranges_by_sum, metric_bound

from . import _native
from .connection_sets import ConnectionSets, Generators
from .proof import Tally, independent_sets
from .strategy import Round, Task

MAX_N: int = _native.EXACT_MAX_N
PAGE = "exact"  # of the journal
# A call on the fleet has at most so many times the units of the call before, for units differ in cost.
GROWTH = 2


@dataclass(frozen=True)
class Plan:
    """What decides the outcome of every unit.

    Attributes
    ----------
    space, objective
        What may vary and what is good.
    everything
        Whether nothing is cut.
    incumbents
        Designs that have to be beaten.
    """

    space: ConnectionSets
    objective: Objective
    everything: bool
    incumbents: tuple[Generators, ...]


@dataclass(frozen=True)
class Stretch:
    """The units first .. last - 1 of a plan."""

    plan: Plan
    first: int
    last: int


@dataclass(frozen=True)
class Outcome:
    """What a stretch gave: counts, and for each unit its evaluations and the designs that survived."""

    first: int
    last: int
    counts: dict[str, Any]
    evaluations: list[int]
    designs: list[tuple[int, Generators]]
    seconds: float


@lru_cache(maxsize=2)
def search_of(plan: Plan) -> _native.ExactSearch:
    """Return the native search of a plan; each process makes it once."""
    evaluator = plan.space.evaluator(plan.objective)
    incumbents = [list(generators) for generators in plan.incumbents]
    return _native.ExactSearch(
        evaluator, plan.objective.front is not None, plan.everything, incumbents, *_laws(plan.space, plan.objective)
    )


def _laws(space: ConnectionSets, objective: Objective) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Return a floor of each metric, and how much links can carry: with cables sums alone exclude little.

    Without cables there are none, so that an exact search proves sums and loads by itself.
    """
    components = (objective.front,) if objective.front else objective.components
    if not CABLE_METRICS & {metric for component in components for metric in component}:
        return [], []
    floor = [metric_bound(metric, space.identical) or 0 for metric in METRICS]
    return floor, load_ranges_by_sum(space.n, space.folded)


def walk_stretch(stretch: Stretch) -> Outcome:
    """Walk the units of a stretch, wherever this is called."""
    began = time.perf_counter()
    counts, evaluations, designs = search_of(stretch.plan).run(stretch.first, stretch.last)
    found = [(unit, tuple(generators)) for unit, generators in designs]
    return Outcome(stretch.first, stretch.last, counts, evaluations, found, time.perf_counter() - began)


class Walk:
    """All units of a plan, told in their own order, whoever walks them when."""

    def __init__(self, plan: Plan, task: Task, evaluations: int) -> None:
        self._plan, self._task = plan, task
        self._search = search_of(plan)  # that of the threads of this process, too
        self._tally = Tally(self._search.units, self._search.above)
        self._evaluations = self._told = evaluations
        self._found: list[tuple[int, Generators]] = []  # with the evaluations by then
        self._waiting: dict[int, Outcome] = {}  # ended before one that comes first
        self._next = 0  # the first unit that is not told
        self._length = 1

    def rounds(self) -> Generator[Round, None, None]:
        """Yield what the journal knows, then go on; the last round has the proof."""
        page = self._task.journal.load(PAGE)
        if page is not None:
            self._read(page)
        for evaluations, design in self._found:
            yield Round(evaluations, (design,), known=True, searched=self._searched)
        try:
            yield from self._go()
        finally:
            self._task.journal.save(PAGE, self._page())
        if self._next == self._tally.units:
            survivors = [design for _, design in self._found]
            proof = proof_of(self._plan, self._tally, self._search.most, survivors)
            yield Round(self._evaluations, (), complete=True, searched=1.0, proof=proof)

    def _go(self) -> Iterator[Round]:
        if self._enough():
            return
        calls = self._task.fleet.map(walk_stretch, self._stretches())
        try:
            for ended in calls:
                if ended is not None:
                    yield from self._take(ended[1])
                # Evaluations are told where they do not depend on how stretches were cut.
                if self._enough() or self._next == self._tally.units:
                    self._told = self._evaluations
                yield Round(self._told, (), searched=self._searched)
                if self._enough():
                    return
        finally:
            self._search.cancel()  # threads that still walk end soon
            search_of.cache_clear()  # what is cancelled is of no use

    def _take(self, outcome: Outcome) -> Iterator[Round]:
        """Take a stretch in, and tell those whose turn it is."""
        self._waiting[outcome.first] = outcome
        self._adapt(outcome)
        while self._next in self._waiting and not self._enough():
            yield from self._tell(self._waiting.pop(self._next))
        if self._task.journal.due():
            self._task.journal.save(PAGE, self._page())

    def _stretches(self) -> Iterator[Stretch]:
        """Give away what nobody has walked; a stretch does not cross the border of a shard of the proof."""
        given = self._next
        while given < self._tally.units:
            if given in self._waiting:
                given = self._waiting[given].last
                continue
            others = (known for known in self._waiting if known > given)
            last = min(given + self._length, self._tally.end_of_shard(given), *others)
            yield Stretch(self._plan, given, last)
            given = last

    def _adapt(self, outcome: Outcome) -> None:
        """Let calls last as long as the fleet likes; a limit of evaluations is kept to the unit."""
        if self._task.evaluations is not None:
            return
        walked = outcome.last - outcome.first
        likes = int(self._task.fleet.seconds * walked / outcome.seconds) if outcome.seconds else GROWTH * walked
        self._length = max(1, min(likes, GROWTH * self._length))

    def _tell(self, outcome: Outcome) -> list[Round]:
        """Take a stretch in; return a round for every design that survived."""
        rounds = []
        if outcome.first == self._tally.end_of_shard(outcome.first - 1):
            self._told = self._evaluations
            rounds.append(Round(self._told, (), searched=self._searched))
        for unit, evaluations in enumerate(outcome.evaluations):
            self._evaluations += evaluations
            designs = [design for number, design in outcome.designs if number == unit]
            self._found += [(self._evaluations, design) for design in designs]
            rounds += [Round(self._evaluations, (design,), searched=self._searched) for design in designs]
            if designs:
                self._told = self._evaluations
        self._tally.add(outcome.first, outcome.last - outcome.first, outcome.counts)
        self._next = outcome.last
        return rounds

    @property
    def _searched(self) -> float:
        return self._next / self._tally.units

    def _enough(self) -> bool:
        return self._task.evaluations is not None and self._evaluations >= self._task.evaluations

    def _page(self) -> dict[str, Any]:
        """Return what the journal needs."""
        return {
            "units": self._tally.units,
            "incumbents": self._plan.incumbents,
            "next": self._next,
            "evaluations": self._evaluations,
            "found": self._found,
            "shards": self._tally.shards,
            "waiting": [asdict(outcome) for outcome in self._waiting.values()],
        }

    def _read(self, page: Any) -> None:
        """Go back to where a page of the journal was written."""
        try:
            known = (page["units"], [tuple(design) for design in page["incumbents"]])
            self._next = page["next"]
            self._evaluations = self._told = page["evaluations"]
            self._found = [(evaluations, tuple(design)) for evaluations, design in page["found"]]
            self._tally.shards = page["shards"]
            waiting = [Outcome(**outcome) for outcome in page["waiting"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("journal: no page of an exact search; allowed is one that isoplane wrote") from error
        if known != (self._tally.units, list(self._plan.incumbents)):
            raise InputError("journal: of another exact search; allowed is that of this search, by the same version")
        # With a limit of evaluations units are walked one by one.
        for outcome in waiting if self._task.evaluations is None else []:
            designs = [(unit, tuple(design)) for unit, design in outcome.designs]
            self._waiting[outcome.first] = replace(outcome, designs=designs)


def proof_of(plan: Plan, tally: Tally, most: int, survivors: list[Generators]) -> dict[str, Any]:
    """Return the proof of a complete walk, as JSON holds it.

    `most` is the largest sum that was of interest, and `survivors` are the designs that bettered the incumbents: the
    best of both is the best of all.

    Raises
    ------
    ArithmeticError
        If every class was visited and the sizes of their orbits do not add up to the number of bases: an error of ours.
    """
    n, levels = plan.space.n, tally.levels()
    if plan.everything:
        expected = [independent_sets(n, size) for size in range(n + 1)]
        if levels["labelled"] != expected:
            raise ArithmeticError(f"orbits add up to {levels['labelled']}, not to {expected}")
    return {
        "n": n,
        "folded": plan.space.folded,
        "objective": plan.objective.components if plan.objective.front is None else plan.objective.front,
        "incumbents": plan.incumbents,
        "survivors": survivors,
        "everything": plan.everything,
        "largest_sum_of_interest": most,
        **levels,
        "histogram": tally.histogram() if plan.everything else None,
        "shards": tally.shards,
    }
