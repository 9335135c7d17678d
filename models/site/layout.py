"""Layouts: positions of racks, and cable lengths between them."""

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from math import isqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int, millimetres
from ..errors import InputError
from ..record_fields import ABSENT_IN_OLD_RECORDS

Assignment = Literal["in_order", "metis", "search"]
IN_ORDER: Assignment = "in_order"


@dataclass(frozen=True)
class Layout:
    """Racks of equal size on a grid, numbered row by row, and how switches are assigned to them.

    Parameters
    ----------
    name
        Name in records and reports.
    switches_per_rack
        Maximum number of switches of one plane in a rack.
    aspects
        Allowed ratios of racks across to racks deep, tried in order; ignored for a single rack. Empty for the grid
        whose floor is nearest to a square, of any number of racks, with unused places at its end.
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
    nodes_per_rack
        Maximum number of nodes in a rack; None for no limit.
    assignment
        The rule that assigns switches to racks: ``in_order`` of their ids, by a partition of the graph (``metis``), or
        by a local ``search`` for the least total cable length (`assign_racks`).
    seed
        Seed of the partition and of the search.

    References
    ----------
    Hosomi et al. 2021, sections 3.1.1 and 3.1.2.

    Examples
    --------
    >>> Layout().grid(256)
    (16, 4)
    >>> Layout(aspects=()).grid(21 * 4)  # 7 x 0.8 m across, 3 x 2.5 m deep
    (7, 3)
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
    nodes_per_rack: int | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    assignment: Assignment = field(default=IN_ORDER, metadata=ABSENT_IN_OLD_RECORDS)
    seed: int = field(default=0, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        check_int("layout.switches_per_rack", self.switches_per_rack, 1, 1 << 20)
        if self.aspects is None:
            object.__setattr__(self, "aspects", ())
        if not isinstance(self.aspects, (tuple, list)):
            raise InputError(f"layout.aspects={self.aspects!r}: expected a list of integers")
        object.__setattr__(self, "aspects", tuple(check_int("layout.aspects", a, 1) for a in self.aspects))
        for name in ("pitch_across_m", "pitch_deep_m", "slack_m", "rack_cable_m", "node_cable_m"):
            millimetres(f"layout.{name}", getattr(self, name))
        if (self.racks_across is None) != (self.racks_deep is None):
            raise InputError("layout.racks_across and layout.racks_deep: give both or neither")
        if self.racks_across is not None:
            check_int("layout.racks_across", self.racks_across, 1)
            check_int("layout.racks_deep", self.racks_deep, 1)
        if self.nodes_per_rack is not None:
            check_int("layout.nodes_per_rack", self.nodes_per_rack, 1)
        check_int("layout.seed", self.seed, 0, (1 << 31) - 1)
        if self.assignment not in get_args(Assignment):
            raise InputError(f"layout.assignment={self.assignment!r}: expected {', '.join(get_args(Assignment))}")

    def filled_by_id(self, nodes_per_switch: int) -> "Layout":
        """Return the layout with racks filled by switch id, as many switches in each as both capacities allow.

        Cubes have such layouts, since the rack of a switch must follow from its id.

        Examples
        --------
        >>> Layout(switches_per_rack=8, nodes_per_rack=20, assignment="search").filled_by_id(4).switches_per_rack
        5
        """
        held = self.switches_per_rack
        if self.nodes_per_rack is not None and nodes_per_switch:
            held = min(held, self.nodes_per_rack // nodes_per_switch)
            if not held:
                raise InputError(
                    f"layout.nodes_per_rack={self.nodes_per_rack}: switches have {nodes_per_switch} nodes; expected at "
                    "least as many"
                )
        return replace(self, switches_per_rack=held, nodes_per_rack=None, assignment=IN_ORDER)

    def require_filled_by_id(self, planes: str = "cubes") -> None:
        """Raise an `InputError` unless the rack of a switch is its id // switches_per_rack.

        The cables of cubes are counted by generator, and several planes share racks, which is possible only then.
        """
        rules = (("assignment", self.assignment, IN_ORDER), ("nodes_per_rack", self.nodes_per_rack, None))
        wrong = [rule for rule in rules if rule[1] != rule[2]]
        if wrong:
            name, value, _ = wrong[0]
            # A layout that is chosen by its name sets options that nobody has typed.
            given = f"layout.{name}={value}" if self.name == Layout.name else f"layout={self.name}"
            expected = " ".join(f"layout.{name}={'null' if rule is None else rule}" for name, _, rule in wrong)
            raise InputError(f"{given}: {planes} fill racks by switch id; expected {expected}")

    def racks(self, switches: int) -> int:
        """Return the number of racks for a number of switches per plane, if their nodes need no more."""
        return -(-switches // self.switches_per_rack)

    def grid(self, switches: int) -> tuple[int, int]:
        """Return (racks across, racks deep) for a number of switches per plane, as `grid_of`."""
        return self.grid_of(self.racks(switches))

    def grid_of(self, racks: int) -> tuple[int, int]:
        """Return (racks across, racks deep) for a number of racks."""
        if self.racks_across is not None and self.racks_deep is not None:
            if self.racks_across * self.racks_deep < racks:
                raise InputError(
                    f"layout.racks_across={self.racks_across}, layout.racks_deep={self.racks_deep}: too few racks; "
                    f"expected at least {racks} in total"
                )
            return self.racks_across, self.racks_deep
        if racks == 1:
            return 1, 1
        if not self.aspects:
            return self._nearly_square_grid(racks)
        for aspect in self.aspects:
            deep = isqrt(racks // aspect)
            if deep and deep * deep * aspect == racks:
                return deep * aspect, deep
        raise InputError(
            f"layout.aspects={list(self.aspects)}: none fits {racks} racks; expected layout=floor, or "
            "layout.aspects=[] for cubes, which take any number of racks, or racks_across and racks_deep"
        )

    def _nearly_square_grid(self, racks: int) -> tuple[int, int]:
        """Return the grid with the shortest longer side in metres; of several, that with the fewest places.

        As racks are added to a row, the width grows and the depth never does, so that the best grid is one of the two
        where the width reaches the depth.
        """
        across_mm, deep_mm = self._pitch_mm()

        def is_wide(across: int) -> bool:
            return across * across_mm >= -(-racks // across) * deep_mm

        reached = 1 + bisect_left(range(1, racks), True, key=is_wide)
        grids = set()
        for across in {max(1, reached - 1), reached}:
            deep = -(-racks // across)
            grids.add((-(-racks // deep), deep))
        return min(grids, key=lambda grid: (max(grid[0] * across_mm, grid[1] * deep_mm), grid[0] * grid[1], grid))

    def _pitch_mm(self) -> tuple[int, int]:
        return millimetres("", self.pitch_across_m), millimetres("", self.pitch_deep_m)

    def positions_mm(self, switches: int) -> NDArray[np.int64]:
        """Return `rack_positions_mm` for a number of switches per plane."""
        return self.rack_positions_mm(self.racks(switches))

    def rack_positions_mm(self, racks: int) -> NDArray[np.int64]:
        """Return the position of every rack as ``int64[racks, 2]``: across and deep, in millimetres."""
        across, _ = self.grid_of(racks)
        rack = np.arange(racks, dtype=np.int64)
        pitch = self._pitch_mm()
        return np.stack([rack % across * pitch[0], rack // across * pitch[1]], axis=1)

    def cable_mm(self, switch: int, other: int, switches: int) -> int:
        """Return the required length of a cable between two switches in millimetres, before catalogue rounding.

        Racks are filled by switch id.
        """
        rack, other_rack = switch // self.switches_per_rack, other // self.switches_per_rack
        if rack == other_rack:
            return millimetres("", self.rack_cable_m)
        positions = self.positions_mm(switches)
        return int(np.abs(positions[rack] - positions[other_rack]).sum()) + millimetres("", self.slack_m)
