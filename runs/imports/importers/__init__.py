"""Formats for import, one module each with ``IMPORTER``, found by name or by entry point of a package."""

import json
import re
import shlex
from functools import cache

from isoplane.models import InputError
from isoplane.models.files.graph_files import refuse_other_formats
from isoplane.models.installed.entry_points import module_with, modules_of

from ..importer import Importer, Source

ENTRY_POINTS = "isoplane.importers"  # of installed packages: NAME = "module"
PORT_REPORTS = (
    (re.compile(r"^(?:CA|SW|RT)\s+\d+\s+\d+ 0x[0-9a-fA-F]{16} \S+ \S+", re.M), "ibnetdiscover", "-p"),
    (re.compile(r'^0x[0-9a-fA-F]{16} "[^"\n]*"\s+\d+\s+\d+\[[^\]\n]*\] ==\(', re.M), "iblinkinfo", "-l"),
)


def importer_names() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(sorted(modules_of(__name__, ENTRY_POINTS)))


@cache
def importer_named(name: str) -> Importer:
    """Return the importer of a format.

    Examples
    --------
    >>> importer_named("edges").title
    'edge list'
    """
    if name not in importer_names():
        raise InputError(f"kind={name}: expected one of {', '.join(importer_names())}")
    found: Importer = module_with(
        f"kind={name}", modules_of(__name__, ENTRY_POINTS)[name], {"IMPORTER": Importer}
    ).IMPORTER
    return found


def importer_of(source: Source) -> str:
    """Return the name of the only format that a file seems to have."""
    found = [name for name in importer_names() if importer_named(name).accepts(source)]
    if not found:
        refuse_other_formats(source.name, source.text)
        refuse_port_reports(source)
        refuse_own_files(source)
    if len(found) != 1:
        seems = f"may be {' or '.join(found)}" if found else "of no known format"
        raise InputError(f"file={source.path}: {seems}; expected kind=, one of {', '.join(importer_names())}")
    return found[0]


def refuse_port_reports(source: Source) -> None:
    """Raise an `InputError` for lists of ports, which do not tell which ports are those of one adapter."""
    for pattern, program, option in PORT_REPORTS:
        if report := pattern.search(source.text):
            line = source.text.count("\n", 0, report.start()) + 1
            problem = f"output of {program} {option}, which does not tell which ports are those of one adapter"
            raise source.wrong(line, problem, f"output of {program} without {option}")


def refuse_own_files(source: Source) -> None:
    """Raise an `InputError` for records and fabrics of isoplane, with the command that reads them."""
    try:
        content = json.loads(source.text)
    except (ValueError, RecursionError):
        return
    for key, what, network, option in (
        ("schema", "a record", "", "record"),
        ("planes", "a fabric of isoplane import", "network=fabric ", "network.file"),
    ):
        if isinstance(content, dict) and key in content:
            file = shlex.quote(f"{option}={source.path}")
            raise InputError(f"{source.name}: {what}; expected isoplane evaluate {network}{file}")
