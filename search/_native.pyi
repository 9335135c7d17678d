"""Inner loops of the searches over connection sets and over circuits."""

from collections.abc import Sequence
from typing import Any

class Evaluator:
    """Judges bases of one dimension and family; immutable."""

    def __init__(
        self,
        n: int,
        folded: bool,
        components: Sequence[Sequence[int]],
        length_mm: Sequence[int],
        price_cents: Sequence[int],
        hop: int,
        cable_mm: int,
        endpoint: int,
        fixed_cents: int,
    ) -> None: ...

class Searcher:
    """One heuristic search; its seed and stream decide its course."""

    def state(self) -> list[int]:
        """All that decides its course from here on, as words of 64 bits."""

    def offer(self, generators: Sequence[int]) -> None:
        """Let it know a basis of another searcher."""

    def run(self, evaluations: int) -> None:
        """Advance by so many evaluations."""

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
        The one whose state this is, made as that one; ValueError if the state is damaged.
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
        The one whose state this is, made as that one; ValueError if the state is damaged.
        """

class Neighbourhood(Searcher):
    """
    One walk that removes generators and puts the best ones in their place.
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
        The one whose state this is, made as that one; ValueError if the state is damaged.
        """

def hybrid_metric_names() -> list[str]:
    """
    The times that scores of circuits are made of, in the order of their numbers.
    """

class HybridTask:
    """A hybrid network, a workload, and what is minimised; immutable."""

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
        metrics: Sequence[int],
        ports: int,
        most_circuits: int,
        placement_is_free: bool,
    ) -> None: ...

class CircuitWalk:
    """One annealing walk over circuits and placements."""

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
        The one whose state this is, made as that one; ValueError if the state is damaged.
        """

    def state(self) -> list[int]:
        """All that decides its course from here on, as words of 64 bits."""

    def offer(self, candidate: Sequence[int]) -> None:
        """Let it know a design of another walk."""

    def run(self, evaluations: int) -> None:
        """Advance by so many evaluations."""

    def designs(self) -> list[list[int]]:
        """The best design so far: nodes of processes, then ends of circuits."""

    @property
    def evaluations(self) -> int: ...

class BottleneckWalk:
    """One annealing walk over circuits, for the busiest link."""

    def __init__(
        self, task: HybridTask, seed: int, stream: int, start: Sequence[int], first_leg: int, growth: float
    ) -> None: ...
    @staticmethod
    def restored(task: HybridTask, state: Sequence[int], first_leg: int, growth: float) -> BottleneckWalk:
        """
        The one whose state this is, made as that one; ValueError if the state is damaged.
        """

    def state(self) -> list[int]:
        """All that decides its course from here on, as words of 64 bits."""

    def offer(self, candidate: Sequence[int]) -> None:
        """Let it know a design of another walk."""

    def run(self, evaluations: int) -> None:
        """Advance by so many evaluations."""

    def designs(self) -> list[list[int]]:
        """The best design so far: nodes of processes, then ends of circuits."""

    @property
    def evaluations(self) -> int: ...

class BottleneckSearch:
    """Annealing of circuits, for the busiest link."""

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
        Sizes: groups, nodes of each, ports, most circuits; rates of nodes, links up and circuits.
        """

    def begin(self, start: Sequence[tuple[int, int]], limit_ns: float = 0.0) -> None:
        """Start anew; with a limit the total is minimised."""

    def step(self, start: int, end: int, schedule: int) -> None:
        """Judge neighbours, from one number to another of a schedule of so many."""

    @property
    def best(self) -> list[tuple[int, int]]: ...
    @property
    def bottleneck_ns(self) -> float: ...
    @property
    def total_ns(self) -> float: ...

EXACT_MAX_N: int = 10

class ExactSearch:
    """The units of an exact search, and what they share."""

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
        """Counts of the walk to the units."""

    def run(self, first: int, last: int) -> tuple[dict[str, Any], list[int], list[tuple[int, list[int]]]]:
        """
        Walk units; return counts, the evaluations of each, and (unit, generators) of what survived.
        """

    def probe(self, seed: int, paths: int) -> list[tuple[float, float]]:
        """
        Estimate (seconds of computation, sets met) of all units, once for each random path below a unit.
        """

    def cancel(self) -> None:
        """Let all walks end soon; what they return means nothing."""
