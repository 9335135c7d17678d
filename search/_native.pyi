"""Inner loops of the searches over connection sets and over circuits."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

class Evaluator:
    """Evaluates bases of one dimension and family; immutable."""

    def __init__(
        self,
        n: int,
        folded: bool,
        components: Sequence[Sequence[tuple[int, int, Sequence[int]]]],
        limits: Sequence[Sequence[tuple[int, int, Sequence[int]]]],
        most: Sequence[int],
        function: object | None,
        parts: int,
        length_mm: Sequence[int],
        price_cents: Sequence[int],
        longest_mm: Sequence[int],
        hop: int,
        cable_mm: int,
        endpoint: int,
        fixed_cents: int,
        rack_switches: int,
    ) -> None: ...

class Searcher:
    """One heuristic search; its seed and stream determine its result."""

    def state(self) -> list[int]:
        """
        The complete state, from which the run can be resumed, as 64-bit words.
        """

    def offer(self, generators: Sequence[int]) -> None:
        """Accept a basis from another searcher."""

    def run(self, evaluations: int) -> None:
        """Run a number of evaluations."""

    def designs(self) -> list[list[int]]:
        """The best basis so far, or the front; each as generators."""

    @property
    def evaluations(self) -> int: ...

class Chain(Searcher):
    """One annealing chain."""

    def __init__(
        self,
        evaluator: Evaluator,
        front: bool,
        seed: int,
        stream: int,
        start: Sequence[int] | None,
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
        structured: bool,
    ) -> None: ...
    @staticmethod
    def restored(
        evaluator: Evaluator,
        front: bool,
        state: Sequence[int],
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
        structured: bool,
    ) -> Chain:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class Tempering(Searcher):
    """One ladder of replicas."""

    def __init__(
        self,
        evaluator: Evaluator,
        front: bool,
        seed: int,
        stream: int,
        start: Sequence[int] | None,
        coldest: float,
        hottest: float,
        replicas: int,
    ) -> None: ...
    @staticmethod
    def restored(
        evaluator: Evaluator, front: bool, state: Sequence[int], coldest: float, hottest: float, replicas: int
    ) -> Tempering:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class Neighbourhood(Searcher):
    """
    One walk that removes generators and replaces them by the best completion.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        front: bool,
        seed: int,
        stream: int,
        start: Sequence[int] | None,
        most: int,
        temperature: float,
    ) -> None: ...
    @staticmethod
    def restored(
        evaluator: Evaluator, front: bool, state: Sequence[int], most: int, temperature: float
    ) -> Neighbourhood:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class Walk:
    """
    One annealing walk over designs, each a list of numbers; its seed and stream decide.
    """

    def state(self) -> list[int]:
        """
        The complete state, from which the run can be resumed, as 64-bit words.
        """

    def offer(self, candidate: Sequence[int]) -> None:
        """Accept a design from another walk."""

    def run(self, evaluations: int) -> None:
        """Run a number of evaluations."""

    def designs(self) -> list[list[int]]:
        """The best design so far, then others that the walk keeps."""

    @property
    def evaluations(self) -> int: ...

def hybrid_metric_names() -> list[str]:
    """
    The times that are score components of circuits, in the order of their indices.
    """

class HybridTask:
    """A hybrid network, a workload and the objective; immutable."""

    def __init__(
        self,
        groups: int,
        nodes_per_group: int,
        rates: Sequence[float],
        costs: Sequence[int],
        units: Sequence[float],
        source: Sequence[int],
        destination: Sequence[int],
        bits: Sequence[float],
        wait_start: Sequence[int],
        wait: Sequence[int],
        begin_delay: Sequence[float],
        metrics: Sequence[int],
        ports: int,
        max_circuits: int,
        placement_is_free: bool,
        packet_ways: tuple[
            Sequence[float],
            Sequence[float],
            Sequence[int],
            Sequence[int],
            Sequence[float],
            Sequence[int],
            Sequence[int],
        ]
        | None = None,
    ) -> None: ...

