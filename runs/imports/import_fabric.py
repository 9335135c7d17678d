"""Importing a fabric: from files of other programs to the file that `network=fabric` reads."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import MAX_NODES_PER_SWITCH, check_int, exact_number, shown
from isoplane.models.families.fabric import Fabric
from isoplane.models.files.exact_text import as_csv, counted
from isoplane.models.files.forwarding_tables import file_name, table_content
from isoplane.models.files.output_file import write_atomically
from isoplane.models.steps import step
from isoplane.runs.records import text_of

from ..config.config_values import path_of, paths_of
from ..inputs.name_file import COLUMNS, read_names
from .assembled_fabric import ImportedFabric, assembled
from .device_kinds import KEY, with_kinds
from .discovery.part_rates import with_rates
from .fabric_names import natural
from .fabric_parts import ListedPlane, parts_of, require_planes, without_loops
from .given_devices import GivenDevices
from .imported_tables import with_tables
from .importer import Source, source_of
from .importers import importer_named, importer_of
from .node_adapters import with_whole_adapters
from .routing_choice import RatedRouting, routing_content

FABRIC, NAMES = "fabric.json", "names.csv"


def configured_fabric(config: Mapping[str, Any]) -> ImportedFabric:
    """Return the fabric that a config of `isoplane import` describes."""
    kind = config["kind"]
    if kind is not None:
        importer_named(str(kind))
    if config["nodes_per_switch"] is not None:
        check_int("nodes_per_switch", config["nodes_per_switch"], 1, MAX_NODES_PER_SWITCH)
    sources = [source_of("file", path) for path in paths_of("file", config["file"])]
    names = None if config["names"] is None else path_of("names", config["names"])
    given = None if names is None else GivenDevices(names, read_names("names", names))
    rate = config["link_gbps"]
    link_gbps = None if rate is None else exact_number("link_gbps", rate, high=10**6, above=True)
    fabric = imported(
        sources, None if kind is None else str(kind), config["nodes_per_switch"], given, link_gbps, _node_names(config)
    )
    if config["tables"] is None:
        return fabric
    return with_tables(fabric, [source_of("tables", path) for path in paths_of("tables", config["tables"])])


def _node_names(config: Mapping[str, Any]) -> list[str]:
    """Return the patterns of names of nodes."""
    value = config[KEY]
    patterns = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(pattern, str) and pattern for pattern in patterns) or value == []:
        raise InputError(f"{KEY}={shown(value)}: expected a pattern of names, or a list such as [host*,gpu*]")
    if patterns and config["nodes_per_switch"] is not None:
        raise InputError(
            f"nodes_per_switch={config['nodes_per_switch']}, {KEY}={shown(value)}: expected one of them: only files "
            "without nodes get some at each switch"
        )
    return patterns


def imported_family(fabric: ImportedFabric) -> Fabric:
    """Return an imported fabric without tables as a network's family."""
    return Fabric(planes=tuple(fabric.planes), names=fabric.device_names())


def imported(
    sources: Sequence[Source],
    kind: str | None,
    nodes_per_switch: int | None,
    given: GivenDevices | None = None,
    link_gbps: Fraction | None = None,
    node_names: Sequence[str] = (),
) -> ImportedFabric:
    """Return the fabric in some files, each with one or several planes over the same nodes.

    Parameters
    ----------
    sources
        The files.
    kind
        Their format; None to guess it.
    nodes_per_switch
        Nodes at every switch of files without nodes; None for one.
    given
        The ids of devices; None for the natural order of their names.
    link_gbps
        Rate of links for which the files state none; None if they state the rate of all links, or of none.
    node_names
        Patterns of the names of nodes in files that do not say which devices are nodes, as of `with_kinds`.

    Raises
    ------
    InputError
        If a file is damaged or contradictory, in a message that names the line; or if a number of nodes is given, but
        all files have nodes.
    """
    parts: list[ListedPlane] = []
    notes: list[str] = []
    without_host: set[str] = set()
    has_kinds = True
    has_effect = nodes_per_switch is None
    for source in sources:
        name = importer_of(source) if kind is None else kind
        with step(f"reading {source.path}"):
            listing = without_loops(importer_named(name).read(source))
            has_kinds &= listing.has_kinds
            listing = with_kinds(source, listing, node_names, only_switches=nodes_per_switch is not None)
        has_effect |= not (listing.nodes or listing.nodes_at)
        if nodes_per_switch is None and not (listing.nodes or listing.nodes_at):
            notes.append(f"{source.path}: lists no nodes; assumed: 1 at each switch, or nodes_per_switch=")
        notes += (f"{source.path}: {note}" for note in listing.notes)
        without_host.update(listing.without_host)
        parts += parts_of(source, name, listing, 1 if nodes_per_switch is None else nodes_per_switch)
    parts = with_whole_adapters(parts)
    if given is None:
        notes += _without_host_notes(parts, without_host)
    else:
        before = len(_nodes(parts))
        given, parts = given.joined(parts)
        if (after := len(_nodes(parts))) < before:
            notes.append(
                f"names={given.file}: joins {counted(before, 'node')} into {after}, as they have equal devices"
            )
    require_planes(parts)
    if node_names and has_kinds:
        raise InputError(f"{KEY}={','.join(node_names)}: has no effect; allowed with files without kinds of devices")
    if not has_effect:
        raise InputError(f"nodes_per_switch={nodes_per_switch}: has no effect; allowed with a file without nodes")
    return replace(assembled(with_rates(parts, link_gbps), given), notes=tuple(notes))


def _nodes(parts: Sequence[ListedPlane]) -> set[str]:
    return {link.ends[1] for part in parts for link in part.attached}


def _without_host_notes(parts: Sequence[ListedPlane], adapters: Collection[str]) -> Iterator[str]:
    """Yield how many nodes are adapters of unknown hosts, and how they become nodes of several adapters."""
    links = [link for part in parts for link in part.attached]
    nodes, found = _nodes(parts), {link.ends[1] for link in links if link.adapter in adapters}
    if found:
        are = "is an adapter" if len(found) == 1 else "are adapters"
        example, hosts = min(found, key=natural), counted(len(nodes) - len(found), "host")
        yield (
            f"warning: {len(found)} of {counted(len(nodes), 'node')} {are} without the name of a host, such as "
            f"{example!r}, beside {hosts}. Adapters of one host become one node by names= with one device for all, "
            "or by a listing with descriptions such as 'host mlx5_0'"
        )


def write_fabric(fabric: ImportedFabric, folder: Path, rated: Sequence[RatedRouting] = ()) -> list[Path]:
    """Write a fabric, the names of its devices and its tables into a folder; return the files.

    Parameters
    ----------
    fabric
        The fabric.
    folder
        The folder.
    rated
        Its routings, the chosen one first; none if it has tables.
    """
    planes: list[dict[str, Any]] = []
    written = []
    for number, plane in enumerate(fabric.planes):
        if fabric.tables:
            sha256, content = table_content(fabric.tables[number])
            plane = replace(plane, tables=sha256)
            path = folder / file_name(sha256)
            write_atomically(path, content)
            written.append(path)
        planes.append(plane.write())
    write_atomically(folder / NAMES, as_csv(COLUMNS, chain(fabric.named_devices(), fabric.named_ports())))
    whole = {"planes": planes, "names": fabric.device_names().write(), **routing_content(rated)}
    # Last, because it names the files of tables.
    write_atomically(folder / FABRIC, text_of(whole))
    # Planes with equal tables share a file, which is named by its hash.
    return [folder / FABRIC, folder / NAMES, *sorted(set(written))]
