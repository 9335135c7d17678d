"""Files that list an InfiniBand fabric, of either form."""

from pathlib import Path

from .discovered_fabric import DiscoveredFabric
from .ibnetdiscover import parse_ibnetdiscover
from .importer import source_of
from .subnet_dump import parse_subnet_dump


def read_fabric(option: str, path: Path) -> DiscoveredFabric:
    """Return the fabric that a file lists: output of ``ibnetdiscover``, an ibsim fabric file or OpenSM's subnet dump.

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
    parse = parse_subnet_dump if first.startswith("{") else parse_ibnetdiscover
    return parse(source.name, source.lines)
