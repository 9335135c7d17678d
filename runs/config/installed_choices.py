"""Choices that packages and users' folders add, for commands, help and completion; help imports no library for them."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from isoplane.models.installed.entry_points import (
    CHOICE_POINTS,
    METRIC_POINTS,
    ROUTING_POINTS,
    points_of,
)

from .option_files import CONF, Option, choices_of, keys_of, option_of

PLAIN = (str, int, float, bool, type(None))


def add_installed_choices() -> None:
    """Let Hydra find the choices of installed packages, in any command line that is composed from now on.

    Raises
    ------
    InputError
        If a package has the name of a built-in choice, or a function or family that cannot be used.
    """
    from hydra.core.config_store import ConfigStore

    for group in CHOICE_POINTS:
        for name, keys in installed_choices(group).items():
            ConfigStore.instance().store(name, dict(keys), group=group)


def installed_choices(group: str) -> dict[str, Mapping[str, Any]]:
    """Return the choices of a group that installed packages add, each with its keys and their defaults."""
    if not _points(group):
        return {}
    if group == "network":
        return {name: _family_keys(name) for name in _points(group)}
    from isoplane.models.workloads import installed_workloads  # heavy, and of no use in most commands

    found = installed_workloads(choices_of(group))
    return {kind: _parameters(kind, dict(signature(function).parameters)) for kind, function in found.items()}


def choices_folder(words: Sequence[str]) -> Path:
    """Return the folder of a user's choices that the words of a command line name; `conf` if they name none.

    Examples
    --------
    >>> choices_folder(["--config-dir", "mine", "seed=1"]).name, choices_folder(["seed=1"]).name
    ('mine', 'conf')
    """
    folder = str(CONF)
    for flag, after in zip(words, [*words[1:], folder], strict=True):
        name, separator, value = flag.partition("=")
        if name in ("--config-dir", "-cd"):
            folder = value if separator else after
    return Path(folder).absolute()


def shown_choices(group: str, folder: Path = CONF) -> dict[str, str]:
    """Return the choices of a group, each with what it is, those of installed packages and of a user's folder last.

    Examples
    --------
    >>> shown_choices("fleet")["local"]
    'threads of this machine'
    """
    choices = {**choices_of(group), **{name: f"of a package: {value}" for name, value in _points(group).items()}}
    own = sorted(path for path in (folder / group).glob("*.yaml") if path.stem not in choices and path.is_file())
    return {**choices, **{path.stem: "in the folder of --config-dir" for path in own}}


def shown_keys(group: str, choice: str, folder: Path = CONF) -> dict[str, Option]:
    """Return the options of a choice of a group, by key, as `keys_of` and also for choices of installed packages."""
    if choice not in _points(group):
        return {key: shown_option(key, option) for key, option in keys_of(group, choice, folder).items()}
    keys = list(installed_choices(group)[choice].items())[1:]  # after the one that says which it is
    return {key: option_of(key, _shown(value), f"{key} of {choice}") for key, value in keys}


def shown_option(key: str, option: Option) -> Option:
    """Return an option whose choices include routings or metrics of installed packages, where it takes these."""
    if key not in ("routing", "subject_to"):
        return option
    names = points_of(ROUTING_POINTS if key == "routing" else METRIC_POINTS, ())
    return {**option, "choices": ", ".join(filter(None, [option["choices"], *names]))}


def installed_metrics() -> list[str]:
    """Return the names of the metrics that installed packages add."""
    return list(points_of(METRIC_POINTS, ()))


def _points(group: str) -> dict[str, str]:
    """Return the entry points that are choices of a group."""
    return points_of(CHOICE_POINTS[group], choices_of(group)) if group in CHOICE_POINTS else {}


def _shown(value: object) -> str:
    """Return a default as files state it."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _family_keys(name: str) -> Mapping[str, Any]:
    """Return the fields of a family that have plain defaults."""
    from isoplane.models.families import family_named

    family: Any = family_named(name)
    defaults = {field.name: field.default for field in fields(family) if field.default is not MISSING}
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in defaults.items()}
    return {"family": name, **{key: value for key, value in lists.items() if isinstance(value, (*PLAIN, list))}}


def _parameters(kind: str, parameters: Mapping[str, Parameter]) -> Mapping[str, Any]:
    from isoplane.models import InputError

    for key, parameter in parameters.items():
        if not isinstance(parameter.default, (*PLAIN, list)):
            shown = "none" if parameter.default is Parameter.empty else repr(parameter.default)
            raise InputError(f"workload={kind}: default of {key} is {shown}; expected a number, text, list or None")
    return {"kind": kind, "synchronised": False, **{key: each.default for key, each in parameters.items()}}
