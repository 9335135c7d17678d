"""Chains and an exact search as one stream of rounds: good designs from the beginning, the proof at the end."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import astuple, replace

from isoplane.models import InputError
from isoplane.objectives import CubeObjective

from ..archive import Archive
from ..chains import chains_of
from ..forecast import Forecast
from ..searchers import SearcherSetup
from ..strategy import Round, Task
from .connection_sets import ConnectionSets, Generators
from .enumeration_run import EnumerationRun
from .exact_enumeration import EnumerationPlan, search_of
from .probe import Probe, probe_plan

PAGE = "exact"  # of the checkpoint: chains and units together, so that one is never ahead of the other
PROBED_FROM = 8  # smaller cubes are proven before an estimate is of use
PARTS = 8  # of the units; a divisor of the number of shards, so that a part ends where a shard does


class Proving:
    """A head start of chains, then the units in parts, and between them as many rounds of the chains again.

    What is told depends on nothing but evaluations and units: the best designs of the head start are the incumbents
    of all units, and the chains go on at the borders of parts. So seed, objective and head start decide the rounds and
    the proof.

    Parameters
    ----------
    task, space, objective, setup
        What is asked for, and the chains.
    head_start
        Evaluations of the chains before the first unit.
    everything
        Whether no set is cut.
    """

    def __init__(
        self,
        task: Task,
        space: ConnectionSets,
        objective: CubeObjective,
        setup: SearcherSetup,
        head_start: int,
        everything: bool,
    ) -> None:
        page = task.checkpoint.load(PAGE)
        if page is not None and not (isinstance(page, dict) and {"chains", "walk"} <= set(page)):
            raise InputError("checkpoint: no page of an exact search; expected one that isoplane wrote")
        self._space, self._objective = space, objective
        self._task, self._everything, self._head_start = task, everything, head_start
        self._chains = chains_of(setup, task, page and page["chains"])
        self._page = page and page["walk"]
        self._walk: EnumerationRun | None = None
        self._rounds = 0  # of the chains that are told
        self._beside = 0  # evaluations of the chains that are told
        known = page and page.get("forecast")
        self._forecast = Forecast(*known) if known else None  # of all units
        self._probed: EnumerationPlan | None = None

    def rounds(self) -> Generator[Round, None, None]:
        """Yield what the checkpoint knows, then go on; the last round has the proof."""
        saved = self._stand
        try:
            for round_ in self._stream():
                left = self._forecast if self._walk is None else self._walk.left(self._forecast)
                yield replace(round_, left=None if round_.complete else left)
                if self._stand != saved and self._task.checkpoint.due():
                    self._save()
                    saved = self._stand
        finally:
            if self._stand != saved:
                self._save()

    def _stream(self) -> Iterator[Round]:
        designs: dict[Generators, None] = {}
        # The first incumbents are good enough for an estimate, and the last ones are rarely better.
        early = self._head_start // self._chains.size // 8 * self._chains.size
        for evaluations in (early, self._head_start) if early else (self._head_start,):
            for round_ in self._search(evaluations):
                designs.update(dict.fromkeys(round_.designs))
                yield replace(round_, searched=0.0)
            plan = EnumerationPlan(self._space, self._objective, self._everything, self._unbeaten(designs))
            yield from self._probe(plan)
        self._walk = EnumerationRun(plan, self._task, self._page)
        # A part of a round is none that the chains could go on from.
        again = 0 if self._head_start % self._chains.size else self._rounds
        for part in range(1, PARTS + 1):
            border = self._walk.units * part // PARTS
            yield from self._walk.until(border, self._beside)
            if self._limit is not None and self._limit <= self._beside:
                return
            if part < PARTS:
                yield from self._between(again + again * part // PARTS, part / PARTS)
        told, proof, rests_on = self._beside + self._walk.told, self._walk.proof(), self._walk.rests_on
        yield Round(told, (), complete=True, searched=1.0, proof=proof, enumeration=rests_on)

    def _probe(self, plan: EnumerationPlan) -> Iterator[Round]:
        """Estimate what a plan takes, once."""
        if plan == self._probed or self._page or self._space.n < PROBED_FROM:
            return
        self._probed, ended = plan, None
        # A name of its own keeps the call open until the search is cancelled: closed first, it would be waited for.
        calls = self._task.fleet.map(probe_plan, [Probe(plan, self._task.seed)])
        try:
            for ended in calls:
                if ended is not None:
                    self._forecast = ended[1]
                yield Round(self._beside, (), searched=0.0)
        finally:
            if ended is None:
                search_of(plan).cancel()
                search_of.cache_clear()  # what is cancelled is of no use

    @property
    def _limit(self) -> int | None:
        """How many evaluations the chains may have."""
        limit = self._task.evaluations
        return limit if limit is None or self._walk is None else limit - self._walk.told

    def _search(self, evaluations: int) -> Iterator[Round]:
        """Advance the chains to so many evaluations of theirs, or to the limit."""
        chains = self._chains
        evaluations = evaluations if self._limit is None else min(evaluations, self._limit)
        whole = evaluations // chains.size
        yield from chains.known(self._rounds, min(whole, chains.rounds))
        while chains.rounds < whole:
            yield from chains.go(self._task, min(whole - chains.rounds, chains.whole_rounds(None)))
        self._rounds, self._beside = max(self._rounds, whole), max(self._beside, evaluations)
        if evaluations % chains.size == 0:
            return
        if chains.rounds > whole:  # beyond a limit that is smaller than that of the run before
            yield from chains.known(whole, whole + 1)
            return
        for round_ in chains.part(self._task, evaluations):
            yield replace(round_, replayed=self._page is not None)

    def _between(self, rounds: int, searched: float) -> Iterator[Round]:
        """Advance the chains to so many rounds of theirs, while units wait."""
        if rounds > self._rounds and self._walk is not None:
            told = self._walk.told
            for round_ in self._search(rounds * self._chains.size):
                yield replace(round_, evaluations=told + round_.evaluations, searched=searched)

    def _unbeaten(self, designs: Iterable[Generators]) -> tuple[Generators, ...]:
        """Return the designs that no other beats."""
        archive = Archive(self._objective)
        list(archive.news(self._space, designs))
        return tuple(self._space.generators(design) for design in archive.designs)

    @property
    def _stand(self) -> tuple[int, ...]:
        """What changes whenever there is more to save."""
        return self._chains.rounds, *(() if self._walk is None else self._walk.stand)

    def _save(self) -> None:
        walk = self._page if self._walk is None else self._walk.page()
        forecast = self._forecast and astuple(self._forecast)
        self._task.checkpoint.save(PAGE, {"chains": self._chains.page(), "walk": walk, "forecast": forecast})
