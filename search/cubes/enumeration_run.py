"""All units of an exact search, in chunks on a fleet, told in their own order."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from isoplane.models import InputError
from isoplane.objectives.bounds import Enumeration

from ..forecast import Forecast, Pace
from ..strategy import Round, Task
from .connection_sets import Generators
from .exact_enumeration import Chunk, ChunkResult, EnumerationPlan, proof_of, rests_on, search_of, walk_chunk
from .proof import ProofCounts

# A call on the fleet has at most so many times the units of the call before, for units differ in cost.
GROWTH = 2


class EnumerationRun:
    """All units of a plan, told in their own order, whoever walks them when.

    Parameters
    ----------
    plan, task
        What is walked, and where.
    page
        What `page` returned when a checkpoint was written, to go on from there.

    Raises
    ------
    InputError
        If the page is of another walk or of none.
    """

    def __init__(self, plan: EnumerationPlan, task: Task, page: Any = None) -> None:
        self._plan, self._task = plan, task
        self._search = search_of(plan)  # that of the threads of this process, too
        self._tally = ProofCounts(self._search.units, self._search.above)
        self._evaluations = 0
        self.told = 0  # of them, which do not depend on how chunks are cut
        # What is told wherever chunks are cut: units and evaluations by then, and a design or the end of a shard.
        self._events: list[tuple[int, int, Generators | None]] = []
        self._known = 0  # of them, which a checkpoint knew and nobody has been told
        self._waiting: dict[int, ChunkResult] = {}  # ended before one that comes first
        self._next = 0  # the first unit that is not told
        self._length = 1
        self._pace = Pace()
        if page is not None:
            self._read(page)

    @property
    def units(self) -> int:
        """How many there are."""
        return self._tally.units

    @property
    def searched(self) -> float:
        """The part of the units that is told."""
        return self._next / self.units

    def left(self, whole: Forecast | None) -> Forecast | None:
        """Return what the units that are not told take, from those that ended or else from an estimate of all."""
        return self._pace.left(self.units - self._next) or (whole and whole.part(1 - self.searched))

    @property
    def stand(self) -> tuple[int, int]:
        """What changes whenever there is more to save."""
        return self._next, len(self._waiting)

    def until(self, last: int, beside: int) -> Iterator[Round]:
        """Tell the units up to a border of shards; rounds count `beside` evaluations more than those of the units."""
        while self._known < len(self._events) and self._events[self._known][0] <= last:
            units, evaluations, design = self._events[self._known]
            self._known, self.told = self._known + 1, evaluations
            yield Round(beside + evaluations, _one(design), replayed=True, searched=units / self.units)
        if self._next >= last or self._enough(beside):
            return
        # A name of its own keeps the calls open until the search is cancelled: closed first, they would be waited for.
        calls = self._task.fleet.map(walk_chunk, self._stretches(last))
        try:
            for ended in calls:
                if ended is not None:
                    yield from self._take(ended[1], beside)
                if self._enough(beside):  # with the unit that reaches the limit
                    self.told = self._evaluations
                yield Round(beside + self.told, (), searched=self.searched)
                if self._enough(beside):
                    return
        finally:
            if self._next < last:
                self._search.cancel()  # threads that still walk end soon
            if self._next < last or last == self.units:
                search_of.cache_clear()  # what is cancelled or complete is of no use

    def page(self) -> dict[str, Any]:
        """Return what a checkpoint needs."""
        return {
            "units": self.units,
            "incumbents": self._plan.incumbents,
            "next": self._next,
            "evaluations": self._evaluations,
            "events": self._events,
            "shards": self._tally.shards,
            "pace": asdict(self._pace),
            "waiting": [asdict(outcome) for outcome in self._waiting.values()],
        }

    @property
    def rests_on(self) -> Enumeration | None:
        """The stored enumeration that the cuts rest on, if any."""
        return rests_on(self._plan)

    def proof(self) -> dict[str, Any]:
        """Return the proof, once all units are told."""
        survivors = [design for _, _, design in self._events if design is not None]
        return proof_of(self._plan, self._tally, self._search.most, survivors)

    def _take(self, outcome: ChunkResult, beside: int) -> Iterator[Round]:
        """Take a chunk in, and tell those whose turn it is."""
        self._waiting[outcome.first] = outcome
        self._pace.add(outcome.last - outcome.first, outcome.seconds)
        self._adapt(outcome)
        while self._next in self._waiting and not self._enough(beside):
            first = len(self._events)
            self._tell(self._waiting.pop(self._next))
            self._known = len(self._events)
            for _, evaluations, design in self._events[first:]:
                self.told = evaluations
                yield Round(beside + evaluations, _one(design), searched=self.searched)

    def _stretches(self, end: int) -> Iterator[Chunk]:
        """Give away what nobody has walked; a chunk does not cross the border of a shard of the proof."""
        given = self._next
        while given < end:
            if given in self._waiting:
                given = self._waiting[given].last
                continue
            others = (known for known in self._waiting if known > given)
            last = min(given + self._length, self._tally.end_of_shard(given), *others)
            yield Chunk(self._plan, given, last)
            given = last

    def _adapt(self, outcome: ChunkResult) -> None:
        """Let calls last as long as the fleet likes; a limit of evaluations is kept to the unit."""
        if self._task.evaluations is not None:
            return
        walked = outcome.last - outcome.first
        likes = int(self._task.fleet.seconds * walked / outcome.seconds) if outcome.seconds else GROWTH * walked
        self._length = max(1, min(likes, GROWTH * self._length))

    def _tell(self, outcome: ChunkResult) -> None:
        """Take a chunk in whose turn it is; note the designs that survived, and the end of a shard."""
        for unit, evaluations in enumerate(outcome.evaluations):
            self._evaluations += evaluations
            designs = [design for number, design in outcome.designs if number == unit]
            self._events += [(outcome.first + unit + 1, self._evaluations, design) for design in designs]
        if outcome.last == self._tally.end_of_shard(outcome.last - 1):
            self._events.append((outcome.last, self._evaluations, None))
        self._tally.add(outcome.first, outcome.last - outcome.first, outcome.counts)
        self._next = outcome.last

    def _enough(self, beside: int) -> bool:
        return self._task.evaluations is not None and beside + self._evaluations >= self._task.evaluations

    def _read(self, page: Any) -> None:
        """Go back to where a page of the checkpoint was written."""
        try:
            known = (page["units"], [tuple(design) for design in page["incumbents"]])
            self._next = page["next"]
            self._evaluations = page["evaluations"]
            self._events = [(units, by, design and tuple(design)) for units, by, design in page["events"]]
            self._tally.shards = page["shards"]
            self._pace = Pace(**page["pace"])
            waiting = [ChunkResult(**outcome) for outcome in page["waiting"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("checkpoint: no page of an exact search; expected one that isoplane wrote") from error
        if known != (self.units, list(self._plan.incumbents)):
            raise InputError("checkpoint: of another exact search; expected that of this search, by the same version")
        # With a limit of evaluations units are walked one by one.
        for outcome in waiting if self._task.evaluations is None else []:
            designs = [(unit, tuple(design)) for unit, design in outcome.designs]
            self._waiting[outcome.first] = replace(outcome, designs=designs)


def _one(design: Generators | None) -> tuple[Generators, ...]:
    return () if design is None else (design,)
