"""Exporters: from a design to files that other tools read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from isoplane.models import Design, InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import CableList
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.checks import Json
from isoplane.models.files.exact_text import in_chunks
from isoplane.models.workloads import Workload

from .built_design import cables_from, rails_from
from .guids import GivenGuids
from .msccl.target import Target

Files = Iterator[tuple[str, Iterable[bytes]]]


@dataclass(frozen=True)
class Options:
    """What a user may choose about formats; each option concerns the formats that its documentation names.

    Parameters
    ----------
    routes
        Whether to write out all routes (``json``).
    spares
        Spare parts to buy, as a share of the number of each part (``cabling``).
    rewired_from
        A built design of the same devices, whose cables are moved (``cabling``) and whose nodes keep their ports.
    slurm_tree
        The tree of ``slurm``: ``racks``, or groups of nodes by ``distance`` in hops.
    guids
        GUIDs of the devices that exist, instead of placeholders (``opensm``).
    collective, order, evaluations
        The collective of ``phases`` and ``msccl``; its order, by name or file; evaluations of its search.
    msccl
        The runtime for which ``msccl`` is written.
    workload
        The workload of ``goal`` and ``tit``, at most one process per node.
    """

    routes: bool = False
    spares: Fraction = Fraction(0)
    rewired_from: Design | None = None
    slurm_tree: object = "racks"
    guids: GivenGuids | None = None
    collective: object = "all_to_all"
    order: object = "contention_free"
    evaluations: int = 100_000
    msccl: Target = field(default_factory=Target)
    workload: Workload | None = None


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
        What the user chose.
    """

    design: Design
    content: Json
    options: Options = field(default_factory=Options)

    @property
    def network(self) -> Network:
        """The network of the design."""
        return self.design.network

    @cached_property
    def cables(self) -> CableList:
        """Every cable with the ports at both ends; nodes keep those of a built design that states them."""
        built = self.options.rewired_from
        return cables_from(self.network, None if built is None else built.network)

    @cached_property
    def rails(self) -> tuple[Ints, ...]:
        """The port of each node link at its node, for each plane, as in `cables`."""
        return rails_from(self.network, self.cables)

    @property
    def floor(self) -> Floor | None:
        """The racks, with the names that all formats use; None without a layout."""
        return self.network.floor

    def require_floor(self, format_name: str) -> Floor:
        """Return the racks.

        Raises
        ------
        InputError
            If the design has no layout.
        """
        if self.floor is None:
            raise InputError(f"format={format_name}: the design has no layout; expected a design with racks")
        return self.floor

    def workload(self, format_name: str) -> Workload:
        """Return the workload.

        Raises
        ------
        InputError
            If there is none.
        """
        if self.options.workload is None:
            raise InputError(f"format={format_name}: workload=null; expected a workload")
        return self.options.workload


@dataclass(frozen=True)
class Exporter:
    """A format of files that describe a design.

    Parameters
    ----------
    title
        What it is, in a few words.
    checked_by
        The program that the files are for and that reads them in CI, such as ``networkx``; None if only their shape is
        checked.
    files
        Function from a design to the names of files, which may have folders, and their contents, in order. It raises an
        `InputError` before the first file if the format cannot express the design.
    paths
        For files without routes, whose reader computes paths by itself: function from a design to a description of
        these paths and of the routes, for the manifest.
    """

    title: str
    checked_by: str | None
    files: Callable[[Exported], Files]
    paths: Callable[[Exported], Json] | None = None


def as_bytes(lines: Iterable[str]) -> Iterator[bytes]:
    r"""Return lines as bytes, many at once, each with a line feed.

    Examples
    --------
    >>> list(as_bytes(["a", "b"]))
    [b'a\nb\n']
    """
    for chunk in in_chunks(lines):
        yield "".join(f"{line}\n" for line in chunk).encode()
