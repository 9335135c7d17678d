"""Families by name: built in, from an installed package, or from YAML in the command's search path."""

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from isoplane.models import Family, InputError, family_named, family_names
from isoplane.models.families import defined_family, is_family, load_family
from isoplane.runs.inputs.yaml_files import read_yaml

NAME = re.compile(r"[A-Za-z0-9_-]+")
TARGET = "_target_"


def family_of(name: object) -> type[Family]:
    """Return the family with a name given in a config or record.

    Class names in records and runs are ignored: only a YAML of that name in the search path of the current command
    (`--config-dir`, `hydra.searchpath`) names the class of a user-defined family. In Python it can also be a class that
    the program itself has defined.
    """
    if is_family(name):
        return family_named(name)
    data = user_network_yaml(name)
    if data is None:
        defined = None if HydraConfig.initialized() else defined_family(name)  # of a program, not of a command
        if defined is not None:
            return defined
        raise InputError(
            f"network.family={name!r}: expected one of {', '.join(family_names())}, a family of an installed package "
            "(entry point isoplane.families), a class that this program has defined, or NAME if the folder given by "
            "--config-dir contains network/NAME.yaml"
        )
    if not isinstance(data.get(TARGET), str):
        raise InputError(f"network={name}: no {TARGET} in its YAML; expected the class of the family, such as a.b.C")
    return load_family(str(name), data[TARGET])


def user_network_yaml(name: object) -> dict[str, Any] | None:
    """Return the YAML of a user-defined network in the search path of the current command; None if there is none."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or not HydraConfig.initialized():
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
    """Yield the user's folders in the search path."""
    for source in HydraConfig.get().runtime.config_sources:
        if source.schema == "file":
            yield Path(source.path)
        elif source.schema == "pkg" and source.path not in ("isoplane.conf", "hydra.conf"):
            yield Path(str(resources.files(source.path)))
