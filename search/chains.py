"""Many chains on a fleet, each a searcher of some kind: rounds of equal evaluations, exchange, and a checkpoint."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from isoplane.models import InputError

from .searchers import AdvanceJob, AdvanceResult, Designs, SearcherSetup, State, advance, designs_of
from .space import Candidate
from .strategy import Round, Task

# Rounds after which chains exchange designs are the powers of two from here on.
FIRST_EXCHANGE = 8
# A call on the fleet has at most so many times the rounds of the call before, for legs differ in cost.
GROWTH = 4
# A call is at most this part of the way before it, for a stop by the clock loses what is under way.
PART = 4


def run_chains(setup: SearcherSetup, task: Task, name: str) -> Generator[Round, None, None]:
    """Yield round after round of chains; the checkpoint's page `name` tells where to go on.

    A round advances every chain by the same number of evaluations, so that nothing depends on who does it when.
    """
    chains = chains_of(setup, task, task.checkpoint.load(name))
    saved = chains.rounds
    try:
        yield from chains.known(0, chains.rounds)
        while (whole := chains.whole_rounds(task.evaluations)) > 0:
            yield from chains.go(task, whole)
            if task.checkpoint.due():
                task.checkpoint.save(name, chains.page())
                saved = chains.rounds
        if task.evaluations is not None and chains.evaluations < task.evaluations:
            yield from chains.part(task, task.evaluations)
    finally:
        if chains.rounds > saved:
            task.checkpoint.save(name, chains.page())


@dataclass
class Chains:
    """All chains between two rounds."""

    setup: SearcherSetup
    share: int
    states: list[State]
    rounds: int = 0
    # For each round that found some, the designs that no round had before.
    found: list[tuple[int, Designs]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.designs = [designs_of(self.setup.searcher(k, state)) for k, state in enumerate(self.states)]
        self.seen = {design for _, designs in self.found for design in designs}
        self.seconds = [0.0] * len(self.states)
        self.job = 1

    @property
    def size(self) -> int:
        """Evaluations of a round."""
        return self.share * len(self.states)

    @property
    def evaluations(self) -> int:
        """Evaluations of all rounds."""
        return self.rounds * self.size

    def whole_rounds(self, evaluations: int | None) -> int:
        """Return how many rounds come before the next exchange and within the evaluations."""
        exchange = next(at for at in (FIRST_EXCHANGE << k for k in count()) if at > self.rounds)
        left = exchange - self.rounds
        return left if evaluations is None else min(left, evaluations // self.size - self.rounds)

    def known(self, first: int, last: int) -> Iterator[Round]:
        """Yield the rounds after one, up to another, once more."""
        found = dict(self.found)
        for number in range(first + 1, last + 1):
            yield Round(number * self.size, tuple(found.get(number, ())), replayed=True)

    def go(self, task: Task, most: int) -> Iterator[Round]:
        """Go some rounds at once, as many as the fleet likes, and yield them."""
        longest = max(self.seconds)
        likes = int(task.fleet.seconds * self.job / longest) if longest else 1
        rounds = max(1, min(most, likes, GROWTH * self.job, self.rounds // PART))
        results: list[AdvanceResult] = []
        jobs = [AdvanceJob(self.setup, k, state, self.share, rounds) for k, state in enumerate(self.states)]
        yield from self._fly(task, jobs, results)
        before, self.rounds, self.job = self.evaluations, self.rounds + rounds, rounds
        self.states = [result.state for result in results]
        self.seconds = [result.seconds for result in results]
        yields = [self._round(before, k, [result.designs[k] for result in results]) for k in range(rounds)]
        if self.rounds >= FIRST_EXCHANGE and self.rounds & (self.rounds - 1) == 0:
            self._exchange()
        yield from yields

    def part(self, task: Task, evaluations: int) -> Iterator[Round]:
        """Yield the last round, which is none that a longer search would have: the walk stays before it."""
        left, chains = evaluations - self.evaluations, len(self.states)
        shares = [left // chains + (k < left % chains) for k in range(chains)]
        results: list[AdvanceResult] = []
        jobs = [
            AdvanceJob(self.setup, k, state, share)
            for k, (state, share) in enumerate(zip(self.states, shares, strict=True))
        ]
        yield from self._fly(task, jobs, results)
        yield Round(evaluations, tuple(design for result in results for design in result.designs[0] or ()))

    def page(self) -> dict[str, Any]:
        """Return what the checkpoint needs."""
        kinds = _kinds(self.setup)
        return {"share": self.share, "kinds": kinds, "rounds": self.rounds, "chains": self.states, "found": self.found}

    def _fly(self, task: Task, jobs: list[AdvanceJob], results: list[AdvanceResult]) -> Iterator[Round]:
        """Fill in the results, in the order of the jobs; yield the round before while nothing ends."""
        # What lasted longest begins first, so that the workers end together.
        order = sorted(range(len(jobs)), key=lambda k: -self.seconds[k])
        ended: dict[int, AdvanceResult] = {}
        for one in task.fleet.map(advance, [jobs[k] for k in order]):
            if one is not None:
                ended[order[one[0]]] = one[1]
            elif self.rounds > 0:
                yield Round(self.evaluations, self._union())
        results += [ended[k] for k in range(len(jobs))]

    def _round(self, before: int, k: int, found: list[Designs | None]) -> Round:
        self.designs = [new or old for new, old in zip(found, self.designs, strict=True)]
        union = self._union()
        news = [design for design in dict.fromkeys(union) if design not in self.seen]
        self.seen.update(news)
        evaluations = before + (k + 1) * self.size
        if news:
            self.found.append((evaluations // self.size, news))
        return Round(evaluations, union)

    def _union(self) -> tuple[Candidate, ...]:
        return tuple(design for designs in self.designs for design in designs)

    def _exchange(self) -> None:
        """Show the best design to the chain that is behind and to walks, or fronts to the next chain."""
        if self.setup.front:
            offers = list(enumerate(self.designs[-1:] + self.designs[:-1]))
        else:
            ranked = sorted(range(len(self.states)), key=lambda k: (self._score(k), k))
            walks = {k for k in ranked if self.setup.takes_best(k)}
            offers = [(k, self.designs[ranked[0]]) for k in sorted(walks | {ranked[-1]})]
        for k, designs in offers:
            chain = self.setup.searcher(k, self.states[k])
            for design in designs:
                chain.offer(design)
            self.states[k], self.designs[k] = chain.state(), designs_of(chain)

    def _score(self, k: int) -> tuple[int, ...]:
        """Return the score of a chain's best design."""
        return self.setup.score(self.designs[k][0])


def chains_of(setup: SearcherSetup, task: Task, page: Any) -> Chains:
    """Return the chains that a page of the checkpoint tells of, or those at their beginning without one.

    Raises
    ------
    InputError
        If the page is of other chains or of none.
    """
    if page is None:
        states = [setup.first(task.seed, stream, task.start) for stream in range(len(setup.kinds))]
        return Chains(setup, setup.share, states)
    try:
        found = [(int(number), [tuple(design) for design in designs]) for number, designs in page["found"]]
        share, kinds, states, rounds = page["share"], page["kinds"], page["chains"], page["rounds"]
        if (share, kinds, len(states)) != (setup.share, _kinds(setup), len(setup.kinds)):
            raise InputError(
                f"checkpoint: of {len(states)} chains; expected one of {len(setup.kinds)}, by the same version"
            )
        return Chains(setup, share, states, rounds, found)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("checkpoint: no page of chains; expected a checkpoint as isoplane wrote it") from error


def _kinds(setup: SearcherSetup) -> list[str]:
    """Return what tells the settings of each chain, as a checkpoint holds it."""
    return [repr(kind) for kind in setup.kinds]
