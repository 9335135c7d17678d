"""How caches are searched: the search of the space with each of them, one after the other or in turns."""

from collections import deque
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from isoplane.models import InputError
from isoplane.objectives import Lexicographic

from ..core.archive import Archive
from ..core.chain_setup import ChainSetup
from ..core.checkpoint import Checkpoint
from ..core.methods import Methods, methods_of
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.auto import Auto
from .space import Bound, CacheChoice, CachePart, least


class _CacheMethods(Methods[CacheChoice]):
    """The methods of the space with each cache."""

    searches = CacheChoice

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[CacheChoice] | None:
        """Return None: chains search the space with one cache."""
        return None

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return nothing: chains search the space with one cache."""
        return ()

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return that of the space if it is the same with all caches, else the choice for each."""
        parts = self.space.parts(objective)
        chosen = [methods_of(part.space).default_strategy(part.objective) for part in parts]
        return chosen[0] if all(strategy == chosen[0] for strategy in chosen) else Auto()

    def rounds(self, strategy: Strategy, task: Task) -> Generator[Round, None, None]:
        """Yield the rounds of a search for each `CachePart`: exhaustive ones one after the other, others in turns.

        A turn ends with the first round in which the number of evaluations grows, so the order of rounds does not
        depend on the clock. A limit of evaluations is divided equally.
        """
        parts = self.space.parts(task.objective)
        if task.evaluations is not None and task.evaluations < len(parts):
            raise InputError(
                f"stop.evaluations={task.evaluations}: expected at least {len(parts)}, one for each search"
            )
        searches = [
            _Search(part, strategy, _share(task, number, part, len(parts))) for number, part in enumerate(parts)
        ]
        waiting, initial = deque(searches), self.space.bounds(task.objective)
        with ExitStack() as open_rounds:
            for search in searches:
                open_rounds.enter_context(closing(search.rounds))
            while waiting:
                search = waiting[0]
                before, round_ = search.last.evaluations, next(search.rounds, None)
                if round_ is None:
                    waiting.popleft()
                    continue
                search.take(round_)
                yield _merged(searches, search, initial)
                if search.is_proven:
                    waiting.popleft()
                elif round_.searched is None and round_.evaluations > before:
                    waiting.rotate(-1)


class _Search:
    """The search with the caches of a part, and what it has found and proven so far."""

    def __init__(self, part: CachePart, strategy: Strategy, task: Task) -> None:
        self.part, self.rounds = part, methods_of(part.space).rounds(strategy, task)
        self.last = Round(0, ())
        self._archive = Archive(task.objective)
        self._bound: Bound = part.space.bounds(task.objective)
        self.source = part.space.bound_source(task.objective)

    def take(self, round_: Round) -> None:
        """Take the next round."""
        self.last, objective, self.source = round_, self.part.objective, round_.source or self.source
        for _ in self._archive.add(self.part.space, round_.designs):
            pass
        pairs = zip(self._bound, round_.bound or self._bound, strict=True)
        self._bound = tuple(max((low for low in pair if low is not None), default=None) for pair in pairs)
        if round_.complete:
            self._bound = objective.bound_when_exhausted(self._score, self._bound)

    @property
    def _score(self) -> tuple[int, ...]:
        return self._archive.evaluation(self._archive.best).score

    @property
    def is_proven(self) -> bool:
        """Whether its best designs are proven to be: by exhaustion, or since a score reaches its bound."""
        if self.last.complete:
            return True
        by_bound = self.last.searched is None and self.part.objective.front is None and self._archive.designs
        return bool(by_bound) and self._score == self._bound

    @property
    def bound(self) -> Bound:
        """Lower bounds of the whole score with its caches."""
        return self.part.outer(self._bound)


class _Pages(Checkpoint):
    """The pages of one search in a checkpoint."""

    def __init__(self, checkpoint: Checkpoint, number: int) -> None:
        self._checkpoint, self._prefix = checkpoint, f"caches{number}-"

    def load(self, name: str) -> Any:
        return self._checkpoint.load(self._prefix + name)

    def save(self, name: str, data: Any) -> None:
        self._checkpoint.save(self._prefix + name, data)

    def due(self) -> bool:
        return self._checkpoint.due()


def _share(task: Task, number: int, part: CachePart, parts: int) -> Task:
    """Return the task of one of some searches, with its share of the evaluations."""
    evaluations = None
    if task.evaluations is not None:
        evaluations = task.evaluations // parts + (number < task.evaluations % parts)
    return replace(
        task,
        space=part.space,
        objective=part.objective,
        evaluations=evaluations,
        start=None if task.start is None else task.start[1:],
        checkpoint=_Pages(task.checkpoint, number),
    )


def _merged(searches: Sequence[_Search], search: _Search, initial: Bound) -> Round:
    """Return the round of all searches after one of them has had a round."""
    round_, is_complete = search.last, all(each.is_proven for each in searches)
    # Later components of the bound of a complete search hold only for its best designs.
    bound = (least([each.bound for each in searches])[0], *initial[1:])
    lowest = next(each for each in searches if each.bound[0] == bound[0])
    searched = [0.0 if each.last.searched is None else each.last.searched for each in searches]
    counts = [each.last.counts for each in searches if each.last.counts is not None]
    return replace(
        round_,
        evaluations=sum(each.last.evaluations for each in searches),
        designs=search.part.candidates(round_.designs),
        complete=is_complete,
        searched=None if round_.searched is None else sum(searched) / len(searches),
        left=round_.left if len(searches) == 1 else None,
        counts=(counts[0] if len(searches) == 1 else {"searches": counts}) if is_complete and counts else None,
        bound=None if bound == initial else bound,
        source=lowest.source if is_complete or bound != initial else None,
    )
