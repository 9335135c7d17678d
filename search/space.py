"""Spaces: what a search may vary."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from isoplane.models import Design, InputError, Network, Variable
from isoplane.models.workloads import Workload
from isoplane.objectives import Objective
from isoplane.objectives.bounds import Enumeration

if TYPE_CHECKING:  # these modules are about spaces
    from .searchers import SearcherSetup
    from .strategy import Round, Strategy, Task

# A design of a space in numbers, as searchers, checkpoints and rounds hold it; the space says what they mean.
Candidate = tuple[int, ...]


@dataclass(frozen=True)
class BoundSource:
    """Where the bound of a hybrid design comes from, and what it holds for.

    Attributes
    ----------
    by
        ``formula``, ``counts``, ``enumeration`` of all designs, or ``program:`` and who solved it.
    circuits
        It holds for all sets of at most so many circuits,
    placement
        with the placement that is ``given`` with the design, or with all of them (``free``).
    """

    by: str
    circuits: int
    placement: str


class Space(Protocol):
    """What a search may vary, what is known of all of it, and who searches it.

    Attributes
    ----------
    over
        The kinds of variables that it goes through.
    varies
        The same in words, for messages.
    """

    over: ClassVar[frozenset[type[Variable]]]
    varies: ClassVar[str]

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Space:
        """Return the space of what varies of a network, under a workload if it has a say.

        Raises
        ------
        InputError
            If the space is not about such networks.
        """

    @property
    def baseline(self) -> Design:
        """The plainest design: what is compared with, and what every search can start from."""

    def design(self, candidate: Candidate) -> Design:
        """Return the design that a candidate stands for."""

    def candidate(self, design: Design) -> Candidate:
        """Return the candidate of a design.

        Raises
        ------
        InputError
            If the design is not in the space.
        """

    def normal(self, candidate: Candidate) -> Candidate:
        """Return the one way in which a candidate's design is written."""

    def bounds(self, objective: Objective) -> tuple[int | None, ...]:
        """Return what no design of the space scores below; None where nothing is known.

        Raises
        ------
        InputError
            If the objective does not judge such designs.
        """

    def bound_source(self, objective: Objective) -> BoundSource | Enumeration | None:
        """Return where `bounds` come from, if records tell that."""

    def fitted(self, objective: Objective) -> Objective:
        """Return the objective as the designs of this space allow it.

        Raises
        ------
        InputError
            If it does not judge such designs.
        """

    def searchers(
        self, objective: Objective, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> SearcherSetup | None:
        """Return the native searchers of the space.

        Parameters
        ----------
        objective
            Of a search.
        settings
            The strategy of each searcher, such as `Anneal`, whose parameters it takes.
        starts
            The designs of the last round of `starts`.

        Returns
        -------
        SearcherSetup or None
            None if the space has no searcher for one of the settings.
        """

    def mix(self, objective: Objective) -> tuple[str, ...]:
        """Return the kinds of searchers of a portfolio that suit an objective, for the first of them and so on."""

    def default_strategy(self, objective: Objective) -> Strategy:
        """Return the best all-round strategy for an objective.

        Raises
        ------
        InputError
            If the objective does not judge the designs of the space.
        """

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield rounds with designs from which searchers begin, such as those of rules; nothing by default.

        Parameters
        ----------
        task
            What is asked for.
        replayed
            Whether the search goes on from a checkpoint.
        """
        yield from ()

    def with_proof(
        self,
        rounds: Generator[Round, None, None],
        task: Task,
        setup: SearcherSetup,
        starts: tuple[Candidate, ...],
    ) -> Generator[Round, None, None]:
        """Yield the rounds of searchers, and between them what can be proven of the space; by default nothing."""
        yield from rounds


def space_of(network: Network, variables: Mapping[str, Variable], workload: Workload | None = None) -> Space:
    """Return the space of what a search may vary of a network: the one for such variables, whatever the family.

    Parameters
    ----------
    network
        With any values of what varies.
    variables
        Those of its family, or within narrower limits.
    workload
        Under which designs are judged, if they are.

    Raises
    ------
    InputError
        If there is no space for them.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network = dual_cube(3, (1, 2, 4))
    >>> space_of(network, network.family.variables).varies
    'connection sets of cubes'
    """
    kinds = frozenset(map(type, variables.values()))
    for space in Space.__subclasses__():
        if space.over == kinds:
            return space.of(network, variables, workload)
    raise InputError(
        f"network={network.name}: no search varies {', '.join(variables) or 'anything'} of it; expected networks "
        f"with {', or '.join(space.varies for space in Space.__subclasses__())}"
    )


Kind = TypeVar("Kind", bound=Variable)


def variable_of(variables: Mapping[str, Variable], kind: type[Kind]) -> Kind:
    """Return the variable of a kind."""
    return next(each for each in variables.values() if isinstance(each, kind))