class CircuitWalk(Walk):
    """
    One annealing walk over circuits and placements. A design is nodes of processes, then ends of circuits.
    """

    def __init__(
        self,
        task: HybridTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: HybridTask,
        state: Sequence[int],
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
    ) -> CircuitWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class BottleneckWalk(Walk):
    """One annealing walk over circuits that minimises the bottleneck time."""

    def __init__(
        self, task: HybridTask, seed: int, stream: int, start: Sequence[int], first_leg: int, growth: float
    ) -> None: ...
    @staticmethod
    def restored(task: HybridTask, state: Sequence[int], first_leg: int, growth: float) -> BottleneckWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class BottleneckSearch:
    """Annealing of circuits that minimises the bottleneck time."""

    def __init__(
        self,
        sizes: Sequence[int],
        rates: Sequence[float],
        costs: Sequence[int],
        ends: Sequence[Sequence[int]],
        bits: Sequence[float],
        seed: int,
        stream: int,
    ) -> None:
        """
        Sizes: groups, nodes per group, ports, maximum circuits; rates of nodes, uplinks and circuits.
        """

    def begin(self, start: Sequence[tuple[int, int]], limit_ns: float = 0.0) -> None:
        """Restart; with a limit the total time is minimised."""

    def step(self, start: int, end: int, schedule: int) -> None:
        """
        Evaluate the neighbours start .. end - 1 of a cooling schedule of the given length.
        """

    @property
    def best(self) -> list[tuple[int, int]]: ...
    @property
    def bottleneck_ns(self) -> float: ...
    @property
    def total_ns(self) -> float: ...

