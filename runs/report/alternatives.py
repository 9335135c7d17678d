"""Alternatives to a design: other networks with the same parts, and other assignments of circuits."""

from collections.abc import Iterator

from isoplane.models import Circuits, Design, InputError, Placement, port_aggregate
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.placement import by_switch
from isoplane.search.circuits.group_placement import by_communication
from isoplane.search.circuits.rules import round_robin

from .evaluated import EvaluatedDesign

LARGEST_N = 16  # limit of the kernels
# With Port-Aggregate a switch has half the nodes and there are twice as many offsets: these are not comparable.
BY_OFFSET = frozenset({"sum_of_distances", "max_load", "max_traffic"})


def alternatives(design: EvaluatedDesign) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
    """Return the alternatives to a design, the simplest first, and notes on those left out.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> found, _ = alternatives(EvaluatedDesign("This design", Design(dual_cube(3, (3, 5, 7)))))
    >>> [each.title for each in found]
    ['Identical planes', 'Port-Aggregate']
    """
    family = design.network.family
    if family.has_circuits():
        return _distinct(_assignments(design))
    if not family.baseline_title:
        return (), ()
    simplest = _baseline(design)
    aggregate, notes = _port_aggregate(design)
    return (simplest, *aggregate), notes


def _baseline(design: EvaluatedDesign) -> EvaluatedDesign:
    """Return the baseline of a design."""
    return EvaluatedDesign(design.design.baseline_title.capitalize(), design.design.baseline, design.workload)


def _port_aggregate(design: EvaluatedDesign) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
    """Return one plane that uses both ports of every node, if nodes have two."""
    network = design.network
    if not network.family.is_cubes or len(cubes_of(network).planes) != 2:
        return (), ()
    if cubes_of(network).n == LARGEST_N:
        return (), (f"Port-Aggregate is left out: it would be a cube of dimension {LARGEST_N + 1}.",)
    try:
        aggregate = EvaluatedDesign("Port-Aggregate", Design(port_aggregate(network)), incomparable=BY_OFFSET)
        aggregate.metrics  # noqa: B018  # raises an error if the catalogue lacks a cable
    except InputError as error:
        return (), (f"Port-Aggregate is left out: {error}.",)
    return (aggregate,), (
        "Port-Aggregate puts both ports of every node into one cube of dimension n + 1 with half as many nodes per "
        "switch, so sums, loads and traffic with one node per switch are not comparable; compare "
        "the throughput of a node.",
    )


def _assignments(design: EvaluatedDesign) -> Iterator[EvaluatedDesign]:
    """Yield the packet network alone, and the paper's rules with the same number of circuits."""
    family, network, hybrid, workload = design.network.family, design.network, design.hybrid, design.messages

    def add(title: str, circuits: Circuits, placement: Placement) -> EvaluatedDesign:
        return EvaluatedDesign(title, Design(network, circuits, placement), workload)

    count = len(design.circuits)
    packets_only = family.baseline_title.capitalize()
    rule = "Round robin" if count else packets_only
    switch, communication = by_switch(hybrid.nodes), by_communication(hybrid, workload)
    yield _baseline(design)
    if count:
        yield add(f"{packets_only}, by switch", Circuits(), switch)
    for placement_name, placement in (("by switch (SP)", switch), ("by communication (CP)", communication)):
        yield add(f"{rule}, {placement_name}", round_robin(hybrid, workload, placement, count), placement)


def _distinct(found: Iterator[EvaluatedDesign]) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
    """Return each design once, and notes on titles of the same design."""
    chosen: list[EvaluatedDesign] = []
    notes = []
    for other in found:
        same = next((known for known in chosen if known.design == other.design), None)
        if same is None:
            chosen.append(other)
        else:
            notes.append(f"“{other.title}” is the same as “{same.title}”.")
    return tuple(chosen), tuple(notes)
