"""Methods of a search space: what strategies may use to explore it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic

from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import BoundSource

from .chain_setup import ChainSetup
from .space import AnySpace, Candidate, Space, load_rooms
from .strategy import Round, Strategy, Task


@dataclass(frozen=True)
class Candidates(ABC, Generic[AnySpace]):
    """All candidates of a space, to be evaluated for an objective; frozen and picklable, for any fleet.

    Parameters
    ----------
    space, objective
        The space, and the score to minimise.
    """

    space: AnySpace
    objective: Lexicographic

    @property
    @abstractmethod
    def source(self) -> BoundSource | None:
        """The source of the bound once all have been evaluated, if records state it."""

    @property
    @abstractmethod
    def evaluation_us(self) -> int:
        """Estimated time of an evaluation on a common core, in microseconds: the same on every machine."""

    @abstractmethod
    def count(self, limit: int) -> int:
        """Return the number of candidates, at most `limit` + 1."""

    @abstractmethod
    def __iter__(self) -> Iterator[Candidate]:
        """Yield every candidate once."""

    @abstractmethod
    def least(self, candidates: Sequence[Candidate]) -> Iterator[tuple[tuple[int, ...], bool]]:
        """Yield lower bounds of the first components of scores, if any are cheap, and whether they are the scores."""


class Methods(ABC, Generic[AnySpace]):
    """What strategies use to search a kind of space: its chains, starting designs, proofs and default strategy.

    `methods_of` finds direct subclasses, and of those the one whose `searches` is nearest to the class of a space.

    Parameters
    ----------
    space
        The space.

    Attributes
    ----------
    searches
        The kind of spaces that they are for.
    """

    searches: ClassVar[type[Space]]

    def __init__(self, space: AnySpace) -> None:
        self.space = space

    def candidates(self, objective: Lexicographic) -> Candidates[AnySpace] | None:
        """Return all candidates, to be enumerated for an objective; None if the space cannot list them (default)."""
        return None

    @abstractmethod
    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[AnySpace] | None:
        """Return the setup of the chains of a search.

        Parameters
        ----------
        objective
            The objective of the search.
        settings
            The strategy of each chain, such as `Anneal`, with its parameters.
        starts
            The designs of the last round that the method `starts` yields.

        Returns
        -------
        ChainSetup or None
            None if the space has no chains for one of the settings.
        """

    @abstractmethod
    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return the kinds of the chains of a portfolio for an objective, in their order."""

    @abstractmethod
    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return the best all-round strategy for an objective.

        Raises
        ------
        InputError
            If the objective does not evaluate the designs of the space.
        """

    def rounds(self, strategy: Strategy, task: Task) -> Generator[Round, None, None]:
        """Yield the rounds of a strategy for a task of this space."""
        yield from strategy.rounds(task)

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield rounds with initial designs for the chains, such as those of rules; nothing by default.

        Parameters
        ----------
        task
            The task of the search.
        replayed
            Whether the search resumes from a checkpoint.
        """
        yield from ()

    def interleaved(
        self,
        rounds: Generator[Round, None, None],
        task: Task,
        setup: ChainSetup[AnySpace],
        starts: tuple[Candidate, ...],
    ) -> Generator[Round, None, None]:
        """Yield the rounds of chains, interleaved with rounds that prove bounds of the space (none by default)."""
        yield from rounds


def methods_of(space: Space) -> Methods[Any]:
    """Return the methods of a space: those for its class, or for the nearest base class that has any.

    Examples
    --------
    >>> from isoplane.search import ConnectionSets
    >>> type(methods_of(ConnectionSets(3))).__name__
    'BasisMethods'
    """
    load_rooms()
    kinds: dict[type, type[Methods[Any]]] = {kind.searches: kind for kind in Methods.__subclasses__()}
    return next(kinds[base] for base in type(space).__mro__ if base in kinds)(space)
