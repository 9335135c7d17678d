"""Groups of columns, one module each with ``GROUP`` and its position ``ORDER``, found by name."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..column import Group


@cache
def groups() -> tuple[Group, ...]:
    """Return all groups, in the order of pages and files."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return tuple(module.GROUP for module in sorted(modules, key=lambda module: module.ORDER))
