"""Exporters: from a design to files that other tools read."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from itertools import chain
from typing import Any

from isoplane.models import Design, InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import CableList, cable_list, interface_ports
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.checks import Json, check_int
from isoplane.models.device_names import node_name
from isoplane.models.failures.node_subsets import spread_nodes
from isoplane.models.files.exact_text import in_chunks
from isoplane.models.workloads import MappedWorkload, Workload

from ..inputs.yaml_files import packaged_yaml
from .built_design import built_places, racks_of
from .kept_ports import built_design, require_unnamed_nodes, rewired_at

Files = Iterator[tuple[str, Iterable[bytes]]]

# What designs consist of, by the kind of their family.
KINDS = {
    "switches": "packet switches",
    "cubes": "planes of cubes",
    "circuits": "packet switches with circuits of an optical switch",
}
PACKETS = ("switches", "cubes")
AGAIN = "search or evaluate again with such a layout, and export that record"
HOSTS = "hosts"  # a file with the node of each process


@cache
def _defaults() -> dict[str, Any]:
    """Return the default of each option, as in the config of `export`."""
    conf = resources.files("isoplane.conf")
    return {**packaged_yaml(conf / "export.yaml"), "msccl": packaged_yaml(conf / "msccl" / "msccl.yaml")}


@dataclass(frozen=True, eq=False)
class Exported:
    """A design that is exported, with what several formats need, computed on first use.

    Parameters
    ----------
    design
        The design.
    content
        The fields of a record that define it, with ``id``; the whole record if it comes from one.
    options
        What the user chose about formats, by the names in ``conf/export.yaml``; others have their defaults.
    find_workload
        Function that returns the workload, if there is one, with a process or a group of them for each node.
    notes
        What formats say of the design beside their files, in a line each, when these are written.
    """

    design: Design
    content: Json
    options: Mapping[str, Any] = field(default_factory=dict)
    find_workload: Callable[[], Workload | None] = lambda: None
    notes: list[str] = field(default_factory=list)

    def option(self, name: str) -> Any:
        """Return an option. Reading marks it as used: an option of the user that no format reads is refused."""
        return self.options[name] if name in self.options else _defaults()[name]

    @cached_property
    def network(self) -> Network:
        """The network of the design, with the nodes that are bought."""
        return spread_nodes(self.design.network, self.bought_nodes, self._node_places)

    @cached_property
    def wired(self) -> Network:
        """The network at the ports of its cables, and in its racks: those of the built design, if there is one."""
        return spread_nodes(self.places, self.bought_nodes)

    @cached_property
    def places(self) -> Network:
        """The network at these ports with a node at each place, bought or not, that the built design has as well."""
        network, built = self.design.network, self.built
        return network if built is None else rewired_at(network, built.network, self._node_places)

    @cached_property
    def _node_places(self) -> tuple[int, ...] | None:
        """The `built_places` of the nodes."""
        network, built = self.design.network, self.built
        return None if built is None else built_places(network, built.network, self.bought_nodes)

    @cached_property
    def cables(self) -> CableList:
        """Every cable, with the ports of `wired` at both ends."""
        return cable_list(self.wired.cabling)

    @cached_property
    def bought_nodes(self) -> int:
        """Number of nodes that are bought; the other places have neither interfaces nor cables."""
        nodes, given = self.design.network.nodes, self.option("nodes")
        bought = nodes if given is None else check_int("nodes", given, 1, nodes)
        require_unnamed_nodes(self.design.network, bought)
        return bought

    @cached_property
    def built(self) -> Design | None:
        """The built design of the same devices whose cables are moved (``rewired_from``), at the ports in use."""
        given = self.option("rewired_from")
        return given if given is None or isinstance(given, Design) else built_design(given, self.option("nodes"))

    @cached_property
    def site_names(self) -> dict[str, str]:
        """The name of each device at the site, by that in exports, those of the built design first; empty if none.

        A device that has no such name is called as in exports.
        """
        return {} if self.places.names is None else self.places.names.by_device()

    @cached_property
    def rails(self) -> tuple[Ints, ...]:
        """The port of each node link at its node, for each plane, as in `cables`."""
        return interface_ports(self.wired.cabling)

    def require_floor(self, format_name: str) -> Floor:
        """Return the racks, with the names that all formats use."""
        try:
            floor = racks_of(self.wired)
        except InputError as error:
            record = self.option("record")
            raise error if record is None else InputError(f"record={record}: its layout: {error}; {AGAIN}") from None
        if floor is None:
            raise InputError(f"format={format_name}: the design has no layout; expected a design with racks")
        return floor

    def job(self, format_name: str) -> tuple[Workload, list[str]]:
        """Return the workload between processes, and the node of each."""
        workload = self.find_workload()
        if workload is None:
            raise InputError(f"format={format_name}: workload=null; expected a workload")
        nodes: Sequence[int] = range(workload.processes)
        if isinstance(workload, MappedWorkload):
            nodes, workload = workload.nodes, workload.workload
        if self.design.placement is not None:
            nodes = [self.design.placement.nodes[node] for node in nodes]
        return workload, [node_name(node) for node in nodes]


@dataclass(frozen=True)
class Exporter:
    """A format of files that describe a design.

    Parameters
    ----------
    title
        What it is, in a few words.
    checked_by
        The consumer that CI runs on the files, such as ``networkx``; None if only their shape is checked.
    files
        Function from a design to the names of files, which may have folders, and their contents, in order. It raises an
        `InputError` before the first file if the format cannot express the design.
    paths
        For files without routes, whose reader computes paths by itself: function from a design to a description of
        these paths and of the routes, for the manifest.
    kinds
        The `KINDS` of designs that it can express.
    switch_delays
        For files in which each port has a delay of its own: function from a design whose packets may miss the caches of
        switches to a description of these delays, for the manifest.
    """

    title: str
    checked_by: str | None
    files: Callable[[Exported], Files]
    paths: Callable[[Exported], Json] | None = None
    kinds: Collection[str] = tuple(KINDS)
    switch_delays: Callable[[Exported], str] | None = None

    def begun(self, name: str, exported: Exported) -> Files:
        """Return the files of a design after making the first: options are read then, and errors raised.

        Raises
        ------
        InputError
            If the format cannot express the design.
        """
        network = exported.design.network
        kind = network.family.kind
        if kind not in self.kinds:
            expected = " or ".join(KINDS[each] for each in self.kinds)
            raise InputError(f"format={name}: {network.title} has {KINDS[kind]}; expected {expected}")
        files = self.files(exported)
        return chain([next(files)], files)


def as_bytes(lines: Iterable[str]) -> Iterator[bytes]:
    r"""Return lines as bytes, many at once, each with a line feed.

    Examples
    --------
    >>> list(as_bytes(["a", "b"]))
    [b'a\nb\n']
    """
    for chunk in in_chunks(lines):
        yield "".join(f"{line}\n" for line in chunk).encode()