class PhaseSearch:
    """Local search for the phases of messages that share no link in a phase."""

    def __init__(
        self,
        resources: int,
        start: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        resource: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        seed: int,
        stream: int,
    ) -> None:
        """
        Message i occupies resource[start[i]:start[i + 1]]; given has its first phase, -1 for none.
        """

    def run(self, evaluations: int) -> None:
        """
        Run a number of evaluations; return earlier once there is one phase less, or the bound is reached.
        """

    def best(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The phase of each message in the best assignment."""

    @property
    def phases(self) -> int: ...
    @property
    def bound(self) -> int:
        """Messages of the heaviest resource."""

    @property
    def open_messages(self) -> int:
        """Messages without a phase in the current assignment."""

    @property
    def evaluations(self) -> int: ...

class LevelTask:
    """Messages by level over two planes of cubes; immutable."""

    def __init__(
        self,
        n: int,
        folded: bool,
        nodes_per_switch: int,
        level_start: Sequence[int],
        repetitions: Sequence[int],
        source: Sequence[int],
        destination: Sequence[int],
        bytes: Sequence[int],
        half: Sequence[int],
    ) -> None: ...
    def totals(
        self,
        generators: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
        """
        For each row, a basis: bytes of the busiest link summed over levels, of the busiest link over all levels, and of all links.
        """

class LevelWalk(Walk):
    """
    One annealing walk over connection sets under a workload. A design is generators.
    """

    def __init__(
        self,
        task: LevelTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
        levels: int,
        busiest: int,
        total: int,
        kept: int,
        needs_times: bool,
    ) -> None: ...
    @staticmethod
    def restored(
        task: LevelTask,
        state: Sequence[int],
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
        levels: int,
        busiest: int,
        total: int,
        kept: int,
        needs_times: bool,
    ) -> LevelWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

    def unmeasured(self) -> list[list[int]]:
        """The designs kept whose times are unknown, if times decide."""

    def set_time(self, candidate: Sequence[int], time: int) -> None:
        """Set the time of a design that is kept."""

class GraphTask:
    """
    Regular graphs to search, and the groups of their symmetries; immutable.
    """

    def __init__(self, vertices: int, degree: int, groups: Sequence[Sequence[int]], diameter_first: bool) -> None:
        """
        Groups are semidirect products (a, c, b, m0, m1, m2, m3) of Z_a x Z_c and Z_b by a matrix.
        """

class GraphWalk(Walk):
    """
    One annealing walk over regular graphs. A design is both ends of each edge.
    """

    def __init__(
        self,
        task: GraphTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: GraphTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> GraphWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class PlacedTask(GraphTask):
    """Regular graphs of vertices in racks to search; immutable."""

    def __init__(
        self,
        graphs: GraphTask,
        nodes: int,
        rack: Sequence[int],
        needed_mm: Sequence[int],
        kind: Sequence[int],
        length_mm: Sequence[int],
        price_cents: Sequence[int],
        delays: Sequence[int],
        fixed_cents: int,
        node_cable_mm: int,
        components: Sequence[Sequence[tuple[int, int, Sequence[int]]]],
        limits: Sequence[Sequence[tuple[int, int, Sequence[int]]]],
    ) -> None:
        """
        Kinds are those of the cables between any two racks; delays those of a switch, of 1 mm and of both ends.
        """

class PlacedWalk(Walk):
    """
    One annealing walk over regular graphs and the places of their vertices. A design is both ends of each edge, by their places.
    """

    def __init__(
        self,
        task: PlacedTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: PlacedTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> PlacedWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class HostTask:
    """Switches with hosts to search; immutable."""

    def __init__(
        self, hosts: int, ports: int, planes: int, cables: int, moves_hosts: bool, sizes: Sequence[int]
    ) -> None:
        """
        Sizes are numbers of switches; a plane has at most `cables` cables. Hosts that do not move are spread evenly.
        """

class HostWalk(Walk):
    """
    One annealing walk over host graphs. A design is the number of switches, the hosts of each, and of each plane the number of cables and both ends of each.
    """

    def __init__(
        self,
        task: HostTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: HostTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> HostWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class MeasuredGraphTask:
    """Switches with hosts to search for any score; immutable."""

    def __init__(self, graphs: HostTask, first: Sequence[int], function: object) -> None:
        """
        The first graph is connected. The function takes a design, and returns what annealing minimises, a number, and the score, a tuple of integers.
        """

class MeasuredGraphWalk(Walk):
    """
    One annealing walk over host graphs whose score a function returns. A design is that of `HostWalk`, or if hosts do not move both ends of each cable of one plane.
    """

    def __init__(
        self,
        task: MeasuredGraphTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: MeasuredGraphTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> MeasuredGraphWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class RelabellingTask:
    """Planes of one topology, or of one each, to relabel; immutable."""

    def __init__(self, vertices: int, planes: int, distances: bytes) -> None:
        """
        Distances are the hops between every two vertices, a byte each, once or for each plane.
        """

    @property
    def dimension(self) -> int | None:
        """
        n, if vertices are the vectors of GF(2)^n and distances depend on sums alone; else None.
        """

class LinearLoadTask(RelabellingTask):
    """
    Planes over GF(2)^n of which also the load of the busiest link is minimised; immutable.
    """

    def __init__(
        self, planes: RelabellingTask, links: Sequence[int], components: Sequence[Sequence[int]], times: Sequence[int]
    ) -> None:
        """
        Links are, for each vector, a bit for each link of the route there from 0, once or for each of mixed planes; components are products of the sum of distances, 0, and the load, 1; times are those of a packet on a link of each plane.
        """

class MeasuredTask(RelabellingTask):
    """Planes to relabel for any score; immutable."""

    def __init__(self, planes: RelabellingTask, function: object) -> None:
        """
        The function takes the places in plane 1, then in plane 2, and so on, and returns what annealing minimises, a number, and the score, a tuple of integers.
        """

class RelabellingWalk(Walk):
    """
    One annealing walk over the places of vertices in planes. A design is those in plane 1, then in plane 2, and so on.
    """

    def __init__(
        self,
        task: RelabellingTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: RelabellingTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> RelabellingWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class LinearWalk(Walk):
    """
    One annealing walk over linear places of the vectors of GF(2)^n in planes.
    """

    def __init__(
        self,
        task: RelabellingTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: RelabellingTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> LinearWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class AdditiveWalk(Walk):
    """One annealing walk over places that are linear over Z4 and GF(2)."""

    def __init__(
        self,
        task: RelabellingTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: RelabellingTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> AdditiveWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class LinearLoadWalk(Walk):
    """One annealing walk over the same that minimises loads, too."""

    def __init__(
        self,
        task: LinearLoadTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: LinearLoadTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> LinearLoadWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class MeasuredWalk(Walk):
    """One annealing walk over places whose score a function returns."""

    def __init__(
        self,
        task: MeasuredTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: MeasuredTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> MeasuredWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

class MeasuredLinearWalk(Walk):
    """One annealing walk over linear ones among them."""

    def __init__(
        self,
        task: MeasuredTask,
        seed: int,
        stream: int,
        start: Sequence[int],
        hottest: float,
        coolest: float,
        first_leg: int,
        growth: float,
    ) -> None: ...
    @staticmethod
    def restored(
        task: MeasuredTask, state: Sequence[int], hottest: float, coolest: float, first_leg: int, growth: float
    ) -> MeasuredLinearWalk:
        """
        Restore from a state, with the settings it was saved with; ValueError if damaged.
        """

EXACT_MAX_N: int = 10

class ExactSearch:
    """An exact search, divided into units."""

    def __init__(
        self,
        evaluator: Evaluator,
        front: bool,
        everything: bool,
        incumbents: Sequence[Sequence[int]],
        floor: Sequence[int],
        loads: Sequence[Sequence[tuple[int, int]]],
    ) -> None: ...
    @property
    def units(self) -> int: ...
    @property
    def most(self) -> int:
        """
        The largest sum of distances of a basis that could beat the incumbents; -1 if none can.
        """

    @property
    def above(self) -> dict[str, Any]:
        """Counts of the search tree above the units."""

    def run(self, first: int, last: int) -> tuple[dict[str, Any], list[int], list[tuple[int, list[int]]]]:
        """
        Search units; return counts, evaluations by unit, and (unit, generators) of survivors.
        """

    def probe(self, seed: int, paths: int) -> list[tuple[float, float]]:
        """
        Estimate (computation seconds, sets visited) of all units, once per random path below a unit.
        """

    def cancel(self) -> None:
        """End all runs soon; their results are invalid."""
