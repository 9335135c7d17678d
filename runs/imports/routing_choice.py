"""The routing of an imported fabric: its forwarding tables, or the best routing that is free from deadlock."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from isoplane.models import Family, InputError, Network, Site
from isoplane.models.deadlock.cycles import channel_cycle, describe_cycle
from isoplane.models.families.fabric import BALANCED, BALANCED_UP_DOWN, TABLES, Fabric
from isoplane.objectives.general import GeneralExact

MAX_SWITCHES = 4096  # of a plane: routings of larger ones take minutes
MAX_SWITCHES_UP_DOWN = 2048  # for `balanced_up_down`, likewise
MAX_SWITCHES_AGAIN = 256  # for all routings where the fabric is evaluated: they take a second
MAX_VIRTUAL_CHANNELS = 4  # of a link, as in simulations by default
MAY_DEADLOCK = ("shortest", TABLES)  # all other routings are free from deadlock by construction
DEFAULT = "up_down"
CANDIDATES = ("shortest", BALANCED, BALANCED_UP_DOWN, DEFAULT, "hop_classes")  # the first of equals is chosen


@dataclass(frozen=True)
class RatedRouting:
    """A routing of a fabric that may be chosen.

    Parameters
    ----------
    routing
        Its name.
    throughput_per_node
        The metric of that name, in capacities of a link; None if it was not computed.
    virtual_channels
        The virtual channels of a link with which it is free from deadlock; 0 if it may deadlock, or that is unknown.
    problem
        Why it cannot be chosen; empty if it can.
    """

    routing: str
    throughput_per_node: Fraction | None = None
    virtual_channels: int = 0
    problem: str = ""

    def __str__(self) -> str:
        if self.problem:
            return f"{self.routing}: {self.problem}"
        return f"{self.routing} {_number(self.throughput_per_node)} ({_channels(self.virtual_channels)})"


def rated_routings(fabric: Fabric) -> list[RatedRouting]:
    """Return all routings that apply to any fabric, the best first, then those that cannot be chosen.

    The best has the highest throughput without cycles of channel dependencies, of equals the fewest virtual channels.
    If none can be chosen, the default is first, with its problem. There are none without cables between switches, where
    all routings are alike.
    """
    if not fabric.cables:
        return []
    largest = max(plane.switches for plane in fabric.planes)
    rated = []
    for name in CANDIDATES:
        limit = MAX_SWITCHES_UP_DOWN if name == BALANCED_UP_DOWN else MAX_SWITCHES
        if largest <= limit:
            rated.append(_rated(replace(fabric, routing=name)))
        elif name == DEFAULT:
            rated.append(RatedRouting(name, virtual_channels=1))
        else:
            problem = f"not tried in a plane of {largest} switches; at most {limit}"
            rated.append(RatedRouting(name, problem=problem))
    # Stable: equals stay in the order of the candidates.
    rated.sort(key=lambda each: (bool(each.problem), -(each.throughput_per_node or 0), each.virtual_channels))
    if rated[0].problem:
        rated.sort(key=lambda each: each.routing != DEFAULT)
    return rated


def rated_tables(fabric: Fabric) -> list[RatedRouting]:
    """Return the forwarding tables that a fabric routes by, and then what `rated_routings` does."""
    return [_rated(fabric), *rated_routings(fabric)]


def tables_text(family: Family) -> str | None:
    """Return whether the tables or shortest paths of a fabric may deadlock, and the throughput of other routings.

    None for other networks, for routings that are free from deadlock by construction, and for shortest paths of planes
    with more than `MAX_SWITCHES` switches. Above `MAX_SWITCHES_AGAIN` the others are left out.
    """
    if not family.is_imported or (fabric := cast(Fabric, family)).routing not in MAY_DEADLOCK:
        return None
    largest = max(plane.switches for plane in fabric.planes)
    if largest > MAX_SWITCHES and fabric.routing != TABLES:
        return None
    others = rated_routings(fabric) if largest <= MAX_SWITCHES_AGAIN else []
    allowed = [each for each in others if not each.problem and each.routing != fabric.routing]
    return "\n".join(routing_lines([_rated(fabric), *allowed]))


def _rated(fabric: Fabric) -> RatedRouting:
    name, network = str(fabric.routing), Network(fabric, Site(layout=None))
    try:
        planes = network.planes
    except InputError as error:
        return RatedRouting(name, problem=str(error))
    rules = [plane.routes.channels for plane in planes]
    channels = max(1 if rule is None else rule.classes for rule in rules)
    if channels > MAX_VIRTUAL_CHANNELS:
        problem = f"needs {_channels(channels)}, more than {MAX_VIRTUAL_CHANNELS}"
        return RatedRouting(name, virtual_channels=channels, problem=problem)
    problem = ""
    for number, plane in enumerate(planes if name in MAY_DEADLOCK else ()):
        if problem or any(plane is other for other in planes[:number]):  # equal planes are one object
            continue
        cycle = channel_cycle(plane.topology, plane.routes, virtual_channels=1)
        if cycle is not None:
            problem = f"may deadlock: {describe_cycle(cycle, fabric.names, number)}"
    try:
        exact = GeneralExact(network)
        throughput = Fraction(exact.parts * network.nodes, exact.peak_load) if exact.peak_load else None
    except InputError:  # such as nodes without a common plane, which have no throughput under any routing
        throughput = None
    return RatedRouting(name, throughput, 0 if problem else channels, problem)


def routing_lines(rated: Sequence[RatedRouting]) -> list[str]:
    """Return whether the first routing may deadlock and how good it is, and the others, as lines of text."""
    if not rated:
        return []
    chosen, *others = rated
    found = chosen.throughput_per_node
    able = chosen.problem or f"free from deadlock with {_channels(chosen.virtual_channels)}"
    allowed = [each for each in others if not each.problem]
    best = "" if found is None else f"; all-to-all throughput {_number(found)} per node"
    if found is not None and not chosen.problem and all(found >= (each.throughput_per_node or 0) for each in allowed):
        best += ", the highest of those"
    lines = [f"routing={chosen.routing}: {able}{best}"]
    if allowed:
        lines.append(f"others by throughput: {', '.join(map(str, allowed))}")
    on_one_lane = next((each for each in others if each.virtual_channels == 1 and not each.problem), None)
    if chosen.virtual_channels != 1 and on_one_lane is not None:
        lines.append(f"for export format=opensm, which has one lane: network.routing={on_one_lane.routing}")
    return lines + [f"not chosen: {each}" for each in others if each.problem]


def routing_content(rated: Sequence[RatedRouting]) -> dict[str, object]:
    """Return the chosen routing and what is known about all, as in `fabric.json`; nothing if there are none."""
    if not rated:
        return {}
    return {
        "routing": rated[0].routing,
        "routings": [
            {
                "routing": each.routing,
                "throughput_per_node": None if each.throughput_per_node is None else float(each.throughput_per_node),
                "virtual_channels": each.virtual_channels or None,
                "problem": each.problem or None,
            }
            for each in rated
        ],
    }


def _number(value: Fraction | None) -> str:
    return "-" if value is None else f"{float(value):.6g}"


def _channels(count: int) -> str:
    return f"{count} virtual channel{'' if count == 1 else 's'}"
