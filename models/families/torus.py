"""Tori of any dimension with dimension-order routing."""

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from ..checks import check_bool
from ..even_switches import EvenSwitches, times
from ..grid import check_shape
from ..routing import Routes, torus_order
from ..topologies import torus
from ..topology import Topology


@dataclass(frozen=True, kw_only=True)
class Torus(EvenSwitches):
    """A torus; further parameters as in `EvenSwitches`.

    Parameters
    ----------
    shape
        Switches along each dimension.
    datelines
        Whether virtual channels change where a row ends, so that no deadlock is possible.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Dally, Performance Analysis of k-ary n-cube Interconnection Networks, 1990.

    Examples
    --------
    >>> Torus(shape=(4, 2)).cables  # 8 along x, 4 along y, where one cable joins both neighbours
    12
    """

    name: ClassVar[str] = "torus"

    shape: tuple[int, ...] = (8, 8)
    datelines: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bool("network.datelines", self.datelines)
        object.__setattr__(self, "shape", check_shape(self.shape, "network.shape"))

    @property
    def switches(self) -> int:
        """Number of switches."""
        return prod(self.shape)

    @property
    def switch_ports(self) -> int:
        """Two for each dimension, one where it has two switches."""
        return sum(min(2, size - 1) for size in self.shape)

    @property
    def cables(self) -> int:
        """Number of cables: half of the ports."""
        return self.switches * self.switch_ports // 2

    @property
    def size(self) -> str:
        """The shape."""
        return times(self.shape)

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return torus(self.shape)

    def routes(self) -> Routes:
        """Return the routes: x first, then y, z, ..., each the shorter way round its ring."""
        return torus_order(self.shape, self.datelines)
