"""Values of a composed config: as plain data, as groups, as paths."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from isoplane.models import InputError


def plain(config: DictConfig) -> dict[str, Any]:
    """Return a config as plain Python data, with interpolations resolved."""
    data = OmegaConf.to_container(config, resolve=True)
    return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}


def shown(value: object) -> str:
    """Return a value as messages show it; None is shown as null, as on the command line."""
    return "null" if value is None else repr(value)


def group(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a group of a config as a mapping.

    Raises
    ------
    InputError
        If the value is not a group.
    """
    value = config.get(name)
    if not isinstance(value, dict):
        raise InputError(f"{name}={shown(value)}: expected one of the choices of the group")
    return value


def path_of(name: str, value: object) -> Path:
    """Return the path given as a value of the command line; a bare number is also a path.

    Raises
    ------
    InputError
        If the value is not a path.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise InputError(f"{name}={'null' if value is None else value}: expected the path of a file or folder")
    return Path(str(value))


def paths_of(name: str, value: object) -> list[Path]:
    """Return the files given as a list, one for each plane, or as a single value.

    Raises
    ------
    InputError
        If there are none, a value is not a path, or one file is given twice.
    """
    values = value if isinstance(value, list) else [value]
    if not values or None in values:
        raise InputError(f"{name}={shown(value)}: expected a file, or a list with one for each plane")
    return distinct_paths(name, values)


def distinct_paths(name: str, values: Sequence[object]) -> list[Path]:
    """Return the paths given as values of the command line; one file is an `InputError` if it is given twice."""
    paths = [path_of(name, each) for each in values]
    resolved = [path.resolve() for path in paths]
    for number, path in enumerate(paths):
        if resolved[number] in resolved[:number]:
            raise InputError(f"{name}={path}: given twice; expected each file once")
    return paths


def given_words() -> list[str]:
    """Return the overrides of the command line, none if the verb was called from Python."""
    return list(HydraConfig.get().overrides.task) if HydraConfig.initialized() else []


def given_command() -> list[str]:
    """Return the overrides of the command line, preceded by its config folders."""
    hydra = HydraConfig.get()
    folders = [source.path for source in hydra.runtime.config_sources if source.provider == "command-line"]
    return [*(word for folder in folders for word in ("--config-dir", folder)), *hydra.overrides.task]
