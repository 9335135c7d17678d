"""Entry points of installed packages, by which these add to isoplane: modules and functions by name."""

import os
import sys
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from ..errors import InputError

PREFIX = "isoplane."  # of the names of groups
FAMILY_POINTS, METRIC_POINTS = f"{PREFIX}families", f"{PREFIX}metrics"
ROUTING_POINTS, WORKLOAD_POINTS = f"{PREFIX}routings", f"{PREFIX}workloads"
CHOICE_POINTS = {"network": FAMILY_POINTS, "workload": WORKLOAD_POINTS}  # by group of options
FILE = "entry_points.txt"
Points = dict[str, str]  # values by name


def points_of(group: str, built_in: Collection[str]) -> Points:
    """Return the entry points of a group, ``NAME = "module"`` or ``NAME = "module:attribute"``, by name.

    They are read from the files of the packages in the path of Python, of which most have none, because
    `importlib.metadata` takes longer to import than all of this.

    Parameters
    ----------
    group
        Such as ``isoplane.workloads``.
    built_in
        The names that isoplane itself has.

    Raises
    ------
    InputError
        If a package has one of these names, or two packages have the same.
    """
    points: Points = {}
    for name, value in _installed(_state()).get(group, ()):
        if name in built_in or points.get(name, value) != value:
            other = "a name of isoplane itself" if name in built_in else f"also {points[name]}, of another package"
            raise InputError(f"entry point {group}: {name} = {value}: {other}; expected a name of its own")
        points[name] = value
    return points


def _state() -> tuple[tuple[str, int], ...]:
    """Return the folders in the path of Python, each with the time when a package was last installed in it."""
    found = []
    for folder in dict.fromkeys(sys.path):
        try:
            found.append((folder or ".", os.stat(folder or ".").st_mtime_ns))  # noqa: PTH116  # in each evaluation
        except OSError:
            continue
    return tuple(found)


@lru_cache(maxsize=1)
def _installed(state: tuple[tuple[str, int], ...]) -> Mapping[str, list[tuple[str, str]]]:
    """Return the entry points of all groups of isoplane, by group; of two versions of a package those found first."""
    groups: dict[str, list[tuple[str, str]]] = {}
    seen = set[str]()
    for folder, _ in state:
        for path in sorted(Path(folder).glob(f"*-info/{FILE}")):
            package = path.parent.name.partition("-")[0].lower()
            text = path.read_text(encoding="utf-8", errors="replace")
            if f"[{PREFIX}" not in text or package in seen:
                continue
            seen.add(package)
            for group, points in _read(path, text).items():
                groups.setdefault(group, []).extend(points.items())
    return groups


def _read(path: Path, text: str) -> Mapping[str, Points]:
    """Return the entry points in a file, by group."""
    from configparser import ConfigParser, Error  # slow to import, and few packages add to isoplane

    parser = ConfigParser(delimiters=("=",), interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[method-assign,assignment]  # names are case-sensitive
    try:
        parser.read_string(text)
    except Error as error:
        raise InputError(f"{path}: {error.message.splitlines()[0]}; expected entry points") from error
    return {group: {name: value.strip() for name, value in parser[group].items()} for group in parser.sections()}


def modules_of(package: str, group: str) -> dict[str, str]:
    """Return the paths of the modules of a package, and of a group of entry points, by name.

    Examples
    --------
    >>> modules_of("isoplane.models.topologies", "isoplane.topologies")["torus"]
    'isoplane.models.topologies.torus'
    """
    modules = {module.name: f"{package}.{module.name}" for module in iter_modules(import_module(package).__path__)}
    return points_of(group, modules) | modules


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
        raise InputError(f"{place}: {path} cannot be imported ({error}); expected a module on PYTHONPATH") from error
    for name, kind in expected.items():
        if not isinstance(getattr(module, name, None), kind):
            raise InputError(f"{place}: {path} has no {name}; expected a module with it")
    return module


def function_at(place: str, path: str) -> Callable[..., Any]:
    """Return a function by its path ``module:function``.

    Parameters
    ----------
    place
        What the function is for and its name, for messages.
    path
        Its path.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> function_at("workload=own", "json:dumps")(1)
    '1'
    """
    module, _, name = path.partition(":")
    found = getattr(module_with(place, module, {}), name, None)
    if not callable(found):
        raise InputError(f"{place}: {module} has no function {name}; expected module:function")
    return found  # type: ignore[no-any-return]
