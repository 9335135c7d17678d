"""Families of networks, one file each; found by the names of their files."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import InputError
from ..family import Family


def family_names() -> tuple[str, ...]:
    """Return the names of all families, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def family_named(name: object) -> type[Family]:
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
    if not isinstance(name, str) or name not in family_names():
        raise InputError(f"network.family={name!r}: allowed are {', '.join(family_names())}")
    return _of_file(name)


@cache
def _of_file(name: str) -> type[Family]:
    members = vars(import_module(f"{__name__}.{name}")).values()
    return next(each for each in members if isinstance(each, type) and getattr(each, "name", None) == name)
