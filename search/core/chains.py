"""Chains on a fleet: rounds of equal numbers of evaluations, exchanges, and a checkpoint."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from isoplane.models import InputError

from .chain_setup import Advance, ChainSetup, Designs, Job, State, advance, designs_of
from .space import Candidate
from .strategy import Round, Task

# Chains exchange designs after this number of rounds, then whenever it has doubled.
FIRST_EXCHANGE = 8
# A call on the fleet has at most MAX_GROWTH times the rounds of the last call, because cooling cycles differ in cost.
MAX_GROWTH = 4
# A call has at most 1 / MIN_PAST as many rounds as ran before it, because a time limit discards the calls in progress.
MIN_PAST = 4


def run_chains(setup: ChainSetup[Any], task: Task, name: str) -> Generator[Round, None, None]:
    """Yield the rounds of chains, resuming from the checkpoint's page `name`.

    A round advances every chain by the same number of evaluations, so the result does not depend on the workers.
    """
    chains = chains_of(setup, task, task.checkpoint.load(name))
    saved = chains.rounds
    try:
        yield from chains.replay(0, chains.rounds)
        while (max_rounds := chains.whole_rounds(task.evaluations)) > 0:
            yield from chains.run_rounds(task, max_rounds)
            if task.checkpoint.due():
                task.checkpoint.save(name, chains.page())
                saved = chains.rounds
        if task.evaluations is not None and chains.evaluations < task.evaluations:
            yield from chains.run_partial_round(task, task.evaluations)
    finally:
        # Also after an interruption: between two rounds the state is complete.
        if chains.rounds > saved:
            task.checkpoint.save(name, chains.page())


@dataclass
class Chains:
    """The state of all chains between two rounds."""

    setup: ChainSetup[Any]
    share: int
    states: list[State]
    rounds: int = 0
    # (round, designs first found in it), for the rounds with any.
    found: list[tuple[int, Designs]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.designs = [designs_of(self.setup.searcher(k, state)) for k, state in enumerate(self.states)]
        self.seen = {design for _, designs in self.found for design in designs}
        self.seconds = [0.0] * len(self.states)
        self.last_call = 1  # rounds of the last call

    @property
    def size(self) -> int:
        """Number of evaluations per round."""
        return self.share * len(self.states)

    @property
    def evaluations(self) -> int:
        """Number of evaluations of all rounds."""
        return self.rounds * self.size

    def whole_rounds(self, evaluations: int | None) -> int:
        """Return the number of whole rounds before the next exchange and within a limit of evaluations."""
        exchange = next(number for number in (FIRST_EXCHANGE << k for k in count()) if number > self.rounds)
        remaining = exchange - self.rounds
        return remaining if evaluations is None else min(remaining, evaluations // self.size - self.rounds)

    def replay(self, first: int, last: int) -> Iterator[Round]:
        """Yield the rounds first + 1 .. last again."""
        designs_of_round = dict(self.found)
        for number in range(first + 1, last + 1):
            yield Round(number * self.size, tuple(designs_of_round.get(number, ())), replayed=True)

    def run_rounds(self, task: Task, max_rounds: int) -> Iterator[Round]:
        """Run several rounds in one call per chain, of the duration that the fleet prefers, and yield them."""
        longest = max(self.seconds)
        preferred = int(task.fleet.target_call_seconds * self.last_call / longest) if longest else 1
        rounds = max(1, min(max_rounds, preferred, MAX_GROWTH * self.last_call, self.rounds // MIN_PAST))
        results: list[Advance] = []
        yield from self._run_jobs(
            task, [(self.setup, k, state, self.share, rounds) for k, state in enumerate(self.states)], results
        )
        # Only now, with the results of all chains, so that a stop during the call leaves them at one round.
        evaluations_before, self.rounds, self.last_call = self.evaluations, self.rounds + rounds, rounds
        self.states = [state for state, _, _ in results]
        self.seconds = [seconds for _, _, seconds in results]
        new_rounds = [
            self._round(evaluations_before, k, [designs[k] for _, designs, _ in results]) for k in range(rounds)
        ]
        if self.rounds >= FIRST_EXCHANGE and self.rounds & (self.rounds - 1) == 0:
            self._exchange()
        yield from new_rounds

    def run_partial_round(self, task: Task, evaluations: int) -> Iterator[Round]:
        """Yield a last, shorter round; the states stay as they were, because a longer search has no such round."""
        remaining, chains = evaluations - self.evaluations, len(self.states)
        shares = [remaining // chains + (k < remaining % chains) for k in range(chains)]
        results: list[Advance] = []
        ends = enumerate(zip(self.states, shares, strict=True))
        yield from self._run_jobs(task, [(self.setup, k, state, share, 1) for k, (state, share) in ends], results)
        yield Round(evaluations, tuple(design for _, designs, _ in results for design in designs[0] or ()))

    def page(self) -> dict[str, Any]:
        """Return the page of a checkpoint."""
        kinds = list(map(str, self.setup.kinds))
        return {"share": self.share, "kinds": kinds, "rounds": self.rounds, "chains": self.states, "found": self.found}

    def _run_jobs(self, task: Task, jobs: list[Job], results: list[Advance]) -> Iterator[Round]:
        """Fill in the results, in the order of the jobs; yield the last round again while no job is completed."""
        # Longest jobs first, so that the workers finish together.
        order = sorted(range(len(jobs)), key=lambda k: -self.seconds[k])
        completed: dict[int, Advance] = {}
        for indexed in task.fleet.map(advance, [jobs[k] for k in order]):
            if indexed is not None:
                completed[order[indexed[0]]] = indexed[1]
            elif self.rounds > 0:
                yield Round(self.evaluations, self._union())
        results += [completed[k] for k in range(len(jobs))]

    def _round(self, evaluations_before: int, k: int, designs_of_chains: list[Designs | None]) -> Round:
        self.designs = [new or old for new, old in zip(designs_of_chains, self.designs, strict=True)]
        union = self._union()
        unseen = [design for design in dict.fromkeys(union) if design not in self.seen]
        self.seen.update(unseen)
        evaluations = evaluations_before + (k + 1) * self.size
        if unseen:
            self.found.append((evaluations // self.size, unseen))
        return Round(evaluations, union)

    def _union(self) -> tuple[Candidate, ...]:
        return tuple(design for designs in self.designs for design in designs)

    def _exchange(self) -> None:
        """Offer the best design to the worst chain and to the chains that always take it, or fronts along a ring."""
        if self.setup.front:
            offers = list(enumerate(self.designs[-1:] + self.designs[:-1]))
        else:
            # Ties go by number: an exchange may depend on nothing but the states.
            ranked = sorted(range(len(self.states)), key=lambda k: (self._score(k), k))
            offers = [(k, self.designs[ranked[0]]) for k in sorted(self.setup.takers | {ranked[-1]})]
        for k, designs in offers:
            chain = self.setup.searcher(k, self.states[k])
            for design in designs:
                chain.offer(design)
            self.states[k], self.designs[k] = chain.state(), designs_of(chain)

    def _score(self, k: int) -> tuple[int, ...]:
        """Return the score of a chain's best design."""
        return self.setup.score(self.designs[k][0])


def chains_of(setup: ChainSetup[Any], task: Task, page: Any) -> Chains:
    """Return the chains saved on a page of the checkpoint, or new chains if there is no page.

    Raises
    ------
    InputError
        If the page does not belong to these chains.
    """
    if page is None:
        states = [setup.first(task.seed, stream, task.start) for stream in range(len(setup.kinds))]
        return Chains(setup, setup.share, states)
    try:
        found = [(int(number), [tuple(design) for design in designs]) for number, designs in page["found"]]
        share, kinds, states, rounds = page["share"], page["kinds"], page["chains"], page["rounds"]
        if (share, kinds, len(states)) != (setup.share, list(map(str, setup.kinds)), len(setup.kinds)):
            raise InputError(
                f"checkpoint: for {len(states)} chains; expected one for {len(setup.kinds)}, "
                "with the same settings and version"
            )
        return Chains(setup, share, states, rounds, found)
    except (KeyError, TypeError, ValueError) as error:
        # It is a ValueError, too, but names what does not fit.
        if isinstance(error, InputError):
            raise
        raise InputError("checkpoint: not a page of chains; expected a checkpoint written by isoplane") from error
