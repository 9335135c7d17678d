"""The common part of all strategies with chains: starts, chains on a fleet, and interleaved proofs."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .chain_setup import ChainSetup
from .chains import run_chains
from .methods import methods_of
from .space import Candidate, load_rooms
from .strategy import Round, Strategy, Task


@dataclass(frozen=True)
class ChainStrategy(Strategy):
    """Chains of equal or different kinds: the base of strategies that run them.

    Parameters
    ----------
    chains
        Number of chains, independent of the number of workers.

    Raises
    ------
    InputError
        If the number is out of range.
    """

    chains: int = 8

    def __post_init__(self) -> None:
        check_int("strategy.chains", self.chains, 1, 1024)

    def settings(self, task: Task) -> tuple[object, ...]:
        """Return the settings of every chain."""
        return (self,) * self.chains

    def check(self, task: Task) -> None:
        """Raise an `InputError` if the objective is a front, which most chains do not search for."""
        if task.objective.front is not None:
            raise InputError(f"strategy={self.name}: objective={task.objective.name} is a front; expected one score")

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield the starting designs, then advance every chain by the same number of evaluations per round.

        Raises
        ------
        InputError
            If the space has no such chains, or the objective does not suit them.
        """
        self.check(task)
        settings, methods = self.settings(task), methods_of(task.space)
        replayed = task.checkpoint.load(self.name) is not None
        setup_of(task, settings, self.name)  # fail before the starts take time
        last = Round(0, ())
        # All starting designs, whatever the limit of evaluations.
        with closing(methods.starts(task, replayed=replayed)) as starts:
            for last in starts:
                yield last
        if task.evaluations is not None:
            # Starts are evaluations as well: the chains get what remains of the limit.
            task = replace(task, evaluations=max(0, task.evaluations - last.evaluations))
        setup = setup_of(task, settings, self.name, last.designs)
        chain_rounds = run_chains(setup, task, self.name)
        with closing(methods.interleaved(chain_rounds, task, setup, last.designs)) as rounds:
            for round_ in rounds:
                yield replace(round_, evaluations=last.evaluations + round_.evaluations)


def setup_of(task: Task, settings: Sequence[object], name: str, starts: tuple[Candidate, ...] = ()) -> ChainSetup[Any]:
    """Return the common setup of all chains of a task.

    Raises
    ------
    InputError
        If the space has no such chains; the message names the strategy.
    """
    setup = methods_of(task.space).chain_setup(task.objective, settings, starts)
    if setup is None:
        raise InputError(
            f"strategy={name}: has no searchers for {task.space.subject}; expected auto or another strategy"
        )
    return setup


def is_of_chains(name: str) -> bool:
    """Whether a strategy of this package has this name and runs chains, which never search a whole space.

    Examples
    --------
    >>> [is_of_chains(name) for name in ("anneal", "pareto", "exact", "one_of_mine")]
    [True, True, False, False]
    """
    load_rooms()  # and with the methods of spaces all strategies
    # An abstract class has no name yet.
    return any(getattr(kind, "name", "") == name for kind in _with_subclasses(ChainStrategy.__subclasses__()))


def _with_subclasses(kinds: Iterable[type[ChainStrategy]]) -> Iterator[type[ChainStrategy]]:
    """Yield classes, each followed by its subclasses and theirs."""
    for kind in kinds:
        yield kind
        yield from _with_subclasses(kind.__subclasses__())
