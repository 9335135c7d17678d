"""Orders of an all-gather that do not depend on the network, one module each, looked up by module name."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from isoplane.models.checks import check_int
from isoplane.models.errors import InputError

from ..all_gather import MAX_PROCESSES, GatherOrder


@cache
def gather_order_names() -> tuple[str, ...]:
    """Return the names of all orders, in alphabetical order.

    Examples
    --------
    >>> gather_order_names()
    ('recursive_doubling', 'ring')
    """
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def gather_order_named(name: object, processes: int) -> GatherOrder:
    """Return the order with the given name among so many processes.

    Examples
    --------
    >>> gather_order_named("ring", 3).first.tolist()
    [0, 1, 2, 2, 0, 1]
    """
    if name not in gather_order_names():
        raise InputError(f"order={name!r}: expected {', '.join(gather_order_names())}")
    check_int("order: processes", processes, 2, MAX_PROCESSES)
    return GatherOrder(str(name), processes, *import_module(f"{__name__}.{name}").messages(processes))
