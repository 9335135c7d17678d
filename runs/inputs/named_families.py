"""Families by name: built in, from an installed package, or of the user's own."""

import re
from collections.abc import Iterator
from importlib import resources
from inspect import ismethod
from pathlib import Path
from typing import Any, cast

from hydra.core.hydra_config import HydraConfig

from isoplane.models import Family, InputError, family_named, family_names
from isoplane.models.families import defined_families, defined_family, is_family, load_family
from isoplane.models.family import is_own
from isoplane.models.family_kinds.sized import Sized
from isoplane.runs.inputs.yaml_files import read_yaml

NAME = re.compile(r"[A-Za-z0-9_-]+")
TARGET = "_target_"
OWN = (  # in messages: where a family of the user's own can be
    "a family of an installed package (entry point isoplane.families), a class that this program has defined, or NAME "
    "if the folder given by --config-dir contains network/NAME.yaml"
)


def family_of(name: object) -> type[Family]:
    """Return the family with a name given in a config or record, which may be the user's own (`own_family`)."""
    family = family_named(name) if is_family(name) else own_family(name)
    if family is None:
        raise InputError(f"network.family={name!r}: expected one of {', '.join(family_names())}, {OWN}")
    return family


def own_family(name: object) -> type[Family] | None:
    """Return the family with a name that is the user's own; None if there is none.

    Class names in records and runs are ignored: only a YAML of that name in the search path of the current command
    (`--config-dir`, `hydra.searchpath`) names the class of a user-defined family. In Python it can also be a class that
    the program itself has defined.
    """
    data = user_network_yaml(name)
    if data is None:
        return None if HydraConfig.initialized() else defined_family(name)  # of a program, not of a command
    if not isinstance(data.get(TARGET), str):
        raise InputError(f"network={name}: no {TARGET} in its YAML; expected the class of the family, such as a.b.C")
    return load_family(str(name), data[TARGET])


def sized_families() -> tuple[str, ...]:
    """Return the names of the families whose size can be chosen: built in, of packages, or in the user's folders."""
    families = {name: family_named(name) for name in family_names()} | _own_families()
    return tuple(sorted(name for name, family in families.items() if _can_be_sized(family)))


def sized_family(key: str, name: object) -> type[Sized]:
    """Return a family whose size can be chosen, which may be the user's own.

    Raises
    ------
    InputError
        If there is none; the message begins with the key and its value.
    """
    family = family_named(name) if is_family(name) else own_family(name)
    if family is not None and _can_be_sized(family):
        return cast(type[Sized], family)
    if family is not None and not is_family(name):
        raise InputError(f"{key}: {family.__name__} has no sizes; expected a class with `fitting(nodes, ports)`")
    allowed = ", ".join(sized_families())
    raise InputError(f"{key}: no family {name!r} that can be sized; expected {allowed}, {OWN}")


def left_out_families() -> tuple[str, ...]:
    """Return the names of families with sizes that this program has defined, which only their names bring in.

    What a program imports must not change its other comparisons. In a command there are none.
    """
    known = sized_families()
    defined = {} if HydraConfig.initialized() else defined_families()
    own = (name for name, family in defined.items() if is_own(family) and _has_sizes(family))
    return tuple(sorted(name for name in own if name not in known))


def _has_sizes(family: type[Family]) -> bool:
    """Whether a class has a method `fitting` other than that of `Sized`; it is not called."""
    fitting = getattr(family, "fitting", None)
    return ismethod(fitting) and fitting.__func__ is not vars(Sized)["fitting"].__func__


def _can_be_sized(family: type[Family]) -> bool:
    return issubclass(family, Sized) and family.fitting(2, 2) is not None


def _own_families() -> dict[str, type[Family]]:
    """Return the families that YAML files in the search path of the current command define, by name."""
    files = (path for folder in _folders() for path in sorted((folder / "network").glob("*.yaml")))
    yaml_of = {path.stem: user_network_yaml(path.stem) or {} for path in files}
    # Other files are of members of a family.
    own = (name for name, data in yaml_of.items() if TARGET in data and data.get("family") == name)
    return {name: family for name in own if (family := own_family(name)) is not None}


def user_network_yaml(name: object) -> dict[str, Any] | None:
    """Return the YAML of a user-defined network in the search path of the current command; None if there is none."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return None
    for folder in _folders():
        path = folder / "network" / f"{name}.yaml"
        if path.is_file():
            try:
                data = read_yaml(path)
            except OSError as error:
                raise InputError(f"{path}: {error.strerror}; expected a config") from error
            return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}
    return None


def _folders() -> Iterator[Path]:
    """Yield the user's folders in the search path of the current command; none in Python."""
    for source in HydraConfig.get().runtime.config_sources if HydraConfig.initialized() else ():
        if source.schema == "file":
            yield Path(source.path)
        elif source.schema == "pkg" and source.path not in ("isoplane.conf", "hydra.conf"):
            yield Path(str(resources.files(source.path)))
