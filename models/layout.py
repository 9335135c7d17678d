"""Layouts: positions of racks, and cable lengths between them."""

from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from .checks import check_int, millimetres
from .errors import InputError


@dataclass(frozen=True)
class Layout:
    """Racks of equal size on a grid, filled row by row in the order of the switch ids.

    Parameters
    ----------
    name
        Name in records and reports.
    switches_per_rack
        Switches of one plane in one rack: rack = switch id // switches_per_rack.
    aspects
        Allowed ratios of racks across to racks deep, tried in order; ignored for a single rack.
    pitch_across_m, pitch_deep_m
        Distance between neighbouring racks of a row, and between neighbouring rows.
    slack_m
        Added to the Manhattan distance between two racks.
    rack_cable_m
        Length of a cable between two switches in the same rack.
    node_cable_m
        Length of the cable between a node and its switch.
    racks_across, racks_deep
        The size of the grid; by default, it follows from the aspects.

    Raises
    ------
    InputError
        If a number is out of range or only one side of the grid is given.

    References
    ----------
    Hosomi et al. 2021, sections 3.1.1 and 3.1.2.

    Examples
    --------
    >>> Layout().grid(256)
    (16, 4)
    >>> Layout().cable_mm(0, 31, switches=32)
    6900
    """

    name: str = "paper"
    switches_per_rack: int = 4
    aspects: tuple[int, ...] = (4, 2)
    pitch_across_m: float = 0.8
    pitch_deep_m: float = 2.5
    slack_m: float = 2.0
    rack_cable_m: float = 1.0
    node_cable_m: float = 2.0
    racks_across: int | None = None
    racks_deep: int | None = None

    def __post_init__(self) -> None:
        check_int("layout.switches_per_rack", self.switches_per_rack, 1, 1 << 20)
        if not isinstance(self.aspects, (tuple, list)):
            raise InputError(f"layout.aspects={self.aspects!r}: expected a list of integers")
        object.__setattr__(self, "aspects", tuple(check_int("layout.aspects", a, 1) for a in self.aspects))
        for field in ("pitch_across_m", "pitch_deep_m", "slack_m", "rack_cable_m", "node_cable_m"):
            millimetres(f"layout.{field}", getattr(self, field))
        if (self.racks_across is None) != (self.racks_deep is None):
            raise InputError("layout.racks_across and layout.racks_deep: give both or neither")
        if self.racks_across is not None:
            check_int("layout.racks_across", self.racks_across, 1)
            check_int("layout.racks_deep", self.racks_deep, 1)

    def racks(self, switches: int) -> int:
        """Return the number of racks for a number of switches per plane."""
        return -(-switches // self.switches_per_rack)

    def grid(self, switches: int) -> tuple[int, int]:
        """Return (racks across, racks deep).

        Raises
        ------
        InputError
            If the given grid has too few racks, or no allowed aspect fits their number.
        """
        racks = self.racks(switches)
        if self.racks_across is not None and self.racks_deep is not None:
            if self.racks_across * self.racks_deep < racks:
                raise InputError(
                    f"layout.racks_across={self.racks_across}, layout.racks_deep={self.racks_deep}: too few racks; "
                    f"expected at least {racks} in total"
                )
            return self.racks_across, self.racks_deep
        if racks == 1:
            return 1, 1
        for aspect in self.aspects:
            deep = isqrt(racks // aspect)
            if deep and deep * deep * aspect == racks:
                return deep * aspect, deep
        raise InputError(
            f"layout.aspects={list(self.aspects)}: none fits {racks} racks; expected racks_across and racks_deep"
        )

    def positions_mm(self, switches: int) -> NDArray[np.int64]:
        """Return the position of every rack as ``int64[racks, 2]``: across and deep, in millimetres."""
        across, _ = self.grid(switches)
        rack = np.arange(self.racks(switches), dtype=np.int64)
        pitch = [millimetres("", self.pitch_across_m), millimetres("", self.pitch_deep_m)]
        return np.stack([rack % across * pitch[0], rack // across * pitch[1]], axis=1)

    def cable_mm(self, switch: int, other: int, switches: int) -> int:
        """Return the required length of a cable between two switches in millimetres, before catalogue rounding."""
        rack, other_rack = switch // self.switches_per_rack, other // self.switches_per_rack
        if rack == other_rack:
            return millimetres("", self.rack_cable_m)
        positions = self.positions_mm(switches)
        return int(np.abs(positions[rack] - positions[other_rack]).sum()) + millimetres("", self.slack_m)
