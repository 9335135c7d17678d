"""What a strategy is: a stream of rounds."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol, TypeVar

from isoplane.objectives import Objective

from .space import ConnectionSets, Generators

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
        Generators of the best designs so far: one, or a front. They may be the same as in the round before.
    complete
        Whether the whole space has been searched, so that the designs are proven optimal.
    """

    evaluations: int
    designs: tuple[Generators, ...]
    complete: bool = False


@dataclass(frozen=True)
class Task:
    """What a strategy is asked for.

    Attributes
    ----------
    space, objective
        What may vary and what is good.
    seed
        Decides the result, together with `evaluations` and `start`.
    workers
        Threads; no influence on the result.
    evaluations
        Judge no more candidates than these (exact search: start no round beyond them), or None.
    start
        Generators to start from, or None.
    """

    space: ConnectionSets
    objective: Objective
    seed: int
    workers: int = 1
    evaluations: int | None = None
    start: Generators | None = None


class Strategy(Protocol):
    """A way to search."""

    @property
    def name(self) -> str:
        """What records and reports call it."""

    def rounds(self, task: Task) -> Iterator[Round]:
        """Search, several rounds each second, until the space or the evaluations are exhausted."""


def threads(stack: ExitStack, workers: int) -> Callable[[Callable[[T], R], list[T]], list[R]]:
    """Return a map over threads that keeps the order; native calls release the interpreter lock."""
    if workers == 1:
        return lambda function, items: [function(item) for item in items]
    pool = stack.enter_context(ThreadPoolExecutor(workers))
    return lambda function, items: list(pool.map(function, items))
