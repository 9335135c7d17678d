"""Formats for export, one module or package each with ``EXPORTER``, found by name or by entry point of a package."""

from functools import cache

from isoplane.models import InputError
from isoplane.models.installed.entry_points import module_with, modules_of

from ..exporter import Exporter

ENTRY_POINTS = "isoplane.exporters"  # of installed packages: NAME = "module"


def exporter_names() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(sorted(modules_of(__name__, ENTRY_POINTS)))


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
    found: Exporter = module_with(
        f"format={name}", modules_of(__name__, ENTRY_POINTS)[name], {"EXPORTER": Exporter}
    ).EXPORTER
    return found
