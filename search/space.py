"""Spaces: what a search may vary."""

from dataclasses import dataclass
from typing import Protocol

from isoplane.models import Design
from isoplane.objectives import Objective
from isoplane.objectives.bounds import Enumeration

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
    """What a search may vary, and what is known of all of it."""

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
