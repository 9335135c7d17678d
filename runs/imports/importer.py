"""Importers: from files of other programs to the devices and links of a fabric."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_uncompressed, suffix_of

MAX_BYTES = 1 << 30
NodeEnd = tuple[str, str, int]  # of a link: the name of a node, that of an adapter of it, and the port of the adapter


@dataclass(frozen=True)
class Source:
    """A file that describes a fabric, or its tables.

    Parameters
    ----------
    path
        Its path, for messages.
    content
        Its content, uncompressed.
    option
        The option of the command line that names it.
    """

    path: Path
    content: bytes
    option: str = "file"

    @property
    def name(self) -> str:
        """What messages call it, such as ``file=plane0.txt``."""
        return f"{self.option}={self.path}"

    @property
    def suffix(self) -> str:
        """The end of its name in lower case, before ``.gz``."""
        return suffix_of(self.path)

    @cached_property
    def text(self) -> str:
        """Its content as text; bytes that are not UTF-8 are shown as escapes, as in descriptions of devices."""
        return self.content.decode("utf-8", "backslashreplace").removeprefix("\ufeff")

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, without their ends."""
        return [line.rstrip("\r") for line in self.text.split("\n")]

    def wrong(self, line: int, problem: str, expected: str) -> InputError:
        """Return the error of a line."""
        return InputError(f"{self.name}: line {line}: {problem}; expected {expected}")


def source_of(option: str, path: Path) -> Source:
    """Return a file that an option names, uncompressed if its name ends in ``.gz``."""
    try:
        content = read_uncompressed(path, MAX_BYTES)
    except OSError as error:
        raise InputError(f"{option}={path}: {error.strerror}; expected a file that describes a fabric") from error
    return Source(path, content, option)


@dataclass(frozen=True)
class CableEntry:
    """A cable between two devices.

    Parameters
    ----------
    ends
        The names of both devices.
    line
        The line of the file that states it.
    ports
        The number of the port at each end; None where it is unknown.
    length_m, rate_gbps, delay_ns
        What is known about it.
    rate
        What the file calls its rate, such as ``4xHDR``; empty if it is a number.
    adapter
        What tells apart the adapters of a node at one end, in natural order; the same in the files of all planes.
    """

    ends: tuple[str, str]
    line: int
    ports: tuple[int | None, int | None] = (None, None)
    length_m: Fraction | None = None
    rate_gbps: Fraction | None = None
    delay_ns: Fraction | None = None
    adapter: str = ""
    rate: str = ""

    @property
    def is_loop(self) -> bool:
        """Whether it joins two ports of one device."""
        return self.ends[0] == self.ends[1]


@dataclass(frozen=True)
class Listing:
    """The devices and cables in a file.

    Parameters
    ----------
    switches, nodes
        Names of devices, in the order of their ids.
    links
        Cables between switches, and of nodes.
    nodes_at : str to int
        Number of nodes at switches, where a file counts them without names.
    guids : int to NodeEnd
        The name of the switch with a GUID, an empty one and 0; or that of the node with the GUID of a port, its adapter
        and the port.
    aliases : str to (str, str)
        Other names of devices in files of this kind, and GUIDs such as ``0x1f``, with the names used here and the
        adapter of a node.
    notes
        What the file has beyond that, in words.
    shared
        Descriptions of several devices, which name none of them.
    without_host
        Adapters of unknown hosts, each of which is a separate node.
    switch_ports
        The most ports of a switch, used or not; 0 if unknown.
    has_kinds
        Whether the file says which devices are nodes; else `nodes` are those with the names of nodes in exports.
    """

    switches: tuple[str, ...]
    nodes: tuple[str, ...]
    links: tuple[CableEntry, ...]
    nodes_at: Mapping[str, int] = field(default_factory=dict)
    guids: Mapping[int, NodeEnd] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    shared: Collection[str] = ()
    without_host: Collection[str] = ()
    switch_ports: int = 0
    has_kinds: bool = True


@dataclass(frozen=True)
class Importer:
    """A format of files that describe a fabric.

    Parameters
    ----------
    title
        What it is, in a few words.
    accepts
        Whether a file seems to be of the format, by the end of its name and its content.
    read
        Function from a file to its devices and cables; it raises an `InputError` that names the line.
    """

    title: str
    accepts: Callable[[Source], bool]
    read: Callable[[Source], Listing]
