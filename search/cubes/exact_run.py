"""The units of an exact search, run in chunks on a fleet and reported in order."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from isoplane.models import InputError

from ..core.forecast import Forecast, Pace
from ..core.strategy import Round, Task
from .exact_proof import ProofCounts, proof_of
from .exact_units import Chunk, ChunkResult, ExactPlan, search_chunk, search_of
from .space import Generators

# A chunk has at most MAX_GROWTH times as many units as the last one, because units differ in cost.
MAX_GROWTH = 2


class ExactRun:
    """A run through all units of a plan, reported in order for any number of workers.

    Parameters
    ----------
    plan, task
        The units, and the fleet and limits of the run.
    page
        The result of `page` from a checkpoint, to resume from.

    Raises
    ------
    InputError
        If the page does not belong to this plan.
    """

    def __init__(self, plan: ExactPlan, task: Task, page: Any = None) -> None:
        self._plan, self._task = plan, task
        self._search = search_of(plan)  # shared with the threads of this process
        self._counts = ProofCounts(self._search.units, self._search.above)
        self._evaluations = 0
        self.reported = 0  # evaluations up to the last event, which do not depend on the boundaries of chunks
        # (units, evaluations, design or None at the end of a shard): independent of the boundaries of chunks.
        self._events: list[tuple[int, int, Generators | None]] = []
        self._yielded = 0  # events already yielded; the others come from a checkpoint
        self._waiting: dict[int, ChunkResult] = {}  # results that wait for an earlier chunk
        self._next = 0  # the first unit whose result has not been committed
        self._length = 1  # units per chunk
        self._pace = Pace()
        if page is not None:
            self._restore(page)

    @property
    def units(self) -> int:
        """Number of units."""
        return self._counts.units

    @property
    def searched(self) -> float:
        """The fraction of the units completed, in order."""
        return self._next / self.units

    def left(self, estimate: Forecast | None) -> Forecast | None:
        """Return the forecast for the remaining units, from the completed ones or else an estimate for all."""
        return self._pace.left(self.units - self._next) or (estimate and estimate.part(1 - self.searched))

    @property
    def version(self) -> tuple[int, int]:
        """A value that changes whenever there is more to save."""
        return self._next, len(self._waiting)

    def run_until(self, last: int, chain_evaluations: int) -> Iterator[Round]:
        """Run the units up to the end of a shard; the evaluations of the chains are added to those of the units."""
        while self._yielded < len(self._events) and self._events[self._yielded][0] <= last:
            units, evaluations, design = self._events[self._yielded]
            self._yielded, self.reported = self._yielded + 1, evaluations
            yield Round(
                chain_evaluations + evaluations, _as_designs(design), replayed=True, searched=units / self.units
            )
        if self._next >= last or self._limit_reached(chain_evaluations):
            return
        # Kept in a variable, so that the search is cancelled before the calls are closed: closing waits for them.
        calls = self._task.fleet.map(search_chunk, self._chunks(last))
        try:
            for indexed in calls:
                if indexed is not None:
                    yield from self._receive(indexed[1], chain_evaluations)
                if self._limit_reached(chain_evaluations):  # including the unit that reaches the limit
                    self.reported = self._evaluations
                yield Round(chain_evaluations + self.reported, (), searched=self.searched)
                if self._limit_reached(chain_evaluations):
                    return
        finally:
            if self._next < last:
                self._search.cancel()  # so that running threads end quickly
            if self._next < last or last == self.units:
                search_of.cache_clear()  # a cancelled or completed search is not used again

    def page(self) -> dict[str, Any]:
        """Return the page of a checkpoint."""
        return {
            "units": self.units,
            "incumbents": self._plan.incumbents,
            "next": self._next,
            "evaluations": self._evaluations,
            "events": self._events,
            "shards": self._counts.shards,
            "pace": asdict(self._pace),
            "waiting": [asdict(result) for result in self._waiting.values()],
        }

    def proof(self) -> dict[str, Any]:
        """Return the proof, once all units are done."""
        survivors = [design for _, _, design in self._events if design is not None]
        return proof_of(self._plan, self._counts, self._search.most, survivors)

    def _receive(self, result: ChunkResult, chain_evaluations: int) -> Iterator[Round]:
        """Receive a result, and report all results that now follow in order."""
        self._waiting[result.first] = result
        self._pace.add(result.last - result.first, result.seconds)
        self._adapt_length(result)
        while self._next in self._waiting and not self._limit_reached(chain_evaluations):
            first = len(self._events)
            self._commit(self._waiting.pop(self._next))
            self._yielded = len(self._events)
            for _, evaluations, design in self._events[first:]:
                self.reported = evaluations
                yield Round(chain_evaluations + evaluations, _as_designs(design), searched=self.searched)

    def _chunks(self, end: int) -> Iterator[Chunk]:
        """Yield chunks of all units without a result; a chunk does not cross the end of a shard of the proof."""
        first = self._next
        while first < end:
            # Chunks end out of order, so a checkpoint may hold results from beyond the next unit.
            if first in self._waiting:
                first = self._waiting[first].last
                continue
            later_starts = (start for start in self._waiting if start > first)
            last = min(first + self._length, self._counts.end_of_shard(first), *later_starts)
            yield self._plan, first, last
            first = last

    def _adapt_length(self, result: ChunkResult) -> None:
        """Adapt the length of chunks to the fleet; with a limit of evaluations each chunk is a single unit."""
        if self._task.evaluations is not None:
            return
        units = result.last - result.first
        preferred = (
            int(self._task.fleet.target_call_seconds * units / result.seconds) if result.seconds else MAX_GROWTH * units
        )
        self._length = max(1, min(preferred, MAX_GROWTH * self._length))

    def _commit(self, result: ChunkResult) -> None:
        """Add the next result in order: its surviving designs, its counts, and the end of a shard."""
        for unit, evaluations in enumerate(result.evaluations):
            self._evaluations += evaluations
            designs = [design for number, design in result.designs if number == unit]
            self._events += [(result.first + unit + 1, self._evaluations, design) for design in designs]
        if result.last == self._counts.end_of_shard(result.last - 1):
            self._events.append((result.last, self._evaluations, None))
        self._counts.add(result.first, result.last - result.first, result.counts)
        self._next = result.last

    def _limit_reached(self, chain_evaluations: int) -> bool:
        return self._task.evaluations is not None and chain_evaluations + self._evaluations >= self._task.evaluations

    def _restore(self, page: Any) -> None:
        """Restore the state from a page of the checkpoint."""
        try:
            saved_plan = (page["units"], [tuple(design) for design in page["incumbents"]])
            self._next = page["next"]
            self._evaluations = page["evaluations"]
            self._events = [(units, total, design and tuple(design)) for units, total, design in page["events"]]
            self._counts.shards = page["shards"]
            self._pace = Pace(**page["pace"])
            waiting = [ChunkResult(**result) for result in page["waiting"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("checkpoint: not a page of an exact search; expected one written by isoplane") from error
        if saved_plan != (self.units, list(self._plan.incumbents)):
            raise InputError("checkpoint: belongs to another exact search; expected one of this search and version")
        # A limit of evaluations is checked after each unit; saved chunks may have many, so they are searched again.
        for result in waiting if self._task.evaluations is None else []:
            designs = [(unit, tuple(design)) for unit, design in result.designs]
            self._waiting[result.first] = replace(result, designs=designs)


def _as_designs(design: Generators | None) -> tuple[Generators, ...]:
    return () if design is None else (design,)
