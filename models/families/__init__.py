"""Families of networks, one file each; found by the names of their files."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import InputError
from ..family import Family


def family_names() -> tuple[str, ...]:
    """Return the names of all families, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


@cache
def family_named(name: str) -> type[Family]:
    """Return the family of a name.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> family_named("hypercube").__name__
    'Hypercube'
    """
    if name not in family_names():
        raise InputError(f"network.family={name!r}: allowed are {', '.join(family_names())}")
    members = vars(import_module(f"{__name__}.{name}")).values()
    return next(each for each in members if isinstance(each, type) and getattr(each, "name", None) == name)
