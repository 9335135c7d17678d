"""The incumbent of a search, or its non-dominated designs."""

from collections.abc import Iterable, Iterator

from isoplane.models import Design
from isoplane.objectives import Evaluation, Lexicographic

from .space import Candidate, Space


class Archive:
    """Keeps the best design of an objective, or the non-dominated ones of a front.

    Parameters
    ----------
    objective
        The score to minimise.

    Examples
    --------
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> from isoplane.search import ConnectionSets
    >>> archive = Archive(Lexicographic("aspl", (("sum_of_distances",),), CUBES))
    >>> len(list(archive.add(ConnectionSets(3), [(3, 5, 7), (1, 2, 4)])))
    1
    """

    def __init__(self, objective: Lexicographic) -> None:
        self._objective = objective
        self._seen: set[Candidate] = set()
        self._kept: dict[Design, tuple[tuple[int, ...], Evaluation]] = {}

    @property
    def designs(self) -> list[Design]:
        """The archived designs, best score first."""
        return sorted(self._kept, key=lambda design: self._kept[design][1].score)

    @property
    def best(self) -> Design:
        """The design with the best score."""
        return self.designs[0]

    def evaluation(self, design: Design) -> Evaluation:
        """Return the evaluation of an archived design."""
        return self._kept[design][1]

    def add(self, space: Space, candidates: Iterable[Candidate]) -> Iterator[Design]:
        """Add candidates, and yield those of them that are non-dominated once all are added."""
        added = []
        # Sorted, so that of equal scores the least candidate stays, whichever worker found it first.
        for candidate in sorted({space.canonical(candidate) for candidate in candidates} - self._seen):
            self._seen.add(candidate)
            design = space.design(candidate)
            value = self._objective.point(design)
            # An equal point counts as dominated: of designs that are alike the first one is kept.
            if any(self._dominates(kept, value) for kept, _ in self._kept.values()):
                continue
            self._kept = {d: entry for d, entry in self._kept.items() if not self._dominates(value, entry[0])}
            self._kept[design] = value, self._objective(design)
            added.append(design)
        yield from (design for design in added if design in self._kept)

    def _dominates(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Whether a point is at least as good as another: in both metrics of a front, else lexicographically.

        Also for a front, a smaller excess over limits comes first.
        """
        first = self._objective.first
        if self._objective.front is None or one[:first] != other[:first]:
            return one <= other
        return all(a <= b for a, b in zip(one, other, strict=True))
