"""Planes of cubes as a config gives them."""

from collections.abc import Mapping
from typing import Any

from ..checks import check_int
from ..cubes.connection_set import ConnectionSet
from ..cubes.cube import Cube
from ..errors import InputError

MAX_PLANES = 8
MIN_CONFIGURED_N, MAX_CONFIGURED_N = 2, 16  # supported by the kernels
IDENTICAL = "identical"


def cubes_of_config(keys: Mapping[str, Any], folded: bool) -> tuple[Cube, ...]:
    """Return the planes of a config: the unit basis in plane 0, the given ``generators`` in the others.

    Examples
    --------
    >>> cubes_of_config({"n": 3, "planes": 2, "generators": [3, 5, 7]}, folded=False)[1].connections.generators
    (3, 5, 7)
    """
    n = check_int("network.n", keys["n"], MIN_CONFIGURED_N, MAX_CONFIGURED_N)
    planes = check_int("network.planes", keys["planes"], 1, MAX_PLANES)
    generators = keys.get("generators")
    if generators == IDENTICAL:
        generators = [list(ConnectionSet.unit(n).generators)] * (planes - 1)
    elif planes == 1 and generators is None:
        generators = []
    elif planes == 2 and isinstance(generators, list) and not any(isinstance(row, list) for row in generators):
        generators = [generators]
    if (
        not isinstance(generators, list)
        or not all(isinstance(row, list) for row in generators)
        or len(generators) != planes - 1
    ):
        form = "[3,5,7]" if planes <= 2 else "[[3,5,7],[3,5,6]], one list per plane after plane 0"
        shipped = ", such as record=best" if planes == 2 else ""
        raise InputError(
            f"network.generators={'null' if generators is None else repr(generators)}: expected a list such as {form}, "
            f"{IDENTICAL}, or record=FILE{shipped}"
        )
    sets = (ConnectionSet.unit(n), *(ConnectionSet(n, tuple(row)) for row in generators))
    return tuple(Cube(connection_set, folded) for connection_set in sets)
