"""Families of networks, one file each; found by the names of their files, and those of installed packages."""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules

from ..errors import InputError
from ..family import Family

ENTRY_POINTS = "isoplane.families"  # of packages: NAME = "module:Class"


def family_names() -> tuple[str, ...]:
    """Return the names of all families, in alphabetical order: those of this folder and those of installed packages."""
    return tuple(sorted({*_own_names(), *_installed()}))


def family_named(name: object) -> type[Family]:
    """Return the family of a name.

    Raises
    ------
    InputError
        If there is none, or a package promises one that is none.

    Examples
    --------
    >>> family_named("hypercube").__name__
    'Hypercube'
    """
    if isinstance(name, str) and name in _own_names():
        return _of_file(name)
    if isinstance(name, str) and name in _installed():
        return loaded_family(name, _installed()[name].value.replace(":", "."))
    raise InputError(f"network.family={name!r}: expected {', '.join(family_names())}")


def loaded_family(name: str, path: str) -> type[Family]:
    """Return the family of a name from the dotted path of its class.

    Raises
    ------
    InputError
        If there is no such class that can be imported, or it is no family of that name.

    Examples
    --------
    >>> loaded_family("torus", "isoplane.models.families.torus.Torus").__name__
    'Torus'
    """
    module, _, attribute = path.rpartition(".")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(
            f"network={name}: {path} cannot be imported ({error}); expected a module on the path"
        ) from error
    if not isinstance(found, type) or not issubclass(found, Family):
        raise InputError(f"network={name}: {path} is {found!r}; expected a subclass of isoplane.models.Family")
    if getattr(found, "name", None) != name:
        raise InputError(
            f"network={name}: the name of {path} is {getattr(found, 'name', None)!r}; expected the name of its config"
        )
    return found


@cache
def _own_names() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(__path__))


@cache
def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


@cache
def _of_file(name: str) -> type[Family]:
    members = vars(import_module(f"{__name__}.{name}")).values()
    return next(each for each in members if isinstance(each, type) and getattr(each, "name", None) == name)
