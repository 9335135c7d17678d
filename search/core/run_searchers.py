"""The common part of all strategies with searchers: starts, searchers on a fleet, and interleaved proofs."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .chains import run_chains
from .methods import methods_of
from .searchers import Searchers
from .space import Candidate
from .strategy import Round, Strategy, Task


@dataclass(frozen=True)
class ChainStrategy(Strategy):
    """Searchers of equal or different kinds that run as chains: the base of such strategies.

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
        yield from run_searchers(task, self.settings(task), self.name)


def run_searchers(task: Task, settings: Sequence[object], name: str) -> Generator[Round, None, None]:
    """Yield all starting designs, whatever the limit of evaluations; then run the searchers in rounds.

    Parameters
    ----------
    task
        The task; its checkpoint holds the searchers on the page `name`.
    settings
        Settings of each searcher, as for `Methods.searchers`.
    name
        Name of the strategy.

    Raises
    ------
    InputError
        If the space has no such searchers.
    """
    replayed = task.checkpoint.load(name) is not None
    setup_of(task, settings, name)  # fail before the starts take time
    last = Round(0, ())
    with closing(methods_of(task.space).starts(task, replayed=replayed)) as starts:
        for last in starts:
            yield last
    if task.evaluations is not None:
        # Starts are evaluations as well: the chains get what remains of the limit.
        task = replace(task, evaluations=max(0, task.evaluations - last.evaluations))
    setup = setup_of(task, settings, name, last.designs)
    chain_rounds = run_chains(setup, task, name)
    with closing(methods_of(task.space).with_proof(chain_rounds, task, setup, last.designs)) as rounds:
        for round_ in rounds:
            yield replace(round_, evaluations=last.evaluations + round_.evaluations)


def setup_of(task: Task, settings: Sequence[object], name: str, starts: tuple[Candidate, ...] = ()) -> Searchers[Any]:
    """Return the common setup of all searchers of a task.

    Raises
    ------
    InputError
        If the space has no such searchers; the message names the strategy.
    """
    setup = methods_of(task.space).searchers(task.objective, settings, starts)
    if setup is None:
        raise InputError(
            f"strategy={name}: has no searchers for {task.space.subject}; expected auto or another strategy"
        )
    return setup
