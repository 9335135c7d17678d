"""Formats for export, one module or package each with ``EXPORTER``, found by name or by entry point of a package."""

from functools import cache
from pkgutil import iter_modules

from isoplane.models import InputError
from isoplane.runs.inputs.installed_modules import installed_modules, module_with

from ..exporter import Exporter

ENTRY_POINTS = "isoplane.exporters"  # of installed packages: NAME = "module"


def exporter_names() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(sorted(_modules()))


def _modules() -> dict[str, str]:
    """Return the modules of all formats by name: those of this folder, and of installed packages."""
    own = {module.name: f"{__name__}.{module.name}" for module in iter_modules(__path__)}
    return {**installed_modules(ENTRY_POINTS), **own}


@cache
def exporter_named(name: str) -> Exporter:
    """Return the exporter of a format.

    Examples
    --------
    >>> exporter_named("graphml").checked_by
    'networkx'
    """
    if name not in exporter_names():
        raise InputError(f"format={name}: expected some of {', '.join(exporter_names())}")
    found: Exporter = module_with(f"format={name}", _modules()[name], {"EXPORTER": Exporter}).EXPORTER
    return found
