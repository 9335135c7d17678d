"""Files that list an InfiniBand fabric, of either form."""

import re
from pathlib import Path

from .discovery.discovered_fabric import DiscoveredFabric
from .discovery.iblinkinfo import parse_iblinkinfo
from .discovery.ibnetdiscover import parse_ibnetdiscover
from .discovery.subnet_dump import parse_subnet_dump
from .importer import Source, source_of

IBLINKINFO = re.compile(r"(?:Switch: 0x[0-9a-fA-F]+|CA:|RT:|Router:) .*:\s*$")
PORT_REPORTS = (
    (re.compile(r"^(?:CA|SW|RT)\s+\d+\s+\d+ 0x[0-9a-fA-F]{16} \S+ \S+", re.M), "ibnetdiscover", "-p"),
    (re.compile(r'^0x[0-9a-fA-F]{16} "[^"\n]*"\s+\d+\s+\d+\[[^\]\n]*\] ==\(', re.M), "iblinkinfo", "-l"),
)


def read_fabric(option: str, path: Path) -> DiscoveredFabric:
    """Return the fabric that a file lists: as ``ibnetdiscover``, ``iblinkinfo``, ibsim or OpenSM write it.

    Parameters
    ----------
    option
        The option that names the file, for messages.
    path
        The file; a dump has a brace at the beginning of its first line.

    Raises
    ------
    InputError
        If it cannot be read, is damaged or contradicts itself; the message names the line.
    """
    source = source_of(option, path)
    first = next((line for line in source.lines if line.strip() and not line.startswith("#")), "")
    refuse_port_reports(source)
    if IBLINKINFO.match(first):
        return parse_iblinkinfo(source.name, source.lines)[0]
    parse = parse_subnet_dump if first.startswith("{") else parse_ibnetdiscover
    return parse(source.name, source.lines)


def refuse_port_reports(source: Source) -> None:
    """Raise an `InputError` for lists of ports, which do not tell which ports are those of one adapter."""
    for pattern, program, option in PORT_REPORTS:
        if report := pattern.search(source.text):
            line = source.text.count("\n", 0, report.start()) + 1
            problem = f"output of {program} {option}, which does not tell which ports are those of one adapter"
            raise source.wrong(line, problem, f"output of {program} without {option}")
