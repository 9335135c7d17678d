"""Hypercubes with one or more planes."""

from dataclasses import dataclass
from typing import ClassVar

from ..family_kinds.cube import Cubes


@dataclass(frozen=True)
class Hypercube(Cubes):
    """Hypercube planes over one set of nodes; parameters as in `Cubes`."""

    name: ClassVar[str] = "hypercube"
    folded: ClassVar[bool] = False
