"""Orders of an all-to-all exchange that do not depend on the network, one module each, looked up by module name."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
from numpy.typing import NDArray

from isoplane.models.checks import check_int
from isoplane.models.errors import InputError

from ..all_to_all import MAX_PROCESSES, ExchangeOrder


@cache
def order_names() -> tuple[str, ...]:
    """Return the names of all orders, in alphabetical order.

    Examples
    --------
    >>> order_names()
    ('ring', 'shift', 'xor')
    """
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def order_named(name: object, nodes: Sequence[int] | NDArray[np.integer]) -> ExchangeOrder:
    """Return the order with the given name among processes on the given nodes.

    Examples
    --------
    >>> order_named("xor", range(4)).destination.tolist()
    [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    """
    if name not in order_names():
        raise InputError(f"order={name!r}: expected {', '.join(order_names())}")
    processes = check_int("order: processes", len(nodes), 2, MAX_PROCESSES)
    destinations: NDArray[np.int64] = import_module(f"{__name__}.{name}").destinations(processes)
    return ExchangeOrder(str(name), np.asarray(nodes, dtype=np.int32), destinations.astype(np.int32))
