"""Modules of installed packages, by which these add to isoplane: entry points ``NAME = "module"``."""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from isoplane.models import InputError


def modules_of(package: str, group: str) -> dict[str, str]:
    """Return the paths of the modules of a package, and of a group of entry points, by name.

    Examples
    --------
    >>> modules_of("isoplane.runs.imports.importers", "isoplane.importers")["graphml"]
    'isoplane.runs.imports.importers.graphml'
    """
    installed = {point.name: point.value for point in entry_points(group=group)}
    folder = import_module(package).__path__
    return {**installed, **{module.name: f"{package}.{module.name}" for module in iter_modules(folder)}}


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
