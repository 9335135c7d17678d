"""The curves of Fig. 2: time of the stencil against the number of circuits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from isoplane.models import Circuits, Design, Hybrid, Network
from isoplane.models.files.exact_text import counted
from isoplane.models.placement import Placement, by_switch
from isoplane.models.steps import step
from isoplane.models.workloads import Workload, stencil
from isoplane.objectives.fluid import circuit_times
from isoplane.search import CircuitSpace
from isoplane.search.circuits.group_placement import by_communication
from isoplane.search.circuits.rules import round_robin

UPLINK_GBPS = 64  # uplink rate of the network that times are relative to
FACTORS = (0.25, 0.5, 1.0, 2.0, 5.0)  # uplink rates relative to it; with 5 the packet network has full bisection
REDUCED = 0.5  # the factor at which the loss of hybrid networks is measured
PLACEMENTS = {"SP": "by_switch", "CP": "by_communication"}


# Name in the figure; rule that assigns circuits: ``packets`` none, ``round_robin`` the paper's, ``any_nodes`` its other
# interpretation, ``best`` ours; placement as in `CircuitSpace`; uplink rate divided by 64 Gbit/s.
Curve = tuple[str, str, str, float]


@dataclass(frozen=True)
class CurvePoint:
    """The times of a design on a curve.

    Attributes
    ----------
    curve, rule, placement, factor
        The curve, as in `Curve`.
    circuits
        The maximum number of circuits.
    used
        Circuits that are set up.
    completion_ns, completion_by_packets_ns
        In the fluid model, with messages relayed whole or packet by packet: medians of its runs.
    relative, relative_by_packets
        The same relative to the packet network alone with uplinks of 64 Gbit/s.
    ends, ends_by_packets
        The shortest and the longest of the runs, relative to the same time.
    """

    curve: str
    rule: str
    placement: str
    factor: float
    circuits: int
    used: int
    completion_ns: int
    completion_by_packets_ns: int
    relative: float
    relative_by_packets: float
    ends: tuple[float, float]
    ends_by_packets: tuple[float, float]

    @property
    def spread(self) -> float:
        """Range of the runs with relay by messages, relative to their median."""
        return (self.ends[1] - self.ends[0]) / self.relative


Find = Callable[[CircuitSpace], Design]  # returns the best design of a space


def curves() -> list[Curve]:
    """Return all curves of the figure.

    Examples
    --------
    >>> [name for name, *_ in curves()][:2]
    ['packets only, U x 0.25', 'packets only, U x 0.5']
    """
    packets = [(f"packets only, U x {factor:g}", "packets", "by_switch", factor) for factor in FACTORS]
    theirs = [(name, "round_robin", placement, 1.0) for name, placement in PLACEMENTS.items()]
    reduced = [
        (f"{name}, U x {REDUCED:g}", "round_robin", placement, REDUCED) for name, placement in PLACEMENTS.items()
    ]
    other = [(f"{name}, any nodes", "any_nodes", placement, 1.0) for name, placement in PLACEMENTS.items()]
    ours = [(f"best for {name}", "best", placement, 1.0) for name, placement in PLACEMENTS.items()]
    return [*packets, *theirs, *reduced, *other, *ours, ("best placement", "best", "free", 1.0)]


def curve_points(circuits: Sequence[int], find: Find, *, periodic: bool) -> Iterator[CurvePoint]:
    """Yield the points of all curves of a stencil, on a torus if periodic; a curve without circuits has one point."""
    work = stencil(periodic=periodic)
    times_of = cache(partial(circuit_times, workload=work))  # without circuits, curves have the same designs
    base = times_of(packets_only(1.0))
    for curve in curves():
        for count in (0,) if curve[1] == "packets" else circuits:
            with step(f"{curve[0]}, {counted(count, 'circuit')}"):
                design = _design(curve, count, work, find)
                times = times_of(design)
            yield CurvePoint(
                *curve,
                count,
                len(design.assignment[0]),
                times.completion_ns,
                times.completion_by_packets_ns,
                times.completion_ns / base.completion_ns,
                times.completion_by_packets_ns / base.completion_by_packets_ns,
                (times.completion_min_ns / base.completion_ns, times.completion_max_ns / base.completion_ns),
                (
                    times.completion_by_packets_min_ns / base.completion_by_packets_ns,
                    times.completion_by_packets_max_ns / base.completion_by_packets_ns,
                ),
            )


def packets_only(factor: float) -> Design:
    """Return the packet network alone, with processes placed by switch."""
    hybrid = Hybrid(up_gbps=UPLINK_GBPS * factor)
    return Design(Network(hybrid), Circuits(), by_switch(hybrid.nodes))


def _design(curve: Curve, count: int, work: Workload, find: Find) -> Design:
    _, rule, placed_by, factor = curve
    if rule == "packets":
        return packets_only(factor)
    hybrid = Hybrid(up_gbps=UPLINK_GBPS * factor)
    if rule == "best":
        return find(CircuitSpace(hybrid, work, count, placed_by))
    placement = _placement(placed_by, work)
    circuits = round_robin(hybrid, work, placement, count, any_nodes=rule == "any_nodes")
    return Design(Network(hybrid), circuits, placement)


@cache
def _placement(name: str, work: Workload) -> Placement:
    return by_switch(work.processes) if name == "by_switch" else by_communication(Hybrid(), work)
