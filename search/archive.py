"""The designs that a search has found and nothing beats."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from isoplane.models import Design
from isoplane.objectives import Evaluation, Objective, exact_metric, ingredients

from .space import ConnectionSets, Generators


class Archive:
    """Keeps the best design of an objective, or the non-dominated ones of a front.

    Parameters
    ----------
    objective
        What is good.
    bound
        What no design of the space scores below, for the evaluations; by default unknown.

    Examples
    --------
    >>> archive = Archive(Objective("aspl", (("sum_of_distances",),)))
    >>> len(list(archive.news(ConnectionSets(3), [(3, 5, 7), (1, 2, 4)])))
    1
    """

    def __init__(self, objective: Objective, bound: tuple[int | None, ...] | None = None) -> None:
        self._objective = objective
        self._bound = bound or (None,) * len(objective.components)
        self._seen: set[Generators] = set()
        self._kept: dict[Design, tuple[tuple[int, ...], Evaluation]] = {}

    @property
    def designs(self) -> list[Design]:
        """The designs kept, best score first."""
        return sorted(self._kept, key=lambda design: self._kept[design][1].score)

    @property
    def best(self) -> Design:
        """The design with the best score."""
        return self.designs[0]

    def evaluation(self, design: Design) -> Evaluation:
        """Return the evaluation of a design that is kept."""
        return self._kept[design][1]

    def news(self, space: ConnectionSets, candidates: Iterable[Generators]) -> Iterator[Design]:
        """Take candidates in, and yield those that nothing beats once all are in."""
        added = []
        for generators in sorted({tuple(sorted(candidate)) for candidate in candidates} - self._seen):
            self._seen.add(generators)
            design = space.design(generators)
            value = self._value(design)
            if any(self._covers(kept, value) for kept, _ in self._kept.values()):
                continue
            self._kept = {d: entry for d, entry in self._kept.items() if not self._covers(value, entry[0])}
            self._kept[design] = (value, replace(self._objective(design), bound=self._bound))
            added.append(design)
        yield from (design for design in added if design in self._kept)

    def _value(self, design: Design) -> tuple[int, ...]:
        """Return the point of a front, or the score."""
        exact = ingredients(design.network)
        if self._objective.front is not None:
            return tuple(exact_metric(exact, metric) for metric in self._objective.front)
        return self._objective.score(exact)

    def _covers(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        if self._objective.front is not None:
            return all(a <= b for a, b in zip(one, other, strict=True))
        return one <= other
