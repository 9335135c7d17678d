"""Modules of installed packages, by which these add to isoplane: entry points ``NAME = "module"``."""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from isoplane.models import InputError


def installed_modules(group: str) -> dict[str, str]:
    """Return the paths of the modules of a group of entry points, by name.

    Examples
    --------
    >>> installed_modules("isoplane.none")
    {}
    """
    return {point.name: point.value for point in entry_points(group=group)}


def module_with(place: str, path: str, expected: Mapping[str, Any]) -> ModuleType:
    """Return a module that has what is expected.

    Parameters
    ----------
    place
        What the module is for and its name, for messages.
    path
        The path of the module.
    expected
        Its attributes by name, with their types.

    Raises
    ------
    InputError
        If it cannot be imported, or lacks one of them.

    Examples
    --------
    >>> module_with("format=own", "json", {"EXPORTER": str})
    Traceback (most recent call last):
    isoplane.models.errors.InputError: format=own: json has no EXPORTER; expected a module with it
    """
    try:
        module = import_module(path)
    except ImportError as error:
        raise InputError(f"{place}: {path} cannot be imported ({error}); expected an importable module") from error
    for name, kind in expected.items():
        if not isinstance(getattr(module, name, None), kind):
            raise InputError(f"{place}: {path} has no {name}; expected a module with it")
    return module
