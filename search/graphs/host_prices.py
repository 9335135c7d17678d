"""The cheapest graph of nodes and ports within limits: a scan over numbers of switches and of cables.

A trial anneals graphs of some switches and cables to short paths, which leave most of their capacity to each packet,
and gives the best one its exact score. Planes have cables of their own, or all the same: where most switches are
joined, packets between two of them then have a link in each plane. Passes over the trials, each with longer walks, look
for

1. the fewest switches whose ports, all in use, meet the limits, between a number that does not and one that does;
2. of these, and of more switches as long as that lowers the price, the fewest cables that still meet the limits.

Trials come in pairs, whatever the workers, and each has a random stream of its own, so that the result depends on the
seed alone. What a trial found is kept in the checkpoint: a resumed scan asks for the same trials, and gets them there.
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from isoplane.models import InputError
from isoplane.models.family_kinds.uniform import least_hops
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.space import Candidate
from ..core.strategy import Round, Task
from .host_members import cheap_members, in_order_of_racks, may_meet
from .host_space import HostGraphs

PAGE = "prices"  # of the checkpoint
EFFORT = 4  # evaluations of a trial in the first pass, in first legs
EVALUATIONS_PER_CALL = 1 << 12  # bounds the time of a native call
MOST_MEMBERS, PAIR = 16, 2  # members of families whose routes are planned, so many at a time
IDLE_SIZES = 2  # numbers of switches, one after the other, that are no cheaper before a pass ends

Point = tuple[int, ...]
Size = tuple[int, int]  # numbers of switches, and of cables, of a plane
Result = tuple[Point, Candidate]


class _Trial(NamedTuple):
    space: HostGraphs
    objective: Lexicographic
    size: Size = (0, 0)
    copies: tuple[int, ...] = ()  # numbers of planes with the same cables: one, or all
    seed: int = 0
    stream: int = 0
    evaluations: int = 0
    moves_hosts: bool = False
    settings: tuple[tuple[str, float], ...] = ()
    start: Candidate = ()  # instead of a graph that is annealed


def price_rounds(space: HostGraphs, task: Task, settings: Mapping[str, float]) -> Generator[Round, None, None]:
    """Yield the rounds of a scan: after each pair of trials the best graph so far.

    Parameters
    ----------
    space, task
        What is searched, by a price.
    settings
        Those of the walks.
    """
    scan = _Scan(space, task, settings)
    try:
        if task.start is not None:
            yield Round(0, (task.start,))
        else:
            yield from scan.run_members()
        for number in count():
            yield from scan.run_pass(number)
            if scan.is_over:
                return
    finally:
        scan.save()


@dataclass
class _Scan:
    space: HostGraphs
    task: Task
    settings: Mapping[str, float]
    results: list[tuple[Point, Candidate | None]] = field(
        default_factory=list
    )  # of all trials, better ones with graphs
    best: Result | None = None
    evaluations: int = 0
    done: int = 0  # trials, those that were replayed included
    members: int = 0  # trials of members of families, which come first
    points: dict[Size, Point] = field(default_factory=dict)  # the best one of each size
    number: int = 0  # of the pass
    is_over: bool = False  # whether the evaluations are exhausted

    def __post_init__(self) -> None:
        page = self.task.checkpoint.load(PAGE)
        if page is None:
            return
        try:
            if page["settings"] != self._kept_settings:
                raise InputError(f"checkpoint: for settings {page['settings']}; expected {self._kept_settings}")
            self.results = [(tuple(point), None if words is None else tuple(words)) for point, words in page["results"]]
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError("checkpoint: not a page of trials; expected a checkpoint written by isoplane") from error

    def save(self) -> None:
        self.task.checkpoint.save(PAGE, {"settings": self._kept_settings, "results": self.results})

    @property
    def _kept_settings(self) -> dict[str, float]:
        return dict(self.settings) | {"members": 0 if self.task.start else MOST_MEMBERS}

    def run_pass(self, number: int) -> Generator[Round, None, None]:
        """Yield the rounds of a pass, whose walks are longer than those of the pass before."""
        self.number = number
        if self._fewest is None:
            yield from self._search_switches()
        fewest, idle = self._fewest, 0
        if fewest is None:
            return
        for switches in self._sizes_around(fewest):
            before = self.best
            yield from self._search_cables(switches)
            idle = 0 if self.best != before else idle + (switches > fewest)
            if idle == IDLE_SIZES or self.is_over:
                return

    @property
    def _fewest(self) -> int | None:
        """The fewest switches that meet the limits so far; None if none do."""
        return min((switches for switches, cables in self.points if self._meets((switches, cables))), default=None)

    def _sizes_around(self, fewest: int) -> Iterator[int]:
        """Yield a smaller number of switches, which longer walks may reach, and larger ones in growing steps."""
        low, high = self.space.switch_range
        yield from range(max(low, fewest - 1), fewest + 1)
        step = 1
        while fewest + step <= high:
            yield fewest + step
            step += max(1, step // 2)

    def _all_cables(self, switches: int) -> int:
        family = self.space.family
        return min((switches * family.ports - family.nodes) // 2, switches * (switches - 1) // 2)

    def _search_switches(self) -> Generator[Round, None, None]:
        """Yield rounds that narrow down the fewest switches that meet the limits with all their ports in use."""
        low, most = self.space.switch_range
        start = next((switches for switches in range(low, most) if self._may_meet(switches)), most)
        failing, meeting, pair = low - 1, None, [start, start + start // 32 + 1]
        while not self.is_over and failing < most and (meeting is None or meeting - failing > 1):
            sizes = {
                switches: (switches, self._all_cables(switches)) for switches in (min(each, most) for each in pair)
            }
            yield from self._try(list(sizes.values()))
            meeting = min([each for each in sizes if self._meets(sizes[each])], default=meeting)
            failing = max([failing, *(each for each in sizes if meeting is None or each < meeting)])
            if meeting is None:
                pair = [failing + failing // 8 + 1, failing + failing // 3 + 2]
            else:
                pair = _between(failing, meeting)

    def _may_meet(self, switches: int) -> bool:
        """Whether as short paths as the Moore bound allows, all links loaded alike, leave open that limits are met."""
        family, cables = self.space.family, self._all_cables(switches)
        degree = min(switches - 1, family.planes * max(1, 2 * cables // switches))
        hops = family.nodes**2 * least_hops(switches, degree) // switches
        return may_meet(self.task.objective, hops, self.space.parts * hops // (2 * family.planes * cables))

    def _copies(self, size: Size) -> tuple[int, ...]:
        """Return the planes with the same cables that are tried: also all, if planes together could join all pairs."""
        planes, (switches, cables) = self.space.family.planes, size
        joins_all = planes > 1 and 2 * planes * cables >= switches * (switches - 1)
        return (1, planes) if joins_all else (1,)

    def _search_cables(self, switches: int) -> Generator[Round, None, None]:
        """Yield rounds that narrow down the fewest cables with which some switches meet the limits."""
        least, meeting = switches - 1, self._all_cables(switches)
        precision, step = 1 + meeting // 256, 1 + meeting // 32
        yield from self._try([(switches, meeting)])
        if not self._meets((switches, meeting)):
            return
        failing: int | None = None
        while not self.is_over and meeting > least and (failing is None or meeting - failing > precision):
            lower = [max(least, meeting - step), max(least, meeting - 3 * step)]
            pair = sorted(set(lower)) if failing is None else _between(failing, meeting)
            yield from self._try([(switches, cables) for cables in pair])
            meeting = min([meeting, *(cables for cables in pair if self._meets((switches, cables)))])
            failing = max((cables for cables in (*pair, failing or 0) if 0 < cables < meeting), default=None)
            step *= 4

    def _meets(self, size: Size) -> bool:
        return size in self.points and self.task.objective.meets_limits(self.points[size])

    def run_members(self) -> Generator[Round, None, None]:
        """Yield rounds of members of families, the cheapest first, up to one that meets the limits."""
        objective, members = self.task.objective, cheap_members(self.space, self.task.objective)[:MOST_MEMBERS]
        while self.done < len(members) and (self.best is None or not objective.meets_limits(self.best[0])):
            pair = members[self.done : self.done + PAIR]
            yield from self._take([_Trial(self.space, objective, start=member) for member in pair])
        self.members = self.done

    def _try(self, sizes: list[Size]) -> Generator[Round, None, None]:
        """Yield the rounds of a trial for each size."""
        first_leg = int(self.settings["first_leg"] * EFFORT * self.settings["growth"] ** self.number)
        if self.task.evaluations is not None:
            first_leg = min(first_leg, (self.task.evaluations - self.evaluations) // len(sizes))
        self.is_over = first_leg < 1 and self.evaluations > 0  # even a search of one evaluation has a trial
        if self.is_over:
            return
        evaluations = max(1, first_leg)
        settings = tuple((dict(self.settings) | {"first_leg": max(64, evaluations)}).items())
        first, moves_hosts, trials = self.done, self.number % 2 == 1, list[_Trial]()
        for stream, size in enumerate(sizes, start=first - self.members):
            walk = size, self._copies(size), self.task.seed, stream, evaluations, moves_hosts, settings
            trials.append(_Trial(self.space, self.task.objective, *walk))
        yield from self._take(trials)
        for size, (point, _) in zip(sizes, self.results[first:], strict=False):
            self.points[size] = min(point, self.points.get(size, point))

    def _take(self, trials: list[_Trial]) -> Generator[Round, None, None]:
        """Run trials, or take those of the checkpoint; yield a round after them."""
        end = self.done + len(trials)
        if len(self.results) < end:
            del self.results[self.done :]
            yield from self._run(trials)
        for point, words in self.results[self.done : end]:
            if words is not None and (self.best is None or point < self.best[0]):
                self.best = point, words
        self.done = end
        self.evaluations += sum(trial.evaluations for trial in trials)
        found = () if self.best is None else (self.best[1],)
        yield Round(self.evaluations, found, replayed=end < len(self.results))
        if self.task.checkpoint.due():
            self.save()

    def _run(self, trials: list[_Trial]) -> Generator[Round, None, None]:
        """Run trials on the fleet; yield the last round again while none is completed."""
        found: dict[int, Result] = {}
        for indexed in self.task.fleet.map(_try_graphs, trials):
            if indexed is not None:
                found[indexed[0]] = indexed[1]
            elif self.best is not None:
                yield Round(self.evaluations, (self.best[1],))
        best = self.best
        for index in range(len(trials)):
            is_better = best is None or found[index] < best
            self.results.append((found[index][0], found[index][1] if is_better else None))
            best = found[index] if is_better else best


def _try_graphs(trial: _Trial) -> Result:
    """Return the best graph of a trial, with its point."""
    space, objective = trial.space, trial.objective
    if trial.start:
        orders = space.canonical(trial.start), in_order_of_racks(space, trial.start)
        graphs = [min(orders, key=lambda each: objective.evaluator.exact(space.design(each), ("cost",))["cost"])]
    else:
        graphs = [space.canonical(_annealed(trial, copies)) for copies in trial.copies]
        graphs = [in_order_of_racks(space, candidate) for candidate in graphs]
    return min((objective.point(space.design(candidate)), candidate) for candidate in graphs)


def _annealed(trial: _Trial, copies: int) -> Candidate:
    """Return the graph with the shortest paths that a walk finds, in which so many planes have the same cables."""
    family, (switches, cables) = trial.space.family, trial.size
    task = _native.HostTask(family.nodes, family.ports, family.planes // copies, cables, trial.moves_hosts, [switches])
    settings: dict[str, Any] = dict(trial.settings)
    walk = _native.HostWalk(task, trial.seed, trial.stream, [], **settings)
    for done in range(0, trial.evaluations, EVALUATIONS_PER_CALL):
        walk.run(min(EVALUATIONS_PER_CALL, trial.evaluations - done))
    words = walk.designs()[0]
    return (*words[: 1 + switches], *words[1 + switches :] * copies)


def _between(failing: int, meeting: int) -> list[int]:
    """Return one or two numbers that divide the numbers between two others evenly.

    Examples
    --------
    >>> _between(3, 5), _between(3, 9)
    ([4], [5, 7])
    """
    third = (meeting - failing) / 3
    return sorted({each for each in (failing + round(third), failing + round(2 * third)) if failing < each < meeting})
