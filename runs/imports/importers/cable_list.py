"""Cable lists: comma-separated values with a cable in each line, below a line with the names of columns."""

import csv
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from isoplane.models import InputError
from isoplane.models.checks import exact_number
from isoplane.models.device_names import NODE
from isoplane.models.topologies.graph import require_cables_once

from ..fabric_names import sorted_names
from ..importer import CableEntry, Importer, Listing, Source

SIDES = (("from", "to"), ("source", "target"))
PORT = re.compile(r"[0-9]{1,9}")
LENGTH = "length_m"
EXPECTED = "columns such as from, from_port, to, to_port and length_m"


def read(source: Source) -> Listing:
    """Return the devices of a list: those named ``N0``, ``N1``, ... are nodes, unless all are.

    The file does not say which others are. Besides columns of devices, those of ports and ``length_m`` are read.
    """
    (first, head), *rows = _rows(source) or [(1, [])]
    columns = _columns(head)
    if columns is None:
        raise source.wrong(first, "no columns of two devices", EXPECTED)
    links = []
    for line, words in rows:
        if len(words) != len(head):
            raise source.wrong(line, f"{len(words)} values", f"{len(head)}, as in the line with the names of columns")
        near, near_port, far, far_port, length = ("" if at is None else words[at] for at in columns)
        if not near or not far:
            raise source.wrong(line, "no name of a device", "two devices")
        ports = _port(source, line, near_port), _port(source, line, far_port)
        links.append(CableEntry((near, far), line, ports, _length(source, line, length)))
    if columns[1] is None and columns[3] is None:
        require_cables_once(source.name, [link.ends for link in links])
    names = sorted_names({name for link in links for name in link.ends})
    nodes = tuple(name for name in names if NODE.fullmatch(name))
    if len(nodes) == len(names):
        nodes = ()
    ignored = [name for at, name in enumerate(head) if name and at not in columns]
    notes = (f"columns that are not read: {', '.join(ignored)}",) if ignored else ()
    return Listing(
        tuple(name for name in names if name not in set(nodes)), nodes, tuple(links), notes=notes, has_kinds=False
    )


def _rows(source: Source, limit: int | None = None) -> list[tuple[int, list[str]]]:
    """Return the first lines with their values, but for empty ones and comments."""
    first = next((line for line in source.lines if line.strip() and not line.startswith("#")), "")
    reader = csv.reader(source.lines, delimiter=max(",;\t", key=first.count), strict=True)
    rows = ((reader.line_num, [value.strip() for value in values]) for values in reader)
    try:
        return [*islice(((line, words) for line, words in rows if any(words) and words[0][:1] != "#"), limit)]
    except csv.Error as error:
        raise source.wrong(reader.line_num, f"{error}", "comma-separated values") from error


def _columns(head: Sequence[str]) -> tuple[int | None, ...] | None:
    """Return the columns of a device and its port, the same of the other one, and that of the length; None if unknown.

    Examples
    --------
    >>> _columns(["Label", "From device", "From port", "To device", "length_m"])
    (1, 2, 3, None, 4)
    """
    at = {name.lower().replace(" ", "_"): number for number, name in enumerate(head)}
    for side, other in SIDES:
        near, far = (at.get(f"{end}_device", at.get(end)) for end in (side, other))
        if near is not None and far is not None:
            return near, at.get(f"{side}_port"), far, at.get(f"{other}_port"), at.get(LENGTH)
    return None


def _port(source: Source, line: int, word: str) -> int | None:
    if word and not PORT.fullmatch(word):
        raise source.wrong(line, f"port {word[:40]!r}", "the number of a port, or nothing")
    return int(word) if word else None


def _length(source: Source, line: int, word: str) -> Fraction | None:
    try:
        return exact_number(LENGTH, word, high=10**7) if word else None
    except InputError as error:
        raise source.wrong(line, f"{LENGTH} {word[:40]!r}", "a length in metres, or nothing") from error


def accepts(source: Source) -> bool:
    """Whether the first line has the names of columns of two devices."""
    try:
        return any(_columns(words) is not None for _, words in _rows(source, 1))
    except InputError:
        return False


IMPORTER = Importer("cable list", accepts, read)
