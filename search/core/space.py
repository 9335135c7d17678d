"""Search spaces: the designs that a search may choose from."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, resources
from typing import ClassVar, Protocol, TypeVar

from isoplane.models import CacheVariable, Design, InputError, Network, Variable
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import BoundSource

# A design encoded as integers, as searchers, checkpoints and rounds hold it; each space defines its encoding.
Candidate = tuple[int, ...]
Scored = tuple[tuple[int, ...], Candidate]


class Space(Protocol):
    """The geometry of a search: a set of designs, their encoding as candidates, and lower bounds over all of them.

    How it is searched is said by its `Methods`. `space_of` finds direct subclasses: a subclass of another space would
    have the same variables `over`.

    Attributes
    ----------
    over
        The kinds of variables of the space.
    varies
        What it varies, in words, for messages.
    objectives
        The objectives that it has, in words, if these are few; empty if any of its designs.
    site_scope
        The values of the variables of the site, as a proof covers them; empty without any.
    remark
        What a user should know of the search before it begins, in words; empty if nothing.
    """

    over: ClassVar[frozenset[type[Variable]]]
    varies: ClassVar[str]
    objectives: ClassVar[str] = ""

    @property
    def site_scope(self) -> str:
        """The values of the variables of the site; none by default."""
        return ""

    @property
    def remark(self) -> str:
        """What a user should know; nothing by default."""
        return ""

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Space:
        """Return the space of the variables of a network, under a workload if designs are evaluated with one.

        Raises
        ------
        InputError
            If the space does not cover such networks.
        """

    @property
    def subject(self) -> str:
        """What varies, in words, with the workload if the space has one beside others without."""
        return self.varies

    @property
    def default_objective(self) -> str:
        """Name of the objective of a search that does not specify one: ASPL by default."""
        return "aspl"

    @property
    def baseline(self) -> Design:
        """The simplest design: the reference of comparisons, and a start for every search."""

    def reference_point(self, objective: Lexicographic) -> tuple[int, ...]:
        """Return the point from which the hypervolume of a front is measured: that of the baseline by default."""
        return objective.point(self.baseline)

    def design(self, candidate: Candidate) -> Design:
        """Return the design that a candidate encodes."""

    def candidate(self, design: Design) -> Candidate:
        """Return the candidate of a design.

        Raises
        ------
        InputError
            If the design is not in the space.
        """

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the canonical encoding of a candidate's design."""

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return a lower bound of each score component over the space; None where none is known.

        Raises
        ------
        InputError
            If the objective does not evaluate such designs.
        """

    @property
    def bounded_by(self) -> str:
        """From what `bounds` follow, in words; empty if they are all unknown."""

    def bound_source(self, objective: Lexicographic) -> BoundSource | None:
        """Return the source of `bounds`, if records state it: not if they are formulas, as by default."""
        return None

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective restricted to the components that the designs of this space have.

        Raises
        ------
        InputError
            If it does not evaluate such designs.
        """


def load_rooms() -> None:
    """Import the methods of all spaces of this package, and with them the spaces: ``search/NAME/methods.py``."""
    rooms = resources.files("isoplane.search").iterdir()
    # Folders come in the order of the file system, but spaces are asked in that of their import.
    for name in sorted(room.name for room in rooms if room.joinpath("methods.py").is_file() and room.name != "core"):
        import_module(f"isoplane.search.{name}.methods")


def space_of(network: Network, variables: Mapping[str, Variable], workload: Workload | None = None) -> Space:
    """Return the search space for variables of a network: the kinds of the variables and the workload determine it.

    A cache to choose is no variable; for several, it is a `CacheChoice` of the space of the other variables.

    Parameters
    ----------
    network
        The network; the values of its variables do not matter.
    variables
        Its variables, or only those of its family; or the same within narrower limits.
    workload
        The workload that designs are evaluated with, if any.

    Raises
    ------
    InputError
        If no space has these variables.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network = dual_cube(3, (1, 2, 4))
    >>> space_of(network, network.family.variables).varies
    'connection sets of cubes'
    """
    load_rooms()
    kinds = frozenset(type(variable) for variable in variables.values() if not isinstance(variable, CacheVariable))
    if any(isinstance(variable, CacheVariable) and len(variable.caches) > 1 for variable in variables.values()):
        kinds = frozenset({CacheVariable})
    spaces = Space.__subclasses__()
    matching = next((space for space in spaces if space.over == kinds), None)
    if matching is None:
        raise InputError(
            f"network={network.name}: no search varies {', '.join(variables) or 'anything'} in it; expected networks "
            f"with {', or '.join(space.varies for space in spaces)}"
        )
    return matching.of(network, variables, workload)


AnySpace = TypeVar("AnySpace", bound=Space)
AnyVariable = TypeVar("AnyVariable", bound=Variable)


def variable_of(variables: Mapping[str, Variable], kind: type[AnyVariable]) -> AnyVariable:
    """Return the variable of the given kind."""
    return next(variable for variable in variables.values() if isinstance(variable, kind))
