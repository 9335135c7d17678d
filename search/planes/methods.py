"""How relabelled planes are searched: annealing walks that exchange the places of two switches, or are linear."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import lru_cache

from isoplane.models import InputError
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.chain_setup import ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.anneal import Anneal, walk_kinds
from ..strategies.portfolio import Portfolio
from .measured import MEASURED, MEASURED_LINEAR, evaluations_in_a_round, measured_task
from .objectives import HOPS, LOAD, by_load, is_measured
from .space import Relabellings
from .walked_starts import ADDITIVE, LINEAR, LOADS, WALK, task_of, walked_starts

BYTES_IN_A_ROUND = 1 << 25  # of rows that a walk reads in a round: a fraction of a second
LOAD_TIME = 8  # of an evaluation with loads, relative to one of distances alone
MOST_TO_EXCHANGE = 1024  # switches: one exchange after the other improves larger planes too slowly


class _RelabellingMethods(Methods[Relabellings]):
    """Methods for relabelled planes."""

    searches = Relabellings

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[Relabellings] | None:
        """Return annealing walks, structured ones over linear places; None if any settings belong to another strategy.

        Raises
        ------
        InputError
            If a parameter does not apply to relabelled planes, or walks by exchanges are to minimise loads.
        """
        space, fitted = self.space, self.space.fitted(objective)
        start = space.candidate(space.baseline)
        if is_measured(fitted):
            kinds = walk_kinds(settings, MEASURED, space.varies, MEASURED_LINEAR if self._are_linear else None)
            share, are_varied = evaluations_in_a_round(space, fitted), space.varies_stacks(fitted)
            own = tuple(space.with_stacks(each, are_varied) for each in starts or (start,))
            return None if kinds is None else ChainSetup(space, fitted, kinds, _measured, share, own)
        structured = (LOADS if by_load(fitted) else ADDITIVE) if self._are_linear else None
        kinds = walk_kinds(settings, WALK, space.varies, structured)
        if kinds is None:
            return None
        if by_load(fitted) and WALK.native in (kind.native for kind in kinds):
            raise InputError(
                f"strategy.structured=false: objective={objective.name} is that of linear planes; expected true"
            )
        vertices = len(space.node_switches)
        # Between rounds a walk is restored from the places, which takes as long as some evaluations for each vertex.
        share = max(4 * vertices, BYTES_IN_A_ROUND // (4 * vertices * (space.family.planes - 1)))
        if by_load(fitted):
            share = -(-share // LOAD_TIME)
        return ChainSetup(space, fitted, kinds, _arguments, share, starts or (start,))

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, mostly over linear places where these are the best known, and by no others for loads."""
        if by_load(objective):
            return ("structured",)
        few, many = ("structured", "anneal") if self._are_exchanged else ("anneal", "structured")
        return (many, many, many, few) if self._are_linear else ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return walks by exchanges, one for each of two cores, or a portfolio where linear places are better."""
        if by_load(objective):
            return Anneal(chains=4, structured=True)
        return Anneal(chains=2) if self._are_exchanged or not self._are_linear else Portfolio(chains=4)

    def rounds(self, strategy: Strategy, task: Task) -> Generator[Round, None, None]:
        """Yield the rounds of a strategy; stacks have places in the start if the search varies them."""
        are_varied = self.space.varies_stacks(task.objective)
        start = None if task.start is None else self.space.with_stacks(task.start, are_varied)
        yield from strategy.rounds(replace(task, start=start))

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield planes that are linear over GF(2) and over Z4, or the start, which walks by loads may not take up.

        By loads, only two equal planes gain by planes over Z4 that have short paths. Of distances within limits, the
        shortest whatever the limits follow: most limits leave them, and walks that evaluate limits are slow.
        """
        is_by_load, family = by_load(task.objective), self.space.family
        are_two = family.planes == 2 and family.folded is None and family.are_equally_fast
        walks = []
        if self._are_linear and (are_two or not is_by_load):
            walks = [ADDITIVE] if is_by_load else [LINEAR, ADDITIVE]
        if task.objective.limits and task.objective.components[0] == (HOPS,):
            walks.append(WALK)
        if task.start is None and walks:
            yield from walked_starts(self.space, task.seed, walks, replayed)
        elif task.start is not None and is_by_load:
            yield Round(0, (task.start,), replayed=replayed)

    @property
    def _are_exchanged(self) -> bool:
        """Whether exchanges of places find better planes than linear places: two planes, if these are not too large."""
        return self.space.family.planes == 2 and len(self.space.node_switches) <= MOST_TO_EXCHANGE

    @property
    def _are_linear(self) -> bool:
        """Whether places can be linear."""
        return task_of(self.space).dimension is not None


@lru_cache(maxsize=8)
def _measured(setup: ChainSetup[Relabellings]) -> tuple[_native.MeasuredTask]:
    return (measured_task(setup.space, setup.objective),)


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[Relabellings]) -> tuple[_native.RelabellingTask]:
    task, objective = task_of(setup.space), setup.objective
    if not by_load(objective):
        return (task,)
    assert setup.space.links is not None
    order = (HOPS, LOAD)
    components = [[order.index(name) for name in part] for part in objective.components if set(part) <= set(order)]
    return (_native.LinearLoadTask(task, setup.space.links, components, setup.space.times),)
