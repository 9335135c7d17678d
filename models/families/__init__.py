"""Families of networks, one module each, found by module name or by entry point of a package."""

from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from inspect import isabstract, ismethod
from pkgutil import iter_modules

from ..errors import InputError
from ..family import Family
from ..installed.entry_points import FAMILY_POINTS, Points, points_of

SIZES = "fitting", "tapered", "candidates"  # methods of a class, if `compare` can size its members


def family_names() -> tuple[str, ...]:
    """Return the names of all families, built in or from installed packages, in alphabetical order."""
    return tuple(sorted({*_built_in_names(), *_entry_points()}))


def is_family(name: object) -> bool:
    """Whether a family has the given name."""
    return isinstance(name, str) and (name in _entry_points() or name in _built_in_names())


def family_named(name: object) -> type[Family]:
    """Return the family with the given name, which the program itself may have defined.

    Raises
    ------
    InputError
        If there is none, or the entry point of a package is not a family with that name.

    Examples
    --------
    >>> family_named("hypercube").__name__
    'Hypercube'
    """
    if isinstance(name, str) and name in _built_in_names():
        return _load_built_in(name)
    if isinstance(name, str) and name in _entry_points():
        return load_family(name, _entry_points()[name].replace(":", "."))
    defined = defined_family(name)
    if defined is not None:
        return defined
    raise InputError(f"network.family={name!r}: expected {', '.join(family_names())}")


def defined_family(name: object) -> type[Family] | None:
    """Return the class of a family with the given name that was defined in this process; None if there is none."""
    return defined_families().get(name) if isinstance(name, str) else None


def defined_families() -> dict[str, type[Family]]:
    """Return the classes of families that can have members and are defined in this process, by name.

    Of several, as when a cell of a notebook ran again, it is the last one.
    """
    kinds = Family.__subclasses__()
    for kind in kinds:  # which grows
        kinds += kind.__subclasses__()
    named = ((vars(kind).get("name"), kind) for kind in kinds if not isabstract(kind))
    return {name: kind for name, kind in named if isinstance(name, str)}  # classes between have none


def name_of_family(place: str, family: type[Family]) -> str:
    """Return the name by which a class is found as a family.

    Parameters
    ----------
    place
        What gave the class, for messages.
    family
        The class.

    Raises
    ------
    InputError
        If it cannot have members, or another class is found by its name.
    """
    _require_members(place, family)
    name = getattr(family, "name", None)
    other = family_named(name) if is_family(name) else defined_family(name)
    if not isinstance(name, str) or other is not family:
        of_other = "" if other is None else f", which is that of {other.__module__}.{other.__qualname__}"
        raise InputError(f"{place} has the name {name!r}{of_other}; expected a name of its own: name: ClassVar[str]")
    return name


def load_family(name: str, path: str) -> type[Family]:
    """Import the family with a name from the dotted path of its class.

    Raises
    ------
    InputError
        If the class cannot be imported, is not a family with that name, or cannot have members.

    Examples
    --------
    >>> load_family("torus", "isoplane.models.families.torus.Torus").__name__
    'Torus'
    """
    module, _, attribute = path.rpartition(".")
    try:
        family = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(
            f"network={name}: {path} cannot be imported ({error}); expected a module on PYTHONPATH"
        ) from error
    if not isinstance(family, type) or not issubclass(family, Family):
        raise InputError(f"network={name}: {path} is {family!r}; expected a subclass of isoplane.models.Family")
    if getattr(family, "name", None) != name:
        raise InputError(
            f"network={name}: the attribute `name` of {path} is {getattr(family, 'name', None)!r}; expected {name!r}"
        )
    _require_members(f"network={name}: {path}", family)
    return family


def _require_members(place: str, family: type[Family]) -> None:
    """Require that a class can have members, where Python itself would say so only of the first one."""
    if not is_dataclass(family):
        raise InputError(f"{place} is no dataclass; expected @dataclass(frozen=True, kw_only=True)")
    for field in fields(family):
        if isinstance(getattr(family, field.name, None), property):  # which cannot be set, and hides that there is none
            raise InputError(
                f"{place} has a field {field.name} in place of a property of its base class; expected a default: "
                f"{field.name}: TYPE = VALUE"
            )
    for sizes in SIZES:
        if not ismethod(getattr(family, sizes, family.read)):
            raise InputError(f"{place} has {sizes} without @classmethod; expected @classmethod def {sizes}(cls, ...)")
    if isabstract(family):
        missing = ", ".join(sorted(family.__abstractmethods__))
        raise InputError(f"{place} does not define {missing}; expected all that is abstract in its base class")


@cache
def _built_in_names() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(__path__) if module.name[0] != "_")  # helpers have one


def _entry_points() -> Points:
    return points_of(FAMILY_POINTS, _built_in_names())


@cache
def _load_built_in(name: str) -> type[Family]:
    _entry_points()  # refuses packages that have families with such a name
    members = vars(import_module(f"{__name__}.{name}")).values()
    return next(member for member in members if isinstance(member, type) and getattr(member, "name", None) == name)
