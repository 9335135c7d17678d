"""Formats for export, one module or package each with ``EXPORTER``, found by name."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from isoplane.models import InputError

from ..exporter import Exporter


def exporter_names() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


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
    found: Exporter = import_module(f"{__name__}.{name}").EXPORTER
    return found
