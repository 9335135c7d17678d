"""Choices of groups that installed packages add: networks and workloads, with the defaults of their parameters."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from inspect import Parameter, signature
from typing import Any

from hydra.core.config_store import ConfigStore

from isoplane.models import InputError
from isoplane.models.families import ENTRY_POINTS, family_named
from isoplane.models.installed.entry_points import WORKLOAD_POINTS, points_of

from .option_files import choices_of

PLAIN = (str, int, float, bool, type(None))


def add_installed_choices() -> None:
    """Let Hydra find the choices of installed packages, in any command line that is composed from now on.

    Raises
    ------
    InputError
        If a package has the name of a built-in choice, or a function or family that cannot be used.
    """
    for group in ("network", "workload"):
        for name, keys in installed_choices(group).items():
            ConfigStore.instance().store(name, dict(keys), group=group)


def installed_choices(group: str) -> dict[str, Mapping[str, Any]]:
    """Return the choices of a group that installed packages add, each with its keys and their defaults."""
    if group == "network":
        return {name: _family_keys(name) for name in points_of(ENTRY_POINTS, choices_of(group))}
    if group == "workload" and points_of(WORKLOAD_POINTS, choices_of(group)):
        from isoplane.models.workloads import installed_workloads  # heavy, and of no use in most commands

        found = installed_workloads(choices_of(group))
        return {kind: _parameters(kind, dict(signature(function).parameters)) for kind, function in found.items()}
    return {}


def _family_keys(name: str) -> Mapping[str, Any]:
    """Return the fields of a family that have plain defaults."""
    family: Any = family_named(name)
    defaults = {field.name: field.default for field in fields(family) if field.default is not MISSING}
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in defaults.items()}
    return {"family": name, **{key: value for key, value in lists.items() if isinstance(value, (*PLAIN, list))}}


def _parameters(kind: str, parameters: Mapping[str, Parameter]) -> Mapping[str, Any]:
    for key, parameter in parameters.items():
        if not isinstance(parameter.default, (*PLAIN, list)):
            shown = "none" if parameter.default is Parameter.empty else repr(parameter.default)
            raise InputError(f"workload={kind}: default of {key} is {shown}; expected a number, text, list or None")
    return {"kind": kind, "synchronised": False, **{key: each.default for key, each in parameters.items()}}
