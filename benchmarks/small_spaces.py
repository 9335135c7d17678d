"""Check that default searches of small spaces end with a proof, equal to brute force, on random cases.

Run `python benchmarks/small_spaces.py --check`; it exits with 1 if a search is not proven or another design is better.
Brute force lists the designs by itself, and the reference computes the scores of cubes.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import prod

import numpy as np
from configured_objectives import OBJECTIVES, configured

from isoplane.models import Circuits, Design, Hybrid, OpticalOverlay, Placement, Site
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import (
    Workload,
    WorkloadMix,
    all_to_all,
    from_matrix,
    recursive_doubling,
    ring_all_reduce,
    sparse,
)
from isoplane.objectives import CIRCUITS, CUBE_METRICS, TIMES, Lexicographic
from isoplane.objectives.reference import reference_exact
from isoplane.objectives.scoring.metric_scopes import needing
from isoplane.runs.records.verification import network_time_metrics
from isoplane.search import Auto, CircuitSpace, ConnectionSets, Limits, Solution, Space, solve

Points = set[tuple[int, ...]]
COMPONENTS = {
    "completion": ("completion", "bottleneck", "total"),
    "throughput": ("synchronised", "total"),
    "bottleneck": ("bottleneck", "total"),
}


@dataclass(frozen=True)
class Case:
    """A space with an objective; every design of it, and the score of a design, for brute force."""

    title: str
    space: Space
    objective: Lexicographic
    designs: Callable[[], Iterator[Design]]
    score: Callable[[Design], tuple[int, ...]]


def bases(n: int) -> Iterator[tuple[int, ...]]:
    """Yield all sets of n vectors of GF(2)^n of which no nonempty subset adds up to 0."""
    for generators in combinations(range(1, 1 << n), n):
        sums = {0}
        for generator in generators:
            sums |= {generator ^ other for other in sums}
        if len(sums) == 1 << n:
            yield generators


def circuits(hybrid: Hybrid | OpticalOverlay, most: int) -> Iterator[Circuits]:
    """Yield all sets of at most so many circuits between nodes of different groups, within the ports."""
    nodes = range(hybrid.nodes)
    pairs = [(a, b) for a, b in combinations(nodes, 2) if hybrid.group_of(a) != hybrid.group_of(b)]
    repeated = [pair for pair in pairs for _ in range(hybrid.ports_per_node)]
    chosen = {tuple(sorted(some)) for count in range(most + 1) for some in combinations(repeated, count)}
    for some in sorted(chosen):
        ends = [node for pair in some for node in pair]
        if all(ends.count(node) <= hybrid.ports_per_node for node in nodes):
            yield Circuits(some)


def random_workload(rng: np.random.Generator, processes: int) -> Workload:
    """Return a workload between some processes."""
    size = int(rng.integers(1, 10_000_000))
    makers: list[Callable[[], Workload]] = [
        lambda: sparse(processes, 2, size, seed=int(rng.integers(1000)), iterations=int(rng.integers(1, 3))),
        lambda: all_to_all(processes, size),
        lambda: ring_all_reduce(processes, size * processes),
        lambda: recursive_doubling(processes, size),
        lambda: from_matrix(rng.integers(0, 9, (processes, processes)) * size + np.eye(processes, k=1, dtype=int)),
        lambda: WorkloadMix(((3, sparse(processes, 1, size, seed=1)), (2, all_to_all(processes, 1 + size // 7)))),
    ]
    return makers[rng.integers(len(makers) if processes & (processes - 1) == 0 else 3)]()


def random_sets(rng: np.random.Generator, largest: int, most_nodes: int) -> ConnectionSets:
    """Return a space of connection sets."""
    site, n = Site() if rng.integers(2) else Site(layout=None), int(rng.integers(2, largest + 1))
    per_switch = int(rng.choice([number for number in (1, 2, 4) if number << n <= most_nodes]))
    return ConnectionSets(n, bool(rng.integers(2)), per_switch, site)


def cube_case(rng: np.random.Generator) -> Case:
    """Return connection sets with an objective of cubes or a front of two random metrics."""
    space = random_sets(rng, 4 if rng.integers(15) == 0 else 3, 32)  # the reference takes minutes for n = 4
    metrics = [name for name in CUBE_METRICS if space.site.layout is not None or name not in needing("layout", "cubes")]
    names = [name for name in OBJECTIVES if space.site.layout is not None or not OBJECTIVES[name].needs_layout]
    front = len(metrics) > 2 and rng.integers(3) == 0
    if front:
        names = ["front"]
    objective = OBJECTIVES[str(rng.choice(names))]
    if objective.front is not None:
        objective = configured("front", metrics=rng.choice(["delay", "max_traffic", "aspl", "cost"], 2, False).tolist())
    objective = space.fitted(objective)
    factors = [(metric,) for metric in objective.front] if objective.front else objective.components

    def score(design: Design) -> tuple[int, ...]:
        exact = reference_exact(design.network)
        return tuple(prod(exact[metric] or 0 for metric in component) for component in factors)

    title = f"n={space.n} folded={space.folded} x {space.nodes_per_switch} {objective.name} {objective.front or ''}"
    return Case(title, space, objective, lambda: map(space.design, bases(space.n)), score)


def workload_case(rng: np.random.Generator) -> Case:
    """Return connection sets under a workload."""
    sets = random_sets(rng, 3, 8)
    space = sets.with_workload(random_workload(rng, sets.identical.nodes))
    name = str(rng.choice(list(COMPONENTS)))
    objective = Lexicographic(name, [(time,) for time in COMPONENTS[name]], TIMES, space.workload)

    def score(design: Design) -> tuple[int, ...]:
        times = network_time_metrics(design.network, space.workload)
        return tuple(times[f"{component}_ns"] for component in objective.score_names)

    title = f"n={sets.n} folded={sets.folded} x {sets.nodes_per_switch} {name} {space.workload.name}"
    return Case(title, space, objective, lambda: map(space.design, bases(sets.n)), score)


def circuit_case(rng: np.random.Generator) -> Case:
    """Return circuits over a tree or a ring, with a given or a free placement."""
    ports = int(rng.integers(1, 3))
    families = [
        Hybrid(2, 2, ports),
        Hybrid(2, 3, ports),
        OpticalOverlay(packet=Torus(shape=(4,)), ports_per_node=ports),
    ]
    hybrid = families[rng.integers(len(families))]
    work, most = random_workload(rng, hybrid.nodes), min(2, hybrid.max_circuits)
    while isinstance(work, WorkloadMix):
        work = random_workload(rng, hybrid.nodes)
    space = CircuitSpace(
        hybrid, work, most, str(rng.choice(["by_switch", "free"] if hybrid.nodes < 6 else ["by_switch"]))
    )
    name = str(rng.choice([*COMPONENTS, "completion_by_packets"]))
    components = COMPONENTS.get(name, ("completion_by_packets", "bottleneck", "total"))
    objective = Lexicographic(name, [(time,) for time in components], CIRCUITS, work)
    orders = list(permutations(range(hybrid.nodes))) if space.placement == "free" else [tuple(range(hybrid.nodes))]

    def designs() -> Iterator[Design]:
        for order in orders:
            for some in circuits(hybrid, most):
                yield Design(space.network, some, Placement(order))

    title = f"{hybrid.name} {hybrid.nodes} nodes, {ports} ports, {space.placement} {name} {work.name}"
    return Case(title, space, objective, designs, objective.point)


KINDS = (cube_case, workload_case, circuit_case)


def searched(case: Case) -> tuple[Solution, Points]:
    """Return the last solution of a default search, and its score or the points of its front."""
    *_, last = solve(case.space, case.objective, Auto(), Limits(seconds=30), 1)
    return last, {case.objective.point(design) for design in last.kept}


def brute_force(case: Case) -> Points:
    """Return the best score over all designs, or all points of the front."""
    points = set(map(case.score, case.designs()))
    if case.objective.front is None:
        return {min(points)}
    return {p for p in points if not any(q != p and all(b <= a for a, b in zip(p, q, strict=True)) for q in points)}


def problem(case: Case) -> str | None:
    """Return what is wrong with the default search of a case, if anything."""
    last, found = searched(case)
    expected = brute_force(case)
    if found != expected:
        return f"the search found {sorted(found)}, brute force {sorted(expected)}"
    proven = last.complete if case.objective.front is not None else last.status == "optimal"
    return None if proven else f"{last.status}, not proven"


def main() -> int:
    """Print one line per case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", type=int, default=30, help="number of cases of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a case fails")
    options = parser.parse_args()
    failed = 0
    for kind in KINDS:
        for number in range(options.cases):
            case = kind(np.random.default_rng([options.seed, number]))
            start = time.monotonic()
            wrong = problem(case)
            failed += wrong is not None
            print(f"{case.title}: {wrong or 'optimal, as brute force'} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{failed} of {len(KINDS) * options.cases} cases failed")
    return int(options.check and failed > 0)


if __name__ == "__main__":
    sys.exit(main())
