"""What all strategies with searchers have in common: starts, searchers on a fleet, and proofs beside them."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

from isoplane.models import InputError

from .chains import run_chains
from .searchers import SearcherSetup
from .space import Candidate
from .strategy import Round, Task


def run_searchers(task: Task, settings: Sequence[object], name: str) -> Generator[Round, None, None]:
    """Yield the starts of a space, whatever the evaluations; then advance searchers by the same number of them.

    Parameters
    ----------
    task
        What is asked for; its checkpoint holds the searchers on the page `name`.
    settings
        Of each searcher, as `Space.searchers` takes them.
    name
        The strategy's.

    Raises
    ------
    InputError
        If the space has no such searchers.
    """
    replayed = task.checkpoint.load(name) is not None
    setup_of(task, settings, name)  # what a space has no searchers for is refused before its starts take time
    last = Round(0, ())
    with closing(task.space.starts(task, replayed=replayed)) as starts:
        for last in starts:
            yield last
    if task.evaluations is not None:
        task = replace(task, evaluations=max(0, task.evaluations - last.evaluations))
    setup = setup_of(task, settings, name, last.designs)
    searching = run_chains(setup, task, name)
    with closing(task.space.with_proof(searching, task, setup, last.designs)) as rounds:
        for round_ in rounds:
            yield replace(round_, evaluations=last.evaluations + round_.evaluations)


def setup_of(task: Task, settings: Sequence[object], name: str, starts: tuple[Candidate, ...] = ()) -> SearcherSetup:
    """Return what all searchers of a task have in common.

    Raises
    ------
    InputError
        If the space has no such searchers, naming the strategy that was asked for them.
    """
    setup = task.space.searchers(task.objective, settings, starts)
    if setup is None:
        raise InputError(
            f"strategy={name}: has no searchers for {task.space.varies}; expected a strategy for "
            f"{task.space.baseline.network.name}"
        )
    return setup
