"""What a strategy is: a stream of rounds."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from isoplane.objectives import Objective

from .journal import Forgetful, Journal
from .space import ConnectionSets, Generators
from .threads import Fleet, Threads

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Round:
    """What came out of one round.

    Attributes
    ----------
    evaluations
        Candidates judged since the search began.
    designs
        Generators of the best designs so far: one, or a front. They may be the same as in the round before; only those
        that no round had before must be among them.
    complete
        Whether the whole space has been searched, so that the designs are proven optimal.
    known
        Whether it comes from the journal: the search is on its way to where it stood.
    """

    evaluations: int
    designs: tuple[Generators, ...]
    complete: bool = False
    known: bool = False


@dataclass(frozen=True)
class Task:
    """What a strategy is asked for.

    Attributes
    ----------
    space, objective
        What may vary and what is good.
    seed
        Decides the result, together with `evaluations` and `start`.
    evaluations
        Judge no more candidates than these (exact search: start no round beyond them), or None.
    start
        Generators to start from, or None.
    fleet
        Where work runs; no influence on the result.
    journal
        What is needed to go on after the program was killed.
    """

    space: ConnectionSets
    objective: Objective
    seed: int
    evaluations: int | None = None
    start: Generators | None = None
    fleet: Fleet = field(default_factory=Threads)
    journal: Journal = field(default_factory=Forgetful)


class Strategy(Protocol):
    """A way to search."""

    @property
    def name(self) -> str:
        """What records and reports call it."""

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search, several rounds each second, until the space or the evaluations are exhausted.

        A search whose journal has pages first yields the rounds that it had yielded before, then goes on. A round that
        repeats the one before tells that nothing has ended meanwhile; the caller may stop there.
        """


def threads(stack: ExitStack, workers: int) -> Callable[[Callable[[T], R], list[T]], list[R]]:
    """Return a map over threads that keeps the order; native calls release the interpreter lock."""
    if workers == 1:
        return lambda function, items: [function(item) for item in items]
    pool = stack.enter_context(ThreadPoolExecutor(workers))
    return lambda function, items: list(pool.map(function, items))
