"""Files of GUIDs: names with the devices that they stand for, or a listing of the fabric."""

from collections.abc import Sequence
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.device_names import GUID, PORT, SWITCH

from ..inputs.guids import GivenGuids
from ..inputs.name_file import COLUMNS, read_names
from .importer import Source, source_of
from .importers import importer_named

LISTINGS = ("ibnetdiscover", "opensm_subnet")  # formats of import whose files have GUIDs


def read_guids(option: str, paths: Sequence[Path]) -> GivenGuids:
    """Return the GUIDs in some files: CSV of names, or listings of fabrics whose descriptions are names of the design.

    Parameters
    ----------
    option
        The option that names the files, for messages.
    paths
        The files.

    Raises
    ------
    InputError
        If a file cannot be read or is damaged, or two GUIDs are those of one switch or port.
    """
    given = GivenGuids(f"{option}={','.join(map(str, paths))}", {}, {}, {}, {})
    for path in paths:
        source = source_of(option, path)
        kind = next((kind for kind in LISTINGS if importer_named(kind).accepts(source)), None)
        first = source.text.partition("\n")[0].rstrip("\r")
        if kind is not None:
            _add_listing(given, kind, source)
        elif first == ",".join(COLUMNS):
            _add_names(given, option, path)
        else:
            raise source.wrong(1, repr(first[:40]), f"{','.join(COLUMNS)} or output of ibnetdiscover")
    return given


def _add_names(given: GivenGuids, option: str, path: Path) -> None:
    for name, device in read_names(option, path).items():
        if GUID.fullmatch(name.removeprefix(PORT)):
            guid = int(name.removeprefix(PORT), 16)
            if name.startswith(PORT):
                _add(given, given.ports, device, guid)
            elif SWITCH.fullmatch(device):
                _add(given, given.switches, device, guid)
            else:
                given.adapters.setdefault(device.partition(":")[0], set()).add(guid)


def _add_listing(given: GivenGuids, kind: str, source: Source) -> None:
    """Add the GUIDs in a listing: those of ports of nodes by the ports of switches to which they have cables."""
    found = importer_named(kind).read(source)
    guids = {end: guid for guid, end in found.guids.items()}
    nodes = set(found.nodes)
    for name in found.switches:
        if (name, "", 0) in guids:
            _add(given, given.switches, name, guids[name, "", 0])
    for link in found.links:
        ends = tuple(zip(link.ends, link.ports, strict=True))
        for (own, port), (other, other_port) in (ends, ends[::-1]):
            guid = guids.get((other, link.adapter, other_port or 0))
            if own not in nodes and other in nodes and guid is not None:
                given.cabled[f"{own}:{port}"] = other
                _add(given, given.ports, f"{own}:{port}", guid)
    for name, (node, _) in found.aliases.items():
        if node in nodes and GUID.fullmatch(name):
            given.adapters.setdefault(node, set()).add(int(name, 16))


def _add(given: GivenGuids, known: dict[str, int], name: str, guid: int) -> None:
    if known.setdefault(name, guid) != guid:
        raise InputError(f"{given.option}: {name} has the GUIDs {known[name]:#x} and {guid:#x}; expected one")
