"""Folded hypercubes with one or more planes: hypercubes with a folded link at every switch."""

from dataclasses import dataclass
from typing import ClassVar

from ..family_kinds.cube import Cubes


@dataclass(frozen=True)
class FoldedHypercube(Cubes):
    """Folded hypercube planes over one set of nodes; parameters as in `Cubes`."""

    name: ClassVar[str] = "folded_hypercube"
    folded: ClassVar[bool] = True
