"""Files that list an InfiniBand fabric, of either form."""

from pathlib import Path

from .discovered_fabric import DiscoveredFabric, lines_of
from .ibnetdiscover import parse_ibnetdiscover
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
    source = f"{option}={path}"
    lines = lines_of(source, path)
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return parse_subnet_dump(source, lines) if first.startswith("{") else parse_ibnetdiscover(source, lines)
