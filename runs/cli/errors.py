"""Errors of Hydra in one line that names the value and what is allowed."""

import re
from importlib import resources

from hydra.errors import ConfigCompositionException, MissingConfigException, OverrideParseException


def describe(verb: str, error: Exception) -> str:
    """Return the message of an exception as one line; Hydra's are completed with the allowed choices."""
    if isinstance(error, OverrideParseException):
        return (
            f"{error.override!r}: allowed are overrides key=value; put lists in brackets, and quote values with special "
            "characters such as '='"
        )
    if isinstance(error, MissingConfigException):
        return _missing(error)
    if isinstance(error, ConfigCompositionException):
        cause = str(error.__cause__ or error)
        unknown = re.search(r"Key '([^']+)' is not in struct|Could not override '([^']+)'", f"{error} {cause}")
        if unknown:
            return _unknown(verb, str(error), unknown.group(2) or unknown.group(1))
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}; allowed is a place that exists and can be written"
    return " ".join(str(error).split())


def _missing(error: MissingConfigException) -> str:
    name = error.missing_cfg_file or ""
    group, _, choice = name.rpartition("/")
    if error.options:
        allowed = ", ".join(sorted(_leaves(group, error.options)))
        return f"{group}={choice}: allowed are {allowed}"
    return " ".join(str(error).split())


def _leaves(group: str, options: "list[str] | tuple[str, ...]") -> list[str]:
    """Return the choices of a group; those of folders in it with the folder's name."""
    root = resources.files("isoplane.conf").joinpath(group)
    names = []
    for option in options:
        inner = root.joinpath(option)
        if inner.is_dir():
            names += [f"{option}/{file.name.removesuffix('.yaml')}" for file in inner.iterdir()]
        else:
            names.append(option)
    return names


def _unknown(verb: str, message: str, key: str) -> str:
    """Name the keys that stand where an unknown one was given."""
    from hydra import compose, initialize_config_module
    from hydra.core.global_hydra import GlobalHydra
    from omegaconf import DictConfig, OmegaConf

    GlobalHydra.instance().clear()
    with initialize_config_module("isoplane.conf", version_base="1.3"):
        config = compose(verb)
    parent, _, _ = key.rpartition(".")
    place = OmegaConf.select(config, parent) if parent else config
    allowed = sorted(map(str, place)) if isinstance(place, DictConfig) else []
    return f"{key}: unknown; allowed {'in ' + parent + ' ' if parent else ''}are {', '.join(allowed) or 'no keys'}"
